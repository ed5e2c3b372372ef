# SPDX-License-Identifier: Apache-2.0
"""The model of the ECP5's block RAM: DP16KD of lab/cells."""

import os
import random
from pathlib import Path
from typing import Any

import cocotb
import pytest
from cocotb.triggers import Timer

from lab import netlist
from rtl.testbench import runner

SOURCES = [netlist.CELLS / "DP16KD.sv"]
WIDTHS = {"DATA_WIDTH_A": 36, "DATA_WIDTH_B": 36}
LOW = range(18)


class Port:
    """The pins that a memory of 36 bits has."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        for name in ("WEA", "CEA", "CEB", "OCEB"):
            self.pin(name, 1)
        for name in ("RSTA", "RSTB", "WEB", *(f"CS{port}{i}" for port in "AB" for i in range(3))):
            self.pin(name, 0)

    def pin(self, name: str, value: int) -> None:
        getattr(self.dut, name).value = value

    def write(self, address: int, word: int, enable: int) -> None:
        for i in LOW:
            self.pin(f"DIA{i}", word >> i & 1)
            self.pin(f"DIB{i}", word >> 18 + i & 1)
        for i in range(9):
            self.pin(f"ADA{5 + i}", address >> i & 1)
        for i in range(4):
            self.pin(f"ADA{i}", enable >> i & 1)

    def read(self, address: int) -> None:
        for i in range(9):
            self.pin(f"ADB{5 + i}", address >> i & 1)

    async def clock(self) -> None:
        """Both clocks at once: they are one net in a netlist."""
        for level in (0, 1, 0):
            self.pin("CLKA", level)
            self.pin("CLKB", level)
            await Timer(5, unit="ns")

    def word(self) -> int:
        low = sum(int(getattr(self.dut, f"DOA{i}").value) << i for i in LOW)
        return low | sum(int(getattr(self.dut, f"DOB{i}").value) << 18 + i for i in LOW)


@cocotb.test()
async def words_and_bytes(dut: Any) -> None:
    """A thousand accesses against a list; a word that is read while it is written is inverted.

    With the output register, it comes one cycle later, if that is enabled.
    """
    port = Port(dut)
    memory, collisions, read = [0] * 512, 0, 0
    registered, late = "OUTREG" in os.environ, 0
    for _ in range(1000):
        address, other = random.randrange(24) * 21, random.randrange(24) * 21
        word, enable = random.getrandbits(36), random.choice([0, 15, random.getrandbits(4)])
        port.write(address, word, enable)
        port.read(other)
        keep = registered and random.random() < 0.3
        port.pin("OCEB", 0 if keep else 1)
        late = late if keep else read
        read = memory[other]
        if enable and address == other:
            read ^= (1 << 36) - 1
            collisions += 1
        mask = sum(511 << 9 * i for i in range(4) if enable >> i & 1)
        memory[address] = memory[address] & ~mask | word & mask
        await port.clock()
        assert port.word() == (late if registered else read)
        assert int(dut.nonzero.value) == sum(entry != 0 for entry in memory)
    assert collisions > 10


def rom_contents(width: int) -> list[int]:
    return [pow(5, i + 1, 509) * 517 % (1 << width) for i in range(1024 * 18 // width)]


def initial_values(words: list[int], width: int) -> dict[str, str]:
    """The parameters that hold them: 16 words of 18 bits each, in 20 bits."""
    halves = 18 // width
    wide = [
        sum(word << width * i for i, word in enumerate(words[n : n + halves]))
        for n in range(0, len(words), halves)
    ]
    rows = [
        sum(word << 20 * i for i, word in enumerate(wide[n : n + 16])) for n in range(0, 1024, 16)
    ]
    return {f"INITVAL_{i:02X}": f"320'h{row:080x}" for i, row in enumerate(rows)}


@cocotb.test()
async def both_ports_of_a_rom(dut: Any) -> None:
    width, registered = int(os.environ["WIDTH"]), "OUTREG" in os.environ
    words = rom_contents(width)
    port = Port(dut)
    port.pin("WEA", 0)
    port.pin("OCEA", 1)
    lowest = 4 if width == 18 else 3
    expected: list[tuple[int, int]] = []
    for _ in range(500):
        places = random.randrange(len(words)), random.randrange(len(words))
        for side, place in zip("AB", places, strict=True):
            for i in range(14 - lowest):
                port.pin(f"AD{side}{lowest + i}", place >> i & 1)
        await port.clock()
        expected.append((words[places[0]], words[places[1]]))
        if len(expected) > registered:
            a, b = expected[-1 - registered]
            assert port.word() == b << 18 | a


REGISTERED = {"REGMODE_A": '"OUTREG"', "REGMODE_B": '"OUTREG"'}


@pytest.mark.parametrize("registers", [{}, REGISTERED], ids=["plain", "registered"])
def test_words_and_bytes(registers: dict[str, str]) -> None:
    builder = runner.Builder()  # of which the tests see everything
    parameters: dict[str, Any] = WIDTHS | registers
    folder = runner.compiled(builder, "DP16KD", SOURCES, parameters, netlist.ARGUMENTS)[1]
    environment = {"OUTREG": "1"} if registers else {}
    run(builder, folder, "words_and_bytes", environment)


@pytest.mark.parametrize("width", [9, 18])
@pytest.mark.parametrize("registers", [{}, REGISTERED], ids=["plain", "registered"])
def test_rom(width: int, registers: dict[str, str]) -> None:
    builder = runner.Builder()
    parameters: dict[str, Any] = {"DATA_WIDTH_A": width, "DATA_WIDTH_B": width} | registers
    parameters |= initial_values(rom_contents(width), width)
    folder = runner.compiled(builder, "DP16KD", SOURCES, parameters, netlist.ARGUMENTS)[1]
    environment = {"WIDTH": str(width)} | ({"OUTREG": "1"} if registers else {})
    run(builder, folder, "both_ports_of_a_rom", environment)


def run(builder: runner.Builder, folder: Path, test: str, environment: dict[str, str]) -> None:
    count = runner.run_tests(
        builder, folder, "DP16KD", __name__, testcase=test, environment=environment
    )
    assert count == 1


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"DATA_WIDTH_B": 18}, "only 9, 18 or 36 bits on both ports are modelled"),
        ({"REGMODE_B": '"OUTREG"'}, "only both halves with or without the output register"),
        ({"CLKAMUX": '"INV"'}, "inverted clocks are not modelled"),
        ({"CSDECODE_B": '"0b001"'}, "only the chip select 0 is modelled"),
    ],
)
def test_other_modes_are_refused(parameters: dict[str, int], sentence: str) -> None:
    with pytest.raises(RuntimeError, match=sentence):
        runner.compiled(
            netlist.Builder(), "DP16KD", SOURCES, WIDTHS | parameters, netlist.ARGUMENTS
        )
