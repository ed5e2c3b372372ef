# SPDX-License-Identifier: Apache-2.0
"""Pipelines of hashes: many messages at once in slots, flow control, reset, wipe, busy places.

The module under test has the name of its algorithm, as hashlib and the folder below rtl/ have it,
and "_pipe".
"""

import hashlib
import random
import re
from collections import deque
from collections.abc import Callable
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from lab.report import hashes
from lab.variants import Variant, load
from rtl.hash.tb.test_hash import HASHES
from rtl.sha256.tb.model import published
from rtl.testbench.runner import LONG, build, long_only, simulate, simulate_variant
from rtl.testbench.state import secrets
from rtl.testbench.stream import Beat, Sink, Source, cycles, start_core, to_beats

BLOCK_BYTES = 64


def blocks_of(message: bytes) -> int:
    return (len(message) + 8) // BLOCK_BYTES + 1


class TB:
    """A pipeline with its streams, and the digests that each slot owes, in order."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.algorithm = dut._name.removesuffix("_pipe")
        self.slots = int(dut.Slots.value)
        self.owed: dict[int, deque[tuple[bytes, int]]] = {}
        into = [f"s_axis_t{name}" for name in ("data", "keep", "last", "id", "user")]
        self.source = Source(
            dut.aclk, dut.s_axis_tvalid, dut.s_axis_tready, [getattr(dut, name) for name in into]
        )
        self.sink = Sink(
            dut.aclk,
            dut.m_axis_tvalid,
            dut.m_axis_tready,
            [dut.m_axis_tdata, dut.m_axis_tid, dut.m_axis_tuser],
        )

    async def start(self) -> None:
        await start_core(self.dut)

    def beats(self, message: bytes, slot: int, error_at: int | None = None) -> list[Beat]:
        """A message's beats; its digest is owed from now on."""
        beats = [(*beat[:3], slot, 0) for beat in to_beats(message, BLOCK_BYTES)]
        if error_at is not None:
            beats[error_at] = (*beats[error_at][:4], 1)
        digest = hashlib.new(self.algorithm, message).digest()
        owed = (digest, int(error_at is not None))
        self.owed.setdefault(slot, deque()).append(owed)
        return beats

    def send(self, messages: list[bytes], slots: int, burst: Callable[[], int] = lambda: 1) -> None:
        """Gives so many slots their turns; a slot that is done begins the next message."""
        waiting = deque(messages)
        open_beats: list[deque[Beat]] = [deque() for _ in range(slots)]
        while waiting or any(open_beats):
            for slot, beats in enumerate(open_beats):
                for _ in range(burst()):
                    if not beats and waiting:
                        beats.extend(self.beats(waiting.popleft(), slot))
                    if beats:
                        self.source.send([beats.popleft()])

    async def finish(self) -> None:
        """Waits for what is owed; then nothing is left."""
        still = 0
        while still < 40 * self.slots and any(self.owed.values()):
            moved = len(self.sink.times) + len(self.source.times)
            await cycles(self.dut.aclk, 4)
            self.check()
            same = moved == len(self.sink.times) + len(self.source.times)
            still = still + 4 if same else 0
        assert not any(self.owed.values()), "digests are missing"
        await cycles(self.dut.aclk, 2)
        await ReadOnly()
        assert self.dut.busy_o.value == 0
        assert self.dut.m_axis_tvalid.value == 0
        await FallingEdge(self.dut.aclk)
        self.clear()

    def check(self) -> None:
        for data, slot, error in self.sink.received:
            digest, marked = self.owed[slot].popleft()
            assert data.to_bytes(len(digest), "little") == digest
            assert error == marked
        self.sink.received.clear()

    def clear(self) -> None:
        """Forgets what was under way."""
        self.owed.clear()
        self.source.drop()
        self.source.clear()
        self.sink.clear()


def texts(lengths: list[int]) -> list[bytes]:
    return [random.randbytes(length) for length in lengths]


