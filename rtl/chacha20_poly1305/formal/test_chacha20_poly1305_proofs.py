# SPDX-License-Identifier: Apache-2.0
"""Proofs about tags, when they come out and what is said of them, and of the wipe."""

import pytest

from lab import elaboration
from lab.variants import load
from rtl.testbench.proof import prove, prove_wipe
from rtl.testbench.runner import long_only


def test_no_tag_before_the_last_block() -> None:
    prove("chacha20_poly1305", "chacha20_poly1305_tags_formal", {}, depth=2)


@pytest.mark.parametrize("tags", [1, 2])
def test_a_tag_matches_only_if_all_its_bits_do(tags: int) -> None:
    prove("chacha20_poly1305", "chacha20_poly1305_back_formal", {"Tags": tags}, depth=2)


def test_small_tag_matches_only_if_all_its_bits_do() -> None:
    prove("chacha20_poly1305", "chacha20_poly1305_small_formal", {}, depth=2)


# Where the parts are in their schedules, kinds and lengths of messages
PUBLIC = (
    "*.count_q *.slot_q* *.write_q* *.hchacha_q *.first_q *.exhausted_q *.two_q *.more_q *.read_q "
    "*.out_q *.last_q *.to_q "
)


@pytest.mark.parametrize(
    ("name", "public"),
    [
        # and pieces of a message that are in, or left of it; marks
        ("aead-small", "*.operation_q *.extended_q *.tag_q *.part_q *.index_q"),
        (
            "aead-serial",
            (
                "*.subkey_q *.subkey_o *.tag_o *.blocks_q *.next_q *.index_q *.few_q *.whole_q "
                "*.behind_q *.input_q *.mask_q *.marks*"
            ),
        ),
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


@long_only
def test_wipe_leaves_nothing_of_a_key_in_a_ring_and_lanes() -> None:
    balanced = load()["aead-balanced"]
    prove_wipe(
        balanced.block,
        balanced.top,
        balanced.parameters,
        cycles=elaboration.constants(balanced)["WipeCycles"],
        secrets="param_i s_axis_tdata",
        # As in the tests of the parts; where in its message a beat is; marks; and what FIFOs take
        # of a param even in a wipe: lengths, an expected tag, with what a comparison with it said
        public="*.next_empty_q *.next_single_q *.u_core.left_q *.u_core.last_q *.enter_last_q "
        "*.pass_q* *.final_q *.write_q *.read_q *.front_write_q *.front_read_q *.walk_q "
        "*.write_address *.use_q *.u_multiply.*step_q *.base_q *.u_schedule.left_q *.wiped_q "
        "*.subkey_q *.subkey_o *.tag_o *.blocks_q u_front.next_q u_front.index_q u_front.few_q "
        "u_front.whole_q u_front.last_q u_front.behind_q u_front.input_q u_front.mask_q *.marks* "
        "*.same_q *.expected_q u_front.u_messages.*memory* u_front.u_messages.*data_q "
        "u_back.u_tags.*memory* u_back.u_tags.*data_q",
    )
