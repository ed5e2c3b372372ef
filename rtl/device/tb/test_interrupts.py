# SPDX-License-Identifier: Apache-2.0
"""The interrupt of saltmill_control: coalesced by number and by time, at once, never forgotten."""

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge

from rtl.device.tb.control import TB, run, started
from rtl.testbench.stream import cycles


async def done_after(tb: TB, patience: int) -> int | None:
    """Cycles until the next pulse for INTERRUPT_STATUS.done."""
    first, before = tb.cycle, len(tb.seen["raise"])
    for _ in range(patience):
        await FallingEdge(tb.dut.clk_i)
        if len(tb.seen["raise"]) > before:
            return tb.seen["raise"][before] - first
    return None


@cocotb.test()
async def interrupt_after_count_jobs(dut: Any) -> None:
    tb = await started(dut)
    for count in (0, 1, 2, 3, 7, 254, 255, 1):
        await tb.write("interrupt_coalescing", count=count, timeout=0)
        for _ in range(3):
            raised = len(tb.seen["raise"])
            for _ in range(max(count, 1) - 1):
                await tb.finish()
                await cycles(dut.clk_i, random.choice((0, 0, 1, 5)))
            await cycles(dut.clk_i, 10)
            assert len(tb.seen["raise"]) == raised, "too early"
            waiting = cocotb.start_soon(done_after(tb, 10))
            await tb.finish()
            after = await waiting
            assert after is not None
            assert after <= 3


@cocotb.test()
async def interrupt_after_a_time(dut: Any) -> None:
    tb = await started(dut)
    for timeout in (1, 2, 3, 4, 5, 20, 100, 1000):
        await tb.write("interrupt_coalescing", count=200, timeout=timeout)
        waiting = cocotb.start_soon(done_after(tb, timeout + 10))
        for _ in range(random.randrange(1, 5)):
            await tb.finish()
        after = await waiting
        assert after is not None
        assert max(timeout, 3) <= after <= timeout + 3, (timeout, after)
        # Of jobs that ended with the pulse or later; counted from the cycle after it.
        again = await done_after(tb, 2 * timeout + 10)
        assert again in {None, *range(timeout - 1, timeout + 3)}
        assert await done_after(tb, 2 * timeout + 10) is None, "there is nothing to report"


@cocotb.test()
async def a_long_time(dut: Any) -> None:
    """All bits of the age count: without a job it does not grow, and not without a timeout."""
    tb = await started(dut)
    await tb.write("interrupt_coalescing", count=200, timeout=(1 << 24) - 1)
    await tb.finish()
    await cycles(dut.clk_i, 100)
    dut.u_control.u_interrupt.age_q.value = (1 << 24) - 20
    assert await done_after(tb, 40) in range(15, 30)
    await tb.write("interrupt_coalescing", count=200, timeout=0)
    await tb.finish()
    assert await done_after(tb, 300) is None
    await tb.write("interrupt_coalescing", count=200, timeout=50)
    assert await done_after(tb, 60) is not None
    await cycles(dut.clk_i, 200)
    waiting = cocotb.start_soon(done_after(tb, 60))
    await tb.finish()
    assert await waiting in range(50, 54)


@cocotb.test()
async def less_coalescing_counts_at_once(dut: Any) -> None:
    tb = await started(dut)
    for change in ({"count": 3, "timeout": 0}, {"count": 200, "timeout": 10}):
        await tb.write("interrupt_coalescing", count=200, timeout=100_000)
        for _ in range(5):
            await tb.finish()
        assert await done_after(tb, 100) is None
        waiting = cocotb.start_soon(done_after(tb, 30))
        await tb.write("interrupt_coalescing", **change)
        assert await waiting is not None


@cocotb.test()
async def without_a_timeout_only_the_count_matters(dut: Any) -> None:
    tb = await started(dut)
    for _ in range(5):
        await tb.write("interrupt_coalescing", count=200, timeout=100_000)
        await tb.finish()
        assert await done_after(tb, 100) is None
        waiting = cocotb.start_soon(done_after(tb, 60))
        await tb.write("interrupt_coalescing", count=200, timeout=0)
        assert await waiting is None


@cocotb.test()
async def interrupt_at_once(dut: Any) -> None:
    tb = await started(dut)
    await tb.write("interrupt_coalescing", count=200, timeout=100_000)
    for others in (0, 1, 5):
        for _ in range(others):
            await tb.finish()
        waiting = cocotb.start_soon(done_after(tb, 10))
        await tb.finish(interrupt=True)
        assert await waiting in range(4)
        await cycles(dut.clk_i, 5)
    raised = len(tb.seen["raise"])
    for _ in range(20):  # in each cycle
        await tb.finish(interrupt=True)
    last = tb.cycle
    await cycles(dut.clk_i, 10)
    assert len(tb.seen["raise"]) > raised
    assert tb.seen["raise"][-1] >= last


@cocotb.test()
async def no_job_is_forgotten(dut: Any) -> None:
    """However jobs end and the host clears: after the last one there is a pulse."""
    tb = await started(dut)
    for number in range(40):
        count, timeout = random.choice([(1, 0), (2, 3), (5, 40), (200, 1), (3, 17)])
        await tb.write("interrupt_coalescing", count=count, timeout=timeout)
        for _ in range(random.randrange(1, 30)):
            await tb.finish(interrupt=random.random() < 0.1)
            await cycles(dut.clk_i, random.choice((0, 0, 1, 2, 3, 10)))
        last = tb.cycle - 1
        if timeout == 0:
            await tb.finish()
        await cycles(dut.clk_i, timeout + 20)
        assert tb.seen["raise"], number
        assert tb.seen["raise"][-1] >= last - 10 or count == 1, number
        assert int(dut.u_control.u_interrupt.some_q.value) == 0, number


@cocotb.test()
async def line_follows_status_and_enable(dut: Any) -> None:
    tb = await started(dut)
    both = {"done": 1, "status_lost": 1}
    for name, other in (("done", "status_lost"), ("status_lost", "done")):
        await (tb.finish() if name == "done" else tb.pulse(dut.status_lost_i))
        await cycles(dut.clk_i, 8)
        assert await tb.fields("interrupt_status") == {name: 1, other: 0}
        for enabled in ({name: 0, other: 0}, {name: 1, other: 0}, {name: 0, other: 1}, both):
            await tb.write("interrupt_enable", **enabled)
            await cycles(dut.clk_i, 2)
            assert int(dut.irq_o.value) == enabled[name]
        await tb.write("interrupt_status", **{name: 0, other: 1})
        await cycles(dut.clk_i, 2)
        assert int(dut.irq_o.value) == 1
        await tb.write("interrupt_status", **{name: 1, other: 0})
        await cycles(dut.clk_i, 2)
        assert int(dut.irq_o.value) == 0
        assert await tb.read("interrupt_status") == 0


def test_interrupts() -> None:
    run(__name__)
