# SPDX-License-Identifier: Apache-2.0
"""stream_width: bytes, packet ends and users survive the change of width; no beat is empty."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly, Timer

from rtl.testbench.runner import simulate
from rtl.testbench.stream import Beat, Sink, Source, received, sample_bytes, start, to_beats


class TB:
    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.bytes_in, self.bytes_out = int(dut.InBytes.value), int(dut.OutBytes.value)
        inputs = [dut.data_i, dut.keep_i, dut.last_i, dut.user_i]
        outputs = [dut.data_o, dut.keep_o, dut.last_o, dut.user_o]
        self.source = Source(dut.clk_i, dut.valid_i, dut.ready_o, inputs)
        self.sink = Sink(dut.clk_i, dut.valid_o, dut.ready_i, outputs)

    def with_users(self, packet: bytes) -> list[Beat]:
        beats = to_beats(packet, self.bytes_in)
        return [(data, keep, last, 1 << random.randrange(4)) for data, keep, last, _ in beats]

    def expected(self, packet: bytes, beats: list[Beat]) -> list[Beat]:
        """The same bytes in beats of the other width, each with the users of its bytes."""
        result: list[Beat] = []
        for index, (data, keep, last, _) in enumerate(to_beats(packet, self.bytes_out)):
            first = index * self.bytes_out // self.bytes_in
            final = ((index + 1) * self.bytes_out - 1) // self.bytes_in
            user = 0
            for beat in beats[first : final + 1]:
                user |= beat[3]
            result.append((data, keep, last, user))
        return result


def kept(beats: list[Beat]) -> list[Beat]:
    """Beats with the bytes that are not kept as 0."""
    cut: list[Beat] = []
    for data, keep, last, user in beats:
        cut.append((data & ((1 << 8 * keep.bit_length()) - 1), keep, last, user))
    return cut


@cocotb.test()
@cocotb.parametrize(idle=[0.0, 0.5, 0.9], busy=[0.0, 0.5, 0.9])
async def converts_every_length(dut: Any, idle: float, busy: float) -> None:
    tb = TB(dut)
    await start(dut)
    tb.source.idle, tb.sink.busy = idle, busy
    widest = max(tb.bytes_in, tb.bytes_out)
    lengths = [*range(2 * widest + 2), 0, 0, 5 * widest - 1, 5 * widest, 5 * widest + 1]
    expected: list[Beat] = []
    for length in lengths:
        packet = sample_bytes(length, start=length)
        beats = tb.with_users(packet)
        tb.source.send(beats)
        expected += tb.expected(packet, beats)
    await received(tb.sink, len(expected), timeout=40_000)
    assert kept(tb.sink.received) == expected


@cocotb.test()
async def narrow_side_never_waits(dut: Any) -> None:
    """One beat per cycle on the narrow side; the first wide beat costs one more cycle."""
    tb = TB(dut)
    await start(dut)
    packet = sample_bytes(64 * max(tb.bytes_in, tb.bytes_out))
    tb.source.send(tb.with_users(packet))
    beats = len(packet) // min(tb.bytes_in, tb.bytes_out)
    latency = 0 if tb.bytes_in == tb.bytes_out else 1
    for _ in range(beats + latency):
        await FallingEdge(dut.clk_i)
    await Timer(1, "ns")  # both ends have looked
    assert len(tb.sink.received) == len(packet) // tb.bytes_out
    assert tb.sink.received[-1][2] == 1


@cocotb.test()
@cocotb.parametrize(after=[1, 2, 3, 7, 20])
async def wipe_in_flight(dut: Any, after: int) -> None:
    tb = TB(dut)
    tb.sink.busy = 0.7
    await start(dut)
    tb.source.send(tb.with_users(sample_bytes(100 * tb.bytes_in)))
    for _ in range(after):
        await FallingEdge(dut.clk_i)

    dut.wipe_i.value = 1
    await ReadOnly()
    assert (dut.valid_o.value, dut.ready_o.value) == (0, 0)
    await FallingEdge(dut.clk_i)
    tb.source.drop()
    dut.wipe_i.value = 0
    await ReadOnly()
    assert dut.valid_o.value == 0
    if tb.bytes_in != tb.bytes_out:
        half = dut.gen_up.u_up if tb.bytes_in < tb.bytes_out else dut.gen_down.u_down
        assert int(half.data_q.value) == 0

    tb.sink.received.clear()
    packet = sample_bytes(3 * max(tb.bytes_in, tb.bytes_out) + 1, start=7)
    beats = tb.with_users(packet)
    tb.source.send(beats)
    expected = tb.expected(packet, beats)
    await received(tb.sink, len(expected), timeout=1000)
    assert kept(tb.sink.received) == expected


@pytest.mark.parametrize(
    ("bytes_in", "bytes_out"),
    [(4, 4), (4, 8), (4, 16), (16, 64), (8, 4), (16, 4), (64, 16), (4, 1)],
)
def test_stream_width(bytes_in: int, bytes_out: int) -> None:
    widths = {"InBytes": bytes_in, "OutBytes": bytes_out, "UserWidth": 4}
    simulate("stream", "stream_width", widths, __name__)
