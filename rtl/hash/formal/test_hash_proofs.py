# SPDX-License-Identifier: Apache-2.0
"""Padding, for messages of any length; the wipe of each core, from any state."""

import pytest

from lab import elaboration, variants
from rtl.testbench.proof import prove, prove_wipe


@pytest.mark.parametrize("big_endian", [0, 1])
def test_every_byte_is_that_of_the_standard(big_endian: int) -> None:
    prove("hash", "hash_pad_formal", {"BigEndian": big_endian}, depth=2)


def test_harness_reaches_what_it_is_about() -> None:
    prove("hash", "hash_pad_formal", {}, mode="cover", depth=36)


def test_every_message_gets_its_turns() -> None:
    prove("hash", "hash_turns_formal", {}, depth=10)


def test_every_slot_gets_its_turns() -> None:
    prove("hash", "hash_pipe_turns_formal", {}, depth=20)


@pytest.mark.parametrize(
    ("row", "public"),
    [
        ("sha256-serial", ""),
        ("md5-serial", " *.n_q *.place_q"),
        ("hmac-sha256-serial", " beat_q outer_q"),
    ],
)
def test_wipe_leaves_nothing_of_a_message(row: str, public: str) -> None:
    variant = variants.load()[row]
    prove_wipe(
        variant.block,
        variant.top,
        variant.parameters,
        cycles=elaboration.constants(variant)["WipeCycles"],
        secrets="s_axis_tdata param_i",
        # Where a step is, constants on their way, the last flag of a beat, whether one was marked
        public="*.u_q *.opening_q *.ahead_q *.read_q *.constant_o *.digest_last_o *.last_q "
        f"*.error_q{public}",
    )
