# SPDX-License-Identifier: Apache-2.0
"""dma_write behind dma_write_channel: wipe and reset in mid-flight."""

from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

from rtl.dma.tb import builds
from rtl.dma.tb.writer import SIZE, TB, UNTOUCHED, Job
from rtl.testbench.stream import cycles, sample_bytes

TOP = "dma_write_bench"


def secrets(dut: Any) -> dict[str, int]:
    """Every word that may hold data. Strobes beside it tell nothing."""
    write = dut.u_write
    words = {"wdata": dut.wdata_o, "input": write.u_align.data_q}
    if int(dut.Alignment.value) == 1:
        for i in range(int(dut.DataBytes.value).bit_length() - 1):
            level = write.u_align.gen_funnel.u_funnel.gen_level[i].u_shift
            words |= {f"funnel[{i}]": level.data_o, f"carry[{i}]": level.carry_q}
    left = {name: int(word.value) for name, word in words.items()}
    return left | builds.buffered(write.u_buffer, 8 * int(dut.DataBytes.value))


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
    for _ in range(depth + 32):
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
@cocotb.parametrize(after=[2, 9, 31, 100], in_wipe=[0, 1])
async def reset_in_the_middle_of_a_burst(dut: Any, after: int, in_wipe: int) -> None:
    """Addresses were taken, and some of the beats. The bus, not the DMA, has to end such bursts."""
    tb = TB(dut)
    await tb.begin()
    tb.w.busy = 0.6
    tb.answers = False
    for i in range(8):
        tb.send(Job(i * 4096 + (3 if tb.any_byte else 0), sample_bytes(1500, start=i)))
    tb.post(SIZE - 4 * tb.width, sample_bytes(4 * tb.width))
    while not tb.owed_beats:
        await cycles(dut.clk_i, 1)
    for _ in range(after):
        await cycles(dut.clk_i, 1)
    while tb.owed_beats < 4 or not tb.w.received or tb.w.received[-1][2]:
        await cycles(dut.clk_i, 1)
    dut.wipe_i.value = in_wipe
    dut.rst_i.value = 1
    await cycles(dut.clk_i, 2)
    for source in tb.sources:
        source.drop()
    await cycles(dut.clk_i, 2)
    done, posted = list(tb.done), list(tb.posted)
    assert tb.owed_beats > 0
    dut.rst_i.value = 0
    dut.wipe_i.value = 1
    tb.end_bursts = tb.answers = True
    owed = len(tb.aw.received)
    depth = 2 ** (len(dut.u_write.u_buffer.level_q) - 1)
    await cycles(dut.clk_i, depth + 40 + 4 * owed)
    assert (tb.stale, tb.done, tb.posted) == (owed, done, posted)
    assert dut.idle_o.value == 1
    dut.wipe_i.value = 0

    tb.memory[:] = bytes([UNTOUCHED]) * SIZE
    tb.w.busy = 0.0
    jobs = [Job(i * 4096, sample_bytes(900 + i)) for i in range(5)]
    for job in jobs:
        tb.send(job)
    await tb.until(done=len(done) + 5)
    tb.expect(jobs)
    assert tb.stale == owed


@builds.over_builds
def test_dma_write_stops(data: int, alignment: int, burst: int, address: int) -> None:
    builds.run(TOP, __name__, data, alignment, burst, address)
