# SPDX-License-Identifier: Apache-2.0
"""aes_cbc: vectors, lanes in turn, keys, broken beats, flow control, reset and wipe, rate."""

import random
import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

from rtl.aes.tb import cavp
from rtl.aes.tb.model import BLOCK, SIZES, Packet
from rtl.testbench.runner import build, simulate
from rtl.testbench.state import secrets
from rtl.testbench.stream import Beat, Sink, Source, cycle, cycles, sample_bytes

ANY_KEY = 3
WHOLE = 0xFFFF
BROKEN = (0, 1, 0x7FFF, 0xFFFE, 0xFEFF)  # what a broken beat keeps

# What is known of the blocks under way, which is not secret
SLOTS = re.compile(r"(.*__)?slot_q.*")


def number(block: bytes) -> int:
    return int.from_bytes(block, "little")


@dataclass
class Message:
    lane: int
    data: bytes
    iv: bytes = field(default_factory=lambda: random.randbytes(BLOCK))
    broken: int | None = None  # the first beat that is

    def beats(self) -> list[Beat]:
        """Vector and blocks, as (data, keep, last, lane)."""
        whole = self.iv + self.data
        count = len(whole) // BLOCK
        keeps = [WHOLE] * count
        if self.broken is not None:  # a beat behind it may look whole
            keeps[self.broken] = random.choice(BROKEN)
        blocks = [number(whole[i : i + BLOCK]) for i in range(0, len(whole), BLOCK)]
        return [(blocks[i], keeps[i], int(i == count - 1), self.lane) for i in range(count)]

    def result(self, key: bytes) -> list[Beat]:
        """The same of the output, as (data, last, broken)."""
        whole = self.iv + Packet(self.data, key, "cbc", iv=self.iv).result()
        count = len(whole) // BLOCK
        good = count if self.broken is None else self.broken
        blocks = [number(whole[i : i + BLOCK]) for i in range(0, len(whole), BLOCK)]
        return [
            (blocks[i] if i < good else 0, int(i == count - 1), int(i >= good))
            for i in range(count)
        ]


def of_blocks(lane: int, blocks: int, **more: Any) -> Message:
    return Message(lane, sample_bytes(BLOCK * blocks, random.randrange(251)), **more)


def queues(messages: Sequence[Message]) -> dict[int, deque[Beat]]:
    """The beats of each lane: messages one after the other."""
    lanes: dict[int, deque[Beat]] = {}
    for message in messages:
        lanes.setdefault(message.lane, deque()).extend(message.beats())
    return lanes


def in_turn(messages: Sequence[Message]) -> list[Beat]:
    """The lanes beat by beat in turn."""
    lanes = queues(messages)
    beats = []
    while any(lanes.values()):
        beats += [queue.popleft() for queue in lanes.values() if queue]
    return beats


def mixed(messages: Sequence[Message]) -> list[Beat]:
    """The lanes at random."""
    lanes = queues(messages)
    places = [lane for lane, queue in lanes.items() for _ in queue]
    random.shuffle(places)
    return [lanes[lane].popleft() for lane in places]


