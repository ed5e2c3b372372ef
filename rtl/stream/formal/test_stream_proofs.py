# SPDX-License-Identifier: Apache-2.0
"""The proofs of the stream blocks, for all time by induction, and that they are not empty."""

import pytest

from rtl.testbench.proof import prove, prove_wipe
from rtl.testbench.runner import long_only

UP = {"InBytes": 1, "OutBytes": 4}
DOWN = {"InBytes": 4, "OutBytes": 1}


@pytest.mark.parametrize("slices", [1, 2])
def test_spill_is_a_queue(slices: int) -> None:
    prove("stream", "stream_spill_formal", {"SliceBits": 4 - slices})


def test_offers_are_a_queue_and_only_what_is_offered_stays_in_a_wipe() -> None:
    prove("stream", "stream_offer_formal", {}, depth=7)


def test_half_rate_is_a_queue() -> None:
    prove("stream", "stream_fifo_formal", {"Depth": 1, "HalfRate": 1})


@pytest.mark.parametrize("depth", [0, 1, 2, 3, 4])
def test_fifo_is_a_queue(depth: int) -> None:
    prove("stream", "stream_fifo_formal", {"Depth": depth})


def test_fifo_in_block_ram_is_a_queue() -> None:
    """Of the least depth; the shortest induction and the least width: each bit has the same way."""
    prove("stream", "stream_fifo_formal", {"Depth": 17, "Width": 1}, depth=4)


@pytest.mark.parametrize(("near", "slices"), [(0, 1), (0, 2), (1, 2)])
def test_buffer_is_a_queue(near: int, slices: int) -> None:
    prove("stream", "stream_buffer_formal", {"Near": near, "SliceBits": 3 - slices})


def test_data_of_a_buffer_may_come_a_cycle_behind_its_handshake() -> None:
    prove("stream", "stream_buffer_formal", {"Early": 1})


@pytest.mark.parametrize(
    ("most", "start", "give", "want"), [(9, 9, 2, 4), (8, 0, 1, 1), (5, 5, 2, 1)]
)
def test_credit_is_right_and_soon(most: int, start: int, give: int, want: int) -> None:
    values = {"Max": most, "Start": start, "GiveMax": give, "WantMax": want}
    prove("stream", "stream_credit_formal", values, depth=5)


@pytest.mark.parametrize(("most", "start"), [(5, 0), (5, 5), (8, 0), (8, 8)])
def test_count_is_right(most: int, start: int) -> None:
    prove("stream", "stream_count_formal", {"Max": most, "Start": start}, depth=2)


def test_what_goes_aside_comes_back_on_schedule() -> None:
    prove("stream", "stream_aside_formal", {}, depth=5)


@pytest.mark.parametrize(("early", "write"), [(0, 0), (1, 0), (1, 1)])
def test_wipe_leaves_nothing_in_the_ram(early: int, write: int) -> None:
    # Where the walk is, is no secret; it comes to each word, wherever it begins.
    prove_wipe(
        "stream",
        "wiped_ram_formal",
        {"EarlyAddress": early, "EarlyWrite": write},
        cycles=8 + early,
        secrets="we_i write_address_i write_data_i",
        public="*.walk_q *.write_address" if early else "*.walk_q",
    )


@pytest.mark.parametrize("truncated", [0, 1])
def test_a_tag_matches_only_if_all_its_bytes_do(truncated: int) -> None:
    prove("stream", "tag_compare_formal", {"Truncated": truncated}, depth=2)


@pytest.mark.parametrize("depth", [pytest.param(16, marks=long_only), 17])
def test_a_tag_meets_the_one_expected_for_it(depth: int) -> None:
    """With a RAM for the expected tags, small or block RAM, bounded."""
    parameters = {"Truncated": 1, "Depth": depth}
    flat = ["flatten", "memory_map", "opt -fast"]
    prove("stream", "tag_compare_formal", parameters, mode="bmc", depth=8, script=flat)


def test_width_up_keeps_packets() -> None:
    prove("stream", "stream_width_up_formal", UP)


def test_width_down_keeps_packets() -> None:
    prove("stream", "stream_width_down_formal", DOWN)


def test_harnesses_reach_full_and_empty() -> None:
    prove("stream", "stream_fifo_formal", {"Depth": 4}, mode="cover", depth=12)
    prove("stream", "stream_offer_formal", {}, mode="cover", depth=8)
    prove("stream", "stream_buffer_formal", {}, mode="cover", depth=12)
    prove("stream", "stream_credit_formal", {}, mode="cover", depth=16)
    prove("stream", "stream_count_formal", {}, mode="cover", depth=10)
    prove("stream", "stream_aside_formal", {}, mode="cover", depth=10)
    prove("stream", "tag_compare_formal", {"Truncated": 1}, mode="cover", depth=6)
    prove("stream", "stream_width_up_formal", UP, mode="cover", depth=12)
    prove("stream", "stream_width_down_formal", DOWN, mode="cover", depth=12)
