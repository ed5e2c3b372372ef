# SPDX-License-Identifier: Apache-2.0
"""Both sides of dma_write behind dma_write_channel.

The bus is two sinks and a source of answers, which also check AXI4's rules for bursts.
"""

import random
from collections import deque
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.triggers import Event, FallingEdge, ReadOnly

from rtl.testbench.stream import Sink, Source, sample_bytes, start, to_beats

SIZE = 1 << 18
UNTOUCHED = 0xEE


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
        self.end_bursts = False  # once: those whose beats have not all come, as if they had
        self.owed_beats = 0  # of the addresses taken
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
            if self.end_bursts:
                self.held.extend((ident, 0) for ident, _, _ in bursts)
                bursts.clear()
                beat, self.end_bursts = 0, False
            self.owed_beats = sum(length + 1 for _, _, length in bursts) - beat
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
