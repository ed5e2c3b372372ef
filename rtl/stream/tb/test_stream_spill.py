# SPDX-License-Identifier: Apache-2.0
"""stream_spill alone: contents kept, and no path from inputs to outputs between clock edges."""

from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly, Timer

from rtl.testbench.runner import simulate
from rtl.testbench.stream import Sink, Source, cycles, received, sample_bytes, start


@cocotb.test()
@cocotb.parametrize(idle=[0.0, 0.5, 0.9], busy=[0.0, 0.5, 0.9])
async def keeps_order_and_content(dut: Any, idle: float, busy: float) -> None:
    source = Source(dut.clk_i, dut.valid_i, dut.ready_o, [dut.data_i])
    sink = Sink(dut.clk_i, dut.valid_o, dut.ready_i, [dut.data_o])
    await start(dut)
    source.idle, sink.busy = idle, busy
    beats = [(byte,) for byte in sample_bytes(400)]
    source.send(beats)
    await received(sink, len(beats), timeout=10_000)
    await cycles(dut.clk_i, 5)
    assert sink.received == beats


@cocotb.test()
async def cuts_every_path(dut: Any) -> None:
    """Outputs stay the same when inputs change between two clock edges, in each filling."""
    dut.valid_i.value = dut.ready_i.value = dut.data_i.value = 0
    await start(dut)
    for filling in range(3):
        await FallingEdge(dut.clk_i)
        seen = set()
        for valid, ready, data in [(0, 0, 1), (1, 0, 2), (0, 1, 3), (1, 1, 4), (1, 0, 5 + filling)]:
            dut.valid_i.value, dut.ready_i.value, dut.data_i.value = valid, ready, data
            await Timer(1, unit="ps")
            await ReadOnly()
            data_o = int(dut.data_o.value) if filling else 0
            seen.add((int(dut.valid_o.value), int(dut.ready_o.value), data_o))
            await Timer(1, unit="ps")
        assert seen == {(min(filling, 1), int(filling < 2), 5 if filling else 0)}


def test_stream_spill() -> None:
    simulate("stream", "stream_spill", {"Width": 8}, __name__)
