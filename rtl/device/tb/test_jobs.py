# SPDX-License-Identifier: Apache-2.0
"""saltmill_device: jobs of all lengths and alignments, ring, interrupt, counters, capabilities."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge

from rtl.device.tb.builds import builds, run
from rtl.device.tb.host import interrupt, started
from rtl.device.tb.job import DESTINATION, DIGEST_BYTES, ENTRY, RING, SOURCE, Job
from rtl.device.tb.memory import Response
from rtl.device.tb.registers import CODES, REGISTERS
from rtl.testbench.runner import LONG


@cocotb.test()
async def describes_itself(dut: Any) -> None:
    host = await started(dut)

    def parameter(name: str) -> int:
        return int(getattr(dut, name).value)

    assert (await host.read("magic")).to_bytes(4, "big") == b"TLAS"  # "SALT" in memory order
    assert await host.fields("version") == {"major": 1, "minor": 0}
    # The packages' formulas, as the cores' own tests measure them.
    if host.aes:
        rounds = 10 + 2 * (parameter("AesKeySizes") % 3)  # a Pipeline's; of any size: 128 bits
        pipeline = parameter("AesStructure") == 2
        core = "aes", 2 if pipeline else 1
        unroll = rounds if pipeline else 1
        shape = unroll, unroll * parameter("AesRoundStages"), 16
        rate = 1 if pipeline else rounds
    elif host.keyless:
        core, shape, rate = ("xor_constant", 2), (1, 1, host.bytes), 1
    else:
        structure, unroll = parameter("ChaCha20Structure"), parameter("ChaCha20Unroll")
        core = "chacha20_poly1305" if host.has_mac else "chacha20", structure
        shape = unroll, parameter("ChaCha20Stages"), 64
        rate = max(20 // unroll, 64 // host.bytes) if structure else (4 + 8 * 20 + 64) // 2
    assert await host.fields("core") == {
        "algorithm": CODES[core[0]],
        "structure": core[1],
        "final_add": 1,
    }
    assert await host.fields("shape") == dict(
        zip(("unroll", "stages", "block_bytes"), shape, strict=True)
    )
    assert (await host.fields("rate"))["cycles_per_block"] == rate
    assert await host.read("clock") == parameter("ClockHz")
    assert await host.fields("capabilities") == {
        "data_bytes": host.bytes,
        "any_alignment": int(not host.aligned_only),
        "extended_nonce": int(host.has_mac),
        "key_sizes": sum(1 << (size - 16) // 8 for size in host.key_sizes) if host.aes else 0,
        "key_slots": parameter("KeySlots"),
        "max_log2_entries": parameter("MaxLog2Entries"),
    }
    expected = sum(1 << CODES[name] for name in host.operations)
    assert await host.read("operations") == expected
    assert await host.read("keyless") == (expected if host.keyless else 0)
    assert await host.fields("port") == {"address_bits": host.address_bits}
    assert await host.fields("digest") == {"bytes": DIGEST_BYTES if host.keyless else 0}


@cocotb.test()
async def no_register_where_none_is(dut: Any) -> None:
    host = await started(dut)
    known = {word for register in REGISTERS.values() for word in register.words}
    behind = {word + 4 for word in known} - known  # the first of each gap, and the last
    before = {word - 4 for word in known} - known - {-4}
    assert len(behind) > 3
    for address in sorted(behind | before | {0xC00, 0xFFC}):
        assert (await host.read_word(address))[1] == Response.SLVERR
        assert await host.write_word(address, 1) == Response.SLVERR


def lengths_around(edges: list[int]) -> list[int]:
    return sorted({max(0, edge + step) for edge in edges for step in (-1, 0, 1)})


@cocotb.test()
async def every_length_at_an_edge(dut: Any) -> None:
    host = await started(dut, 6)
    edges = [0, host.bytes, 2 * host.bytes, 64, 128, 256, 1024, 2048, 4096]
    await host.run(host.place(lengths_around(edges)))


@cocotb.test()
async def around_the_4_kib_boundary(dut: Any) -> None:
    host = await started(dut, 6)
    step = host.bytes if host.aligned_only else 1
    jobs, free = [], DESTINATION.start
    for before in (step, 2 * step, host.bytes, 63 * step):
        for length in (1, before, before + 1, 200):
            free = (free // 4096 + 2) * 4096 - before
            jobs.append(Job(length, SOURCE.start + 8192 - before, free))
            free += length
    await host.run(jobs[:20])


@cocotb.test()
@cocotb.parametrize(share=[0.0, 0.3, 0.8])
async def random_jobs_under_pressure(dut: Any, share: float) -> None:
    host = await started(dut, 5)
    host.pause(share)
    jobs = range(60 if LONG else 25)
    lengths = [random.choice([random.randrange(100), random.randrange(900)]) for _ in jobs]
    await host.run(host.place(lengths))


@cocotb.test()
async def every_pair_of_alignments(dut: Any) -> None:
    host = await started(dut, 8)
    step = host.bytes if host.aligned_only else max(1, host.bytes // 16)
    free, jobs = DESTINATION.start, []
    for source in range(0, host.bytes, step):
        for destination in range(0, host.bytes, step):
            free = (free // 64 + 2) * 64 + destination
            jobs.append(Job(random.randrange(1, 3 * host.bytes), SOURCE.start + source, free))
            free += jobs[-1].length
    random.shuffle(jobs)
    await host.run(jobs)


@cocotb.test()
async def in_place(dut: Any) -> None:
    host = await started(dut)
    start = DESTINATION.start + (0 if host.aligned_only else 5)
    host.memory.put(start, bytes(range(256)) * 8)
    host.image[:] = host.memory.bytes
    await host.run([Job(2048, start, start)])
    await host.run([Job(1000, start, start)])


@cocotb.test()
async def a_keystream_job_reads_no_source(dut: Any) -> None:
    host = await started(dut)
    if "keystream" not in host.operations:
        return
    host.memory.reads.clear()
    await host.run([Job(500, 0xDEAD_0000_0000, DESTINATION.start, "keystream")])
    ring = range(RING, RING + ENTRY * host.entries)
    assert all(read.start in ring for read in host.memory.reads)


@cocotb.test()
@cocotb.parametrize(log2_entries=[0, 1, 3])
async def the_ring_wraps(dut: Any, log2_entries: int) -> None:
    host = await started(dut, log2_entries)
    await host.run(host.place([random.randrange(150) for _ in range(5 * host.entries + 3)]))


@cocotb.test()
async def a_ring_that_is_kept_full(dut: Any) -> None:
    """Jobs are handed over one by one while others run, as a driver does it."""
    host = await started(dut, 2)
    for number, job in enumerate(host.place([random.randrange(300) for _ in range(40)])):
        await host.until(number + 1 - host.entries)
        await host.put(job)
        await host.hand_over()
    await host.until(40)
    host.check_memory()


@cocotb.test()
async def the_largest_ring_is_the_limit(dut: Any) -> None:
    host = await started(dut, 15)  # counts as MaxLog2Entries
    host.log2_entries = int(dut.MaxLog2Entries.value)
    await host.run([Job(10, SOURCE.start, DESTINATION.start)])


@cocotb.test()
async def interrupts_after_count(dut: Any) -> None:
    host = await started(dut)
    await host.write("interrupt_coalescing", count=3, timeout=0)
    await host.run(host.place([10, 20]))
    await ClockCycles(dut.aclk, 300)
    assert dut.irq_o.value == 0
    await host.run(host.place([30]))
    await interrupt(dut)
    assert (await host.fields("interrupt_status"))["done"] == 1
    await host.write("interrupt_status", done=1)
    await ClockCycles(dut.aclk, 300)
    assert dut.irq_o.value == 0


@cocotb.test()
async def interrupts_after_a_timeout(dut: Any) -> None:
    host = await started(dut)
    await host.write("interrupt_coalescing", count=200, timeout=700)
    await host.run([Job(10)])
    assert 400 < await interrupt(dut) <= 710


@cocotb.test()
async def a_job_that_asks_interrupts_with_its_own_status(dut: Any) -> None:
    """However many jobs have begun, in its place too, before its status is answered."""
    host = await started(dut, 6 if int(dut.JobDepth.value) < 64 else 7)
    await host.write("interrupt_coalescing", count=200, timeout=0)
    for number in range(int(dut.JobDepth.value) + 24):
        await host.put(Job(0, interrupt=number in {3, 5}))
    answers = host.slave.write_if.b_channel
    answers.pause = True
    await host.hand_over()
    await ClockCycles(dut.aclk, 3000)
    for job in range(8):
        assert await host.tail() == job
        assert dut.irq_o.value == (job in {4, 6})
        if dut.irq_o.value:
            await host.write("interrupt_status", done=1)
        answers.pause = False
        await RisingEdge(dut.m_axi_bvalid)
        answers.pause = True
        await ClockCycles(dut.aclk, 10)
    answers.pause = False
    await host.until(len(host.jobs))


@cocotb.test()
async def interrupts_when_a_job_asks(dut: Any) -> None:
    host = await started(dut)
    await host.write("interrupt_coalescing", count=200, timeout=0)
    await host.run([Job(10), Job(10, interrupt=True), Job(10)])
    await interrupt(dut)
    await host.write("interrupt_enable", done=0)
    await ClockCycles(dut.aclk, 2)
    await ReadOnly()
    assert dut.irq_o.value == 0


@cocotb.test()
async def counts(dut: Any) -> None:
    host = await started(dut)
    lengths = [0, 1, 64, 65, 1000]
    jobs = host.place(lengths)
    await host.run(list(jobs))
    assert await host.counter("jobs") == len(lengths)
    assert await host.counter("bytes") == sum(lengths)
    block = (await host.fields("shape"))["block_bytes"]
    blocks = [-(-job.result_bytes // block) for job in jobs]
    assert await host.counter("blocks") == sum(blocks)
    busy, cycles = await host.counter("busy"), await host.counter("cycles")
    rate = (await host.fields("rate"))["cycles_per_block"]
    # What has no rounds is busy while there are data.
    assert sum(blocks) * rate < busy < cycles or (host.keyless and sum(blocks) <= busy < cycles)
    assert await host.counter("stalled_output") < cycles
    await host.write("control", enable=1, clear_counters=1)
    assert await host.counter("jobs") == await host.counter("bytes") == 0
    assert await host.counter("cycles") < 100


@pytest.mark.parametrize("build", builds("small-8", "xor-32"))
def test_jobs(build: str) -> None:
    run(build, __name__)
