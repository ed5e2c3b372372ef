# SPDX-License-Identifier: Apache-2.0
"""The streams of a core of authenticated messages: params, data in and out, tags."""

from collections.abc import Iterable, Sequence
from typing import Any, Generic, Protocol, TypeVar

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

from rtl.testbench.stream import Beat, Sink, Source, cycles, high_for, start_core


class Message(Protocol):
    """What a core takes and should make of it, on streams of `width` bytes."""

    def params_in(self, port_bits: int) -> Iterable[Beat]: ...
    def beats_in(self, width: int) -> list[Beat]: ...
    def beats_out(self, width: int) -> list[Beat]: ...
    def tags_out(self, width: int) -> list[Beat]: ...


M = TypeVar("M", bound=Message)


class Bench(Generic[M]):
    """A core with its streams."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        clock = dut.aclk
        self.bytes = len(dut.s_axis_tdata) // 8
        self.params = Source(clock, dut.param_valid_i, dut.param_ready_o, [dut.param_i])
        self.source = Source(
            clock, dut.s_axis_tvalid, dut.s_axis_tready, [dut.s_axis_tdata, dut.s_axis_tuser]
        )
        self.sink = Sink(
            clock,
            dut.m_axis_tvalid,
            dut.m_axis_tready,
            [dut.m_axis_tdata, dut.m_axis_tkeep, dut.m_axis_tlast, dut.m_axis_tuser],
        )
        self.tags = Sink(
            clock, dut.tag_valid_o, dut.tag_ready_i, [dut.tag_o, dut.tag_match_o, dut.tag_user_o]
        )

    async def start(self) -> None:
        await start_core(self.dut)

    def send(self, queue: Sequence[M]) -> None:
        for item in queue:
            self.params.send(item.params_in(len(self.dut.param_i)))
            self.source.send(item.beats_in(self.bytes))

    async def finish(self, queue: Sequence[M]) -> None:
        """Waits for what the messages make, compares it, and sees that nothing is left over."""
        beats = [beat for item in queue for beat in item.beats_out(self.bytes)]
        tags = [tag for item in queue for tag in item.tags_out(self.bytes)]
        work = sum(self.bytes * len(item.beats_in(self.bytes)) + 400 for item in queue)
        for _ in range(125 + 3 * work):  # a message may have nothing that comes out
            await cycles(self.dut.aclk, 8)
            await ReadOnly()
            if not (self.params.queue or self.source.queue or self.dut.busy_o.value):
                break
        await cycles(self.dut.aclk, 8)
        await ReadOnly()
        assert self.sink.received == beats
        assert self.tags.received == tags
        assert not self.params.queue
        assert not self.source.queue
        assert self.dut.busy_o.value == 0
        await FallingEdge(self.dut.aclk)
        self.clear()

    async def run(self, queue: Sequence[M]) -> None:
        self.send(queue)
        await self.finish(queue)

    async def run_one(self, item: M) -> None:
        """A message, from a start at rest: the core is busy from its param to all that it makes."""
        busy = cocotb.start_soon(high_for(self.dut.busy_o, self.dut.aclk))
        self.send([item])
        await busy
        rises, falls = busy.result()
        assert rises <= self.params.times[0] + 1
        assert all(time < falls for time in self.sink.times + self.tags.times)
        await self.finish([item])

    async def rate(self, queue: Sequence[M]) -> float:
        """Cycles of one of these messages, sent back to back: half of them are let go by first."""
        self.send(queue)
        count, half = len(queue), len(queue) // 2
        for _ in range(
            sum(125 + 3 * self.bytes * len(item.beats_in(self.bytes)) for item in queue)
        ):
            if len(self.tags.received) >= count:
                break
            await cycles(self.dut.aclk, 8)
        elapsed = (self.tags.times[count - 1] - self.tags.times[half - 1]) / (count - half)
        await self.finish(queue)
        return elapsed

    def clear(self) -> None:
        for stream in (self.params, self.source):
            stream.drop()
            stream.clear()
        self.sink.clear()
        self.tags.clear()
