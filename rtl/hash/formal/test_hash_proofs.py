# SPDX-License-Identifier: Apache-2.0
"""Padding, for messages of any length; turns and slots; the wipe of each core, from any state."""

import pytest

from lab import elaboration, variants
from rtl.testbench.proof import prove, prove_wipe
from rtl.testbench.runner import long_only


@pytest.mark.parametrize("big_endian", [0, 1])
def test_every_byte_is_that_of_the_standard(big_endian: int) -> None:
    prove("hash", "hash_pad_formal", {"BigEndian": big_endian}, depth=2)


def test_harness_reaches_what_it_is_about() -> None:
    prove("hash", "hash_pad_formal", {}, mode="cover", depth=36)


def test_every_message_gets_its_turns() -> None:
    prove("hash", "hash_turns_formal", {}, depth=10)


def test_every_slot_gets_its_turns() -> None:
    prove("hash", "hash_pipe_turns_formal", {}, depth=20)


# The first word, one in the middle, the last with padding alone, and the last, which is read last
@long_only
@pytest.mark.parametrize("word", [0, 3, 13, 15])
def test_a_slot_keeps_its_beats(word: int) -> None:
    prove("hash", "hash_slots_formal", {"Word": word, "BigEndian": word % 2}, depth=2)


@long_only
def test_a_slot_waits_a_lap_and_a_bit_at_most() -> None:
    prove("hash", "hash_slots_formal", {"Word": 3, "Takes": 1}, depth=2)


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


# ---- rings: first their block RAMs, then all the rest --------------------------------------------
# In the last cycles of a wipe the memories are empty, but for the first chaining value, which
# nothing reads then.

LAST_CYCLES = 7


@pytest.mark.parametrize(("depth", "banks"), [(64, 4), (32, 1)])  # as sha256-ring and md5-ring
def test_wipe_empties_the_buffers_of_a_ring(depth: int, banks: int) -> None:
    prove("hash", "hash_buffer_wipe_formal", {"Depth": depth, "Banks": banks}, depth=2)


def test_wipe_empties_the_values_of_a_ring() -> None:
    others = ["chformal -remove c:*u_hold*"]  # they don't hold in any state
    prove("hash", "hash_values_wipe_formal", {}, depth=3, script=others)


@pytest.mark.parametrize("cycles", [16, 24])  # as sha256-ring
def test_zeros_empty_a_delay(cycles: int) -> None:
    prove("hash", "hash_delay_wipe_formal", {"Cycles": cycles}, depth=3)


PUBLIC = (
    "*.u_fill.* *.u_turns.memory* *.ended_q *.another_q *.error_q *.u_values.ready_q "
    "*.u_values.write_address_q *.u_values.write_q *.u_buffer.write_q *.u_ram.read_q "
    "*.u_ram.write_q"
)
RAMS = "*u_buffer*memory *u_values*memory *u_waiting*memory"
# Memories with a proof of their own; registers without a secret: where a message was and how many
# blocks it had, whether a beat was marked, how far a walk is, queues' pointers, delays' counters
RINGS = {
    "sha256-ring": (f"{RAMS} *u_to_*memory", "*.u_to_*.write_q *.u_to_*.read_q"),
    "md5-ring": (RAMS, "*.round_q"),
    "hmac-sha256-ring": (
        f"{RAMS} *u_to_*memory *u_keys*memory *u_digests*memory *u_kinds*memory",
        "*.u_to_*.write_q *.u_to_*.read_q beat_q outer_q",
    ),
}


@pytest.mark.parametrize(
    "row", [row if row == "md5-ring" else pytest.param(row, marks=long_only) for row in RINGS]
)
def test_wipe_leaves_nothing_in_a_ring(row: str) -> None:
    variant = variants.load()[row]
    empty, public = RINGS[row]
    prove_wipe(
        variant.block,
        variant.top,
        variant.parameters,
        cycles=LAST_CYCLES,
        secrets="s_axis_tdata param_i",
        public=f"{PUBLIC} {public}",
        empty=empty,
    )
