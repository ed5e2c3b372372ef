# SPDX-License-Identifier: Apache-2.0
"""Proofs of the device's parts: bursts for all time by induction, alignment to a bounded depth."""

import pytest

from rtl.testbench.proof import prove


@pytest.mark.parametrize(("data", "burst"), [(8, 2048), (16, 64), (64, 1024), (64, 4096)])
def test_bursts_cover_the_range_and_keep_the_4k_rule(data: int, burst: int) -> None:
    prove("device", "saltmill_bursts_formal", {"DataBytes": data, "BurstBytes": burst})


def test_every_byte_arrives_at_its_lane() -> None:
    # Ten cycles hold two jobs of up to four beats; the solver's time doubles with each cycle more.
    prove("device", "saltmill_align_formal", {}, mode="bmc", depth=10)


def test_harnesses_reach_bursts_and_unaligned_jobs() -> None:
    prove("device", "saltmill_bursts_formal", {}, mode="cover")
    prove("device", "saltmill_align_formal", {}, mode="cover", depth=10)
