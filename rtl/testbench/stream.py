# SPDX-License-Identifier: Apache-2.0
"""Valid/ready streams for cocotb: a source that idles, a sink that pushes back, period-251 data.

Everything is driven after a falling edge of the clock and sampled before the rising edge that
follows, so that no result depends on the order in which a simulator wakes coroutines. Each end of
a stream sleeps while it has nothing to decide and the other end does not move: Python is slow.
"""

import random
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import Event, FallingEdge, First, ReadOnly, RisingEdge, Timer
from cocotb.utils import get_sim_time

Beat: TypeAlias = tuple[int, ...]

PERIOD_NS = 10  # of every clock


def sample_bytes(length: int, start: int = 0) -> bytes:
    """Bytes whose period, 251, divides no block or burst: swapped pieces can't hide."""
    return bytes((start + i) % 251 for i in range(length))


def to_beats(packet: bytes, width: int, user: int = 0) -> list[Beat]:
    """The (data, keep, last, user) of a packet on a stream of `width` bytes; user on each beat."""
    pieces = [packet[i : i + width] for i in range(0, len(packet), width)] or [b""]
    return [
        (int.from_bytes(p, "little"), (1 << len(p)) - 1, int(i == len(pieces) - 1), user)
        for i, p in enumerate(pieces)
    ]


class Source:
    """Offers queued beats; between two of them it idles with probability `idle`."""

    def __init__(self, clock: Any, valid: Any, ready: Any, fields: Sequence[Any]) -> None:
        self.clock, self.valid, self.ready, self.fields = clock, valid, ready, fields
        self.idle = 0.0
        self.queue: deque[Beat] = deque()
        self.sent: list[Beat] = []
        self.times: list[int] = []  # of each beat, in cycles
        self.offered = False
        self.queued, self.dropped = Event(), Event()
        self.valid.value = 0
        cocotb.start_soon(self._run())

    def send(self, beats: Iterable[Beat]) -> None:
        self.queue.extend(beats)
        self.queued.set()

    def clear(self) -> None:
        """Forgets what was sent."""
        self.sent.clear()
        self.times.clear()

    def drop(self) -> None:
        """Forgets what was not sent, the offered beat too: for tests of reset and wipe."""
        self.queue.clear()
        self.offered = False
        self.valid.value = 0
        self.dropped.set()

    async def _run(self) -> None:
        while True:
            await FallingEdge(self.clock)
            self.offered = bool(self.queue) and (self.offered or random.random() >= self.idle)
            self.valid.value = int(self.offered)
            if self.offered:
                for signal, value in zip(self.fields, self.queue[0], strict=True):
                    signal.value = value
            self.queued.clear()
            self.dropped.clear()
            await ReadOnly()
            while self.offered and not self.ready.value:
                await First(RisingEdge(self.ready), self.dropped.wait())
                if self.offered:
                    await settled(self.clock)
            if self.offered:
                self.sent.append(self.queue.popleft())
                self.times.append(cycle())
                self.offered = False
            elif not self.queue:
                await self.queued.wait()


class Sink:
    """Takes beats; in a cycle it refuses with probability `busy`."""

    def __init__(self, clock: Any, valid: Any, ready: Any, fields: Sequence[Any]) -> None:
        self.clock, self.valid, self.ready, self.fields = clock, valid, ready, fields
        self.busy = 0.0
        self.received: list[Beat] = []
        self.times: list[int] = []  # of each beat, in cycles
        self.ready.value = 0
        cocotb.start_soon(self._run())

    def clear(self) -> None:
        self.received.clear()
        self.times.clear()

    async def _run(self) -> None:
        asleep = False
        while True:
            if asleep:
                await RisingEdge(self.valid)
            if not asleep or self.clock.value:
                await FallingEdge(self.clock)
            ready = random.random() >= self.busy
            self.ready.value = int(ready)
            await ReadOnly()
            valid = bool(self.valid.value)
            if ready and valid:
                self.received.append(tuple(int(field.value) for field in self.fields))
                self.times.append(cycle())
            asleep = not valid and self.busy in {0.0, 1.0}


def cycle() -> int:
    """Since the simulation began."""
    return int(get_sim_time("ns")) // PERIOD_NS


async def cycles(clock: Any, count: int) -> None:
    """Waits until `count` rising edges have passed and outputs are settled."""
    if count:
        await FallingEdge(clock)
    if count > 1:
        await Timer((count - 1) * PERIOD_NS - PERIOD_NS // 2, "ns")
        await FallingEdge(clock)


async def settled(clock: Any) -> None:
    """Waits, after a change, for the next time at which streams are sampled."""
    if clock.value:
        await FallingEdge(clock)
    await ReadOnly()


class Core:
    """A core with params and AXI4-Stream packets in and out; remembers when what moved."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.bytes = int(dut.DataBytes.value)
        clock = dut.aclk
        self.params = Source(clock, dut.param_valid_i, dut.param_ready_o, [dut.param_i])
        self.source = Source(
            clock,
            dut.s_axis_tvalid,
            dut.s_axis_tready,
            [dut.s_axis_tdata, dut.s_axis_tkeep, dut.s_axis_tlast, dut.s_axis_tuser],
        )
        self.sink = Sink(
            clock,
            dut.m_axis_tvalid,
            dut.m_axis_tready,
            [dut.m_axis_tdata, dut.m_axis_tkeep, dut.m_axis_tlast, dut.m_axis_tuser],
        )

    async def start(self) -> None:
        await start_core(self.dut)

    def clear(self) -> None:
        """Forgets what was under way."""
        self.params.drop()
        self.source.drop()
        for end in (self.params, self.source, self.sink):
            end.clear()


async def start_core(dut: Any) -> None:
    """Starts the clock and resets a core with aclk, aresetn and wipe_i."""
    dut.aresetn.value = 0
    dut.wipe_i.value = 0
    Clock(dut.aclk, PERIOD_NS, unit="ns").start()
    await cycles(dut.aclk, 3)
    dut.aresetn.value = 1


async def start(dut: Any) -> None:
    """Starts the clock and resets a module with clk_i, rst_i and wipe_i."""
    dut.rst_i.value = 1
    dut.wipe_i.value = 0
    Clock(dut.clk_i, PERIOD_NS, unit="ns").start()
    await cycles(dut.clk_i, 3)
    dut.rst_i.value = 0


async def high_for(signal: Any, clock: Any) -> tuple[int, int]:
    """The first cycles in which a signal that is low is high, and is low again."""
    await RisingEdge(signal)
    await FallingEdge(clock)
    rises = cycle()
    await FallingEdge(signal)
    await FallingEdge(clock)
    return rises, cycle()


async def received(sink: Sink, count: int, timeout: int) -> None:
    """Waits until the sink has that many beats; fails after `timeout` cycles."""
    for _ in range(timeout):
        await FallingEdge(sink.clock)
        await ReadOnly()
        if len(sink.received) >= count:
            return
    raise AssertionError(f"{len(sink.received)} of {count} beats after {timeout} cycles")
