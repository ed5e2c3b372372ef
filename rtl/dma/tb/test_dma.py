# SPDX-License-Identifier: Apache-2.0
"""dma as a whole, and alone: from memory to memory, its packets turned around by the bench, while
the second client reads and writes too; and reset while the bus goes on."""

import importlib
import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from rtl.dma.tb.builds import BUILDS, PARAMETERS
from rtl.testbench import runner
from rtl.testbench.owed import OwedWrites
from rtl.testbench.stream import Sink, Source, cycles, sample_bytes, start, to_beats

axi: Any = importlib.import_module("cocotbext.axi")  # has no types

HALF = 1 << 17  # sources below, destinations above
POSTS = 2 * HALF  # and what the second client writes
SIZE = POSTS + (1 << 14)
UNTOUCHED = 0xEE
CACHE, PROT = 0b1010, 0b101  # of all bursts
SETTLE = 3  # cycles until a reset or a wipe has begun, or ended, everywhere


class TB:
    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.width = int(dut.DataBytes.value)
        self.burst = int(dut.BurstBytes.value)
        self.any_byte = int(dut.Alignment.value) == 1
        clock = dut.clk_i

        def stream(kind: Any, name: str, fields: str) -> Any:
            """One end of a stream of the DMA: its valid, ready and fields."""
            given, taken = ("i", "o") if kind is Source else ("o", "i")
            signals = [getattr(dut, f"{name}_{field}_{given}") for field in fields.split()]
            valid, ready = (
                getattr(dut, f"{name}_valid_{given}"),
                getattr(dut, f"{name}_ready_{taken}"),
            )
            return kind(clock, valid, ready, signals)

        self.reads = stream(Source, "read_job", "address length_m1 zeros continues")
        self.writes = stream(Source, "write_job", "address length_m1")
        self.packets = stream(Sink, "source", "data keep last error")
        self.results = stream(Source, "sink", "data keep last error")
        self.fetches = stream(Source, "fetch", "address len")
        self.posts = stream(Source, "post", "address len")
        beats = dut.post_data_i, dut.post_strobe_i
        self.post_beats = Source(clock, dut.post_beat_valid_i, dut.post_beat_ready_o, beats)
        self.sources = self.reads, self.writes, self.results, self.fetches, self.posts
        # No reset: the memory goes on whatever the DMA does.
        self.ram = axi.AxiRam(axi.AxiBus.from_prefix(dut, "m_axi"), clock, size=SIZE)
        self.ram.write(0, sample_bytes(HALF))
        self.ram.write(HALF, bytes([UNTOUCHED]) * (SIZE - HALF))
        self.written: list[tuple[int, int]] = []  # read error, write error
        self.fetched: list[int] = []
        self.posted = self.stale = 0
        self.owed = OwedWrites(dut, clock)
        self.places: list[tuple[int, int, int]] = []  # source, destination, length of each job
        self.asked: list[tuple[int, int]] = []  # by the second client: address, beats
        cocotb.start_soon(self._watch())

    async def _watch(self) -> None:
        dut = self.dut
        while True:
            await FallingEdge(dut.clk_i)
            self.results.send(self.packets.received)  # what came goes back
            self.packets.clear()
            await ReadOnly()
            if dut.rst_i.value == 1:
                continue
            if dut.written_o.value == 1:
                self.written.append((int(dut.read_error_o.value), int(dut.write_error_o.value)))
            if dut.fetch_beat_o.value == 1:
                self.fetched.append(int(dut.fetch_data_o.value))
            self.posted += int(dut.post_done_o.value)
            self.stale += int(dut.stale_o.value)
            for channel in ("ar", "aw"):
                if getattr(dut, f"m_axi_{channel}valid").value == 1:
                    assert getattr(dut, f"m_axi_{channel}cache").value == CACHE
                    assert getattr(dut, f"m_axi_{channel}prot").value == PROT

    def pause(self, share: float) -> None:
        """Every channel idles or pushes back in that share of the cycles."""
        write, read = self.ram.write_if, self.ram.read_if
        for channel in (
            *(write.aw_channel, write.w_channel, write.b_channel),
            *(read.ar_channel, read.r_channel),
        ):
            channel.set_pause_generator(iter(lambda: random.random() < share, None))
        for source in self.sources:
            source.idle = share
        self.packets.busy = share

    def copy(self, lengths: list[int]) -> None:
        """A job of each length, from anywhere to places of their own."""
        step = 1 if self.any_byte else self.width
        free = HALF
        for length in lengths:
            free += random.randrange(0, 3 * self.width, step)
            source = random.randrange(0, HALF - length, step)
            self.places.append((source, free, length))
            self.reads.send([(source, length - 1, 0, random.randrange(2))])
            self.writes.send([(free, length - 1)])
            free += -(-length // step) * step
        assert free <= POSTS

    def second_client(self, count: int) -> list[int]:
        """Bursts that it reads and writes; gives the words that it should read."""
        words = []
        for i in range(count):
            address, beats = random.randrange(HALF // 256) * 256, random.randrange(1, 5)
            self.asked.append((address, beats))
            data = self.ram.read(address, beats * self.width)
            self.fetches.send([(address, beats - 1)])
            words += [data for data, *_ in to_beats(data, self.width)]
            self.post_beats.send(beat[:2] for beat in to_beats(data, self.width))
            self.posts.send([(POSTS + i * 4 * self.width, beats - 1)])
        return words

    def drop(self) -> None:
        """Whoever uses the DMA stops too."""
        for source in (*self.sources, self.post_beats):
            source.drop()

    async def quiet(self) -> None:
        """Until nothing has come from the bus for as long as a wipe takes."""
        least = int(self.dut.BufferBytes.value) // self.width + 40
        stale = -1
        while stale != self.stale or self.dut.idle_o.value == 0:
            stale = self.stale
            await cycles(self.dut.clk_i, least)

    def begin_again(self) -> None:
        for kept in (self.written, self.fetched, self.places, self.asked):
            kept.clear()
        self.posted = 0
        self.ram.write(HALF, bytes([UNTOUCHED]) * (SIZE - HALF))

    async def until(self, jobs: int, posts: int, timeout: int = 60_000) -> None:
        for _ in range(timeout // 8):
            await cycles(self.dut.clk_i, 8)
            if len(self.written) >= jobs and self.posted >= posts:
                return
        raise AssertionError(f"{len(self.written)} of {jobs} jobs, {self.posted} of {posts} posts")

    def check(self) -> None:
        """Each job's bytes are at their place, and nothing else has changed."""
        expected = bytearray([UNTOUCHED]) * HALF
        for source, destination, length in self.places:
            data = self.ram.read(source, length)
            expected[destination - HALF : destination - HALF + length] = data
        assert self.ram.read(HALF, HALF) == bytes(expected)


@cocotb.test()
@cocotb.parametrize(share=[0.0, 0.3, 0.7])
async def copies_between_any_bytes(dut: Any, share: float) -> None:
    tb = TB(dut)
    await start(dut)
    await cycles(dut.clk_i, SETTLE)
    tb.pause(share)
    edges = [edge + step for edge in (tb.width, tb.burst, 2 * tb.burst) for step in (-1, 0, 1)]
    lengths = [1, *edges, *(random.randrange(1, 200) for _ in range(40))]
    random.shuffle(lengths)
    tb.copy(lengths)
    words = tb.second_client(20)
    await tb.until(len(lengths), 20)
    await cycles(dut.clk_i, 40)
    tb.check()
    assert tb.written == [(0, 0)] * len(lengths)
    assert tb.fetched == words
    for i, (address, beats) in enumerate(tb.asked):
        data = tb.ram.read(address, beats * tb.width)
        assert tb.ram.read(POSTS + i * 4 * tb.width, len(data)) == data
    assert dut.idle_o.value == 1
    assert tb.stale == 0


@cocotb.test()
@cocotb.parametrize(by_reset=[0, 1], share=[0.0, 0.5])
async def stops_at_any_moment(dut: Any, by_reset: int, share: float) -> None:
    """A wipe ends what is under way; a reset forgets it, and the bus ends it."""
    tb = TB(dut)
    await start(dut)
    await cycles(dut.clk_i, SETTLE)
    stale = unfinished = 0
    for _ in range(12 if runner.LONG else 6):
        tb.pause(share)
        tb.copy([random.randrange(1, 3 * tb.burst) for _ in range(6)])
        tb.second_client(8)
        await cycles(dut.clk_i, random.randrange(20, 250))
        for _ in range(300):
            if not by_reset or tb.owed.left:
                break
            await cycles(dut.clk_i, 1)
        dut.rst_i.value = by_reset
        dut.wipe_i.value = 1
        await cycles(dut.clk_i, SETTLE + 1)
        tb.drop()
        await cycles(dut.clk_i, 2)
        dut.rst_i.value = 0
        if by_reset:
            unfinished += len(tb.owed.left)
            tb.owed.end(tb.ram)
        tb.pause(0.0)
        await tb.quiet()
        assert dut.idle_o.value == 1
        assert by_reset or tb.stale == 0
        stale = tb.stale
        dut.wipe_i.value = 0
        await cycles(dut.clk_i, SETTLE)
        tb.begin_again()
        tb.copy([1, 100, tb.burst])
        words = tb.second_client(3)
        await tb.until(3, 3)
        tb.check()
        assert tb.fetched == words
        assert tb.stale == stale
    assert bool(stale) == bool(unfinished) == bool(by_reset), "none was in the middle of bursts"


@pytest.mark.parametrize("values", BUILDS if runner.LONG else BUILDS[:1])
def test_dma(values: tuple[int, ...]) -> None:
    parameters: dict[str, int | str] = dict(zip(PARAMETERS, values, strict=True))
    parameters |= {"AxCache": f"4'd{CACHE}", "AxProt": f"3'd{PROT}"}
    runner.simulate("dma", "dma", parameters, __name__)
