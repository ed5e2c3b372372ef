# SPDX-License-Identifier: Apache-2.0
"""hmac_sha256: RFC 4231, Wycheproof, and random mixes with and without a key, against hashlib."""

import hashlib
import hmac
import json
import random
from dataclasses import dataclass
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge

from lab import cores
from lab.variants import Variant
from rtl.hash.tb import test_hash
from rtl.hash.tb.test_hash import BLOCK_BYTES, Message, reset_at, wipe_at
from rtl.testbench.runner import LONG, over_variants, simulate, simulate_variant
from rtl.testbench.stream import cycles

VECTORS = cores.ROOT / "vectors" / "hmac_sha256.json"


@dataclass(frozen=True)
class Keyed(Message):
    """A message with a key, or a part of one: the last, unless `part`."""

    key: bytes = b""

    @property
    def blocks(self) -> int:
        """Of the inner and the outer hash."""
        own = super().blocks + (self.value is None)
        return own if self.part else own + 2


def keyed(data: bytes, key: bytes) -> Keyed:
    return Keyed(data, expected=hmac.digest(key, data, "sha256"), key=key)


def either(length: int) -> Message:
    """With or without a key of any length."""
    data = random.randbytes(length)
    if random.random() < 0.3:
        return Message(data)
    return keyed(data, random.randbytes(random.choice([0, 1, 16, 31, 32, 32])))


class TB(test_hash.TB):
    def __init__(self, dut: Any) -> None:
        super().__init__(dut, "sha256")

    def send_param(self, message: Message) -> None:
        restored = message.value is not None
        own = restored << 56 | message.part << 55 | message.before
        key = message.key if isinstance(message, Keyed) else None
        word = int.from_bytes(key or b"", "little") << 57 | own
        self.params.send([((key is not None) << 313 | word,)])

    def restored(self, data: bytes) -> Message:
        """Of a message of several parts, the last."""
        key, before = random.randbytes(32), random.randbytes(BLOCK_BYTES)
        value = self.model.chained(inner_block(key) + before)
        tag = hmac.digest(key, before + data, "sha256")
        return Keyed(data, value, before=2, expected=tag, key=key)


def inner_block(key: bytes) -> bytes:
    return bytes(byte ^ 0x36 for byte in key.ljust(BLOCK_BYTES, b"\0"))


def usable(key: bytes) -> bytes:
    """As RFC 2104 has it for keys that are longer than a block."""
    return hashlib.sha256(key).digest() if len(key) > BLOCK_BYTES else key


