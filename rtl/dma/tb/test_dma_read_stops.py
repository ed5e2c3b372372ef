# SPDX-License-Identifier: Apache-2.0
"""dma_read behind dma_read_channel: wipe and reset in mid-flight, ranges that never end."""

from typing import Any

import cocotb

from rtl.dma.tb import builds
from rtl.dma.tb.reader import TB, Job
from rtl.testbench.stream import cycles, start

TOP = "dma_read_bench"


def secrets(dut: Any) -> dict[str, int]:
    """Every word that may hold data."""
    read = dut.u_read
    words = {"input": dut.u_channel.beat_data_o, "out": dut.data_o}
    any_byte = int(dut.Alignment.value) == 1
    for i in range(int(dut.DataBytes.value).bit_length() - 1 if any_byte else 1):
        level = read.u_align.u_funnel.gen_level[i].u_shift
        words |= {f"funnel[{i}]": level.data_o, f"carry[{i}]": level.carry_q}
    left = {name: int(word.value) for name, word in words.items()}
    return left | builds.buffered(read.u_buffer, 8 * int(dut.DataBytes.value))


@cocotb.test()
@cocotb.parametrize(after=[5, 12, 40, 100, 233], busy=[0.0, 0.7], latency=[0, 40])
async def wipe_in_flight(dut: Any, after: int, busy: float, latency: int) -> None:
    """What is owed comes and is dropped, but for the second client; nothing stays; then all begins
    anew."""
    tb = TB(dut)
    await start(dut)
    tb.latency = latency
    tb.packets.busy = tb.ar.busy = busy
    tb.send([Job(i * 4096 + (3 if tb.any_byte else 0), 1500, i % 3 == 2) for i in range(8)])
    wanted = tb.fetch(0, 4)
    await cycles(dut.clk_i, after)
    dut.wipe_i.value = 1
    await cycles(dut.clk_i, 2)
    for source in (tb.jobs, tb.fetches):
        source.drop()
    await cycles(dut.clk_i, int(dut.BufferBytes.value) // tb.width + 32)
    for _ in range(4000):
        if dut.idle_o.value == 1:
            break
        await cycles(dut.clk_i, 1)
    assert dut.idle_o.value == 1
    left = {name: word for name, word in secrets(dut).items() if word}
    assert not left, left
    assert dut.valid_o.value == 0
    assert len(tb.fetched) in (0, len(wanted))
    for beat, (word, *flags) in zip(tb.fetched, wanted, strict=False):
        assert beat in ((word, *flags), (0, *flags))
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
@cocotb.parametrize(after=[3, 7, 12, 30], by_wipe=[0, 1])
async def reset_in_the_middle_of_a_burst(dut: Any, after: int, by_wipe: int) -> None:
    """Some beats of each client's bursts have come, the others come behind the reset."""
    tb = TB(dut)
    await start(dut)
    tb.r.idle = 0.5
    tb.latency = 10
    tb.send([Job(i * 4096, 1500) for i in range(4)])
    for i in range(4):
        tb.fetch(i * 4096, 8)
    while not (tb.r.sent and tb.fetched):
        await cycles(dut.clk_i, 1)
    await cycles(dut.clk_i, after)
    dut.wipe_i.value = by_wipe  # the reset may come in a wipe
    dut.rst_i.value = 1
    await cycles(dut.clk_i, 2)
    for source in (tb.jobs, tb.fetches):
        source.drop()
    came = len(tb.r.sent)
    asked = sum(length + 1 for _, _, length in tb.ar.received)
    fetched = len(tb.fetched)
    tb.packets.clear()
    dut.rst_i.value = 0
    dut.wipe_i.value = 1
    for _ in range(8 * asked):
        await cycles(dut.clk_i, 1)
    assert tb.stale == asked - came > 0
    assert len(tb.fetched) == fetched
    assert dut.idle_o.value == 1
    dut.wipe_i.value = 0
    jobs = [Job(64, 100), Job(4096, 700)]
    tb.send(jobs)
    wanted = tb.fetch(0, 3)
    await tb.until(2)
    tb.check(jobs)
    assert tb.fetched[fetched:] == wanted
    assert tb.stale == asked - came


@cocotb.test()
@cocotb.parametrize(short=[0, 1], by_reset=[0, 1])
async def the_longest_ranges(dut: Any, short: int, by_reset: int) -> None:
    """2^32 bytes or one less: none ends early, from any lane; then it is stopped."""
    tb = TB(dut)
    await start(dut)
    length = (1 << 32) - short
    # 32 bits of address hold no range of more than one lane's worth less.
    beyond = int(dut.AddressBits.value) > 32
    for offset in (0, 1, tb.width - 1) if beyond and tb.any_byte else (0,):
        tb.packets.clear()
        tb.send([Job(offset, length)])
        for _ in range(2000):
            await cycles(dut.clk_i, 8)
            if len(tb.packets.received) > 4 * tb.burst // tb.width:
                break
        beats = list(tb.packets.received)
        assert len(beats) > 4 * tb.burst // tb.width, "it ended early"
        for i, beat in enumerate(beats):
            data = tb.memory[offset + i * tb.width :][: tb.width]
            whole = (int.from_bytes(data, "little"), (1 << tb.width) - 1, 0, 0)
            assert beat == whole, f"offset {offset}, beat {i}: {beat}, not {whole}"
        if by_reset:
            dut.rst_i.value = 1
            await cycles(dut.clk_i, 2)
            dut.rst_i.value = 0
        dut.wipe_i.value = 1
        await cycles(dut.clk_i, 2 * int(dut.BufferBytes.value) // tb.width + 40)
        assert dut.idle_o.value == 1
        dut.wipe_i.value = 0
        tb.packets.clear()
        jobs = [Job(offset, 3 * tb.width), Job(64, 1)]
        tb.send(jobs)
        await tb.until(2)
        tb.check(jobs)


@builds.over_builds
def test_dma_read_stops(data: int, alignment: int, burst: int, address: int) -> None:
    builds.run(TOP, __name__, data, alignment, burst, address)
