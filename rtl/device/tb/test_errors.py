# SPDX-License-Identifier: Apache-2.0
"""saltmill_device: bad descriptors, bus errors. An error ends a job, never the ring."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import ClockCycles

from rtl.device.tb.builds import builds, run
from rtl.device.tb.host import Host, interrupt, started
from rtl.device.tb.job import DESTINATION, ENTRY, RING, SOURCE, TAGGED, WHOLE_BLOCKS, Job, words_of
from rtl.device.tb.memory import BASE, Response
from rtl.device.tb.registers import CODES, DESCRIPTOR

BOTH = [Response.SLVERR, Response.DECERR]
LAST = (1 << 32) - 1


def good(host: Host) -> Job:
    """A job behind the bad one, to see that the ring goes on."""
    return host.place([random.randrange(1, 300)])[0]


def bad_jobs(host: Host) -> list[Job]:
    slots = host.slots
    control = DESCRIPTOR["control"].pack(operation=CODES["xor_stream"])
    none = [name for name in (*TAGGED, *WHOLE_BLOCKS, "digest") if name not in host.operations]
    codes: list[str | int] = [0, 11, 31, 33, 255, *none]
    jobs = [Job(64, operation=code, expected="bad_operation") for code in codes]
    if not host.has_mac:
        jobs.append(Job(64, nonce=bytes(24), expected="bad_operation"))
    bits = (20, 24, 26, 31) if host.aes else range(18, 32)
    jobs += [Job(64, words={0: control | 1 << bit}, expected="bad_descriptor") for bit in bits]
    jobs += [
        Job(64, words={offset: 1 << random.randrange(32)}, expected="bad_descriptor")
        for name in ("nonce_first", "aad_length", *(("counter",) if host.keyless else ()))
        for offset in words_of(name)
    ]
    bad_slot = "bad_descriptor" if host.keyless else "bad_key_slot"
    jobs += [Job(64, key_slot=slot, expected=bad_slot) for slot in {slots, 255, slots - 1} - {0}]
    # Nothing to do is not a mistake.
    jobs.append(Job(0))
    if "keystream" in host.operations:
        jobs.append(Job(0, operation="keystream"))
    return jobs


@cocotb.test()
async def bad_descriptors_end_with_their_status(dut: Any) -> None:
    host = await started(dut)
    for job in bad_jobs(host):
        host.memory.writes.clear()
        await host.run([job])
        status = range(RING, RING + ENTRY * host.entries)
        assert all(write.start in status for write in host.memory.writes), job
        await host.run([good(host)])


@cocotb.test()
async def good_and_bad_jobs_mixed(dut: Any) -> None:
    host = await started(dut)
    jobs = bad_jobs(host) + host.place([random.randrange(200) for _ in range(30)])
    random.shuffle(jobs)
    await host.run(jobs)


@cocotb.test()
async def odd_addresses_without_an_alignment_unit(dut: Any) -> None:
    host = await started(dut)
    odd = "bad_alignment" if host.aligned_only else "ok"
    half = host.bytes // 2
    jobs = [
        Job(100, SOURCE.start + 1, DESTINATION.start, expected=odd),
        Job(100, SOURCE.start, DESTINATION.start + half, expected=odd),
        Job(100, SOURCE.start + 1, DESTINATION.start + 2048, "keystream"),
        Job(99, SOURCE.start, DESTINATION.start + 1024),
    ]
    await host.run([job for job in jobs if job.operation in host.operations])


@cocotb.test()
@cocotb.parametrize(response=BOTH, at=[0, 700, 1499])
async def a_read_error_stops_the_jobs_writes(dut: Any, response: Response, at: int) -> None:
    host = await started(dut)
    host.memory.response = response
    job = Job(1500, expected="read_error")
    host.memory.read_error = range(job.source + at, job.source + at + 1)
    before = bytes(host.memory.bytes)
    await host.put(job)
    follower = Job(200, SOURCE.start + 65536, DESTINATION.start + 65536)
    await host.put(follower)
    await host.hand_over()
    await host.until(2)
    assert host.status(0) == (CODES["read_error"], 0)
    assert host.status(1) == (CODES["ok"], 0)
    # Right bytes up to the bus word that could not be read, and the old ones after it.
    start = job.destination - BASE
    result, _ = job.result(host.key_of(job), before[job.source - BASE :][:1500])
    written = 0
    while written < 1500 and host.memory.bytes[start + written] == result[written]:
        written += 1
    assert written <= at + 1
    assert (
        host.memory.bytes[start + written : start + 1500]
        == before[start + written :][: 1500 - written]
    )
    host.image[start : start + 1500] = host.memory.bytes[start : start + 1500]
    host.check_memory()
    host.memory.read_error = range(0)
    await host.run([Job(1500)])


@cocotb.test()
@cocotb.parametrize(response=BOTH, at=[0, 700, 1499])
async def a_write_error_is_the_jobs(dut: Any, response: Response, at: int) -> None:
    host = await started(dut)
    host.memory.response = response
    job = Job(1500, expected="write_error")
    host.memory.write_error = range(job.destination + at, job.destination + at + 1)
    await host.put(Job(100, SOURCE.start, DESTINATION.start + 65536))
    await host.put(job)
    await host.put(Job(200, SOURCE.start, DESTINATION.start + 66560))
    await host.hand_over()
    await host.until(3)
    assert [host.status(n)[0] for n in range(3)] == [
        CODES["ok"], CODES["write_error"], CODES["ok"],
    ]  # fmt: skip
    host.memory.write_error = range(0)
    await host.run([Job(1500)])


@cocotb.test()
@cocotb.parametrize(response=BOTH)
async def a_descriptor_that_cannot_be_read(dut: Any, response: Response) -> None:
    host = await started(dut)
    host.memory.response = response
    await host.write("interrupt_coalescing", count=3, timeout=0)
    for job in host.place([100, 100, 100]):
        await host.put(job)
    start, length = host.jobs[1].destination - BASE, host.jobs[1].length
    host.image[start : start + length] = host.memory.view(BASE + start, length)  # not to be written
    host.memory.read_error = range(host.entry(1) + 8, host.entry(1) + 9)
    await host.hand_over()
    await host.until(3)
    await interrupt(dut)
    first, _, last = (CODES[job.expected] for job in host.jobs)
    assert [host.status(n)[0] for n in range(3)] == [first, CODES["fetch_error"], last]
    host.check_memory()


@cocotb.test()
async def an_error_of_any_beat_is_the_descriptors(dut: Any) -> None:
    """The expected tag's, too; the descriptors before and behind it are good."""
    host = await started(dut)
    tagged = "open" in host.operations
    end = DESCRIPTOR["status" if tagged else "tag"].address
    for offset in range(0, end, host.bytes):
        first = len(host.jobs)
        jobs = [good(host) for _ in range(3)]
        if tagged:
            jobs[1].operation, jobs[1].nonce, jobs[1].counter = "open", bytes(12), 0
        jobs[1].expected = "fetch_error"
        bad = host.entry(first + 1) + offset
        host.memory.read_error = range(bad, bad + 1)
        await host.run(jobs)
        assert host.status(first + 1) == (CODES["fetch_error"], 0), offset


