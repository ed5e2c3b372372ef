# SPDX-License-Identifier: Apache-2.0
"""The DMA's benches: their builds, and the lengths that they try."""

from pathlib import Path

import pytest
from cocotb_tools.runner import VerilatorControlFile

from lab import cores
from rtl.testbench import runner

PARAMETERS = ("DataBytes", "Alignment", "BurstBytes", "AddressBits")
SOME = [(16, 1, 1024, 32), (8, 1, 256, 64), (16, 0, 1024, 32)]
BUILDS = [*SOME, (32, 1, 512, 40), (64, 1, 1024, 32)] if runner.LONG else SOME


over_builds = pytest.mark.parametrize(("data", "alignment", "burst", "address"), BUILDS)


def run(top: str, test_module: str, *values: int) -> None:
    """All tests of a module on a bench."""
    waivers = map(VerilatorControlFile, cores.files("dma", "vlt"))
    bench = cores.RTL / "dma" / "tb" / f"{top}.sv"
    sources: list[Path | VerilatorControlFile] = [*waivers, *cores.files("dma"), bench]
    parameters = dict(zip(PARAMETERS, values, strict=True))
    built = runner.compiled(runner.Builder(), top, sources, parameters, runner.ARGUMENTS)
    runner.run_tests(*built, top, test_module)


def lengths(width: int, burst: int) -> list[int]:
    edges = (width, 2 * width, 4 * width, burst, 2 * burst)
    return sorted({1, *(edge + step for edge in edges for step in (-1, 0, 1))})