class TB:
    """A core with its streams; what should come out of each lane."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.lanes = int(dut.Lanes.value)
        self.stages = int(dut.Stages.value)
        size = int(dut.KeySizes.value)
        self.sizes = SIZES if size == ANY_KEY else (SIZES[size],)
        clock = dut.aclk
        self.keys = Source(clock, dut.key_valid_i, dut.key_ready_o, [dut.key_i, dut.key_size_i])
        self.source = Source(
            clock,
            dut.s_axis_tvalid,
            dut.s_axis_tready,
            [dut.s_axis_tdata, dut.s_axis_tkeep, dut.s_axis_tlast, dut.s_axis_tid],
        )
        self.sink = Sink(
            clock,
            dut.m_axis_tvalid,
            dut.m_axis_tready,
            [dut.m_axis_tid, dut.m_axis_tdata, dut.m_axis_tlast, dut.m_axis_tuser],
        )
        self.key = b""

    async def start(self) -> None:
        self.dut.aresetn.value = 0
        self.dut.wipe_i.value = 0
        Clock(self.dut.aclk, 10, unit="ns").start()
        await cycles(self.dut.aclk, 3)
        self.dut.aresetn.value = 1

    def offer_key(self, key: bytes | None = None) -> bytes:
        """A random key unless one is given; the messages that follow are expected to use it."""
        self.key = key or random.randbytes(random.choice(self.sizes))
        # what the size leaves over is not used
        rest = random.randbytes(32 - len(self.key))
        self.keys.send([(number(self.key + rest), SIZES.index(len(self.key)))])
        return self.key

    def any_of(self, count: int, most: int = 20) -> list[Message]:
        """Messages of 0 to `most` blocks in any lanes."""
        return [
            of_blocks(random.randrange(self.lanes), random.randrange(most + 1))
            for _ in range(count)
        ]

    def cycles_per_block(self) -> int:
        """Nr of the key: with AnySize, CyclesPerBlock is that of 128 bits."""
        return int(self.dut.CyclesPerBlock.value) + (len(self.key) - self.sizes[0]) // 4

    def lone_cycles(self) -> int:
        """Per block, of a lane that is the only one."""
        return self.cycles_per_block() * self.stages + 4

    async def new_key(self, key: bytes | None = None) -> bytes:
        """Offers a key and waits until it is taken."""
        self.offer_key(key)
        await self.until(lambda: not self.keys.queue)
        return self.key

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits for what the streams should come to; fails after a time that is enough for all."""
        for _ in range(20_000):
            await FallingEdge(self.dut.aclk)
            if condition():
                return
        raise AssertionError("it does not go on")

    async def received(self, count: int) -> None:
        """Waits until so many beats have come out."""
        for _ in range(1000 + 400 * count):
            if len(self.sink.received) >= count:
                return
            await FallingEdge(self.dut.aclk)
        raise AssertionError(f"{len(self.sink.received)} of {count} beats came out")

    async def finish(self, expected: Sequence[tuple[Message, bytes]]) -> None:
        """Waits for the output of messages with their keys, and compares it lane by lane."""
        lanes: list[list[Beat]] = [[] for _ in range(self.lanes)]
        for message, key in expected:
            lanes[message.lane] += message.result(key)
        await self.received(sum(map(len, lanes)))
        await cycles(self.dut.aclk, 3)
        await ReadOnly()
        assert self.dut.busy_o.value == 0
        assert self.dut.m_axis_tvalid.value == 0
        found: list[list[Beat]] = [[] for _ in range(self.lanes)]
        for lane, *beat in self.sink.received:
            found[lane].append(tuple(beat))
        assert found == lanes
        self.sink.clear()
        await FallingEdge(self.dut.aclk)

    async def run(self, messages: Sequence[Message], beats: list[Beat] | None = None) -> None:
        """Messages under the present key: mixed, if their beats are not given."""
        self.source.send(mixed(messages) if beats is None else beats)
        await self.finish([(message, self.key) for message in messages])

    def clear(self) -> None:
        """Forgets what was under way: for reset and wipe."""
        self.keys.drop()
        self.source.drop()
        self.sink.clear()


@cocotb.test()
async def example_vectors(dut: Any) -> None:
    """SP 800-38A, F.2.1, F.2.3 and F.2.5: of the sizes that the core has, in each lane."""
    tb = TB(dut)
    await tb.start()
    data = bytes.fromhex(
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
        "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
    )
    known = [
        ("2b7e151628aed2a6abf7158809cf4f3c",
         ("7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
          "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7")),
        ("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
         ("4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"
          "571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd")),
        ("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
         ("f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
          "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b")),
    ]  # fmt: skip
    for key, cipher in [(bytes.fromhex(key), bytes.fromhex(cipher)) for key, cipher in known]:
        if len(key) not in tb.sizes:
            continue
        messages = [Message(lane, data, iv=bytes(range(16))) for lane in range(tb.lanes)]
        expected = [number(cipher[i : i + BLOCK]) for i in range(0, 64, BLOCK)]
        assert [block for block, *_ in messages[0].result(key)[1:]] == expected
        await tb.new_key(key)
        await tb.run(messages)


@cocotb.test()
async def nist_files(dut: Any) -> None:
    """AESAVS: those known answers that share a key side by side, multi-block messages."""
    tb = TB(dut)
    await tb.start()
    for size in tb.sizes:
        for kind in (*cavp.KNOWN_ANSWERS, "MMT"):
            by_key: dict[bytes, list[dict[str, bytes]]] = {}
            for row in cavp.blocks("CBC", kind, 8 * size):
                if "ENCRYPT" in row:
                    by_key.setdefault(row["KEY"], []).append(row)
            assert by_key
            # of keys with one block only, some
            for key in random.sample(list(by_key), min(20, len(by_key))):
                rows = by_key[key]
                messages = [
                    Message(i % tb.lanes, row["PLAINTEXT"], iv=row["IV"])
                    for i, row in enumerate(rows)
                ]
                for message, row in zip(messages, rows, strict=True):
                    model = Packet(message.data, key, "cbc", iv=message.iv).result()
                    assert model == row["CIPHERTEXT"]
                await tb.new_key(key)
                await tb.run(messages)


