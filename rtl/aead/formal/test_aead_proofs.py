# SPDX-License-Identifier: Apache-2.0
"""Proofs about tags, when they come out and what is said of them, and of the wipe."""

import pytest

from lab import elaboration
from lab.variants import Variant
from rtl.testbench.proof import prove, prove_wipe


def test_no_tag_before_the_last_block() -> None:
    prove("aead", "chacha20_poly1305_tags_formal", {}, depth=2)


@pytest.mark.parametrize("tags", [1, 2])
def test_a_tag_matches_only_if_all_its_bits_do(tags: int) -> None:
    prove("aead", "chacha20_poly1305_back_formal", {"Tags": tags}, depth=2)


def test_wipe_leaves_nothing_of_a_key() -> None:
    parameters = {"Structure": 0, "MacStructure": 0, "MacInterval": 23, "DataBytes": 16}
    small = Variant("aead-small", "aead", "chacha20_poly1305", parameters, (), "")
    prove_wipe(
        small.block,
        small.top,
        parameters,
        cycles=elaboration.constants(small)["WipeCycles"],
        secrets="param_i s_axis_tdata",
        # Where the parts are in their schedules, kinds of messages and what is left of them, marks
        public="*.count_q *.slot_q* *.write_q* *.raw_q *.first_q *.exhausted_q *.two_q *.more_q "
        "*.read_q *.out_q *.last_q *.to_q *.subkey_q *.next_q *.last_unit_q *.marks*",
    )
