# SPDX-License-Identifier: Apache-2.0
"""aes_cbc: keys, reset, wipe, cycles."""

import random
from itertools import pairwise
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

from lab.variants import Variant
from rtl.aes.tb.model import BLOCK
from rtl.aes_cbc.tb.lanes import CORNERS, SLOTS, TB, Message, in_turn, mixed, of_blocks, queues
from rtl.testbench.runner import over_corners, over_variants, simulate
from rtl.testbench.state import secrets
from rtl.testbench.stream import Beat, cycle, cycles


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
        # lane 0's in order, so all that is between its IV and its end is before the key
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
    await FallingEdge(dut.aclk)
    dut.wipe_i.value = 0
    for _ in range(6):
        await interrupted(tb)
        filled = [name for name, value in secrets(dut, 8, SLOTS) if value != clean[name]]
        for name in ("u_lanes", "u_cipher"):  # data and chaining values; keys and blocks
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
            else:  # each waits for its own block, at most until a slot comes round
                slots = -(-tb.lone_cycles() // tb.stages) * tb.stages
                assert blocks * tb.lone_cycles() <= elapsed * count <= blocks * slots
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
    """Of an IV and of a block that nothing waits for; of a key and of a change of it."""
    tb = TB(dut)
    await tb.start()
    for size in tb.sizes * 2:
        tb.sink.clear()
        tb.source.clear()
        tb.keys.clear()
        tb.offer_key(random.randbytes(size))
        await cycles(dut.aclk, 100)
        message = of_blocks(random.randrange(tb.lanes), 1)
        iv, block = message.beats()
        tb.source.send([iv])
        await tb.received(1)
        await cycles(dut.aclk, random.randrange(9))
        tb.source.send([block])
        await tb.received(2)
        waited = [out - into for out, into in zip(tb.sink.times, tb.source.times, strict=True)]
        rounds = tb.cycles_per_block()
        assert waited == [6, rounds * tb.stages + 8]
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
        assert next_key - last_in == rounds * tb.stages + size // 4 + 9
        dut._log.info("%d bits: %d cycles from key to beat", 8 * size, next_in - next_key)
        assert next_in - next_key <= 4 * (rounds + 1) + 6


@cocotb.test()
async def constant_time(dut: Any) -> None:
    """The same traffic with other keys, IVs and data takes the same cycles, beat by beat."""
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


@over_variants("aes_cbc")
def test_variant(variant: Variant) -> None:
    simulate("aes_cbc", variant.top, variant.parameters, __name__)


@over_corners(CORNERS, "two-lanes", "sixteen-lanes", "any-key")
def test_corner(corner: str) -> None:
    simulate("aes_cbc", "aes_cbc", CORNERS[corner], __name__)
