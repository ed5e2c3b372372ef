# SPDX-License-Identifier: Apache-2.0
"""dma_write behind dma_write_channel: every byte at its place and no other, errors, wipe, speed.

The bus is two sinks and a source of answers, which also check AXI4's rules for bursts.
"""

import random
from collections import deque
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.triggers import Event, FallingEdge, ReadOnly

from rtl.dma.tb import builds
from rtl.dma.tb.builds import lengths
from rtl.testbench.stream import Sink, Source, cycles, sample_bytes, start, to_beats

SIZE = 1 << 18
UNTOUCHED = 0xEE
TOP = "dma_write_bench"
BURST_CYCLES = 5  # of dma_bursts


@dataclass
class Job:
    address: int
    data: bytes
    error_beat: int | None = None

    def sent(self, width: int) -> bytes:
        """What reaches the memory. The beat with an error takes the bus word that it ends in along:
        bytes of the beat before that share it are lost too."""
        if self.error_beat is None:
            return self.data
        word = self.address // width + self.error_beat
        return self.data[: max(0, word * width - self.address)]


class TB:
    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.width = int(dut.DataBytes.value)
        self.burst = int(dut.BurstBytes.value)
        self.any_byte = int(dut.Alignment.value) == 1
        clock = dut.clk_i
        self.jobs = Source(
            clock, dut.job_valid_i, dut.job_ready_o, [dut.job_address_i, dut.job_length_m1_i]
        )
        self.packets = Source(
            clock, dut.valid_i, dut.ready_o, [dut.data_i, dut.keep_i, dut.last_i, dut.error_i]
        )
        self.posts = Source(
            clock, dut.post_valid_i, dut.post_ready_o, [dut.post_address_i, dut.post_len_i]
        )
        self.post_beats = Source(
            clock,
            dut.post_beat_valid_i,
            dut.post_beat_ready_o,
            [dut.post_beat_i, dut.post_strobe_i],
        )
        self.aw = Sink(clock, dut.awvalid_o, dut.awready_i, [dut.awid_o, dut.awaddr_o, dut.awlen_o])
        self.w = Sink(clock, dut.wvalid_o, dut.wready_i, [dut.wdata_o, dut.wstrb_o, dut.wlast_o])
        self.b = Source(clock, dut.bvalid_i, dut.bready_o, [dut.bid_i, dut.bresp_i])
        self.sources = (self.jobs, self.packets, self.posts, self.post_beats)
        self.memory = bytearray([UNTOUCHED]) * SIZE
        self.bad = range(0)  # addresses that answer with an error
        self.answers = True
        self.held: deque[tuple[int, int]] = deque()
        self.done: list[tuple[int, int]] = []  # read error, write error
        self.done_times: list[int] = []
        self.posted: list[int] = []
        self.stale = 0
        self.changed = Event()
        cocotb.start_soon(self._bus())
        cocotb.start_soon(self._pulses())

    # ---- the memory's side of the bus ------------------------------------------------------------

    async def _bus(self) -> None:
        bursts: deque[tuple[int, int, int]] = deque()
        taken = beats = beat = 0
        while True:
            await FallingEdge(self.dut.clk_i)
            for burst in self.aw.received[taken:]:
                bursts.append(self._checked(*burst))
            taken = len(self.aw.received)
            while beats < len(self.w.received) and bursts:
                ident, address, length = bursts[0]
                data, strobe, last = self.w.received[beats]
                self._write(address + beat * self.width, data, strobe)
                assert last == (beat == length), "last is at the wrong beat"
                beats, beat = beats + 1, beat + 1
                if last:
                    bursts.popleft()
                    end = address + beat * self.width
                    wrong = address < self.bad.stop and self.bad.start < end
                    self.held.append((ident, 2 if wrong else random.choice((0, 1))))
                    beat = 0
            while self.answers and self.held:
                self.b.send([self.held.popleft()])

    def _checked(self, ident: int, address: int, length: int) -> tuple[int, int, int]:
        assert address % self.width == 0
        size = (length + 1) * self.width
        assert ident == 1 or address // self.burst == (address + size - 1) // self.burst
        return ident, address, length

    def _write(self, address: int, data: int, strobe: int) -> None:
        for i in range(self.width):
            if strobe >> i & 1:
                self.memory[address + i] = data >> 8 * i & 0xFF

    async def _pulses(self) -> None:
        now = 0
        while True:
            await FallingEdge(self.dut.clk_i)
            await ReadOnly()
            now += 1
            if self.dut.rst_i.value == 1:
                continue
            if self.dut.data_done_o.value == 1:
                errors = (self.dut.data_read_error_o.value, self.dut.data_write_error_o.value)
                self.done.append((int(errors[0]), int(errors[1])))
                self.done_times.append(now)
            if self.dut.post_done_o.value == 1:
                self.posted.append(int(self.dut.post_error_o.value))
            self.stale += int(self.dut.stale_o.value)

    # ---- the clients' side -----------------------------------------------------------------------

    def send(self, job: Job) -> None:
        self.jobs.send([(job.address, len(job.data) - 1)])
        beats = to_beats(job.data, self.width)
        self.packets.send(
            (data, keep, last, int(i == job.error_beat))
            for i, (data, keep, last, _) in enumerate(beats)
        )

    def post(self, address: int, data: bytes) -> None:
        beats = to_beats(data, self.width)
        self.post_beats.send((data, keep) for data, keep, _, _ in beats)
        self.posts.send([(address, len(beats) - 1)])

    async def until(self, *, done: int, posted: int = 0, timeout: int = 30_000) -> None:
        for _ in range(timeout):
            await FallingEdge(self.dut.clk_i)
            if len(self.done) >= done and len(self.posted) >= posted:
                return
        raise AssertionError(f"{len(self.done)} of {done} jobs, {len(self.posted)} of {posted}")

    def expect(self, jobs: list[Job]) -> None:
        """The memory holds what the jobs sent, and nothing else was touched."""
        expected = bytearray([UNTOUCHED]) * SIZE
        for job in jobs:
            sent = job.sent(self.width)
            expected[job.address : job.address + len(sent)] = sent
        for at, (is_there, should) in enumerate(zip(self.memory, expected, strict=True)):
            assert is_there == should, f"byte {at:#x} is {is_there:#x} and not {should:#x}"

    async def begin(self) -> None:
        for signal in (self.dut.data_i, self.dut.keep_i, self.dut.last_i, self.dut.error_i):
            signal.value = 0
        await start(self.dut)


