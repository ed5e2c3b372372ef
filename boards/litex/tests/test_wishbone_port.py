# SPDX-License-Identifier: Apache-2.0
"""wishbone_port: every byte through a bus that is slow, busy with others, or fails."""

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

from boards.litex.tests import axi_port
from boards.litex.tests.axi_port import OKAY, SLAVE_ERROR, WIDTH, Burst, History, Port, bursts
from rtl.testbench import runner
from rtl.testbench.stream import cycle, cycles, sample_bytes

TOP = "wishbone_port"
SHARES = [0.0, 0.5, 0.9] if runner.LONG else [0.0, 0.7]
WORD = 4
SIZE = 16 << 10
BASE = 0x4000_0000
BEAT_CYCLES = 9  # four words in two cycles each, and one for others


class Bus:
    """A memory behind the bus. Its answers come a cycle later, or more if others are in between."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.memory = bytearray(sample_bytes(SIZE))
        self.others = 0.0  # share of the words that have to wait
        self.bad = range(0)  # addresses that end with an error
        self.words = 0
        self.free = [0]  # cycles without an access
        dut.wb_ack_i.value = dut.wb_err_i.value = 0
        cocotb.start_soon(self._run())

    async def _run(self) -> None:
        dut = self.dut
        while True:
            await FallingEdge(dut.clk_i)
            dut.wb_ack_i.value = dut.wb_err_i.value = 0
            dut.wb_dat_i.value = random.getrandbits(32)
            await ReadOnly()
            assert dut.wb_stb_o.value == dut.wb_cyc_o.value
            if dut.wb_cyc_o.value != 1 or dut.rst_i.value == 1:
                self.free.append(cycle())
                continue
            await self._word()

    async def _word(self) -> None:
        dut, asked = self.dut, self._asked()
        address = WORD * asked[0] - BASE
        assert 0 <= address < SIZE
        delay = random.randrange(1, 12) if random.random() < self.others else 0
        for _ in range(delay):
            await FallingEdge(dut.clk_i)
            await ReadOnly()
            if dut.rst_i.value == 1:
                return
            assert self._asked() == asked, "a word changed while it waited"
        await FallingEdge(dut.clk_i)
        failed = address in self.bad
        dut.wb_ack_i.value, dut.wb_err_i.value = int(not failed), int(failed)
        if not asked[1] and not failed:
            word = self.memory[address : address + WORD]
            dut.wb_dat_i.value = int.from_bytes(word, "little")
        await ReadOnly()
        if dut.rst_i.value == 1:
            return
        assert self._asked() == asked
        self.words += 1
        if asked[1] and not failed:
            for lane in range(WORD):
                if asked[2] >> lane & 1:
                    self.memory[address + lane] = asked[3] >> 8 * lane & 0xFF

    def _asked(self) -> tuple[int, int, int, int]:
        """Address, write, bytes, and the data of a write."""
        dut = self.dut
        write = int(dut.wb_we_o.value)
        data = int(dut.wb_dat_o.value) if write else 0
        assert dut.wb_cyc_o.value == 1
        return int(dut.wb_adr_o.value), write, int(dut.wb_sel_o.value), data


class TB:
    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.port, self.bus = Port(dut), Bus(dut)

    async def start(self) -> None:
        await axi_port.start(self.dut)

    def send(self, rng: random.Random, count: int) -> None:
        """Reads and writes that cross: of the same bytes at the same time."""
        for number, burst in enumerate(bursts(rng, 2 * count, SIZE)):
            burst.address += BASE
            if number % 2:
                self.port.read(burst)
            else:
                strobes = iter([rng.randrange(1 << WIDTH) for _ in range(burst.beats)])
                self.port.write(burst, rng.randbytes(WIDTH * burst.beats), strobes)


@cocotb.test()
@cocotb.parametrize(idle=SHARES, busy=SHARES, others=[0.0, 0.3])
async def every_byte(dut: Any, idle: float, busy: float, others: float) -> None:
    tb = TB(dut)
    rng = random.Random(f"{idle} {busy} {others}")
    await tb.start()
    tb.port.pace(idle, busy)
    tb.bus.others = others
    tb.send(rng, 16 if runner.LONG else 5)
    await tb.port.done()
    history = History(sample_bytes(SIZE), BASE)
    for seen in tb.port.was_written():
        history.add(seen)
    for seen in tb.port.was_read():
        history.check(seen)
    for address, byte in enumerate(tb.bus.memory):
        assert {byte} == history.allowed(BASE + address, cycle(), cycle())
    assert set(tb.port.answers()) | set(tb.port.responses()) == {OKAY}
    beats = sum(burst.beats for burst in tb.port.reads + tb.port.writes)
    assert tb.bus.words == beats * WIDTH // WORD


@cocotb.test()
@cocotb.parametrize(kind=["reads", "writes", "both"])
async def a_word_in_two_cycles(dut: Any, kind: str) -> None:
    """As fast as the bus is, and with a free cycle after each beat; no more between bursts."""
    tb = TB(dut)
    await tb.start()
    count, beats = 8, 16
    for number in range(count):
        burst = Burst(0, BASE + WIDTH * beats * number, beats)
        if kind != "writes":
            tb.port.read(burst)
        if kind != "reads":
            tb.port.write(burst, bytes(WIDTH * beats))
    await tb.port.done()
    first, last = tb.port.span()
    bursts_sent = len(tb.port.reads) + len(tb.port.writes)
    # After a write one cycle for its answer.
    assert last - first <= bursts_sent * (BEAT_CYCLES * beats + 1) + 2
    free = [time for time in tb.bus.free if first < time < last]
    assert len(free) >= bursts_sent * beats - 1
    assert kind != "both" or tb.port.took_turns()


@cocotb.test()
async def errors_reach_the_beats_and_the_answers(dut: Any) -> None:
    """Those with a bad word, and no others: the next burst is good again."""
    tb = TB(dut)
    await tb.start()
    bad = BASE + 2 * WIDTH + 2 * WORD
    tb.bus.bad = range(bad - BASE, bad - BASE + WORD)
    for address, beats in ((0, 5), (3, 4), (2, 1), (0, 2)):
        burst = Burst(1, BASE + WIDTH * address, beats)
        tb.port.read(burst)
        tb.port.write(burst, bytes(WIDTH * beats))
    await tb.port.done()
    assert len(list(tb.port.was_read())) == 12
    marked = [OKAY, OKAY, SLAVE_ERROR, OKAY, OKAY]
    assert tb.port.responses() == [*marked, *[OKAY] * 4, SLAVE_ERROR, OKAY, OKAY]
    assert tb.port.answers() == [SLAVE_ERROR, OKAY, SLAVE_ERROR, OKAY]


@cocotb.test()
async def a_reset_ends_what_is_under_way(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    tb.bus.others = 0.2
    tb.port.pace(0.0, 0.3)
    every = range(1, 100)
    for moment in every if runner.LONG else random.sample(every, 10):
        tb.port.read(Burst(1, BASE, 4))
        tb.port.write(Burst(1, BASE, 4), sample_bytes(4 * WIDTH))
        await cycles(dut.clk_i, moment)
        tb.port.pace(0.0, 1.0)  # nothing is taken
        dut.rst_i.value = 1
        tb.port.forget()
        await cycles(dut.clk_i, 2)
        assert (dut.s_axi_rvalid.value, dut.s_axi_bvalid.value, dut.wb_cyc_o.value) == (0, 0, 0)
        dut.rst_i.value = 0
        tb.port.forget()
        tb.port.pace(0.0, 0.3)
        tb.port.read(Burst(0, BASE, 8))
        await tb.port.done()
        found = b"".join(seen.data for seen in tb.port.was_read())
        assert found == sample_bytes(8 * WIDTH)
        tb.port.forget()


def test_wishbone_port() -> None:
    axi_port.simulate(TOP, {}, __name__)
