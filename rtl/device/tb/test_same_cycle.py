# SPDX-License-Identifier: Apache-2.0
"""saltmill_control: the host writes in the cycle of an event, and in those before and after it."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge

from rtl.device.tb.control import KEYS, OKAY, TB, run, started
from rtl.testbench.stream import cycles


def around(writes: Sequence[int], happened: Sequence[int]) -> None:
    """The sweep has met the very cycle of the write, the one before and the one after."""
    distances = {event - write for write, event in zip(writes, happened, strict=True)}
    assert {-1, 0, 1} <= distances, distances


async def beside(
    tb: TB, write: tuple[str, dict[str, int]], event: Callable[[], Any], offset: int
) -> int:
    """Writes a register and lets something happen so many cycles later; the cycle of the write."""
    writes = len(tb.seen["write"])

    async def happen() -> None:
        await cycles(tb.dut.clk_i, offset)
        await event()

    happening = cocotb.start_soon(happen())
    await cycles(tb.dut.clk_i, 3)  # what the event takes to get there
    await tb.write(write[0], **write[1])
    await happening
    await cycles(tb.dut.clk_i, 8)
    return tb.seen["write"][writes]


@cocotb.test()
@cocotb.parametrize(name=["done", "status_lost"])
async def an_event_in_the_cycle_of_its_clearing_is_kept(dut: Any, name: str) -> None:
    tb = await started(dut)
    writes, happened = [], []
    for offset in range(12):
        lost: list[int] = []

        async def event(lost: list[int] = lost) -> None:
            lost.append(tb.cycle)
            await (tb.finish() if name == "done" else tb.pulse(dut.status_lost_i))

        before = {"done": 0, "status_lost": 0, name: 1}
        await (tb.finish() if name == "done" else tb.pulse(dut.status_lost_i))
        await cycles(dut.clk_i, 8)
        assert await tb.fields("interrupt_status") == before
        raised = len(tb.seen["raise"])
        writes.append(await beside(tb, ("interrupt_status", before), event, offset))
        happened.append(tb.seen["raise"][raised] if name == "done" else lost[0])
        kept = (await tb.fields("interrupt_status"))[name]
        assert kept == int(happened[-1] >= writes[-1]), offset
        await tb.write("interrupt_status", done=1, status_lost=1)
    around(writes, happened)


@cocotb.test()
@cocotb.parametrize(name=["control", "ring_head"])
async def a_wipe_undoes_what_is_written_in_it(dut: Any, name: str) -> None:
    """In its last cycle, too; nothing of it is seen outside. In the cycle after it, it stays."""
    tb = await started(dut)
    values = {"enable": 1} if name == "control" else {"index": 0xABCD}
    output = dut.enable_o if name == "control" else dut.head_o
    writes, ends = [], []

    async def nothing() -> None:
        while dut.wipe_i.value:
            await FallingEdge(dut.clk_i)
            assert not dut.wipe_i.value or int(output.value) == 0

    async def end() -> None:
        dut.wipe_i.value = 0

    for offset in range(1, 14):
        await tb.write(name, **values)
        dut.wipe_i.value = 1
        await cycles(dut.clk_i, 3)
        watching = cocotb.start_soon(nothing())
        writes.append(await beside(tb, (name, values), end, offset))
        await watching
        ends.append(tb.seen["wipe"][-1])
        kept = (await tb.fields(name))[next(iter(values))]
        assert kept == (next(iter(values.values())) if writes[-1] > ends[-1] else 0), offset
    around(writes, ends)


@cocotb.test()
async def a_write_in_the_cycle_in_which_a_wipe_begins(dut: Any) -> None:
    tb = await started(dut)
    writes, begins = [], []

    async def begin() -> None:
        begins.append(tb.cycle)
        dut.wipe_i.value = 1

    for offset in range(10):
        writes.append(await beside(tb, ("ring_head", {"index": 77}), begin, offset))
        assert await tb.read("ring_head") == 0
        dut.wipe_i.value = 0
    around(writes, begins)


@cocotb.test()
async def words_of_keys_in_a_wipe_are_dropped(dut: Any) -> None:
    """A word is written as it is or not at all: one of zeros would make a key that nobody chose."""
    tb = await started(dut)
    distances = set()
    for offset in range(14):
        dut.wipe_i.value = 1
        await cycles(dut.clk_i, 3)
        tb.keys.clear()
        data = random.getrandbits(32) | 1

        async def end(offset: int = offset) -> None:
            await cycles(dut.clk_i, offset)
            dut.wipe_i.value = 0

        ending = cocotb.start_soon(end())
        assert await tb.write_word(KEYS[9], data) == OKAY
        await ending
        await cycles(dut.clk_i, 8)
        assert tb.keys in ([], [(0, 9, data)]), offset
        distances.add(len(tb.keys))
    assert distances == {0, 1}


def test_same_cycle() -> None:
    run(__name__)
