# SPDX-License-Identifier: Apache-2.0
"""shared_memory: both ports at the same addresses, each at its own pace, down to single bytes."""

import random
import subprocess
from collections import deque
from typing import Any, NamedTuple

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from boards.litex.tests import axi_port
from boards.litex.tests.axi_port import OKAY, WIDTH, Burst, History, Port, Seen, bursts
from rtl.testbench import runner
from rtl.testbench.stream import cycle, cycles, sample_bytes

TOP = "shared_memory"
WORD = 4
BURST_CYCLES = 2  # besides its beats: the address, and the first read or the answer
ACCESS_CYCLES = 2
SHARES = [0.0, 0.5, 0.9] if runner.LONG else [0.0, 0.6]


class Access(NamedTuple):
    address: int  # of a byte, a multiple of 4
    data: bytes | None = None  # of a write
    select: int = 0b1111


class Processor:
    """The Wishbone side: single accesses, idle between them."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.idle = 0.0
        self.queue: deque[Access] = deque()
        self.reads: list[Seen] = []
        self.writes: list[Seen] = []
        cocotb.start_soon(self._run())

    async def _run(self) -> None:
        while True:
            await FallingEdge(self.dut.clk_i)
            if self.queue and random.random() >= self.idle:
                await self._access(self.queue.popleft())
            else:
                await self._rest()

    async def _rest(self) -> None:
        """Neither cyc nor stb alone is an access."""
        cyc = random.randrange(2)
        self._drive(cyc, 1 - cyc, Access(random.randrange(64) * WORD, b"rest"))
        await ReadOnly()
        assert self.dut.wb_ack_o.value == 0

    async def _access(self, access: Access) -> None:
        self._drive(1, 1, access)
        begin = cycle()
        await ReadOnly()
        while self.dut.wb_ack_o.value == 0:
            await FallingEdge(self.dut.clk_i)
            await ReadOnly()
        assert cycle() - begin == ACCESS_CYCLES - 1
        if access.data is None:
            data = int(self.dut.wb_dat_o.value).to_bytes(WORD, "little")
            self.reads.append(Seen(begin, cycle(), access.address, data))
        else:
            self.writes.append(Seen(begin, cycle(), access.address, access.data, access.select))

    def _drive(self, cyc: int, stb: int, access: Access) -> None:
        dut = self.dut
        dut.wb_cyc_i.value, dut.wb_stb_i.value = cyc, stb
        dut.wb_adr_i.value, dut.wb_sel_i.value = access.address // WORD, access.select
        dut.wb_we_i.value = int(access.data is not None)
        dut.wb_dat_i.value = int.from_bytes(access.data or b"", "little")

    async def done(self, timeout: int = 100_000) -> None:
        for _ in range(timeout // 8):
            await cycles(self.dut.clk_i, 8)
            if not self.queue:
                await cycles(self.dut.clk_i, ACCESS_CYCLES)
                return
        raise AssertionError(f"{len(self.queue)} accesses are left")


class TB:
    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.size = int(dut.Bytes.value)
        self.port, self.processor = Port(dut), Processor(dut)

    async def start(self) -> bytes:
        """Resets, and fills the memory by the device."""
        await axi_port.start(self.dut)
        filling = sample_bytes(self.size)
        for at in range(0, self.size, 256 * WIDTH):
            beats = min(256, (self.size - at) // WIDTH)
            self.port.write(Burst(0, at, beats), filling[at:])
        await self.port.done()
        self.port.forget()
        return filling

    async def done(self) -> None:
        await self.port.done()
        await self.processor.done()

    def accesses(self, rng: random.Random, count: int, select: list[int]) -> list[Access]:
        """Reads and writes anywhere; `select` are the bytes of each word that may be written."""
        found = []
        for _ in range(count):
            word = rng.randrange(self.size // WORD)
            mask = select[word] & rng.randrange(16)
            data = rng.randbytes(WORD) if rng.randrange(2) else None
            found.append(Access(WORD * word, data, mask if data else rng.randrange(16)))
        return found

    def check(self, filling: bytes) -> History:
        """All that was read, against all that was written."""
        history = History(filling)
        for seen in (*self.port.was_written(), *self.processor.writes):
            history.add(seen)
        for seen in (*self.port.was_read(), *self.processor.reads):
            history.check(seen)
        assert set(self.port.answers()) | set(self.port.responses()) == {OKAY}
        return history


@cocotb.test()
@cocotb.parametrize(idle=SHARES, busy=SHARES)
async def both_ports_at_the_same_addresses(dut: Any, idle: float, busy: float) -> None:
    """Each byte is written by one of the two, and read by both, all the time."""
    tb = TB(dut)
    rng = random.Random(f"{idle} {busy}")
    filling = await tb.start()
    tb.port.pace(idle, busy)
    tb.processor.idle = idle
    mine = [rng.randrange(16) for _ in range(tb.size // WORD)]  # the processor's bytes of words
    count = 24 if runner.LONG else 8
    for burst in bursts(rng, count, tb.size):
        tb.port.read(burst)
    for burst in bursts(rng, count, tb.size):
        row = burst.address // WIDTH
        theirs = [mine[4 * r : 4 * r + 4] for r in range(row, row + burst.beats)]
        lanes = [sum((15 - m) << 4 * i for i, m in enumerate(masks)) for masks in theirs]
        strobes = iter([mask & rng.randrange(1 << WIDTH) for mask in lanes])
        tb.port.write(burst, rng.randbytes(WIDTH * burst.beats), strobes)
    tb.processor.queue.extend(tb.accesses(rng, 16 * count, mine))
    await tb.done()
    # Both read what is left.
    words = range(0, tb.size, WORD)
    tb.processor.queue.extend(Access(at) for at in rng.sample(words, min(len(words), 64)))
    tb.port.read(Burst(1, 0, tb.size // WIDTH if tb.size <= 4096 else 256))
    await tb.done()
    history = tb.check(filling)
    assert len(history.writes) > 20


@cocotb.test()
async def reads_and_writes_take_turns(dut: Any) -> None:
    """With both waiting neither is first twice; each burst takes its beats and two cycles."""
    tb = TB(dut)
    await tb.start()
    beats = min(8, tb.size // WIDTH)
    for _ in range(20):
        tb.port.read(Burst(0, 0, beats))
        tb.port.write(Burst(0, 0, beats), bytes(WIDTH * beats))
    await tb.done()
    assert tb.port.took_turns()
    first, last = tb.port.span()
    assert last + 1 - first == 40 * (beats + BURST_CYCLES)


@cocotb.test()
async def a_reset_ends_what_is_under_way(dut: Any) -> None:
    """At any moment of a burst; what was written before it is still there."""
    tb = TB(dut)
    filling = await tb.start()
    rows = tb.size // WIDTH
    every = range(1, 2 * rows + 2 * BURST_CYCLES)
    tb.port.pace(0.0, 0.3)
    for moment in every if runner.LONG else random.sample(every, 6):
        tb.port.read(Burst(1, 0, rows))
        tb.port.write(Burst(1, 0, rows), filling)  # the same bytes as before
        await cycles(dut.clk_i, moment)
        tb.port.pace(0.0, 1.0)  # nothing is taken
        dut.rst_i.value = 1
        tb.port.forget()
        await cycles(dut.clk_i, 2)
        assert (dut.s_axi_rvalid.value, dut.s_axi_bvalid.value) == (0, 0)
        dut.rst_i.value = 0
        tb.port.forget()
        tb.port.pace(0.0, 0.3)
        tb.port.read(Burst(0, 0, rows))
        await tb.done()
        assert b"".join(seen.data for seen in tb.port.was_read()) == filling
        tb.port.forget()


@pytest.mark.parametrize("size", [32, 1024, 8192] if runner.LONG else [32, 4096])
def test_shared_memory(size: int) -> None:
    axi_port.simulate(TOP, {"Bytes": size}, __name__)


@pytest.mark.parametrize("size", [16, 1000])
def test_other_sizes_are_refused(size: int) -> None:
    source = axi_port.HERE / f"{TOP}.sv"
    command = [str(runner.TOOL / "verilator"), "--lint-only", f"-GBytes={size}", str(source)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode != 0
    assert "Bytes is a power of two, at least 32" in found.stderr
