# SPDX-License-Identifier: Apache-2.0
"""dma_read behind dma_read_channel: every byte of every range, zeros, errors, wipe, reset, speed.

The bus is a sink of addresses, which also checks AXI4's rules for bursts, and a source of beats
that come late, and in any order of the two clients.
"""

import random
from collections import deque
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

from rtl.dma.tb import builds
from rtl.dma.tb.builds import lengths
from rtl.testbench.stream import Sink, Source, cycle, cycles, start, to_beats

SIZE = 1 << 18
TOP = "dma_read_bench"
BURST_CYCLES = 5  # dma_bursts and the answer of the channel


@dataclass
class Job:
    address: int
    length: int
    zeros: bool = False
    continues: bool = False


class TB:
    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.width = int(dut.DataBytes.value)
        self.burst = int(dut.BurstBytes.value)
        self.any_byte = int(dut.Alignment.value) == 1
        clock = dut.clk_i
        self.jobs = Source(
            clock,
            dut.job_valid_i,
            dut.job_ready_o,
            [dut.job_address_i, dut.job_length_m1_i, dut.job_zeros_i, dut.job_continues_i],
        )
        self.fetches = Source(
            clock, dut.fetch_valid_i, dut.fetch_ready_o, [dut.fetch_address_i, dut.fetch_len_i]
        )
        self.packets = Sink(
            clock, dut.valid_o, dut.ready_i, [dut.data_o, dut.keep_o, dut.last_o, dut.error_o]
        )
        self.ar = Sink(clock, dut.arvalid_o, dut.arready_i, [dut.arid_o, dut.araddr_o, dut.arlen_o])
        self.r = Source(
            clock, dut.rvalid_i, dut.rready_o, [dut.rid_i, dut.rdata_i, dut.rresp_i, dut.rlast_i]
        )
        self.memory = random.Random(7).randbytes(SIZE)
        self.bad = range(0)  # addresses that are read with an error
        self.latency = 0
        self.answers = True
        self.waiting: tuple[deque[Any], deque[Any]] = (deque(), deque())  # bursts of each client
        self.fetched: list[tuple[int, ...]] = []
        self.stale = 0
        cocotb.start_soon(self._bus())
        cocotb.start_soon(self._beats())

    # ---- the memory's side of the bus ------------------------------------------------------------

    async def _bus(self) -> None:
        taken = 0
        while True:
            await FallingEdge(self.dut.clk_i)
            for ident, address, length in self.ar.received[taken:]:
                assert address % self.width == 0
                end = address + (length + 1) * self.width - 1
                assert ident == 1 or address // self.burst == end // self.burst, "a burst too long"
                self.waiting[ident].append((cycle() + self.latency, address, length + 1))
            taken = len(self.ar.received)
            if self.answers and len(self.r.queue) < 4:
                ready = [i for i in (0, 1) if self.waiting[i] and self.waiting[i][0][0] <= cycle()]
                if ready:
                    self._answer(random.choice(ready))

    def _answer(self, ident: int) -> None:
        """One beat of a client's oldest burst, so that those of the two are mixed."""
        time, address, left = self.waiting[ident].popleft()
        here = self.memory[address % SIZE :][: self.width]
        response = random.choice((2, 3)) if address in self.bad else random.choice((0, 1))
        self.r.send([(ident, int.from_bytes(here, "little"), response, int(left == 1))])
        if left > 1:
            self.waiting[ident].appendleft((time, address + self.width, left - 1))

    async def _beats(self) -> None:
        while True:
            await FallingEdge(self.dut.clk_i)
            await ReadOnly()
            if self.dut.rst_i.value == 1:
                continue
            if self.dut.fetch_beat_o.value == 1:
                beat = self.dut.fetch_data_o, self.dut.fetch_error_o, self.dut.fetch_last_o
                self.fetched.append(tuple(int(signal.value) for signal in beat))
            self.stale += int(self.dut.stale_o.value)

    # ---- the clients' side -----------------------------------------------------------------------

    def send(self, jobs: list[Job]) -> None:
        self.jobs.send((j.address, j.length - 1, int(j.zeros), int(j.continues)) for j in jobs)

    def fetch(self, address: int, beats: int) -> list[tuple[int, ...]]:
        self.fetches.send([(address, beats - 1)])
        words = [self.memory[address + i * self.width :][: self.width] for i in range(beats)]
        return [
            (int.from_bytes(word, "little"), 0, int(i == beats - 1)) for i, word in enumerate(words)
        ]

    def beats_of(self, jobs: list[Job]) -> list[tuple[int, ...]]:
        """What must come: from an error on all of its message is marked."""
        expected: list[tuple[int, ...]] = []
        failed = within = False
        for job in jobs:
            failed = failed and within
            data = self.memory[job.address :][: job.length]
            for i, beat in enumerate(
                to_beats(bytes(job.length) if job.zeros else data, self.width)
            ):
                if not job.zeros and self._word_failed(job, i):
                    failed = True
                expected.append((*beat[:3], int(failed)))
            within = job.continues
        return expected

    def _word_failed(self, job: Job, beat: int) -> bool:
        """A beat is marked with the last bus word that it, or the rest of the packet, needs."""
        first = job.address // self.width * self.width
        until = min(job.address + (beat + 1) * self.width, job.address + job.length)
        return any(word in self.bad for word in range(first, until, self.width))

    async def until(self, packets: int, timeout: int = 60_000) -> None:
        for _ in range(timeout // 8):
            await cycles(self.dut.clk_i, 8)
            if sum(beat[2] for beat in self.packets.received) >= packets:
                return
        raise AssertionError(f"{sum(b[2] for b in self.packets.received)} of {packets} packets")

    def check(self, jobs: list[Job]) -> None:
        expected = self.beats_of(jobs)
        assert len(self.packets.received) == len(expected)
        for number, (got, want) in enumerate(zip(self.packets.received, expected, strict=True)):
            mask = sum(0xFF << 8 * i for i in range(self.width) if want[1] >> i & 1)
            found = (got[0] & mask, *got[1:])
            assert found == want, f"beat {number}: {found}, not {want}"


def layout(tb: TB, wanted: list[int], rng: random.Random) -> list[Job]:
    """Ranges near the edges of beats and bursts, some of zeros, some of one message."""
    jobs = []
    for length in wanted:
        edge = rng.randrange(0, SIZE - length - 2 * tb.burst, tb.burst)
        step = rng.choice((0, 1, tb.width - 1, rng.randrange(tb.burst))) if tb.any_byte else 0
        zeros = rng.random() < 0.2
        jobs.append(Job(edge + step, length, zeros, rng.random() < 0.3))
    return jobs


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


def secrets(dut: Any) -> dict[str, int]:
    """Every word that may hold data."""
    read = dut.u_read
    words = {"out": read.u_buffer.data_q, "ram_out": read.u_buffer.stored_data_q}
    words |= {f"ram[{i}]": word for i, word in enumerate(list(read.u_buffer.memory)[:-1])}
    words["input"] = read.u_align.data_q
    if int(dut.Alignment.value) == 1:
        for i in range(int(dut.DataBytes.value).bit_length() - 1):
            level = read.u_align.gen_level[i].u_shift
            words |= {f"funnel[{i}]": level.data_o, f"carry[{i}]": level.carry_q}
    data = (1 << 8 * int(dut.DataBytes.value)) - 1
    return {name: int(word.value) & data for name, word in words.items()}


@cocotb.test()
@cocotb.parametrize(after=[5, 12, 40, 100, 233], busy=[0.0, 0.7], latency=[0, 40])
async def wipe_in_flight(dut: Any, after: int, busy: float, latency: int) -> None:
    """What is owed comes and is dropped; nothing stays; then all begins anew."""
    tb = TB(dut)
    await start(dut)
    tb.latency = latency
    tb.packets.busy = tb.ar.busy = busy
    tb.send([Job(i * 4096 + (3 if tb.any_byte else 0), 1500, i % 3 == 2) for i in range(8)])
    tb.fetch(0, 4)
    await cycles(dut.clk_i, after)
    dut.wipe_i.value = 1
    await cycles(dut.clk_i, 2)
    for source in (tb.jobs, tb.fetches):
        source.drop()
    fetched = len(tb.fetched)
    await cycles(dut.clk_i, int(dut.BufferBytes.value) // tb.width + 16)
    for _ in range(4000):
        if dut.idle_o.value == 1:
            break
        await cycles(dut.clk_i, 1)
    assert dut.idle_o.value == 1
    left = {name: word for name, word in secrets(dut).items() if word}
    assert not left, left
    assert dut.valid_o.value == 0
    assert len(tb.fetched) == fetched
    assert (tb.stale, len(tb.r.queue)) == (0, 0)
    dut.wipe_i.value = 0
    tb.packets.clear()
    jobs = [Job(i * 4096, 900 + i) for i in range(5)]
    tb.send(jobs)
    await tb.until(5)
    tb.check(jobs)


@cocotb.test()
async def stale_beats_are_ignored(dut: Any) -> None:
    """After a reset of the DMA alone the bus still owes beats: they are told and dropped."""
    tb = TB(dut)
    await start(dut)
    tb.answers = False
    tb.send([Job(i * 4096, tb.width) for i in range(6)])
    tb.fetch(0, 3)
    await cycles(dut.clk_i, 120)
    assert len(tb.ar.received) == 7
    dut.rst_i.value = 1
    await cycles(dut.clk_i, 2)
    dut.rst_i.value = 0
    await cycles(dut.clk_i, 3)
    assert dut.idle_o.value == 1
    tb.answers = True
    await cycles(dut.clk_i, 60)
    assert (tb.stale, tb.packets.received, tb.fetched) == (9, [], [])
    jobs = [Job(64, 100)]
    tb.send(jobs)
    await tb.until(1)
    tb.check(jobs)


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
