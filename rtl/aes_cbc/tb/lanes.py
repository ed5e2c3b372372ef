# SPDX-License-Identifier: Apache-2.0
"""Messages of aes_cbc, and a core with its streams."""

import random
import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from cocotb.triggers import FallingEdge, ReadOnly

from rtl.aes.tb.model import BLOCK, SIZES, Packet
from rtl.testbench.stream import Beat, Sink, Source, cycles, sample_bytes, start_core

ANY_KEY = 3
WHOLE = 0xFFFF
PARTIAL = (0, 1, 0x7FFF, 0xFFFE, 0xFEFF)  # what a partial beat keeps

# What is known of the blocks under way, which is not secret
SLOTS = re.compile(r"(.*__)?slot_q.*")


def number(block: bytes) -> int:
    return int.from_bytes(block, "little")


@dataclass
class Message:
    lane: int
    data: bytes
    iv: bytes = field(default_factory=lambda: random.randbytes(BLOCK))
    partial: int | None = None  # the first beat that is

    def beats(self) -> list[Beat]:
        """IV and blocks, as (data, keep, last, lane)."""
        whole = self.iv + self.data
        count = len(whole) // BLOCK
        keeps = [WHOLE] * count
        if self.partial is not None:  # a beat behind it may look whole
            keeps[self.partial] = random.choice(PARTIAL)
        blocks = [number(whole[i : i + BLOCK]) for i in range(0, len(whole), BLOCK)]
        return [(blocks[i], keeps[i], int(i == count - 1), self.lane) for i in range(count)]

    def result(self, key: bytes) -> list[Beat]:
        """The same of the output, as (data, last, partial)."""
        whole = self.iv + Packet(self.data, key, "cbc", iv=self.iv).result()
        count = len(whole) // BLOCK
        good = count if self.partial is None else self.partial
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
        self.stages = int(dut.RoundStages.value)
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
        await start_core(self.dut)

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
        return self.cycles_per_block() * self.stages + 5

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


CORNERS: dict[str, dict[str, int]] = {
    "any-key": {"KeySizes": 3},
    "two-lanes": {"Lanes": 2, "SBox": 2},
    "four-lanes-3": {"Lanes": 4, "RoundStages": 3, "KeySizes": 1},
    "sixteen-lanes": {"Lanes": 16, "KeySizes": 2, "SBox": 3},
}
