# SPDX-License-Identifier: Apache-2.0
"""Hashes in the device: messages of any length, parts of messages, what is refused, the rate."""

import hashlib
import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import ClockCycles

from rtl.device.tb.builds import HASH_BUILDS, run
from rtl.device.tb.host import Host, started
from rtl.device.tb.job import DESTINATION, HASHES, SOURCE, Job
from rtl.device.tb.registers import CODES
from rtl.testbench.runner import LONG, long_only

BLOCK = 64


def digest_bytes(host: Host) -> int:
    return len(HASHES[host.hash].INITIAL)


def found(host: Host, job: Job) -> bytes:
    return host.memory.view(job.destination, digest_bytes(host))


def place(host: Host, length: int, number: int, **fields: Any) -> Job:
    """From anywhere, to a place of its own with a gap behind it: the start of a message."""
    step = host.bytes if host.aligned_only else 1
    source = random.randrange(SOURCE.start, SOURCE.stop - length, step)
    destination = DESTINATION.start + 512 * number + random.randrange(0, 128, step)
    return Job(length, source, destination, "digest", nonce=bytes(12), **fields)


def follows(host: Host, job: Job, before: Job, blocks: int) -> Job:
    """Makes a job the next part of a message, so many blocks of which came before."""
    job.iv, job.iv_length = before.destination, digest_bytes(host)
    if job.operation == "digest":
        job.counter, job.nonce = blocks & 0xFFFFFFFF, (blocks >> 32).to_bytes(12, "little")
    return job


@cocotb.test()
@cocotb.parametrize(share=[0.0, 0.5])
async def every_length_at_an_edge(dut: Any, share: float) -> None:
    """Also of nothing, one behind another."""
    host = await started(dut, 5)
    host.pause(share)
    lengths = [0, 0, 1, 7, 15, 16, 17, 31, 55, 56, 63, 64, 65, 119, 120, 128, 1000, 0, 4096, 3]
    jobs = [place(host, length, number) for number, length in enumerate(lengths)]
    await host.run(jobs)
    for job in jobs:
        text = host.memory.view(job.source, job.length)
        assert found(host, job) == hashlib.new(host.hash, text).digest()


@cocotb.test()
@cocotb.parametrize(share=[0.0, 0.4])
async def messages_in_parts(dut: Any, share: float) -> None:
    """A part reads the chaining value that the one before has written."""
    host = await started(dut, 5)
    host.pause(share)
    for number, (blocks, rest) in enumerate([([1], 0), ([2, 1], 17), ([3, 1, 4], 64), ([16], 100)]):
        start = random.randrange(SOURCE.start, SOURCE.stop - 4096, host.bytes)
        at, done, before = start, 0, None
        for part, count in enumerate([*blocks, None]):
            job = place(host, rest if count is None else BLOCK * count, 8 * number + part)
            job.source = at
            if count is not None:
                job.operation = "digest_part"
            if before:
                follows(host, job, before, done)
            await host.run([job])  # the status says that the chaining value is in memory
            at, done, before = at + job.length, done + (count or 0), job
        text = host.memory.view(start, at - start)
        assert before
        assert found(host, before) == hashlib.new(host.hash, text).digest()


@cocotb.test()
async def lengths_of_64_bits(dut: Any) -> None:
    host = await started(dut)
    value = place(host, 64, 0)
    value.operation = "digest_part"
    await host.run([value])
    for number, blocks in enumerate([1 << 26, 1 << 32, (1 << 55) - 2], 1):
        await host.run([follows(host, place(host, 20, number), value, blocks)])
        await host.run([follows(host, place(host, 0, number + 8), value, blocks)])


