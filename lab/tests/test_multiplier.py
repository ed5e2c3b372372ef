# SPDX-License-Identifier: Apache-2.0
"""The model of the ECP5's multiplier: MULT18X18D of lab/cells."""

import os
import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import Timer

from lab import netlist
from rtl.testbench import runner

SOURCES = [netlist.CELLS / "MULT18X18D.sv"]
QUIET = ("SIGNEDA", "SIGNEDB", "SOURCEA", "SOURCEB", "CLK0", "RST0", "RST1")
REGISTERS = {"REG_INPUTA_CLK": '"CLK0"', "REG_INPUTB_CLK": '"CLK0"', "REG_OUTPUT_CLK": '"CLK0"'}


@cocotb.test()
async def products(dut: Any) -> None:
    """With registers they come two cycles later; enable and resets do what they should."""
    registered = "REGISTERS" in os.environ
    for name in QUIET:
        getattr(dut, name).value = 0
    inside, made = (0, 0), 0
    for turn in range(1000):
        a, b = (random.choice([random.getrandbits(18), 0, (1 << 18) - 1]) for _ in range(2))
        enable = turn < 3 or random.random() < 0.7
        resets = [turn == 0 or (enable and random.random() < 0.1) for _ in range(2)]
        for i in range(18):
            getattr(dut, f"A{i}").value = a >> i & 1
            getattr(dut, f"B{i}").value = b >> i & 1
        dut.CE0.value = int(enable)
        dut.RST0.value, dut.RST1.value = map(int, resets)
        for level in (0, 1, 0):
            dut.CLK0.value = level
            await Timer(5, unit="ns")
        if enable:
            made = 0 if resets[1] else inside[0] * inside[1]
            inside = (0, 0) if resets[0] else (a, b)
        product = sum(int(getattr(dut, f"P{i}").value) << i for i in range(36))
        assert product == (made if registered else a * b)
    dut.SIGNEDA.value = 1
    dut.CE0.value = 1
    dut.RST0.value = dut.RST1.value = 0
    for level in (0, 1, 0):
        dut.CLK0.value = level
        await Timer(5, unit="ns")
    signed = sum(int(getattr(dut, f"P{i}").value) << i for i in range(36))
    assert signed == (inside[0] * inside[1] if registered else a * b) ^ ((1 << 36) - 1)


@pytest.mark.parametrize("registers", [{}, REGISTERS], ids=["plain", "registered"])
def test_products(registers: dict[str, Any]) -> None:
    builder = runner.Builder()  # of which the tests see everything
    folder = runner.compiled(builder, "MULT18X18D", SOURCES, registers, netlist.ARGUMENTS)[1]
    environment = {"REGISTERS": "1"} if registers else {}
    assert runner.run_tests(builder, folder, "MULT18X18D", __name__, environment=environment) == 1


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"REG_INPUTA_CLK": '"CLK0"'}, "only both inputs or none"),
        ({"REG_OUTPUT_CLK": '"CLK1"'}, "only a register of CLK0 behind the product"),
        (REGISTERS | {"REG_OUTPUT_RST": '"RST0"'}, "only synchronous resets"),
        (REGISTERS | {"REG_INPUTB_CE": '"CE1"'}, "only the enable CE0"),
    ],
)
def test_other_modes_are_refused(parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RuntimeError, match=sentence):
        runner.compiled(netlist.Builder(), "MULT18X18D", SOURCES, parameters, netlist.ARGUMENTS)
