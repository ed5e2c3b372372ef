# SPDX-License-Identifier: Apache-2.0
"""ghash: a published value, every bit, lengths, flow control, reset and wipe, exact cycles."""

import random
import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from lab.variants import Variant
from rtl.ghash.tb.model import ghash
from rtl.testbench.runner import build, over_variants, simulate
from rtl.testbench.state import secrets
from rtl.testbench.stream import Beat, Sink, Source, cycles, start_core


@dataclass(frozen=True)
class Message:
    blocks: int
    key: bytes | None = field(default_factory=lambda: random.randbytes(16))  # None: as before
    data: bytes = b""

    def text(self) -> bytes:
        return self.data or bytes((7 * self.blocks + i) % 251 for i in range(16 * self.blocks))

    def beats(self) -> list[Beat]:
        beats: list[Beat] = [] if self.key is None else [(int.from_bytes(self.key, "little"), 0)]
        for i in range(self.blocks):
            block = self.text()[16 * i : 16 * i + 16]
            beats.append((int.from_bytes(block, "little"), min(self.blocks - i, 4)))
        return beats


class TB:
    """A core with its streams."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        clock = dut.aclk
        self.cycles_per_block = int(dut.CyclesPerBlock.value)
        self.source = Source(
            clock, dut.s_valid_i, dut.s_ready_o, [dut.s_block_i, dut.s_remaining_i]
        )
        self.sink = Sink(clock, dut.hash_valid_o, dut.hash_ready_i, [dut.hash_o])

    async def start(self) -> None:
        await start_core(self.dut)

    def send(self, queue: list[Message]) -> None:
        for message in queue:
            self.source.send(message.beats())

    async def finish(self, queue: list[Message]) -> None:
        expected, key = [], b""
        for message in queue:
            key = message.key or key
            expected.append((int.from_bytes(ghash(key, message.text()), "little"),))
        blocks = sum(message.blocks + 20 for message in queue)
        for _ in range(1000 + 20 * blocks * self.cycles_per_block):
            if len(self.sink.received) >= len(expected):
                break
            await FallingEdge(self.dut.aclk)
        assert self.sink.received == expected
        await cycles(self.dut.aclk, 2)
        await ReadOnly()
        assert self.dut.busy_o.value == 0
        await FallingEdge(self.dut.aclk)
        self.clear()

    async def run(self, queue: list[Message]) -> None:
        self.send(queue)
        await self.finish(queue)

    def clear(self) -> None:
        self.source.drop()
        self.source.clear()
        self.sink.clear()


@cocotb.test()
async def known_value(dut: Any) -> None:
    """Test case 2 of the proposal of GCM (McGrew and Viega, appendix B)."""
    tb = TB(dut)
    await tb.start()
    data = bytes.fromhex("0388dace60b6a392f328c2b971b2fe78") + bytes(15) + b"\x80"
    message = Message(2, bytes.fromhex("66e94bd4ef8a2c3b884cfa59ca342b2e"), data)
    assert ghash(message.key or b"", data).hex() == "f38cbb1ad69223dcc3457ae5b6b0f885"
    await tb.run([message])


@cocotb.test()
async def every_bit(dut: Any) -> None:
    """Of the key with a fixed block, and of the block with a fixed key."""
    tb = TB(dut)
    await tb.start()
    fixed = random.randbytes(16)
    bits = [(1 << i).to_bytes(16, "little") for i in range(128)]
    await tb.run([Message(1, bit, fixed) for bit in bits])
    await tb.run([Message(1, fixed, bit) for bit in bits])


@cocotb.test()
async def lengths(dut: Any) -> None:
    """In any order; every third message keeps the key of the one before."""
    tb = TB(dut)
    await tb.start()
    blocks = [*range(1, 40), 200, 1, 1, 2]
    random.shuffle(blocks)
    queue = [
        Message(count, None) if i % 3 == 2 else Message(count) for i, count in enumerate(blocks)
    ]
    await tb.run(queue)


@cocotb.test()
@cocotb.parametrize(idle=[0.0, 0.3, 0.9], busy=[0.0, 0.5, 0.97])
async def flow_control(dut: Any, idle: float, busy: float) -> None:
    tb = TB(dut)
    await tb.start()
    tb.source.idle, tb.sink.busy = idle, busy
    await tb.run([Message(blocks) for blocks in (1, 1, 2, 3, 4, 5, 17, 1, 6, 30, 2)])


@cocotb.test()
async def reset_in_flight(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    for after in range(1, 60):
        tb.sink.busy = random.choice([0.0, 1.0])
        tb.send([Message(random.randrange(1, 12)) for _ in range(4)])
        await cycles(dut.aclk, after)
        dut.aresetn.value = 0
        await cycles(dut.aclk, 1)
        dut.aresetn.value = 1
        tb.sink.busy = 0.0
        tb.clear()
        await tb.run([Message(5), Message(1)])


@cocotb.test()
async def wipe_in_flight(dut: Any) -> None:
    """Every register from 8 bits on is as after reset's first wipe, and nothing moves."""
    tb = TB(dut)
    await tb.start()
    for _ in range(8):
        tb.sink.busy = 1.0
        tb.send([Message(random.randrange(3, 30)) for _ in range(4)])
        await cycles(dut.aclk, 20 + random.randrange(40 * tb.cycles_per_block))
        dut.wipe_i.value = 1
        for _ in range(int(dut.WipeCycles.value)):
            await ReadOnly()
            assert dut.hash_valid_o.value == 0
            assert dut.s_ready_o.value == 0
            await FallingEdge(dut.aclk)
        await ReadOnly()
        assert [name for name, value in secrets(dut, 8) if value] == []
        await FallingEdge(dut.aclk)
        dut.wipe_i.value = 0
        tb.sink.busy = 0.0
        tb.clear()
        await tb.run([Message(5), Message(1)])


