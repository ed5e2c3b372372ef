# SPDX-License-Identifier: Apache-2.0
"""The counters of saltmill_control, against a model: nothing lost, carries, reads at any time."""

import random
from collections.abc import Sequence
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge

from rtl.device.tb.control import CLEAR, EVENTS, TB, run, started
from rtl.device.tb.registers import COUNTERS
from rtl.testbench.stream import cycles

LATE = 80  # the same for a read: what it tells may be so old


async def check_while_counting(tb: TB, names: Sequence[str]) -> None:
    """What is read was so at one moment, not long ago."""
    for name in names:
        first = max(0, tb.cycle - LATE)
        value = await tb.counter(name)
        window = {totals[name] for totals in tb.totals[first : tb.cycle + 1]}
        if name == "bytes":
            assert value in window, f"{name}: {value:#x}"
        else:
            assert min(window) <= value <= max(window), f"{name}: {value:#x}"


@cocotb.test()
@cocotb.parametrize(largest=[100, 1 << 25, 1 << 32])
async def counters_follow_the_events(dut: Any, largest: int) -> None:
    tb = await started(dut, 0.2)
    events = cocotb.start_soon(tb.events(4000, largest))
    while not events.done():
        names = [name for name in COUNTERS if name != "bytes" or largest < 1 << 32]
        await check_while_counting(tb, random.sample(names, 3))
    await cycles(dut.clk_i, 40)
    assert await tb.counters() == tb.totals[-1]
    if largest == 1 << 32:
        assert tb.totals[-1]["bytes"] >> 32 > 100


@cocotb.test()
async def every_event_of_the_busiest_time(dut: Any) -> None:
    """One of each in every cycle, bytes as often as may be, and a host that reads all the time."""
    tb = await started(dut)
    for signal in EVENTS.values():
        getattr(dut, signal).value = 1

    async def begin() -> None:
        for _ in range(400):
            dut.begun_bytes_i.value = random.getrandbits(32)
            await tb.pulse(dut.begun_i)
            await cycles(dut.clk_i, 3)

    begun = cocotb.start_soon(begin())
    while not begun.done():
        await check_while_counting(tb, ["cycles", "jobs"])
    for signal in EVENTS.values():
        getattr(dut, signal).value = 0
    await cycles(dut.clk_i, 40)
    assert await tb.counters() == tb.totals[-1]


@cocotb.test()
async def carries(dut: Any) -> None:
    """Into the high half, at any time, seen by a host that reads again and again."""
    tb = await started(dut)
    for number in range(24):
        await tb.write("control", clear_counters=1)
        await cycles(dut.clk_i, CLEAR)
        edge = (random.getrandbits(8) << 32) - 1 - random.randrange(40) & (1 << 64) - 1
        await tb.preset(**dict.fromkeys(COUNTERS, edge))
        tb.totals[:] = [dict.fromkeys(COUNTERS, edge)] * (tb.cycle + 1)
        events = cocotb.start_soon(tb.events(120 + number, 20))
        name = COUNTERS[number % 7]
        high = await tb.read(f"counters_{name}_high")
        while not events.done():
            low = await tb.read(f"counters_{name}_low")
            again = await tb.read(f"counters_{name}_high")
            if again == high:
                value = high << 32 | low
                wrapped = (value - edge) % (1 << 64)
                assert wrapped <= (tb.totals[-1][name] - edge), f"{name}: {value:#x}"
            high = again
        await cycles(dut.clk_i, 40)
        expected = {name: value % (1 << 64) for name, value in tb.totals[-1].items()}
        assert await tb.counters() == expected


@cocotb.test()
async def clear(dut: Any) -> None:
    """At any time of a round: nothing is left, of high halves and of events either."""
    tb = await started(dut)
    for wait in range(32):
        await tb.preset(**dict.fromkeys(COUNTERS, random.getrandbits(64)))
        events = cocotb.start_soon(tb.events(40 + wait, 1 << 32))
        await cycles(dut.clk_i, 5)
        await tb.write("control", clear_counters=1)
        assert (await tb.fields("control"))["clear_counters"] == 0
        await events
        await tb.write("control", clear_counters=1)
        left = {name: value for name, value in (await tb.counters()).items() if value}
        assert not left, (wait, left)


@cocotb.test()
async def events_around_a_clear(dut: Any) -> None:
    """One before it and one in its cycle are not counted, one after CLEAR cycles is."""
    tb = await started(dut)
    for offset in range(-6, 50):
        writes = len(tb.seen["write"])

        async def happen(offset: int = offset, writes: int = writes) -> int:
            """An event so many cycles after the write; the cycle of it."""
            if offset < 0:
                await cycles(dut.clk_i, 6 + offset)
            else:
                while len(tb.seen["write"]) == writes:
                    await FallingEdge(dut.clk_i)
                await cycles(dut.clk_i, offset)
            at = tb.cycle
            dut.begun_bytes_i.value = 1
            dut.begun_i.value = 1
            for signal in EVENTS.values():
                getattr(dut, signal).value = 1
            await FallingEdge(dut.clk_i)
            for signal in (*EVENTS.values(), "begun_i"):
                getattr(dut, signal).value = 0
            return at

        event = cocotb.start_soon(happen())
        await cycles(dut.clk_i, 6)
        await tb.write("control", clear_counters=1)
        at, written = await event, tb.seen["write"][writes]
        await cycles(dut.clk_i, 40)
        counted = set((await tb.counters()).values())
        if at <= written:
            assert counted == {0}, offset
        elif at > written + CLEAR:
            assert counted == {1}, offset


@pytest.mark.parametrize("data_bytes", [32, 64])  # 64: the sum is written a cycle later
def test_counters(data_bytes: int) -> None:
    run(__name__, data_bytes=data_bytes)
