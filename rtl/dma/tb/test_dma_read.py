# SPDX-License-Identifier: Apache-2.0
"""dma_read behind dma_read_channel: every byte of every range, zeros, errors, room, speed."""

import random
from typing import Any

import cocotb

from rtl.dma.tb import builds
from rtl.dma.tb.builds import lengths
from rtl.dma.tb.reader import TB, Job, layout
from rtl.testbench.stream import cycles, start

TOP = "dma_read_bench"
BURST_CYCLES = 5  # dma_bursts and the answer of the channel


@cocotb.test()
@cocotb.parametrize(idle=[0.0, 0.5, 0.9], busy=[0.0, 0.5, 0.9], latency=[0, 30])
async def every_byte_of_every_range(dut: Any, idle: float, busy: float, latency: int) -> None:
    tb = TB(dut)
    rng = random.Random(f"{idle} {busy} {latency}")
    await start(dut)
    tb.latency = latency
    tb.jobs.idle = tb.fetches.idle = tb.r.idle = idle
    tb.packets.busy = tb.ar.busy = busy
    pool = lengths(tb.width, tb.burst)
    jobs = layout(tb, pool + rng.choices([n for n in pool if n < 200], k=60), rng)
    tb.send(jobs)
    wanted = []
    for i in range(20):
        wanted += tb.fetch(i * 8 * tb.width, rng.randrange(1, 9))
    await tb.until(len(jobs))
    await cycles(dut.clk_i, 40)
    tb.check(jobs)
    assert tb.fetched == wanted
    assert dut.idle_o.value == 1
    assert tb.stale == 0


@cocotb.test()
async def every_offset_and_length(dut: Any) -> None:
    tb = TB(dut)
    await start(dut)
    offsets = range(tb.width) if tb.any_byte else [0]
    jobs = [
        Job(64 * tb.width * number + offset, length)
        for number, offset in enumerate(offsets)
        for length in range(1, 2 * tb.width + 2)
    ]
    tb.send(jobs)
    await tb.until(len(jobs))
    tb.check(jobs)


@cocotb.test()
async def bursts_that_come_all_at_once(dut: Any) -> None:
    """A memory that gives nothing for long, and then a beat in each cycle, each of another job."""
    tb = TB(dut)
    await start(dut)
    tb.answers = False
    jobs = [Job(i * 256 + (i % tb.width if tb.any_byte else 0), 1 + i % 3) for i in range(30)]
    tb.send(jobs)
    await cycles(dut.clk_i, 400)
    tb.answers = True
    await tb.until(len(jobs))
    tb.check(jobs)


@cocotb.test()
@cocotb.parametrize(latency=[0, 20])
async def an_error_marks_its_message(dut: Any, latency: int) -> None:
    tb = TB(dut)
    rng = random.Random(3)
    await start(dut)
    tb.latency = latency
    jobs = layout(tb, rng.choices(lengths(tb.width, tb.burst), k=60), rng)
    bad = next(job for job in jobs[20:] if not job.zeros and job.length > 3 * tb.width)
    word = (bad.address // tb.width + 2) * tb.width
    tb.bad = range(word, word + tb.width)
    tb.send(jobs)
    await tb.until(len(jobs))
    tb.check(jobs)
    assert any(beat[3] for beat in tb.packets.received)
    tb.fetch(word, 1)
    await cycles(dut.clk_i, 100)
    assert tb.fetched[-1][1:] == (1, 1)


@cocotb.test()
async def never_more_than_there_is_room_for(dut: Any) -> None:
    """A consumer that takes nothing: as many beats as the buffer holds are asked for."""
    tb = TB(dut)
    await start(dut)
    tb.packets.busy = 1.0
    buffer = int(dut.BufferBytes.value)
    jobs = [Job(i * 16384, 4 * buffer, i % 2 == 1) for i in range(4)]
    tb.send(jobs)
    await cycles(dut.clk_i, 8 * buffer // tb.width)
    asked = sum(length + 1 for _, _, length in tb.ar.received)
    assert buffer - 2 * tb.burst < asked * tb.width < buffer
    tb.packets.busy = 0.0
    await tb.until(4)
    tb.check(jobs)


# ---- speed ---------------------------------------------------------------------------------------


async def cycles_per_job(tb: TB, jobs: list[Job]) -> float:
    tb.send(jobs)
    await tb.until(len(jobs))
    tb.check(jobs)
    ends = [
        time for time, beat in zip(tb.packets.times, tb.packets.received, strict=True) if beat[2]
    ]
    half = len(jobs) // 2
    return (ends[-1] - ends[half]) / (len(jobs) - 1 - half)


@cocotb.test()
async def long_jobs_take_a_cycle_per_beat(dut: Any) -> None:
    tb = TB(dut)
    await start(dut)
    spent = await cycles_per_job(tb, [Job(i * 8192, 8192) for i in range(16)])
    assert spent <= 8192 / tb.width + 4, spent


@cocotb.test()
async def short_jobs(dut: Any) -> None:
    tb = TB(dut)
    await start(dut)
    tb.latency = 20
    spent = await cycles_per_job(tb, [Job(i * 64, 64) for i in range(400)])
    tb.dut._log.info(f"{spent} cycles per job of 64 bytes")
    assert spent <= max(64 / tb.width + 4, BURST_CYCLES), spent


@builds.over_builds
def test_dma_read(data: int, alignment: int, burst: int, address: int) -> None:
    builds.run(TOP, __name__, data, alignment, burst, address)