@cocotb.test()
@cocotb.parametrize(blocks=[1, 2, 3, 4, 5, 9, 30])
async def exact_cycles(dut: Any, blocks: int) -> None:
    """Key set-up, blocks and latency as the package has them; whatever the data."""
    tb = TB(dut)
    await tb.start()
    for _ in range(3):
        await tb.run([Message(1)])
        message = Message(blocks, data=random.randbytes(16 * blocks))
        tb.send([message])
        for _ in range(100 + 30 * blocks * tb.cycles_per_block):
            if tb.sink.times:
                break
            await FallingEdge(dut.aclk)
        key, *times = tb.source.times
        assert times[0] - key == int(dut.SetUpCycles.value)
        assert {after - before for before, after in pairwise(times)} <= {tb.cycles_per_block}
        assert tb.sink.times[0] - times[-1] == int(dut.Latency.value)
        await tb.finish([message])


DIGITS = [1, 4, 64]
PIECES = [8, 64]


@over_variants("ghash")
def test_variant(variant: Variant) -> None:
    simulate("ghash", variant.top, variant.parameters, __name__)


@pytest.mark.parametrize("digit_bits", DIGITS)
def test_digits(digit_bits: int) -> None:
    simulate("ghash", "ghash", {"DigitBits": digit_bits}, __name__)


@pytest.mark.parametrize("piece_bits", PIECES)
def test_pieces(piece_bits: int) -> None:
    simulate("ghash", "ghash", {"DigitBits": 128, "PieceBits": piece_bits}, __name__)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"DigitBits": 12}, "DigitBits must be a power of 2, 128 at most"),
        ({"PieceBits": 2}, "PieceBits must be a power of 2 from 4 to 64"),
    ],
)
def test_illegal_parameters_stop_elaboration(parameters: dict[str, int], sentence: str) -> None:
    with pytest.raises(RuntimeError, match=re.escape(sentence)):
        build("ghash", "ghash", parameters)
