# SPDX-License-Identifier: Apache-2.0
"""The AXI4 side of a memory: bursts of 16-byte beats as a device makes them, each channel at its
own pace; and what may be read of bytes while they are written.
"""

import itertools
import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cocotb.clock import Clock
from cocotb_tools.runner import VerilatorControlFile

from rtl.testbench import runner
from rtl.testbench.stream import PERIOD_NS, Beat, Sink, Source, cycles

HERE = Path(__file__).parent.parent
WIDTH = 16
OKAY, SLAVE_ERROR = 0, 2


def simulate(top: str, parameters: dict[str, int], test_module: str) -> None:
    """All tests of a module on a source of this folder."""
    sources: list[Path | VerilatorControlFile] = [HERE / f"{top}.sv"]
    built = runner.compiled(runner.Builder(), top, sources, parameters, runner.ARGUMENTS)
    runner.run_tests(*built, top, test_module)


async def start(dut: Any) -> None:
    """Starts the clock and resets."""
    dut.rst_i.value = 1
    Clock(dut.clk_i, PERIOD_NS, unit="ns").start()
    await cycles(dut.clk_i, 3)
    dut.rst_i.value = 0


@dataclass
class Burst:
    ident: int
    address: int  # of its first byte
    beats: int

    def command(self) -> Beat:
        return (self.ident, self.address, self.beats - 1)


@dataclass(frozen=True)
class Seen:
    """Bytes that were read or written some time in these cycles."""

    begin: int
    end: int
    address: int
    data: bytes
    strobes: int = (1 << WIDTH) - 1


class Port:
    def __init__(self, dut: Any) -> None:
        self.dut = dut

        def channel(kind: Callable[..., Any], name: str, fields: str) -> Any:
            names = ("valid", "ready", *fields.split())
            valid, ready, *signals = (getattr(dut, f"s_axi_{name}{field}") for field in names)
            return kind(dut.clk_i, valid, ready, signals)

        self.ar: Source = channel(Source, "ar", "id addr len")
        self.aw: Source = channel(Source, "aw", "id addr len")
        self.w: Source = channel(Source, "w", "data strb last")
        self.r: Sink = channel(Sink, "r", "id data resp last")
        self.b: Sink = channel(Sink, "b", "id resp")
        self.reads: list[Burst] = []
        self.writes: list[Burst] = []

    def pace(self, idle: float, busy: float) -> None:
        self.ar.idle = self.aw.idle = self.w.idle = idle
        self.r.busy = self.b.busy = busy

    def read(self, burst: Burst) -> None:
        self.reads.append(burst)
        self.ar.send([burst.command()])

    def write(self, burst: Burst, data: bytes, strobes: Iterator[int] | None = None) -> None:
        """The bytes for which the strobes of their beats are set; all of them without strobes."""
        self.writes.append(burst)
        self.aw.send([burst.command()])
        for at in range(burst.beats):
            word = int.from_bytes(data[WIDTH * at :][:WIDTH], "little")
            strobe = next(strobes) if strobes else (1 << WIDTH) - 1
            self.w.send([(word, strobe, int(at == burst.beats - 1))])

    async def done(self, timeout: int = 100_000) -> None:
        """Until all bursts have ended."""
        for _ in range(timeout // 8):
            await cycles(self.dut.clk_i, 8)
            answered = len(self.b.received) == len(self.writes)
            if answered and len(self.r.received) == sum(burst.beats for burst in self.reads):
                return
        raise AssertionError(f"{len(self.r.received)} beats, {len(self.b.received)} answers")

    def forget(self) -> None:
        """All that was under way."""
        for source in (self.ar, self.aw, self.w):
            source.drop()
            source.clear()
        self.r.clear()
        self.b.clear()
        self.reads.clear()
        self.writes.clear()

    # ---- what was seen, once all is done ---------------------------------------------------------

    def answers(self) -> list[int]:
        """The responses of the writes; each has the identifier of its burst."""
        assert [ident for ident, _ in self.b.received] == [burst.ident for burst in self.writes]
        return [response for _, response in self.b.received]

    def responses(self) -> list[int]:
        return [response for _, _, response, _ in self.r.received]

    def span(self) -> tuple[int, int]:
        """The cycles of the first address, and of the last beat or answer."""
        return min(self.ar.times + self.aw.times), max(self.r.times + self.b.times)

    def took_turns(self) -> bool:
        """No two bursts of the same kind were taken one after the other."""
        taken = [(time, "read") for time in self.ar.times]
        taken += [(time, "write") for time in self.aw.times]
        return all(a != b for (_, a), (_, b) in itertools.pairwise(sorted(taken)))

    def was_read(self) -> Iterator[Seen]:
        """Also checks identifiers and ends of bursts."""
        at = 0
        for burst, begin in zip(self.reads, self.ar.times, strict=True):
            for number in range(burst.beats):
                ident, data, _, last = self.r.received[at]
                assert (ident, last) == (burst.ident, int(number == burst.beats - 1))
                address = burst.address + WIDTH * number
                yield Seen(begin, self.r.times[at], address, data.to_bytes(WIDTH, "little"))
                at += 1
        assert at == len(self.r.received)

    def was_written(self) -> Iterator[Seen]:
        at = 0
        for burst, end in zip(self.writes, self.b.times, strict=True):
            for number in range(burst.beats):
                data, strobes, _ = self.w.sent[at]
                address = burst.address + WIDTH * number
                yield Seen(self.w.times[at], end, address, data.to_bytes(WIDTH, "little"), strobes)
                at += 1


class History:
    """All writes of each byte: what ended before a read began is over, what overlaps it may show.

    Of one byte there are never two writes at the same time.
    """

    def __init__(self, initial: bytes, base: int = 0) -> None:
        self.initial, self.base = initial, base  # of the first byte
        self.writes: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)

    def add(self, seen: Seen) -> None:
        for lane, byte in enumerate(seen.data):
            if seen.strobes >> lane & 1:
                self.writes[seen.address + lane].append((seen.begin, seen.end, byte))

    def allowed(self, address: int, begin: int, end: int) -> set[int]:
        found = {self.initial[address - self.base]}
        for write_begin, write_end, byte in sorted(self.writes[address]):
            if write_end < begin:
                found = {byte}
            elif write_begin <= end:
                found.add(byte)
        return found

    def check(self, seen: Seen) -> None:
        for lane, byte in enumerate(seen.data):
            allowed = self.allowed(seen.address + lane, seen.begin, seen.end)
            assert byte in allowed, f"byte {seen.address + lane}: {byte}, not one of {allowed}"


def bursts(rng: random.Random, count: int, size: int) -> list[Burst]:
    """Anywhere in a memory of that size; many are short, some end with it."""
    rows = size // WIDTH
    found = []
    for _ in range(count):
        beats = min(rows, rng.choice((1, 1, 2, 3, rng.randrange(1, 33), rng.randrange(1, 257))))
        row = rng.choice((rows - beats, rng.randrange(rows - beats + 1)))
        found.append(Burst(rng.randrange(2), WIDTH * row, beats))
    return found
