# SPDX-License-Identifier: Apache-2.0
"""The count of toggles, on a circuit whose toggles are known."""

import json
import os
from pathlib import Path
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from lab import activity, cores, jobs, netlist, synth, variants

CYCLES = 4 * 25


def flip_flop(data: int, out: int) -> netlist.Json:
    return {
        "type": "TRELLIS_FF",
        "parameters": {"GSR": "DISABLED", "CEMUX": "1 ", "REGSET": "RESET"},
        "port_directions": {"CLK": "input", "DI": "input", "Q": "output"},
        "connections": {"CLK": [2], "DI": [data], "Q": [out]},
    }


def lut(table: int, a: int, b: int, out: int) -> netlist.Json:
    return {
        "type": "LUT4",
        "parameters": {"INIT": f"{table:016b}"},
        "port_directions": dict.fromkeys("ABCD", "input") | {"Z": "output"},
        "connections": {"A": [a], "B": [b], "C": ["0"], "D": ["0"], "Z": [out]},
    }


def counter() -> netlist.Json:
    """Two bits that count: nets 3 and 4, what they become: 5 and 6, an idle input: 7."""
    names = {"clk": 2, "low_q": 3, "high_q": 4, "low_d": 5, "high_d": 6, "idle": 7, "same": 3}
    return {
        "ports": {
            "clk": {"direction": "input", "bits": [2]},
            "idle": {"direction": "input", "bits": [7]},
        },
        "cells": {
            "low": flip_flop(5, 3),
            "high": flip_flop(6, 4),
            "not": lut(0x5555, 3, 3, 5),
            "xor": lut(0x6666, 3, 4, 6),
        },
        "netnames": {name: {"hide_name": 0, "bits": [net]} for name, net in names.items()},
    }


@cocotb.test()
async def counting(dut: Any) -> None:
    """A bench as those of the blocks, but without data."""
    dut.idle.value = 0
    Clock(dut.clk, 10, unit="ns").start()
    for _ in range(10):
        await FallingEdge(dut.clk)
    before = int(dut.toggles.value)
    for _ in range(CYCLES):
        await FallingEdge(dut.clk)
    counted = {"toggles": int(dut.toggles.value) - before, "bytes": CYCLES}
    Path(os.environ["COUNTED"]).write_text(json.dumps(counted))


@pytest.fixture
def path(own: Path) -> Path:
    folder = synth.BUILD
    (cores.ROOT / folder).mkdir(parents=True)
    document = {"creator": "a test", "modules": {"counter": counter()}}
    (cores.ROOT / folder / "netlist.json").write_text(json.dumps(document))
    assert own.exists()
    return folder / "netlist.json"


def test_toggles_that_are_known(path: Path) -> None:
    """In four cycles the low bit and what it becomes toggle four times each, the others twice. The
    clock does not count, the second name of a net neither."""
    counted = activity.count("counter", path, {}, __name__)
    assert counted["nets"] == 5
    assert counted["toggles"] == CYCLES // 4 * (4 + 4 + 2 + 2)


def test_no_bench_is_a_sentence() -> None:
    device = variants.load()["device-small"]
    with pytest.raises(
        jobs.JobError, match="device-small: no bench puts random data through device"
    ):
        activity.measure(device)
