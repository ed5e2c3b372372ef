# SPDX-License-Identifier: Apache-2.0
"""stream_fifo (and stream_spill, its depth 2): nothing lost, latency, throughput, level, wipe."""

from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly, Timer

from rtl.testbench.runner import simulate
from rtl.testbench.stream import Beat, Sink, Source, cycles, received, sample_bytes, start


class TB:
    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.depth = int(dut.Depth.value)
        self.latency = {0: 0, 1: 1, 2: 1}.get(self.depth, 2 if self.depth <= 16 else 3)
        self.source = Source(dut.clk_i, dut.valid_i, dut.ready_o, [dut.data_i])
        self.sink = Sink(dut.clk_i, dut.valid_o, dut.ready_i, [dut.data_o])

    def entries(self, count: int) -> list[Beat]:
        width = int(self.dut.Width.value)
        data = sample_bytes(count + width)
        return [(int.from_bytes(data[i : i + width // 8], "little"),) for i in range(count)]

    async def watch_level(self) -> None:
        """The level is what went in and has not come out, seen before every rising edge."""
        while True:
            await FallingEdge(self.dut.clk_i)
            inside = len(self.source.sent) - len(self.sink.received)
            await ReadOnly()
            assert int(self.dut.level_o.value) == (inside if self.depth else 0)
            assert inside <= self.depth


@cocotb.test()
@cocotb.parametrize(idle=[0.0, 0.5, 0.9], busy=[0.0, 0.5, 0.9])
async def keeps_order_and_content(dut: Any, idle: float, busy: float) -> None:
    tb = TB(dut)
    await start(dut)
    tb.source.idle, tb.sink.busy = idle, busy
    level = cocotb.start_soon(tb.watch_level())
    entries = tb.entries(300)
    tb.source.send(entries)
    await received(tb.sink, len(entries), timeout=10_000)
    await cycles(dut.clk_i, 5)
    assert tb.sink.received == entries
    level.cancel()


@cocotb.test()
async def latency_and_throughput(dut: Any) -> None:
    tb = TB(dut)
    await start(dut)
    tb.source.send(tb.entries(200))
    for cycle in range(200 + tb.latency):
        await FallingEdge(dut.clk_i)
        await Timer(1, "ns")  # both ends have looked
        assert len(tb.source.sent) == min(cycle + 1, 200), f"not taken in cycle {cycle}"
        assert len(tb.sink.received) == max(0, cycle + 1 - tb.latency), f"late in cycle {cycle}"


@cocotb.test()
async def holds_depth_entries(dut: Any) -> None:
    tb = TB(dut)
    tb.sink.busy = 1.0
    await start(dut)
    entries = tb.entries(tb.depth + 3)
    tb.source.send(entries)
    await cycles(dut.clk_i, tb.depth + 10)
    assert len(tb.source.sent) == tb.depth
    tb.sink.busy = 0.0
    await received(tb.sink, len(entries), timeout=3 * tb.depth + 20)
    assert tb.sink.received == entries


def leftovers(dut: Any) -> list[int]:
    """Every word that the module stores."""
    words = [int(dut.data_o.value)]
    if int(dut.Depth.value) == 2:
        words.append(int(dut.gen_counted.gen_spill.u_spill.data_q.value))
    if int(dut.Depth.value) > 2:
        ram = dut.gen_counted.gen_ram.u_ram
        words += [int(ram.data_q.value), *(int(word.value) for word in ram.memory)]
    return words


@cocotb.test()
@cocotb.parametrize(after=[1, 2, 3, 20, 70, 131])
async def wipe_in_flight(dut: Any, after: int) -> None:
    tb = TB(dut)
    tb.sink.busy = 0.9
    await start(dut)
    tb.source.send(tb.entries(500))
    await cycles(dut.clk_i, after)
    if tb.depth:
        await ReadOnly()
        assert any(leftovers(dut)) or after < 4
        await FallingEdge(dut.clk_i)

    dut.wipe_i.value = 1
    for _ in range(max(1, tb.depth)):
        await ReadOnly()
        assert (dut.valid_o.value, dut.ready_o.value) == (0, 0)
        await FallingEdge(dut.clk_i)
    tb.source.drop()
    dut.wipe_i.value = 0
    await ReadOnly()
    if tb.depth:
        assert not any(leftovers(dut))
    assert dut.valid_o.value == 0

    tb.sink.busy = 0.0
    tb.sink.received.clear()
    entries = tb.entries(40)
    tb.source.send(entries)
    await received(tb.sink, 40, timeout=100)
    assert tb.sink.received == entries


@pytest.mark.parametrize("depth", [0, 1, 2, 3, 5, 16, 17, 64])
def test_stream_fifo(depth: int) -> None:
    simulate("stream", "stream_fifo", {"Width": 40, "Depth": depth}, __name__)
