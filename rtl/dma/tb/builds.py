# SPDX-License-Identifier: Apache-2.0
"""The DMA's benches: their builds, and the lengths that they try."""

from pathlib import Path
from typing import Any

import pytest
from cocotb_tools.runner import VerilatorControlFile

from lab import cores
from rtl.testbench import runner

PARAMETERS = ("DataBytes", "Alignment", "BurstBytes", "AddressBits")
SOME = [(16, 1, 1024, 32), (8, 1, 256, 64), (16, 0, 1024, 32), (64, 1, 1024, 32)]
SLICE_BITS = 144  # of wide beats in a buffer
BUILDS = [*SOME, (32, 1, 512, 40), (64, 0, 1024, 32)] if runner.LONG else SOME


over_builds = pytest.mark.parametrize(("data", "alignment", "burst", "address"), BUILDS)


def run(top: str, test_module: str, *values: int) -> None:
    """All tests of a module on a bench."""
    waivers = map(VerilatorControlFile, cores.files("dma", "vlt"))
    bench = cores.RTL / "dma" / "tb" / f"{top}.sv"
    sources: list[Path | VerilatorControlFile] = [*waivers, *cores.files("dma"), bench]
    parameters = dict(zip(PARAMETERS, values, strict=True))
    built = runner.compiled(runner.Builder(), top, sources, parameters, runner.ARGUMENTS)
    runner.run_tests(*built, top, test_module)


def buffered(buffer: Any, data_bits: int) -> dict[str, int]:
    """Every word of a dma_buffer, without what is beside the data and what the bus is offered."""
    words: dict[str, int] = {}

    def add(place: Any, names: list[str], rams: dict[str, int], bits: int) -> None:
        mask = (1 << bits) - 1
        words.update(
            {f"{place._path}.{name}": int(getattr(place, name).value) & mask for name in names}
        )
        for name, entries in rams.items():
            ram = list(getattr(place, name))[:entries]
            words.update(
                {f"{place._path}.{name}[{i}]": int(w.value) & mask for i, w in enumerate(ram)}
            )

    if data_bits <= 256:
        # The last word is never used.
        depth = len(list(buffer.gen_narrow.memory)) - 1
        add(buffer.gen_narrow, ["data_q", "stored_data_q"], {"memory": depth}, data_bits)
        return words
    for low in range(0, data_bits, SLICE_BITS):
        bits = min(SLICE_BITS, data_bits - low)
        index = low // SLICE_BITS
        place = buffer.gen_wide.u_slices.gen_slice[index]
        rams = {"memory": len(list(place.u_slice.memory)), "front": 16}
        add(place.u_slice, ["data_q", "read_data_q", "late_data_q"], rams, bits)
        if hasattr(place, "gen_offered"):
            offered = place.gen_offered.u_offer
            near = offered.data_q
            on_bus = int(offered.read_q.value) if offered.shown_q.value == 1 else None
            for entry in {0, 1} - {on_bus}:
                word = int(near.value) >> (entry * len(near) // 2)
                words[f"{near._path}[{entry}]"] = word & ((1 << bits) - 1)
    return words


def lengths(width: int, burst: int) -> list[int]:
    edges = (width, 2 * width, 4 * width, burst, 2 * burst)
    return sorted({1, *(edge + step for edge in edges for step in (-1, 0, 1))})
