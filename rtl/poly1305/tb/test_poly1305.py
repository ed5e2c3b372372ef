# SPDX-License-Identifier: Apache-2.0
"""poly1305: vectors, edges, lengths, flow control, reset and wipe, and exact cycles."""

import random
import re
from itertools import pairwise
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from lab.variants import Variant
from rtl.poly1305.tb.model import Message, edges, messages, vectors
from rtl.testbench.runner import build, over_variants, simulate
from rtl.testbench.state import secrets
from rtl.testbench.stream import Sink, Source, cycles, start_core, to_beats


class TB:
    """A core with its streams; remembers the cycles in which keys, beats and tags moved."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        clock = dut.aclk
        self.bytes = int(dut.DataBytes.value)
        self.serial = int(dut.Structure.value) == 0
        self.cycles_per_block = int(dut.CyclesPerBlock.value)
        self.keys = Source(clock, dut.key_valid_i, dut.key_ready_o, [dut.key_i])
        self.source = Source(
            clock,
            dut.s_axis_tvalid,
            dut.s_axis_tready,
            [dut.s_axis_tdata, dut.s_axis_tkeep, dut.s_axis_tlast],
        )
        self.sink = Sink(clock, dut.tag_valid_o, dut.tag_ready_i, [dut.tag_o])

    async def start(self) -> None:
        await start_core(self.dut)

    def send_key(self, message: Message) -> None:
        self.keys.send([(int.from_bytes(message.key, "little"),)])

    def send_data(self, message: Message) -> None:
        self.source.send([beat[:3] for beat in to_beats(message.data, self.bytes)])

    def send(self, queue: list[Message]) -> None:
        for message in queue:
            self.send_key(message)
            self.send_data(message)

    async def finish(self, queue: list[Message]) -> None:
        """Waits for the messages' tags, compares them, and checks that nothing is left over."""
        expected = [(int.from_bytes(message.tag(), "little"),) for message in queue]
        blocks = sum(message.blocks for message in queue)
        for _ in range(1000 + 20 * (blocks + 20 * len(queue)) * self.cycles_per_block):
            if len(self.sink.received) >= len(expected):
                break
            await FallingEdge(self.dut.aclk)
        assert self.sink.received == expected
        await cycles(self.dut.aclk, 2)
        await ReadOnly()
        assert self.dut.busy_o.value == 0
        assert self.dut.tag_valid_o.value == 0
        await FallingEdge(self.dut.aclk)
        self.clear()

    async def run(self, queue: list[Message]) -> None:
        self.send(queue)
        await self.finish(queue)

    def clear(self) -> None:
        """Forgets what was under way."""
        self.keys.drop()
        self.source.drop()
        for end in (self.keys, self.source, self.sink):
            end.clear()