@cocotb.test()
async def every_length(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    lengths = [*range(301)]
    random.shuffle(lengths)
    tb.send(texts(lengths), tb.slots)
    await tb.finish()


@cocotb.test()
@cocotb.parametrize(idle=[0.0, 0.5], busy=[0.0, 0.5, 0.97])
async def flow_control(dut: Any, idle: float, busy: float) -> None:
    tb = TB(dut)
    await tb.start()
    tb.source.idle, tb.sink.busy = idle, busy
    lengths = [random.choice([0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 500]) for _ in range(400)]
    tb.send(texts(lengths), tb.slots, lambda: random.choice([0, 1, 1, 3]))
    await tb.finish()


@cocotb.test()
@cocotb.parametrize(slots=[1, 2, 20])
async def few_slots(dut: Any, slots: int) -> None:
    """Most places go around without a block; slots are full most of the time."""
    tb = TB(dut)
    await tb.start()
    tb.send(texts([int(2 ** random.uniform(0, 10)) for _ in range(2 * slots + 3)]), slots)
    await tb.finish()


@cocotb.test()
async def random_messages(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    for _ in range(2):
        tb.source.idle, tb.sink.busy = (random.choice([0, 0.3]) for _ in range(2))
        most = 16 if LONG else 12
        lengths = [int(2 ** random.uniform(0, most)) for _ in range(200)]
        tb.send(texts(lengths), tb.slots, lambda: random.choice([0, 1, 2, 4]))
        await tb.finish()


@cocotb.test()
async def slots_that_wait(dut: Any) -> None:
    """The chaining value of a message whose next block comes many laps later."""
    tb = TB(dut)
    await tb.start()
    halves = []
    for slot in range(0, tb.slots, 5):
        beats = tb.beats(random.randbytes(random.randint(65, 300)), slot)
        cut = random.randint(1, len(beats) - 1)
        tb.source.send(beats[:cut])
        halves.append(beats[cut:])
    await cycles(dut.aclk, 6 * tb.slots)
    assert dut.busy_o.value == 1
    for beats in random.sample(halves, len(halves)):
        tb.source.send(beats)
        await cycles(dut.aclk, random.choice([1, 60]))
    await tb.finish()


@cocotb.test()
async def published_digests(dut: Any) -> None:
    """NIST's messages for SHA-256 (CAVP); their texts for the others, by hashlib."""
    tb = TB(dut)
    await tb.start()
    known = published("Short") + published("Long")[: None if LONG else 20]
    for text, digest in known:
        assert tb.algorithm != "sha256" or hashlib.sha256(text).digest() == digest
    tb.send([text for text, _ in known], tb.slots)
    await tb.finish()


@cocotb.test()
async def errors_stay_with_their_message(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    for at in (0, 1, -1, 0):
        for slot in (3, 130):
            tb.source.send(tb.beats(random.randbytes(random.randint(250, 320)), slot, at))
            tb.source.send(tb.beats(random.randbytes(100), slot))
        tb.source.send(tb.beats(b"", 4, 0))
    await tb.finish()


@cocotb.test()
async def digests_that_nobody_takes(dut: Any) -> None:
    """They stay; messages behind them wait, in the pipeline too."""
    tb = TB(dut)
    await tb.start()
    tb.sink.busy = 1.0
    count = tb.slots * (int(dut.Depth.value) + 3)
    tb.send(texts([random.randint(0, 70) for _ in range(count)]), tb.slots)
    await cycles(dut.aclk, 2 * count + 500)
    assert tb.source.queue
    tb.sink.busy = 0.0
    await tb.finish()


async def interrupted(tb: TB) -> None:
    """Brings the pipeline into the middle of its work."""
    tb.sink.busy = random.choice([0.0, 1.0])
    tb.send(texts([random.randint(0, 300) for _ in range(300)]), tb.slots)
    while not tb.source.sent:
        await FallingEdge(tb.dut.aclk)
    await cycles(tb.dut.aclk, random.randrange(20, 500))
    assert tb.dut.busy_o.value == 1


@cocotb.test()
async def reset_in_flight(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    for _ in range(10):
        await interrupted(tb)
        dut.aresetn.value = 0
        await cycles(dut.aclk, 1)
        dut.aresetn.value = 1
        tb.clear()
        tb.sink.busy = 0.0
        tb.send(texts([random.randint(0, 200) for _ in range(150)]), tb.slots)
        await tb.finish()


# Where a message is, is no secret, nor the first chaining value. Registers that are outputs of
# modules are seen as what the top calls them. A netlist has small registers and memories in one
# word: the ends of the slots' buffers, where padding begins, whose turn it is.
NO_SECRETS = re.compile(
    r"(.*__)?((at|place|address|padding)_q|(ends|starts)__wire_q|u_turns__u_lap__memory__.*)"
)
WIRES = ("message", "word", "start", "value", "sum", "state")
FIRST_VALUE = re.compile(r"gen_value\[\d\]\.memory\[255\]$")
MASK = 2**32 - 1
# A RAM of 16 words that a netlist has for one of fewer: what was in the others stays.
UNREACHED = re.compile(r"__memory__wire_q$")


def may_be_left(value: int, first: int) -> bool:
    """Whether all 32-bit words are wiped, or were never written."""
    words = range(0, value.bit_length(), 32)
    return all(value >> i & MASK in {0, first >> i & MASK} for i in words)


@cocotb.test()
async def wipe_in_flight(dut: Any) -> None:
    """Nothing of a message is left, and nothing comes out or goes in meanwhile."""
    tb = TB(dut)
    await tb.start()
    first = dict(secrets(dut, 16, NO_SECRETS))
    for _ in range(3):
        await interrupted(tb)
        assert any(value for _, value in secrets(dut, 16, NO_SECRETS))
        tb.source.drop()
        dut.wipe_i.value = 1
        for _ in range(int(dut.WipeCycles.value)):
            await cycles(dut.aclk, 1)
            await ReadOnly()
            assert dut.m_axis_tvalid.value == 0
            assert dut.s_axis_tready.value == 0
        left = [
            name
            for name, value in secrets(dut, 16, NO_SECRETS)
            if not may_be_left(value, first[name] if UNREACHED.search(name) else 0)
        ]
        left += [name for name in WIRES if hasattr(dut, name) and getattr(dut, name).value]
        left = [name for name in left if not FIRST_VALUE.search(name)]
        assert not left, left
        await FallingEdge(dut.aclk)
        dut.wipe_i.value = 0
        tb.clear()
        tb.sink.busy = 0.0
        tb.send(texts([random.randint(0, 200) for _ in range(150)]), tb.slots)
        await tb.finish()


@cocotb.test()
async def latency(dut: Any) -> None:
    """Of a message of one block, as the package has it."""
    tb = TB(dut)
    await tb.start()
    for slot in random.sample(range(tb.slots), 40):
        await cycles(dut.aclk, random.randrange(tb.slots))
        tb.source.send(tb.beats(b"abc", slot))
        while not tb.sink.times:
            await FallingEdge(dut.aclk)
        taken = tb.sink.times[0] - tb.source.times[0] - int(dut.Latency.value)
        assert 0 <= taken < tb.slots
        await tb.finish()


@cocotb.test()
@cocotb.parametrize(most=[1, 4], padding=[9, 0])
async def every_place_is_busy(dut: Any, most: int, padding: int) -> None:
    """Messages from 1 KiB on, of one length or mixed: a block per cycle, those of padding too."""
    tb = TB(dut)
    await tb.start()
    if not hasattr(dut, "u_pipe"):
        return  # a netlist
    blocks = [random.randint(16, 16 * most) for _ in range(4 * tb.slots)]
    tb.send(texts([BLOCK_BYTES * count - padding for count in blocks]), tb.slots)
    # While there is a message for each slot and the pipeline is full
    await cycles(dut.aclk, 4 * tb.slots)
    taken, count = 0, 40 * tb.slots
    for _ in range(count):
        await FallingEdge(dut.aclk)
        taken += int(dut.u_pipe.u_turns.active.value)
    assert tb.source.queue
    dut._log.info("1 to %d KiB: %.2f %% busy", most, 100 * taken / count)
    assert taken >= 0.95 * count
    await tb.finish()


@cocotb.test()
@cocotb.parametrize(count=[1, 8, 150], length=[64, 1024])
async def one_and_many_messages(dut: Any, count: int, length: int) -> None:
    """The lab's model of the time that they take."""
    tb = TB(dut)
    await tb.start()
    await cycles(dut.aclk, 2 * tb.slots + 20)  # all slots are cleared after a reset
    tb.send(texts([length] * count), tb.slots)
    while len(tb.sink.times) < count:
        await FallingEdge(dut.aclk)
    taken = tb.sink.times[-1] - tb.source.times[0]
    model = hashes.cycles({}, count, length, pipe=True)
    dut._log.info("%d messages of %d bytes: %d cycles, model %d", count, length, taken, model)
    assert 0.97 * model - 20 <= taken <= 1.03 * model + 20
    await tb.finish()


def rows() -> list[Variant]:
    tops = {f"{name}_pipe" for name in HASHES}
    return [row for row in load().values() if row.top in tops and (LONG or not row.long)]


@pytest.mark.parametrize("variant", rows(), ids=lambda row: row.name)
def test_variant(variant: Variant) -> None:
    simulate_variant(variant, __name__)


@long_only
@pytest.mark.parametrize("depth", [2, 16])
@pytest.mark.parametrize("name", HASHES)
def test_depth(name: str, depth: int) -> None:
    simulate(name, f"{name}_pipe", {"Depth": depth}, __name__)


@pytest.mark.parametrize("name", HASHES)
def test_illegal_depth_stops_elaboration(name: str) -> None:
    with pytest.raises(RuntimeError, match="Depth must be 2, 4, 8 or 16"):
        build(name, f"{name}_pipe", {"Depth": 3})
