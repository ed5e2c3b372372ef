# SPDX-License-Identifier: Apache-2.0
"""Both sides of dma_read behind dma_read_channel.

The bus is a sink of addresses, which also checks AXI4's rules for bursts, and a source of beats
that come late, and in any order of the two clients.
"""

import random
from collections import deque
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

from rtl.testbench.stream import Sink, Source, cycle, cycles, to_beats

SIZE = 1 << 18


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
