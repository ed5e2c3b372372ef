# SPDX-License-Identifier: Apache-2.0
"""Proofs about tags, when they come out and what is said of them, and of the wipe."""

import pytest

from lab import elaboration
from lab.variants import load
from rtl.testbench.proof import prove, prove_wipe


def test_no_tag_before_the_last_block() -> None:
    prove("aead", "chacha20_poly1305_tags_formal", {}, depth=2)


@pytest.mark.parametrize("tags", [1, 2])
def test_a_tag_matches_only_if_all_its_bits_do(tags: int) -> None:
    prove("aead", "chacha20_poly1305_back_formal", {"Tags": tags}, depth=2)


def test_small_tag_matches_only_if_all_its_bits_do() -> None:
    prove("aead", "chacha20_poly1305_small_formal", {}, depth=2)


# Where the parts are in their schedules, kinds of messages
PUBLIC = (
    "*.count_q *.slot_q* *.write_q* *.raw_q *.first_q *.exhausted_q *.two_q *.more_q *.read_q "
    "*.out_q *.last_q *.to_q "
)


@pytest.mark.parametrize(
    ("name", "public"),
    [
        # and pieces of a message that are in, or left of it; marks
        ("aead-small", "*.operation_q *.extended_q *.tag_q *.part_q *.index_q"),
        ("aead-small16", "*.subkey_q *.next_q *.last_unit_q *.marks*"),
    ],
)
def test_wipe_leaves_nothing_of_a_key(name: str, public: str) -> None:
    small = load()[name]
    prove_wipe(
        small.block,
        small.top,
        small.parameters,
        cycles=elaboration.constants(small)["WipeCycles"],
        secrets="param_i s_axis_tdata",
        public=PUBLIC + public,
    )
