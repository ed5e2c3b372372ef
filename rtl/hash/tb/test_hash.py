# SPDX-License-Identifier: Apache-2.0
"""Cores of hashes: lengths, parts, flow control, reset and wipe, and exact cycles, for all of them.

The module under test has the name of its algorithm, as hashlib and the folder below rtl/ have it.
"""

import hashlib
import random
import re
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from lab.report import hashes
from lab.variants import Variant, load
from rtl.testbench.runner import LONG, build, simulate, simulate_variant
from rtl.testbench.state import secrets
from rtl.testbench.stream import Beat, Core, cycles, to_beats

BLOCK_BYTES = 64
HASHES = ("sha256", "md5")


@dataclass(frozen=True)
class Message:
    """A message, or a part of one: the last, unless `part`."""

    data: bytes
    value: bytes | None = None  # the chaining value that it begins with
    before: int = 0  # blocks in the parts before
    part: bool = False
    expected: bytes | None = None  # if not hashlib's digest

    @property
    def blocks(self) -> int:
        return len(self.data) // BLOCK_BYTES if self.part else (len(self.data) + 72) // BLOCK_BYTES


def messages(lengths: list[int]) -> list[Message]:
    return [Message(random.randbytes(length)) for length in lengths]


class TB(Core):
    """A core with its streams; remembers the cycles in which params, beats and digests moved."""

    def __init__(self, dut: Any, algorithm: str = "") -> None:
        super().__init__(dut)
        self.algorithm = algorithm or dut._name
        self.digest_bytes = hashlib.new(self.algorithm).digest_size
        self.model = import_module(f"rtl.{self.algorithm}.tb.model")

    def send_param(self, message: Message) -> None:
        restored = message.value is not None
        self.params.send([(restored << 56 | message.part << 55 | message.before,)])

    def send_data(self, message: Message, error_at: int | None = None) -> None:
        if message.value is not None:
            self.source.send(to_beats(message.value, self.bytes))
        beats = to_beats(message.data, self.bytes)
        if error_at is not None:
            beats[error_at] = (*beats[error_at][:3], 1)
        self.source.send(beats)

    def send(self, queue: list[Message]) -> None:
        for message in queue:
            self.send_param(message)
            self.send_data(message)

    def beats(self) -> int:
        """Of a digest."""
        return -(-self.digest_bytes // self.bytes)

    async def wait(self, count: int, blocks: int) -> list[Beat]:
        """For the digests of so many messages, which have so many blocks; nothing is left over."""
        busy = 20 if self.source.idle or self.sink.busy else 1
        per_block = int(self.dut.BlockLatency.value)
        limit = 1000 + busy * (per_block * (blocks + count)) + 40 * busy * blocks * 64 // self.bytes
        for _ in range(limit):
            if len(self.sink.received) >= count * self.beats():
                break
            await FallingEdge(self.dut.aclk)
        await cycles(self.dut.aclk, 2)
        await ReadOnly()
        assert self.dut.busy_o.value == 0
        assert self.dut.m_axis_tvalid.value == 0
        await FallingEdge(self.dut.aclk)
        beats = list(self.sink.received)
        assert len(beats) == count * self.beats()
        self.clear()
        return beats

    async def finish(self, queue: list[Message]) -> None:
        beats = await self.wait(len(queue), sum(message.blocks + 2 for message in queue))
        for message, digest in zip(queue, self.packets(beats), strict=True):
            expected = message.expected or hashlib.new(self.algorithm, message.data).digest()
            assert digest[: len(expected)] == expected

    async def run(self, queue: list[Message]) -> None:
        self.send(queue)
        await self.finish(queue)

    async def value_after(self, message: Message) -> bytes:
        self.send([message])
        return self.packets(await self.wait(1, message.blocks + 2))[0]

    def packets(self, beats: list[Beat]) -> list[bytes]:
        """The digests in beats without an error."""
        size, step = self.digest_bytes, self.beats()
        kept = (1 << min(self.bytes, size)) - 1
        found = []
        for at in range(0, len(beats), step):
            packet = beats[at : at + step]
            marks = [(kept, int(i == step - 1), 0) for i in range(step)]
            assert [beat[1:] for beat in packet] == marks
            found.append(b"".join(beat[0].to_bytes(self.bytes, "little") for beat in packet)[:size])
        return found

    def restored(self, data: bytes) -> Message:
        """A message that begins with a chaining value."""
        value = random.randbytes(self.digest_bytes)
        return Message(data, value, expected=self.model.finished(data, value))


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
    tb.params.idle, tb.source.idle, tb.sink.busy = random.choice([0.0, 0.9]), idle, busy
    await tb.run(messages([0, 1, 64, 63, 600, 0, 0, 65, 200, 55, 56, 119, 120, 1, 128, 48, 0, 16]))


@cocotb.test()
async def random_messages(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    for _ in range(4):
        tb.params.idle, tb.source.idle, tb.sink.busy = (random.choice([0, 0.3]) for _ in range(3))
        await tb.run(messages([int(2 ** random.uniform(0, 12)) for _ in range(12)]))


@cocotb.test()
async def long_message(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    length = 1 << 20 if LONG else 40000
    await tb.run([Message(random.randbytes(length)), Message(b"next")])


@cocotb.test()
async def parts(dut: Any) -> None:
    """Of some messages in turn; the last part may be empty."""
    tb = TB(dut)
    await tb.start()
    texts = [random.randbytes(length) for length in (64, 130, 1000, 640, 2000)]
    values: list[bytes | None] = [None] * len(texts)
    done = [0] * len(texts)
    left = [*range(len(texts))]
    while left:
        n = random.choice(left)
        tb.source.idle, tb.sink.busy = random.choice([0, 0.3]), random.choice([0, 0.3])
        whole = (len(texts[n]) - done[n]) // BLOCK_BYTES
        if whole and random.random() < 0.8:
            blocks = random.randint(1, whole)
            piece = texts[n][done[n] : done[n] + BLOCK_BYTES * blocks]
            part = Message(piece, values[n], done[n] // BLOCK_BYTES, part=True)
            values[n] = await tb.value_after(part)
            assert values[n] == tb.model.chained(piece, part.value or tb.model.INITIAL)
            done[n] += len(piece)
        else:
            rest = texts[n][done[n] :]
            whole_digest = hashlib.new(tb.algorithm, texts[n]).digest()
            await tb.run([Message(rest, values[n], done[n] // BLOCK_BYTES, expected=whole_digest)])
            left.remove(n)


@cocotb.test()
@cocotb.parametrize(before=[1 << 26, (1 << 55) - 2, 0x2A5A5A5A5A5A5A])
async def length_of_64_bits(dut: Any, before: int) -> None:
    """Of a message that nobody could send here; the last block of it may be the last at all."""
    tb = TB(dut)
    await tb.start()
    value = random.randbytes(tb.digest_bytes)
    for data in (b"", random.randbytes(21), random.randbytes(63), random.randbytes(64)):
        expected = tb.model.finished(data, value, before)
        await tb.run([Message(data, value, before, expected=expected)])


@cocotb.test()
async def data_before_the_param(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    queue = messages([20, 0, 500])
    for message in queue:
        tb.send_data(message)
    await cycles(dut.aclk, 200)
    assert not tb.sink.received
    for message in queue:
        tb.send_param(message)
    await tb.finish(queue)


@cocotb.test()
async def errors_stay_with_their_message(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    bad, good = messages([300, 300])
    for at in (0, 1, -1):
        tb.send_param(bad)
        tb.send_data(bad, at)
        tb.send([good])
        beats = await tb.wait(2, 16)
        assert [beat[3] for beat in beats] == [1] * tb.beats() + [0] * tb.beats()


async def interrupted(tb: TB) -> None:
    """Brings the core into the middle of its work."""
    tb.sink.busy = 1.0  # otherwise it could be done
    tb.send([tb.restored(random.randbytes(random.choice([20, 200]))) for _ in range(3)])
    while not tb.params.times:  # a ring needs some time after a reset
        await FallingEdge(tb.dut.aclk)
    await cycles(tb.dut.aclk, 60 + random.randrange(500))
    assert tb.dut.busy_o.value == 1
    tb.params.drop()
    tb.source.drop()


@cocotb.test()
async def reset_in_flight(dut: Any) -> None:
    await reset_at(TB(dut))


async def reset_at(tb: TB) -> None:
    """In each cycle of a message with a chaining value, then anywhere."""
    dut = tb.dut
    await tb.start()
    for after in [*range(1, 130), *[None] * 8]:
        if after is None:
            await interrupted(tb)
        else:
            tb.send([tb.restored(random.randbytes(20))])
            await cycles(dut.aclk, after)
        dut.aresetn.value = 0
        await cycles(dut.aclk, 1)
        dut.aresetn.value = 1
        tb.sink.busy = 0.0
        tb.clear()
        await tb.run([*messages([70]), tb.restored(b"abc")])


# The first chaining value is no secret, nor where a step is.
# Constants, and in netlists what is public: counts of blocks, and where a word is read.
NO_SECRETS = re.compile(
    r"(.*__)?((low|high|value|read|even|odd|blocks)_q|constants.*|constant_o(__wire_q)?"
    r"|u_turns__memory__wire_q|u_buffer__row_i__wire_q)"
)


FIRST_VALUE = re.compile(r"u_values\.gen_word\[\d\]\.memory\[32\]$")


@cocotb.test()
async def wipe_in_flight(dut: Any) -> None:
    await wipe_at(TB(dut))


async def wipe_at(tb: TB) -> None:
    """Nothing of a message is left, and nothing comes out or goes in meanwhile."""
    dut = tb.dut
    await tb.start()
    for _ in range(8):
        await interrupted(tb)
        assert any(value for _, value in secrets(dut, 16, NO_SECRETS))
        dut.wipe_i.value = 1
        for _ in range(int(dut.WipeCycles.value)):
            await cycles(dut.aclk, 1)
            await ReadOnly()
            assert dut.m_axis_tvalid.value == 0
            assert dut.param_ready_o.value == 0
            assert dut.s_axis_tready.value == 0
        left = [name for name, value in secrets(dut, 16, NO_SECRETS) if value]
        assert [name for name in left if not FIRST_VALUE.search(name)] == []
        await FallingEdge(dut.aclk)
        dut.wipe_i.value = 0
        tb.sink.busy = 0.0
        tb.clear()
        await tb.run([*messages([70]), tb.restored(b"abc")])


@cocotb.test()
@cocotb.parametrize(blocks=[1, 2, 3, 30])
async def messages_back_to_back(dut: Any, blocks: int) -> None:
    """The formulas of the package: cycles per message, without and with a chaining value."""
    tb = TB(dut)
    await tb.start()
    per_block = int(dut.MessageCycles.value)
    overhead = int(dut.MessageOverhead.value)
    block_latency = int(dut.BlockLatency.value)
    for make, more in ((Message, 0), (tb.restored, int(dut.RestoreCycles.value))):
        queue = [make(random.randbytes(64 * blocks - 9)) for _ in range(5)]
        tb.send(queue)
        for _ in range(6 * (block_latency * blocks + 100)):
            await FallingEdge(dut.aclk)
            if len(tb.sink.times) == len(queue) * tb.beats():
                break
        taken = [after - before for before, after in pairwise(tb.params.times)]
        dut._log.info("messages of %d blocks: %s cycles", blocks, taken)
        # A ring that reads a chaining value does not store one in that cycle.
        late = 2 if more and int(dut.LatencyRange.value) else 0
        due = per_block * blocks + overhead + more
        assert all(due <= cycles_taken <= due + late for cycles_taken in taken)
        first = tb.sink.times[0] - tb.params.times[0] - block_latency * (blocks - 1) - more
        dut._log.info("latency of a block: %d cycles", first)
        assert 0 <= first - int(dut.Latency.value) <= int(dut.LatencyRange.value)
        await tb.finish(queue)


@cocotb.test()
@cocotb.parametrize(kind=["short", "mixed", "parts", "mixed parts"])
async def every_place_is_busy(dut: Any, kind: str) -> None:
    """Many messages, from 1 KiB to what waits in a ring: blocks come as often as it takes them."""
    tb = TB(dut)
    await tb.start()
    count = 20 if int(dut.Structure.value) == 0 else 60
    queue = []
    for _ in range(count):
        most = int(dut.Depth.value)
        blocks = random.randint(16, most) if "mixed" in kind else most if kind == "parts" else 16
        data = random.randbytes(64 * blocks)
        if "parts" in kind:
            value = random.randbytes(tb.digest_bytes)
            expected = tb.model.chained(data, value)
            queue.append(Message(data, value, 1, part=True, expected=expected))
        else:
            queue.append(Message(data[:-9]))  # the padding ends with the block
    tb.send(queue)
    while len(tb.params.times) < count:
        await FallingEdge(dut.aclk)
    # From the first full set of messages on
    first = count // 4
    blocks = sum(message.blocks for message in queue[first:-1])
    busy = blocks * int(dut.CyclesPerBlock.value) / (tb.params.times[-1] - tb.params.times[first])
    dut._log.info("%s: %.2f %% busy", kind, 100 * busy)
    assert busy >= 0.95
    await tb.finish(queue)


@cocotb.test()
@cocotb.parametrize(count=[1, 8, 64], length=[64, 1024])
async def one_and_many_messages(dut: Any, count: int, length: int) -> None:
    """The lab's model of the time that they take."""
    tb = TB(dut)
    await tb.start()
    await tb.run(messages([0]))  # a ring needs some time after a reset
    tb.send(messages([length] * count))
    while len(tb.sink.received) < count * tb.beats():
        await FallingEdge(dut.aclk)
    taken = tb.sink.times[-1] - tb.params.times[0]
    names = [name for name in ("Structure", "Unroll", "Depth") if hasattr(dut, name)]
    model = hashes.cycles({name: int(getattr(dut, name).value) for name in names}, count, length)
    dut._log.info("%d messages of %d bytes: %d cycles, model %d", count, length, taken, model)
    assert 0.97 * model - 20 <= taken <= 1.03 * model + 20


def rows() -> list[Variant]:
    return [row for row in load().values() if row.top in HASHES and (LONG or not row.long)]


@pytest.mark.parametrize("variant", rows(), ids=lambda row: row.name)
def test_variant(variant: Variant) -> None:
    simulate_variant(variant, __name__)


WIDTHS = [
    (name, structure, width) for name in HASHES for structure in (0, 1) for width in (4, 8, 32, 64)
]
REPRESENTATIVE = [("sha256", 0, 64), ("md5", 0, 8)]


@pytest.mark.parametrize(("name", "structure", "data_bytes"), WIDTHS if LONG else REPRESENTATIVE)
def test_width(name: str, structure: int, data_bytes: int) -> None:
    parameters = {"Structure": structure, "Depth": 32, "DataBytes": data_bytes}
    simulate(name, name, parameters, __name__)


@pytest.mark.parametrize("name", HASHES)
def test_model_of_chaining_values(name: str) -> None:
    model = import_module(f"rtl.{name}.tb.model")
    for length in range(200):
        data = random.randbytes(length)
        assert model.finished(data) == hashlib.new(name, data).digest()


@pytest.mark.parametrize("name", HASHES)
@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"Structure": 2}, "Structure must be Serial or Ring"),
        ({"Depth": 12}, "Depth must be a power of two, at least 2"),
        ({"DataBytes": 2}, "DataBytes must be 4, 8, 16, 32 or 64"),
    ],
)
def test_illegal_parameters_stop_elaboration(
    name: str, parameters: dict[str, int], sentence: str
) -> None:
    with pytest.raises(RuntimeError, match=re.escape(sentence)):
        build(name, name, parameters)