def layout(tb: TB, wanted: list[int], rng: random.Random) -> list[Job]:
    """Jobs one behind the other, with gaps, near the edges of beats and bursts."""
    jobs, at = [], 0
    for length in wanted:
        edge = rng.choice((tb.width, tb.width, tb.burst))
        at = (at // edge + 1) * edge
        at += rng.choice((0, 0, 1, tb.width - 1, rng.randrange(tb.width))) if tb.any_byte else 0
        if at + length + tb.burst > SIZE:
            break
        jobs.append(Job(at, sample_bytes(length, start=rng.randrange(251))))
        at += length + rng.randrange(3)
    return jobs


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


def secrets(dut: Any) -> dict[str, int]:
    """Every word that may hold data. Strobes beside it tell nothing."""
    write = dut.u_write
    buffer = write.u_buffer
    words = {"wdata": dut.wdata_o, "out": buffer.data_q, "ram_out": buffer.stored_data_q}
    # The last word is never used.
    words |= {f"ram[{i}]": word for i, word in enumerate(list(buffer.memory)[:-1])}
    words["input"] = write.u_align.data_q
    if int(dut.Alignment.value) == 1:
        for i in range(int(dut.DataBytes.value).bit_length() - 1):
            level = write.u_align.gen_funnel.gen_level[i].u_shift
            words |= {f"funnel[{i}]": level.data_o, f"carry[{i}]": level.carry_q}
    data = (1 << 8 * int(dut.DataBytes.value)) - 1
    return {name: int(word.value) & data for name, word in words.items()}


@cocotb.test()
@cocotb.parametrize(after=[5, 12, 40, 100, 233, 400], busy=[0.0, 0.7], frozen=[0, 1])
async def wipe_in_flight(dut: Any, after: int, busy: float, frozen: int) -> None:
    """The bus's bursts end with zeros and without strobes; nothing stays, ready bus or not."""
    tb = TB(dut)
    await tb.begin()
    tb.aw.busy = tb.w.busy = busy
    for i in range(8):
        tb.send(Job(i * 4096 + (3 if tb.any_byte else 0), sample_bytes(1500, start=i)))
    tb.post(SIZE - 4 * tb.width, sample_bytes(4 * tb.width))
    await cycles(dut.clk_i, after)

    dut.wipe_i.value = 1
    before = len(tb.w.received)
    if frozen:
        tb.aw.busy = tb.w.busy = 1.0
    depth = 2 ** (len(dut.u_write.u_buffer.level_q) - 1)
    await cycles(dut.clk_i, 2)
    done, posted = len(tb.done), len(tb.posted)
    for source in tb.sources:
        source.drop()
    for _ in range(depth + 16):
        await FallingEdge(dut.clk_i)
        await ReadOnly()
        assert dut.ready_o.value == 0
    left = secrets(dut)
    if dut.wvalid_o.value == 1:
        assert frozen or busy
        left.pop("wdata")  # AXI does not let it go
    assert not any(left.values()), {name: word for name, word in left.items() if word}
    await FallingEdge(dut.clk_i)
    tb.aw.busy = tb.w.busy = busy
    for _ in range(2000):
        await FallingEdge(dut.clk_i)
        if dut.idle_o.value == 1:
            break
    assert dut.idle_o.value == 1
    assert (len(tb.done), len(tb.posted)) == (done, posted), "told as done in a wipe"
    assert all(beat[:2] == (0, 0) for beat in tb.w.received[before + 2 :])
    assert not any(secrets(dut).values())
    await cycles(dut.clk_i, 2)
    dut.wipe_i.value = 0
    assert tb.stale == 0

    tb.memory[:] = bytes([UNTOUCHED]) * SIZE
    jobs = [Job(i * 4096, sample_bytes(900 + i)) for i in range(5)]
    for job in jobs:
        tb.send(job)
    await tb.until(done=done + 5)
    tb.expect(jobs)


@cocotb.test()
async def stale_answers_are_ignored(dut: Any) -> None:
    tb = TB(dut)
    await tb.begin()
    tb.answers = False
    for i in range(6):
        tb.send(Job(i * 4096, sample_bytes(64)))
    tb.post(SIZE - 4 * tb.width, b"status")
    await cycles(dut.clk_i, 120)
    owed = len(tb.held)
    assert owed == 7
    dut.rst_i.value = 1
    await cycles(dut.clk_i, 2)
    dut.rst_i.value = 0
    await cycles(dut.clk_i, 2)
    assert dut.idle_o.value == 1
    tb.answers = True
    await cycles(dut.clk_i, 2 * owed + 10)
    assert (tb.stale, tb.done, tb.posted) == (owed, [], [])
    assert dut.idle_o.value == 1
    tb.send(Job(0x100, b"again"))
    await tb.until(done=1)
    assert (tb.stale, tb.done) == (owed, [(0, 0)])


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