@cocotb.test()
async def monte_carlo(dut: Any) -> None:
    """AESAVS, 6.4: the first chain. The input of a block is the output two beats before."""
    tb = TB(dut)
    await tb.start()
    for size in tb.sizes:
        row = next(row for row in cavp.blocks("CBC", "MCT", 8 * size) if "ENCRYPT" in row)
        await tb.new_key(row["KEY"])
        lane = random.randrange(tb.lanes)
        blocks = [number(row["IV"]), number(row["PLAINTEXT"])]
        for i in range(1001):
            tb.source.send([(blocks[i], WHOLE, int(i == 1000), lane)])
            await tb.received(i + 1)
            blocks.append(tb.sink.received[i][1])
        assert blocks[-1] == number(row["CIPHERTEXT"])
        tb.sink.clear()


@cocotb.test()
async def every_length(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    await tb.new_key()
    for lane in range(tb.lanes):  # alone
        await tb.run([of_blocks(lane, blocks) for blocks in (0, 0, 1, 2, 3, 0, 1)])
    order = [(lane, blocks) for lane in range(tb.lanes) for blocks in range(21)]
    random.shuffle(order)
    await tb.run([of_blocks(lane, blocks) for lane, blocks in order])


@cocotb.test()
@cocotb.parametrize(idle=[0.0, 0.5, 0.9], busy=[0.0, 0.5, 0.9, 0.97])
async def flow_control(dut: Any, idle: float, busy: float) -> None:
    tb = TB(dut)
    await tb.start()
    for _ in range(2):
        tb.keys.idle, tb.source.idle, tb.sink.busy = random.choice([0.0, 0.9]), idle, busy
        await tb.new_key()
        await tb.run(tb.any_of(3 * tb.lanes))


@cocotb.test()
async def output_that_is_refused(dut: Any) -> None:
    """What is taken is finished and waits; all else waits in front; nothing is lost."""
    tb = TB(dut)
    await tb.start()
    await tb.new_key()
    messages = [of_blocks(lane, 20) for lane in range(tb.lanes)]
    tb.sink.busy = 1.0
    tb.source.send(in_turn(messages))
    await cycles(dut.aclk, 1200)
    taken = len(tb.source.sent)
    assert taken == 16 + 2 * tb.lanes  # results, and entries of lanes
    await cycles(dut.aclk, 300)
    assert len(tb.source.sent) == taken
    assert tb.sink.received == []
    tb.sink.busy = 0.0
    await tb.finish([(message, tb.key) for message in messages])


@cocotb.test()
async def lane_without_data(dut: Any) -> None:
    """A message that does not go on: the others do, at its start, in it and before its end."""
    tb = TB(dut)
    await tb.start()
    await tb.new_key()
    for stop in (1, 2, 4):
        slow = of_blocks(random.randrange(tb.lanes), 4)
        others = [message for message in tb.any_of(4 * tb.lanes) if message.lane != slow.lane]
        beats = slow.beats()
        tb.source.send([*beats[:stop], *mixed(others)])
        await tb.received(stop + sum(len(message.beats()) for message in others))
        await ReadOnly()
        assert dut.busy_o.value == 1  # it is not at its end
        await FallingEdge(dut.aclk)
        await tb.run([*others, slow], beats[stop:])


@cocotb.test()
async def room(dut: Any) -> None:
    """A sender that looks at room_o is never refused, and no lane is when there is room."""
    tb = TB(dut)
    await tb.start()
    await tb.new_key()
    messages = [of_blocks(lane, 12) for lane in range(tb.lanes)]
    left = queues(messages)
    seen = set()
    for _ in range(20_000):
        if not any(left.values()):
            break
        await FallingEdge(dut.aclk)
        free = int(dut.room_o.value)
        lanes = [lane for lane in range(tb.lanes) if free >> lane & 1 and left[lane]]
        seen.add(free)
        dut.s_axis_tvalid.value = int(bool(lanes))
        if not lanes:
            continue
        lane = random.choice(lanes)
        for name, value in zip(("data", "keep", "last", "id"), left[lane].popleft(), strict=True):
            getattr(dut, f"s_axis_t{name}").value = value
        await ReadOnly()
        assert dut.s_axis_tready.value == 1
    await FallingEdge(dut.aclk)
    dut.s_axis_tvalid.value = 0
    assert not any(left.values())
    assert len(seen) > tb.lanes
    await tb.finish([(message, tb.key) for message in messages])
    # a lane that is full: only its beats wait
    blocked = of_blocks(0, 3)
    tb.source.clear()
    tb.source.send(blocked.beats())
    waited = 0
    for _ in range(300):
        await FallingEdge(dut.aclk)
        await ReadOnly()
        if dut.s_axis_tvalid.value and not dut.s_axis_tready.value:
            waited += 1
            assert int(dut.room_o.value) == (1 << tb.lanes) - 2
    assert waited
    await FallingEdge(dut.aclk)
    await tb.finish([(blocked, tb.key)])


@cocotb.test()
async def keys_in_turn(dut: Any) -> None:
    """A key that is offered when the last beat of a message was taken is that of the next one."""
    tb = TB(dut)
    await tb.start()
    expected = []
    tb.offer_key()
    for _ in range(25):
        tb.source.idle, tb.sink.busy = random.choice([0.0, 0.5]), random.choice([0.0, 0.5])
        messages = tb.any_of(random.choice([1, 3, 2 * tb.lanes]), 5)
        expected += [(message, tb.key) for message in messages]
        tb.source.send(mixed(messages))
        await tb.until(lambda: not tb.source.queue)
        await ReadOnly()  # so that both sources offer what comes next in the same cycle
        await cycles(dut.aclk, random.choice([0, 1, 2, 20, 100]))
        if random.random() < 0.2:  # one that no message uses
            tb.offer_key()
        tb.offer_key()
    # the last one is of no message
    await tb.until(lambda: not tb.keys.queue)
    await cycles(dut.aclk, 100)
    await tb.finish(expected)


@cocotb.test()
async def key_while_messages_are_open(dut: Any) -> None:
    """It waits for the end of all that have begun; what begins before has the key before."""
    tb = TB(dut)
    await tb.start()
    for _ in range(6):
        before = await tb.new_key()
        long = of_blocks(0, 20)
        others = [message for message in tb.any_of(20, 3) if message.lane]
        first, *middle = long.beats()
        queue = mixed(others)
        for beat in middle[:-1]:
            queue.insert(random.randrange(len(queue) + 1), beat)
        # lane 0's in order, so all that is between its vector and its end is before the key
        lane_0 = iter(middle[:-1])
        queue = [next(lane_0) if beat[3] == 0 else beat for beat in queue]
        tb.source.clear()
        tb.keys.clear()
        tb.source.send([first, *queue, middle[-1]])
        await tb.until(lambda: bool(tb.source.times))
        await cycles(dut.aclk, random.randrange(40))
        after = tb.offer_key()
        later = tb.any_of(6, 3)
        tb.source.send(mixed(later))
        await tb.finish([(m, before) for m in [long, *others]] + [(m, after) for m in later])
        ends = len(queue) + 1  # the beat of the last handshake before the key's
        assert tb.source.times[ends] < tb.keys.times[0] < tb.source.times[ends + 1]


@cocotb.test()
async def broken_beats(dut: Any) -> None:
    """Zeros and marked, to the end of the message; other lanes and the next one do not notice."""
    tb = TB(dut)
    await tb.start()
    await tb.new_key()
    for _ in range(6):
        tb.sink.busy = random.choice([0.0, 0.5])
        messages = tb.any_of(6 * tb.lanes, 6)
        for message in messages:
            if random.random() < 0.5:
                message.broken = random.randrange(len(message.beats()))
        await tb.run(messages)
    ends = [of_blocks(lane, 3, broken=3) for lane in range(tb.lanes)]  # only the last beat
    starts = [of_blocks(lane, 3, broken=0) for lane in range(tb.lanes)]  # the vector
    await tb.run(ends + starts + [of_blocks(lane, 3) for lane in range(tb.lanes)])


async def interrupted(tb: TB) -> None:
    """Brings the core into the middle of its work."""
    await tb.new_key()
    tb.sink.busy = 0.5
    tb.source.send(mixed([of_blocks(lane, 40) for lane in range(tb.lanes)]))
    await cycles(tb.dut.aclk, random.randrange(75, 500))


async def starts_anew(tb: TB) -> None:
    """It has no key, and works with a new one."""
    dut = tb.dut
    tb.sink.busy = 0.0
    messages = tb.any_of(2 * tb.lanes, 4)
    tb.source.send(mixed(messages))
    for _ in range(20):
        await FallingEdge(dut.aclk)
        await ReadOnly()
        assert dut.s_axis_tready.value == 0
        assert dut.m_axis_tvalid.value == 0
        assert dut.busy_o.value == 0
    await FallingEdge(dut.aclk)
    key = await tb.new_key()
    await tb.finish([(message, key) for message in messages])


@cocotb.test()
async def reset_in_flight(dut: Any) -> None:
    """In each of the first cycles of a key and its messages, then anywhere."""
    tb = TB(dut)
    await tb.start()
    for after in [*range(130), *[None] * 4]:
        if after is None:
            await interrupted(tb)
        else:
            tb.offer_key()
            tb.source.send(mixed(tb.any_of(tb.lanes, 4)))
            await cycles(dut.aclk, after)
        dut.aresetn.value = 0
        await cycles(dut.aclk, 1)
        tb.clear()
        dut.aresetn.value = 1
        await starts_anew(tb)


@cocotb.test()
async def wipe_in_flight(dut: Any) -> None:
    """Everything is as after the first wipe, and nothing comes out or goes in meanwhile."""
    tb = TB(dut)
    await tb.start()
    dut.wipe_i.value = 1
    await cycles(dut.aclk, int(dut.WipeCycles.value))
    await ReadOnly()
    clean = dict(secrets(dut, 8, SLOTS))
    for name in ("memory", "result_q", "last_key_q", "words_q", "state_q"):
        assert any(name in path for path in clean)
    await FallingEdge(dut.aclk)
    dut.wipe_i.value = 0
    for _ in range(6):
        await interrupted(tb)
        # the lanes hold data and chaining values now
        filled = {name for name, value in secrets(dut, 8, SLOTS) if value != clean[name]}
        for name in ("u_lanes.memory", "u_lanes.chain_memory", "u_results.gen_counted"):
            assert any(name in path for path in filled), name
        await FallingEdge(dut.aclk)
        dut.wipe_i.value = 1
        await cycles(dut.aclk, 1)
        tb.clear()
        await ReadOnly()
        assert dut.busy_o.value == 0
        for _ in range(int(dut.WipeCycles.value) - 1):
            await FallingEdge(dut.aclk)
            await ReadOnly()
            assert dut.m_axis_tvalid.value == 0
            assert dut.key_ready_o.value == 0
            assert dut.s_axis_tready.value == 0
            assert dut.room_o.value == 0
        assert [name for name, value in secrets(dut, 8, SLOTS) if value != clean[name]] == []
        await FallingEdge(dut.aclk)
        dut.wipe_i.value = 0
        await starts_anew(tb)


@cocotb.test()
async def rate(dut: Any) -> None:
    """More lanes with data than stages: a block every Nr cycles. All of them get the same."""
    tb = TB(dut)
    await tb.start()
    counts = {2, tb.stages, tb.stages + 1, tb.lanes}
    for size in tb.sizes:
        await tb.new_key(random.randbytes(size))
        for count in sorted(count for count in counts if count <= tb.lanes):
            chosen = random.sample(range(tb.lanes), count)
            messages = [of_blocks(lane, 30) for lane in chosen]
            tb.source.send(in_turn(messages))
            await tb.received(count * 31)
            warm, blocks = 8 * count, 20 // tb.stages * tb.stages * count
            elapsed = tb.sink.times[warm + blocks] - tb.sink.times[warm]
            dut._log.info("%d bits, %d lanes: %.3f", 8 * size, count, elapsed / blocks)
            if count > tb.stages:
                assert elapsed == blocks * tb.cycles_per_block()
            else:  # each has a slot for itself
                assert elapsed * count == blocks * tb.lone_cycles()
            lanes = [lane for lane, *_ in tb.sink.received[warm : warm + blocks]]
            assert {lanes.count(lane) for lane in chosen} == {blocks // count}
            await tb.finish([(message, tb.key) for message in messages])


@cocotb.test()
async def lone_lane(dut: Any) -> None:
    """A block goes in when the one before has left, for any key and data."""
    tb = TB(dut)
    await tb.start()
    for size in tb.sizes * 2:
        await tb.new_key(random.randbytes(size))
        message = of_blocks(random.randrange(tb.lanes), 12)
        tb.source.send(message.beats())
        await tb.received(13)
        taken = {after - before for before, after in pairwise(tb.sink.times[1:])}
        dut._log.info("%d bits: %s cycles", 8 * size, taken)
        assert taken == {tb.lone_cycles()}
        await tb.finish([(message, tb.key)])


@cocotb.test()
async def latency(dut: Any) -> None:
    """Of a vector and of a block that nothing waits for; of a key and of a change of it."""
    tb = TB(dut)
    await tb.start()
    for size in tb.sizes * 2:
        tb.sink.clear()
        tb.source.clear()
        tb.keys.clear()
        tb.offer_key(random.randbytes(size))
        await cycles(dut.aclk, 100)
        message = of_blocks(random.randrange(tb.lanes), 1)
        vector, block = message.beats()
        tb.source.send([vector])
        await tb.received(1)
        await cycles(dut.aclk, random.randrange(9))
        tb.source.send([block])
        await tb.received(2)
        waited = [out - into for out, into in zip(tb.sink.times, tb.source.times, strict=True)]
        rounds = tb.cycles_per_block()
        assert waited == [5, rounds * tb.stages + 7]
        await tb.finish([(message, tb.key)])
        # the next key, when the last block has left; its expansion
        before, key = of_blocks(0, 1), tb.key
        tb.source.send(before.beats())
        await tb.until(lambda: not tb.source.queue)
        tb.offer_key(random.randbytes(size))
        await cycles(dut.aclk, 1)
        after = of_blocks(0, 1)
        tb.source.send(after.beats())
        await tb.finish([(before, key), (after, tb.key)])
        _, last_in, next_in, _ = tb.source.times[-4:]
        next_key = tb.keys.times[-1]
        assert next_key - last_in == rounds * tb.stages + size // 4 + 7
        dut._log.info("%d bits: %d cycles from key to beat", 8 * size, next_in - next_key)
        assert next_in - next_key <= 4 * (rounds + 1) + 6


@cocotb.test()
async def constant_time(dut: Any) -> None:
    """The same traffic with other keys, vectors and data takes the same cycles, beat by beat."""
    tb = TB(dut)
    await tb.start()
    plan = [(random.randrange(tb.lanes), random.randrange(8)) for _ in range(4 * tb.lanes)]
    order: list[Beat] = mixed([of_blocks(lane, blocks) for lane, blocks in plan])
    for size in tb.sizes:
        seen = []
        for extreme in (None, None, b"\x00", b"\xff"):
            dut.aresetn.value = 0  # whose turn it is
            tb.source.clear()
            tb.keys.clear()
            await cycles(dut.aclk, 1)
            dut.aresetn.value = 1
            start = cycle()
            tb.offer_key(extreme * size if extreme else random.randbytes(size))
            messages = [
                Message(
                    lane,
                    (extreme or random.randbytes(1)) * (BLOCK * blocks),
                    iv=extreme * BLOCK if extreme else random.randbytes(BLOCK),
                )
                for lane, blocks in plan
            ]
            lanes = queues(messages)
            tb.source.send([lanes[beat[3]].popleft() for beat in order])
            await tb.received(len(order))
            outputs = [(lane, last) for lane, _, last, _ in tb.sink.received]
            times = [*tb.keys.times, *tb.source.times, *tb.sink.times]
            seen.append((outputs, [time - start for time in times]))
            await tb.finish([(message, tb.key) for message in messages])
        assert all(row == seen[0] for row in seen)


CORNERS: dict[str, dict[str, int]] = {
    "default": {},
    "any-key": {"KeySizes": 3},
    "two-lanes": {"Lanes": 2, "SBox": 2},
    "four-lanes-3": {"Lanes": 4, "Stages": 3, "KeySizes": 1},
    "four-lanes-4": {"Lanes": 4, "SBox": 3},
    "sixteen-lanes": {"Lanes": 16, "KeySizes": 2},
}


@pytest.mark.parametrize("corner", CORNERS)
def test_corner(corner: str) -> None:
    simulate("aes", "aes_cbc", CORNERS[corner], __name__)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"Lanes": 1}, "Lanes must be 2, 4, 8 or 16"),
        ({"Lanes": 12}, "Lanes must be 2, 4, 8 or 16"),
        ({"Lanes": 32}, "Lanes must be 2, 4, 8 or 16"),
        ({"Stages": 5}, "a Ring has 3 or 4 Stages"),
        ({"SBox": 0}, "up to 1 as a table"),
    ],
)
def test_illegal_parameters_stop_elaboration(parameters: dict[str, int], sentence: str) -> None:
    with pytest.raises(RuntimeError, match=re.escape(sentence)):
        build("aes", "aes_cbc", parameters)
