# SPDX-License-Identifier: Apache-2.0
"""dma_write behind dma_write_channel: every byte at its place and no other, errors, speed."""

import random
from typing import Any

import cocotb

from rtl.dma.tb import builds
from rtl.dma.tb.builds import lengths
from rtl.dma.tb.writer import SIZE, TB, Job, layout
from rtl.testbench.stream import cycles, sample_bytes

TOP = "dma_write_bench"
BURST_CYCLES = 5  # of dma_bursts


@cocotb.test()
@cocotb.parametrize(idle=[0.0, 0.5, 0.9], busy=[0.0, 0.5, 0.9])
async def every_byte_at_its_place(dut: Any, idle: float, busy: float) -> None:
    tb = TB(dut)
    rng = random.Random(f"{idle} {busy}")
    await tb.begin()
    for source in (tb.jobs, tb.packets, tb.posts, tb.b):
        source.idle = idle
    tb.aw.busy = tb.w.busy = busy
    pool = lengths(tb.width, tb.burst)
    jobs = layout(tb, pool + rng.choices([n for n in pool if n < 200], k=60), rng)
    posts = [
        Job(SIZE - (i + 1) * 4 * tb.width, sample_bytes(rng.randrange(1, 4 * tb.width)))
        for i in range(20)
    ]
    for job in jobs:
        tb.send(job)
    for post in posts:
        tb.post(post.address, post.data)
    await tb.until(done=len(jobs), posted=len(posts))
    await cycles(dut.clk_i, 20)
    assert tb.done == [(0, 0)] * len(jobs)
    assert tb.posted == [0] * len(posts)
    assert dut.idle_o.value == 1
    assert tb.stale == 0
    tb.expect(jobs + posts)


@cocotb.test()
async def every_offset(dut: Any) -> None:
    tb = TB(dut)
    await tb.begin()
    jobs: list[Job] = []
    at = 0
    offsets = range(tb.width) if tb.any_byte else [0]
    for offset in offsets:
        for length in (1, tb.width - 1, tb.width, tb.width + 1, 2 * tb.width + offset + 1):
            jobs.append(Job(at + offset, sample_bytes(length, start=len(jobs))))
            at += 5 * tb.width
    for job in jobs:
        tb.send(job)
    await tb.until(done=len(jobs))
    tb.expect(jobs)


@cocotb.test()
@cocotb.parametrize(busy=[0.0, 0.6])
async def errors_are_told(dut: Any, busy: float) -> None:
    """A packet's error stops its job's strobes, and only its own; the bus's error is told apart."""
    tb = TB(dut)
    rng = random.Random(5)
    await tb.begin()
    tb.aw.busy = tb.w.busy = busy
    pool = [n for n in lengths(tb.width, tb.burst) if n < 3 * tb.burst]
    jobs = layout(tb, rng.choices(pool, k=60), rng)
    for job in jobs[3::4]:
        job.error_beat = rng.randrange(-(-len(job.data) // tb.width))
    bad = next(job for job in jobs[20:] if len(job.data) > tb.burst and job.error_beat is None)
    tb.bad = range(bad.address, bad.address + 1)  # its first burst only
    for job in jobs:
        tb.send(job)
    tb.post(SIZE - 4 * tb.width, b"fine")
    await tb.until(done=len(jobs), posted=1)
    assert tb.done == [(int(job.error_beat is not None), int(job is bad)) for job in jobs]
    tb.expect([*jobs, Job(SIZE - 4 * tb.width, b"fine")])
    tb.bad = range(SIZE - 4 * tb.width, SIZE)
    tb.post(SIZE - 4 * tb.width, b"not fine")
    await tb.until(done=len(jobs), posted=2)
    assert tb.posted == [0, 1]


@cocotb.test()
async def bursts_wait_for_no_answer(dut: Any) -> None:
    """As many of each client as Outstanding says, and no more."""
    tb = TB(dut)
    await tb.begin()
    tb.answers = False
    limit = int(dut.Outstanding.value)
    for i in range(limit + 8):
        tb.send(Job(i * 128, sample_bytes(9)))
    await cycles(dut.clk_i, 20 * limit)
    assert len(tb.aw.received) == limit
    for i in range(limit + 6):
        tb.post(SIZE - (i + 1) * tb.width, b"status")
    await cycles(dut.clk_i, 10 * limit)
    assert len(tb.aw.received) == 2 * limit
    tb.answers = True
    await tb.until(done=limit + 8, posted=limit + 6)


# ---- speed ---------------------------------------------------------------------------------------


@cocotb.test()
async def a_beat_follows_its_address(dut: Any) -> None:
    tb = TB(dut)
    await tb.begin()
    tb.send(Job(0, sample_bytes(64)))
    taken = None
    for now in range(200):
        await cycles(dut.clk_i, 1)
        if dut.u_channel.take_data.value == 1 and taken is None:
            taken = now
        if dut.wvalid_o.value == 1:
            break
    assert taken is not None
    assert now - taken == (4 if tb.width == 64 else 3)
    await tb.until(done=1)


async def cycles_per_job(tb: TB, jobs: list[Job]) -> float:
    for job in jobs:
        tb.send(job)
    await tb.until(done=len(jobs))
    tb.expect(jobs)
    half = len(jobs) // 2  # from here on all is in its stride
    return (tb.done_times[-1] - tb.done_times[half]) / (len(jobs) - 1 - half)


@cocotb.test()
async def long_jobs_take_a_cycle_per_beat(dut: Any) -> None:
    tb = TB(dut)
    await tb.begin()
    jobs = [Job(i * 8192, sample_bytes(8192, start=i)) for i in range(24)]
    spent = await cycles_per_job(tb, jobs)
    assert spent == 8192 / tb.width + tb.any_byte, spent  # the alignment takes one between packets


@cocotb.test()
async def unaligned_jobs_take_two_cycles_more(dut: Any) -> None:
    """One for a bus word more, and one because that is a burst of a single beat: it takes two."""
    tb = TB(dut)
    await tb.begin()
    if tb.any_byte:
        jobs = [Job(i * 8192 + 5, sample_bytes(4096, start=i)) for i in range(24)]
        spent = await cycles_per_job(tb, jobs)
        assert spent == 4096 / tb.width + 2, spent


@cocotb.test()
async def short_jobs(dut: Any) -> None:
    tb = TB(dut)
    await tb.begin()
    jobs = [Job(i * 64, sample_bytes(64, start=i)) for i in range(400)]
    spent = await cycles_per_job(tb, jobs)
    tb.dut._log.info(f"{spent} cycles per job of 64 bytes")
    assert spent <= max(64 / tb.width + tb.any_byte, BURST_CYCLES), spent


@builds.over_builds
def test_dma_write(data: int, alignment: int, burst: int, address: int) -> None:
    builds.run(TOP, __name__, data, alignment, burst, address)
