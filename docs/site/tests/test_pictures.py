# SPDX-License-Identifier: Apache-2.0
"""The pictures are current, and what they are drawn from is what the RTL does."""

import json
from pathlib import Path

import pytest

from docs.site import ROOT, pictures
from docs.site.slots import Ring, entries
from lab import variants

DRAWN = pictures.drawn()
RESULTS = json.loads((ROOT / "lab" / "results" / "ecp5.json").read_text())["rows"]
CYCLES = {row["variant"]: row["cycles_per_block"] for row in RESULTS}
RINGS = [
    "chacha20-ring2",
    "chacha20-ring4",
    "chacha20-pipe",
]


@pytest.mark.parametrize("path", DRAWN, ids=lambda path: path.name)
def test_a_picture_is_current(path: Path) -> None:
    assert path.read_text() == DRAWN[path], "run python -m docs.site pictures"


@pytest.mark.parametrize("name", RINGS)
def test_the_model_has_the_rate_of_the_rtl(name: str) -> None:
    shape = variants.load()[name].parameters
    ring = Ring.chacha20(shape["Unroll"], shape["Stages"], beat_bytes(name))
    many = 40 * ring.stages * ring.passes
    found = entries(ring, many)
    settled = [cycle for cycle in found if cycle >= many // 2]
    assert (many - many // 2) / len(settled) == pytest.approx(CYCLES[name], rel=0.02)


def beat_bytes(name: str) -> int:
    """Of the keystream: chacha20_pkg's keystream_bytes()."""
    return {"chacha20-ring2": 16, "chacha20-ring4": 32, "chacha20-pipe": 64}[name]


def test_the_first_block_of_a_ring_leaves_after_all_passes() -> None:
    assert entries(pictures.RING2, 81) == [0, 4, 9, 13, 18, 22, 27, 31, 80]