@cocotb.test()
@cocotb.parametrize(response=BOTH)
async def a_status_that_cannot_be_written(dut: Any, response: Response) -> None:
    host = await started(dut)
    host.memory.response = response
    await host.write("interrupt_coalescing", count=200, timeout=0)
    status = host.entry(1) + DESCRIPTOR["status"].address
    host.memory.write_error = range(status, status + 1)
    for job in host.place([100, 100, 100]):
        await host.put(job)
    await host.hand_over()
    await host.until(3)
    await interrupt(dut)
    assert await host.fields("interrupt_status") == {"done": 0, "status_lost": 1}
    first, _, last = (CODES[job.expected] for job in host.jobs)
    assert [host.status(n)[0] for n in range(3)] == [first, CODES["pending"], last]
    await host.write("interrupt_status", status_lost=1)
    await ClockCycles(dut.aclk, 20)
    assert dut.irq_o.value == 0
    host.memory.write_error = range(0)
    host.check_memory()
    await host.run([good(host)])


@cocotb.test()
async def memory_that_is_not_there(dut: Any) -> None:
    host = await started(dut)
    host.memory.response = Response.DECERR
    await host.run([Job(300, source=0, expected="read_error")])
    await host.put(Job(300, destination=DESTINATION.stop + 4096, expected="write_error"))
    await host.hand_over()
    await host.until(2)
    assert host.status(1) == (CODES["write_error"], 0)
    await host.run([good(host)])


@pytest.mark.parametrize("build", builds("small-8"))
def test_errors(build: str) -> None:
    run(build, __name__)