@cocotb.test()
async def vectors_of_the_standard(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    known = vectors()
    for message, tag in known:
        assert message.tag() == tag
    await tb.run([message for message, _ in known])


@cocotb.test()
async def edge_values(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    await tb.run(edges())


@cocotb.test()
async def every_length(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    lengths = [*range(301)]
    random.shuffle(lengths)
    await tb.run(messages(lengths))


@cocotb.test()
@cocotb.parametrize(idle=[0.0, 0.5, 0.9], busy=[0.0, 0.5, 0.97])
async def flow_control(dut: Any, idle: float, busy: float) -> None:
    tb = TB(dut)
    await tb.start()
    tb.keys.idle, tb.source.idle, tb.sink.busy = random.choice([0.0, 0.9]), idle, busy
    await tb.run(messages([0, 1, 64, 63, 600, 0, 0, 65, 200, 16, 16, 32, 1, 1, 128, 48, 0, 16]))


@cocotb.test()
async def random_messages(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    for _ in range(4):
        tb.keys.idle, tb.source.idle, tb.sink.busy = (random.choice([0, 0.3]) for _ in range(3))
        lengths = [int(2 ** random.uniform(0, 10 if tb.serial else 12)) for _ in range(20)]
        await tb.run([Message(random.randbytes(length)) for length in lengths])


@cocotb.test()
async def long_message(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    lengths = [65536] if tb.serial else [65536, random.randrange(30000, 65536)]
    for length in lengths:
        await tb.run([Message(random.randbytes(length)), Message(b"next")])


@cocotb.test()
async def data_before_the_key(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    queue = messages([20, 0, 500])
    for message in queue:
        tb.send_data(message)
    await cycles(dut.aclk, 200)
    assert not tb.sink.received
    for message in queue:
        tb.send_key(message)
    await tb.finish(queue)


@cocotb.test()
async def tags_wait(dut: Any) -> None:
    """Tags that nobody takes stop the messages behind them, not before they have to."""
    tb = TB(dut)
    await tb.start()
    tb.sink.busy = 1.0
    queue = messages([16 * n for n in range(12)])
    tb.send(queue)
    await cycles(dut.aclk, 400 * tb.cycles_per_block)
    assert tb.source.sent
    assert tb.keys.queue
    tb.sink.busy = 0.0
    await tb.finish(queue)


async def interrupted(tb: TB) -> None:
    """Brings the core into the middle of its work."""
    tb.sink.busy = 1.0  # otherwise it could be done
    tb.send([Message(random.randbytes(random.choice([20, 200, 2000]))) for _ in range(6)])
    await cycles(tb.dut.aclk, 60 + random.randrange(100 * tb.cycles_per_block))
    assert tb.dut.busy_o.value == 1
    tb.keys.drop()
    tb.source.drop()


@cocotb.test()
async def reset_in_flight(dut: Any) -> None:
    """In each of the cycles in which a message and the next key are under way, then anywhere."""
    tb = TB(dut)
    await tb.start()
    for after in [*range(20, 80), *[None] * 8]:
        if after is None:
            await interrupted(tb)
        else:
            tb.send(messages([130, 64]))
            await cycles(dut.aclk, after)
        dut.aresetn.value = 0
        await cycles(dut.aclk, 1)
        dut.aresetn.value = 1
        tb.sink.busy = 0.0
        tb.clear()
        await tb.run(messages([130, 64, 1]))


# What to do next, which is not secret: also as a netlist names it
NO_SECRETS = re.compile(r"(.*__)?((use|turn|read)(_[iqo])?(__wire_q)?)")


@cocotb.test()
async def wipe_in_flight(dut: Any) -> None:
    """Everything is zero, and nothing comes out or goes in meanwhile."""
    tb = TB(dut)
    await tb.start()
    for _ in range(8):
        await interrupted(tb)
        dut.wipe_i.value = 1
        await cycles(dut.aclk, 1)
        await ReadOnly()
        assert dut.busy_o.value == 0
        assert any(value for _, value in secrets(dut, 16, NO_SECRETS))
        for _ in range(int(dut.WipeCycles.value) - 1):
            await FallingEdge(dut.aclk)
            await ReadOnly()
            assert dut.tag_valid_o.value == 0
            assert dut.key_ready_o.value == 0
            assert dut.s_axis_tready.value == 0
        assert [name for name, value in secrets(dut, 16, NO_SECRETS) if value] == []
        await FallingEdge(dut.aclk)
        dut.wipe_i.value = 0
        tb.sink.busy = 0.0
        tb.clear()
        await tb.run(messages([130, 64, 1]))


LENGTHS = {4: 64, 94: 1500}  # bytes by blocks


@cocotb.test()
@cocotb.parametrize(blocks=[1, 2, 3, 4, 5, 6, 9, 12, 20, 94])
async def messages_back_to_back(dut: Any, blocks: int) -> None:
    """The formulas of the package: a message with another key every so many cycles."""
    tb = TB(dut)
    await tb.start()
    queue = messages([16 * blocks] * 8)
    tb.send(queue)
    for _ in range(100 * tb.cycles_per_block * (blocks + 20)):
        await FallingEdge(dut.aclk)
        if len(tb.sink.times) == len(queue):
            break
    times = tb.sink.times
    per_message = max(
        int(dut.SetUpCycles.value),
        tb.cycles_per_block * blocks + int(dut.MessageOverhead.value),
    )
    # but for the first, and the last, which have no keys behind them that take turns
    taken = [after - before for before, after in pairwise(times[2:-1])]
    dut._log.info("messages of %d blocks: %s cycles", blocks, taken)
    if blocks in LENGTHS:
        assert per_message == int(getattr(dut, f"Cycles{LENGTHS[blocks]}").value)
    assert taken == [per_message] * len(taken)
    await tb.finish(queue)


@cocotb.test()
@cocotb.parametrize(blocks=[1, 2, 3, 5, 8, 9, 30])
async def latency(dut: Any, blocks: int) -> None:
    """From the first beat to the tag, with the key set up; whatever the data."""
    tb = TB(dut)
    await tb.start()
    for _ in range(3):
        message = Message(random.randbytes(16 * blocks - random.randrange(16)))
        tb.send_key(message)
        await cycles(dut.aclk, int(dut.SetUpCycles.value) + random.randrange(20, 30))
        tb.send_data(message)
        for _ in range(200 + 30 * blocks * tb.cycles_per_block):
            await FallingEdge(dut.aclk)
            if tb.sink.times:
                break
        taken = tb.sink.times[0] - tb.source.times[0]
        dut._log.info("%d blocks: %d cycles", blocks, taken)
        assert taken == int(dut.Latency.value) + (blocks - 1) * tb.cycles_per_block
        await tb.finish([message])


CORNERS = {
    "lanes-2": {"Structure": 1, "Interval": 2},
    "serial-4-bytes": {"Structure": 0, "DataBytes": 4},
}


@over_variants("poly1305")
def test_variant(variant: Variant) -> None:
    simulate("poly1305", variant.top, variant.parameters, __name__)


@pytest.mark.parametrize("corner", CORNERS)
def test_corner(corner: str) -> None:
    simulate("poly1305", "poly1305", CORNERS[corner], __name__)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"Interval": 3}, "Interval must be 1, 2 or 4 with Structure Lanes"),
        ({"DataBytes": 8}, "DataBytes must be 16, or 4 with Structure Serial"),
    ],
)
def test_illegal_parameters_stop_elaboration(parameters: dict[str, int], sentence: str) -> None:
    with pytest.raises(RuntimeError, match=re.escape(sentence)):
        build("poly1305", "poly1305", parameters)
