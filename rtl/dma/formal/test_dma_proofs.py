# SPDX-License-Identifier: Apache-2.0
"""Proofs: counts of beats for all lengths and all time, the bytes' way to a bounded depth."""

import pytest

from rtl.testbench.proof import prove, prove_wipe
from rtl.testbench.runner import long_only

ALIGNED_ONLY = {"Alignment": 0}


@pytest.mark.parametrize("parameters", [{}, ALIGNED_ONLY])
def test_every_byte_leaves_at_its_lane(parameters: dict[str, int]) -> None:
    # Twelve cycles hold two jobs of up to three beats and their way through the funnel.
    prove("dma", "dma_align_out_formal", parameters, mode="bmc", depth=12)


@pytest.mark.parametrize("parameters", [{}, ALIGNED_ONLY, {"DataBytes": 16}])
def test_ranges_of_any_length_become_packets_of_that_length(parameters: dict[str, int]) -> None:
    prove("dma", "dma_align_in_formal", parameters, depth=4)


@pytest.mark.parametrize("parameters", [pytest.param({}, marks=long_only), ALIGNED_ONLY])
def test_every_byte_comes_in_at_its_place(parameters: dict[str, int]) -> None:
    prove("dma", "dma_align_in_bytes_formal", parameters, mode="bmc", depth=14)


def test_wipe_leaves_nothing_in_the_funnel() -> None:
    prove_wipe(
        "dma",
        "dma_align_out_wipe_formal",
        {},
        cycles=7,
        secrets="data_i",
        # That there was an error, and the lanes and strobes that are not there for it
        public="*.failed_q *.lowest* *.highest* *.u_mask.*",
    )


def test_beats_follow_their_addresses_and_answers_are_counted() -> None:
    prove("dma", "dma_write_channel_formal", {}, depth=6)


def test_far_beats_are_told_whose_turn_is_next() -> None:
    prove("dma", "dma_write_turns_formal", {}, depth=3)


@pytest.mark.parametrize(
    "parameters", [{}, {"DataBytes": 8, "AddressBits": 64, "BurstBytes": 32}, {"AddressBits": 32}]
)
def test_bursts_tile_their_range(parameters: dict[str, int]) -> None:
    prove("dma", "dma_bursts_formal", parameters, depth=5)


def test_read_beats_reach_who_waits_for_them() -> None:
    prove("dma", "dma_read_channel_formal", {}, depth=4)


@pytest.mark.parametrize("decoupled", [pytest.param(0, marks=long_only), 1])
def test_a_buffer_is_a_queue(decoupled: int) -> None:
    parameters = {"Decoupled": decoupled}
    flat = ["flatten", "memory_map", "opt -fast"]
    prove("dma", "dma_buffer_formal", parameters, mode="bmc", depth=15, script=flat)


def test_harnesses_reach_unaligned_jobs_and_full_queues() -> None:
    prove("dma", "dma_align_out_formal", {}, mode="cover", depth=20)
    prove("dma", "dma_write_channel_formal", {}, mode="cover", depth=22)
    prove("dma", "dma_align_in_formal", {}, mode="cover", depth=14)
    prove("dma", "dma_align_in_bytes_formal", {}, mode="cover", depth=24)
    prove("dma", "dma_bursts_formal", {}, mode="cover", depth=14)
    prove("dma", "dma_read_channel_formal", {}, mode="cover", depth=16)
    prove("dma", "dma_buffer_formal", {}, mode="cover", depth=18)
    prove("dma", "dma_write_turns_formal", {}, mode="cover", depth=8)