@cocotb.test()
async def what_is_refused(dut: Any) -> None:
    host = await started(dut)
    bad: list[tuple[str, dict[str, Any]]] = [
        ("bad_length", {"operation": "digest_part", "length": 0}),
        ("bad_length", {"operation": "digest_part", "length": 32}),
        ("bad_length", {"operation": "digest_part", "length": 65}),
        ("bad_length", {"iv_length": 12}),
        ("bad_length", {"iv_length": digest_bytes(host) - 1}),
        ("bad_length", {"iv_length": 64}),
        ("bad_operation", {"operation": "xor_stream"}),
        ("bad_operation", {"operation": "seal"}),
        ("bad_descriptor", {"key_slot": 1}),
        ("bad_descriptor", {"operation": "digest_part", "counter": 1}),
        ("bad_descriptor", {"aad_length": 1}),
        ("bad_descriptor", {"short_counter": True}),
        ("bad_descriptor", {"tag_bytes": 16}),
    ]
    for status, fields in bad:
        job = place(host, 64, 0, expected=status)
        for name, value in fields.items():
            setattr(job, name, value)
        await host.run([job, place(host, 70, 1)])
    end = (1 << host.address_bits) - host.memory.high
    job = place(host, 64, 0, expected="bad_address", iv_length=digest_bytes(host))
    job.iv = end - 8 if not host.aligned_only else end
    await host.run([job, place(host, 70, 1)])


@cocotb.test()
async def after_a_read_error_there_is_no_digest(dut: Any) -> None:
    """Of the message, or of the chaining value."""
    host = await started(dut)
    for at in (0, 600, 1023, -1):
        job = place(host, 1024, 0, expected="read_error")
        job.iv, job.iv_length = SOURCE.start, digest_bytes(host)
        job.source = SOURCE.start + 4096
        wrong = SOURCE.start + 5 if at < 0 else job.source + at
        host.memory.read_error = range(wrong, wrong + 1)
        before = found(host, job)
        good = place(host, 100, 1)
        good.source = SOURCE.start + 8192
        await host.run([job, good])
        assert found(host, job) == before
        host.memory.read_error = range(0)


@cocotb.test()
async def a_wipe_forgets_a_message(dut: Any) -> None:
    """In the middle of its source, of its chaining value, and before the source of nothing."""
    host = await started(dut)
    waits = (5, 60, 90, 150, 300) if LONG else (5, 90, 300)
    for length in (8192, 64, 0):
        for wait in waits:
            job = place(host, length, 0)
            job.iv, job.iv_length = SOURCE.start, digest_bytes(host)
            await host.put(job)
            await host.hand_over()
            await ClockCycles(dut.aclk, wait)
            await host.write("control", enable=1, wipe=1)
            await host.set_up()
            await host.run([place(host, 100, 1)])


@cocotb.test()
async def rate_and_counts(dut: Any) -> None:
    """At least 98 % of the core's own rate; what the device says of itself.

    Serial: two messages of 64 KiB. A ring: parts of what waits in it, more than it has places.
    """
    host = await started(dut, 7)
    ring = bool(dut.HashStructure.value)
    per_block = (await host.fields("rate"))["cycles_per_block"]
    assert per_block == (16 if ring else 65)
    length, count = (BLOCK * int(dut.HashDepth.value), 64) if ring else (65536, 2)
    jobs = [place(host, length, number) for number in range(count)]
    for job in jobs if ring else []:
        job.operation = "digest_part"
    await host.run(jobs)
    blocks = sum(job.length // BLOCK + (job.operation == "digest") for job in jobs)
    taken = await host.counter("cycles")
    dut._log.info("%d blocks: %d cycles, %.3f per block", blocks, taken, taken / blocks)
    if ring:  # the last message ends alone, at the rate of one place of so many
        stages = (await host.fields("shape"))["stages"]
        taken -= length // BLOCK * per_block * (stages - 1)
    assert per_block * blocks <= taken
    assert taken * 98 <= per_block * blocks * 100
    assert await host.counter("bytes") == count * length
    assert await host.counter("jobs") == count
    operations = await host.read("operations")
    assert operations == 1 << CODES["digest"] | 1 << CODES["digest_part"]
    assert await host.read("keyless") == operations
    assert await host.fields("digest") == {"bytes": digest_bytes(host)}
    assert (await host.fields("core"))["algorithm"] == {"sha256": 4, "md5": 5}[host.hash]


@long_only  # in `make test`: test_hmac, and the simulated devices of both hashes
@pytest.mark.parametrize("build", HASH_BUILDS)
def test_hash(build: str) -> None:
    run(build, __name__)
