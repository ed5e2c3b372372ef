# SPDX-License-Identifier: Apache-2.0
"""The arithmetic of poly1305: widths, carries, final reduction; when tags come out; the wipe."""

import pytest

from lab import elaboration, variants
from rtl.testbench.proof import prove, prove_wipe
from rtl.testbench.runner import long_only

LIMB = (1 << 17) - 1
SEGMENT = (1 << 34) - 1

# Also in poly1305_carry_formal: what segments are below, and the bits of columns
SEGMENTS = [(1 << 34) + (1 << 30)] * 3 + [(1 << 28) + (1 << 23)]
COLUMN_BITS = [45, 45, 45, 44, 43, 39, 38, 37]


def columns(segments: list[int]) -> list[tuple[int, int]]:
    """The largest sums of products below and above 2^136, from the largest segments of A and B."""
    limbs = [limb for segment in segments for limb in (min(segment, LIMB), segment >> 17)]
    return [
        (
            sum(limbs[i] * limbs[k - i] for i in range(k + 1)),
            sum(limbs[i] * limbs[k + 8 - i] for i in range(k + 1, 8)),
        )
        for k in range(8)
    ]


def test_widths_are_enough() -> None:
    sums = columns(SEGMENTS)
    assert all(
        low + 320 * high < 1 << bits for (low, high), bits in zip(sums, COLUMN_BITS, strict=True)
    )
    assert max(SEGMENTS) < 1 << 35
    assert SEGMENTS[3] < 1 << 29
    odd = max(SEGMENTS) >> 17
    assert odd < 1 << 18
    assert 2 * odd**2 < 1 << 36  # a pair
    assert 4 * odd**2 < 1 << 37  # two; low_half, high_half
    assert max(max(sides) for sides in sums) < 1 << 38
    assert (1 << max(COLUMN_BITS)) + SEGMENT < 1 << 47
    assert 8 * max(SEGMENTS) < 1 << 38  # the sum of the lanes
    assert 8 * SEGMENTS[3] < 1 << 33


@pytest.mark.parametrize(
    "interval", [pytest.param(1, marks=long_only), pytest.param(2, marks=long_only), 4]
)
def test_carries_keep_the_number(interval: int) -> None:
    parameters = {"Interval": interval}
    prove("poly1305", "poly1305_carry_formal", parameters, mode="bmc", depth=2 * interval + 6)


@long_only
def test_tag_is_the_remainder_plus_s() -> None:
    prove("poly1305", "poly1305_finish_formal", {}, mode="bmc", depth=24)


@pytest.mark.parametrize("interval", [1, 2, 4])
def test_no_tag_before_the_last_block(interval: int) -> None:
    prove("poly1305", "poly1305_tags_formal", {"Interval": interval}, depth=2)


@pytest.mark.parametrize("name", ["poly1305-balanced", "poly1305-fast"])
def test_wipe_leaves_nothing_of_a_key(name: str) -> None:
    variant = variants.load()[name]
    prove_wipe(
        variant.block,
        variant.top,
        variant.parameters,
        cycles=elaboration.constants(variant)["WipeCycles"],
        secrets="key_i s_axis_tdata",
        # Where the turns are, powers that are made, lanes to be closed; the place that is wiped
        public="*.use_q *.u_multiply.*step_q *.base_q *.u_schedule.left_q *.wiped_q",
    )


def test_harnesses_reach_what_they_are_about() -> None:
    prove("poly1305", "poly1305_finish_formal", {}, mode="cover", depth=24)
    prove("poly1305", "poly1305_carry_formal", {"Interval": 4}, mode="cover", depth=14)
    # A key is set up in 37 cycles, a message of one block has its tag 34 cycles later.
    prove("poly1305", "poly1305_tags_formal", {"Interval": 1}, mode="cover", skip=70, depth=84)


def test_serial_widths_are_enough() -> None:
    """Words of h with a block added, of r and of s = r + r / 4; see poly1305_serial_data."""
    word, r, block = (1 << 32) - 1, (1 << 28) - 1, (1 << 32) - 1
    s = r + r // 4
    assert s < 1 << 29
    folded = 5 * (((1 << 32) - 1) >> 2)  # the word above has 32 bits, shown below
    h = [word + folded + block, *[word + block] * 3]
    above = 3 + 1
    assert max(h) < 1 << 34
    sums = [
        sum(h[i] * (r if i <= c else s) for i in range(4)) + (above * s if c else 0)
        for c in range(4)
    ]
    carry = 0
    for value in sums:
        assert value + carry < 1 << 64
        carry = (value + carry) >> 32
    assert above * r + carry < 1 << 32
    assert word + folded + ((1 << 32) - 1) * sum(1 << (32 * i) for i in (1, 2, 3)) + (
        3 << 128
    ) < 2 * ((1 << 130) - 5)