@cocotb.test()
async def published_tags(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    vectors = json.loads(VECTORS.read_text())["vectors"]
    assert len(vectors) == 180
    if not LONG:
        vectors = vectors[:6] + vectors[6::7]
    queue: list[Message] = [
        Keyed(bytes.fromhex(vector["message"]), key=usable(bytes.fromhex(vector["key"])))
        for vector in vectors
    ]
    tb.send(queue)
    beats = await tb.wait(len(queue), sum(message.blocks + 2 for message in queue))
    for vector, tag in zip(vectors, tb.packets(beats), strict=True):
        known = bytes.fromhex(vector["tag"])
        assert (tag[: len(known)] == known) == vector["valid"], vector["source"]


@cocotb.test()
async def every_length(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    lengths = [*range(301)]
    random.shuffle(lengths)
    await tb.run([either(length) for length in lengths])


@cocotb.test()
@cocotb.parametrize(idle=[0.0, 0.5, 0.9], busy=[0.0, 0.5, 0.97])
async def flow_control(dut: Any, idle: float, busy: float) -> None:
    tb = TB(dut)
    await tb.start()
    tb.params.idle, tb.source.idle, tb.sink.busy = random.choice([0.0, 0.9]), idle, busy
    lengths = [0, 1, 64, 63, 600, 0, 0, 65, 200, 55, 56, 119, 120, 1, 128, 48, 0, 16]
    queue = [either(length) for length in lengths]
    queue[3:3] = [tb.restored(random.randbytes(length)) for length in (0, 64, 100)]
    await tb.run(queue)


@cocotb.test()
async def parts(dut: Any) -> None:
    """Of a message with a key: the first, some, and the last, which makes the tag."""
    tb = TB(dut)
    await tb.start()
    for length in (64, 130, 1000):
        text, key = random.randbytes(length), random.randbytes(32)
        first = Keyed(text[:BLOCK_BYTES], part=True, key=key)
        value = await tb.value_after(first)
        assert value == tb.model.chained(inner_block(key) + first.data)
        done = BLOCK_BYTES
        if length > 500:
            piece = text[done : 5 * BLOCK_BYTES]
            value = await tb.value_after(Message(piece, value, part=True))
            done += len(piece)
        before = 1 + done // BLOCK_BYTES
        tag = hmac.digest(key, text, "sha256")
        last = Keyed(text[done:], value, before, expected=tag, key=key)
        await tb.run([either(10), last, either(100)])


@cocotb.test()
async def data_before_the_param(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    queue: list[Message] = [keyed(random.randbytes(length), b"key") for length in (20, 0, 500)]
    for message in queue:
        tb.send_data(message)
    await FallingEdge(dut.aclk)
    assert not tb.sink.received
    for message in queue:
        tb.send_param(message)
    await tb.finish(queue)


@cocotb.test()
async def errors_stay_with_their_message(dut: Any) -> None:
    """A mark goes through the inner digest into the tag."""
    tb = TB(dut)
    await tb.start()
    bad, good = (keyed(random.randbytes(300), b"key") for _ in range(2))
    for at in (0, 1, -1):
        tb.send([good])
        tb.send_param(bad)
        tb.send_data(bad, at)
        tb.send([good])
        beats = await tb.wait(3, 40)
        marks = [mark for mark in (0, 1, 0) for _ in range(tb.beats())]
        assert [beat[3] for beat in beats] == marks


@cocotb.test()
async def reset_in_flight(dut: Any) -> None:
    await reset_at(TB(dut))


@cocotb.test()
async def wipe_in_flight(dut: Any) -> None:
    await wipe_at(TB(dut))


@cocotb.test()
async def many_messages(dut: Any) -> None:
    """From the first tags on, inner and outer hashes together come at the full rate."""
    tb = TB(dut)
    await tb.start()
    count = 60 if int(dut.Structure.value) == 1 else 12
    texts = [random.randbytes(1024 - 9) for _ in range(count)]
    queue: list[Message] = [keyed(text, random.randbytes(32)) for text in texts]
    tb.send(queue)
    while len(tb.params.times) < count:
        await FallingEdge(dut.aclk)
    first = count // 3
    blocks = sum(message.blocks for message in queue[first:-1])
    taken = tb.params.times[-1] - tb.params.times[first]
    busy = blocks * int(dut.CyclesPerBlock.value) / taken
    dut._log.info("%.2f %% busy", 100 * busy)
    assert busy >= 0.9
    await tb.finish(queue)


@cocotb.test()
async def latency(dut: Any) -> None:
    """Of a digest of one block, as the module has it; of a ring, until a place comes by."""
    tb = TB(dut)
    await tb.start()
    await cycles(dut.aclk, 2 * 128)  # a ring is cleared after a reset
    for _ in range(20):
        await cycles(dut.aclk, random.randrange(20))
        tb.send([message := Message(b"abc")])
        while not tb.sink.times:
            await FallingEdge(dut.aclk)
        late = tb.sink.times[0] - tb.params.times[0] - int(dut.Latency.value)
        assert 0 <= late <= int(dut.LatencyRange.value)
        await tb.finish([message])


@over_variants("hmac_sha256")
def test_variant(variant: Variant) -> None:
    simulate_variant(variant, __name__)


WIDTHS = [(structure, width) for structure in (0, 1) for width in (4, 8, 32, 64)]


@pytest.mark.parametrize(("structure", "data_bytes"), WIDTHS if LONG else [(0, 64)])
def test_width(structure: int, data_bytes: int) -> None:
    parameters = {"Structure": structure, "Depth": 32, "DataBytes": data_bytes}
    simulate("hmac_sha256", "hmac_sha256", parameters, __name__)
