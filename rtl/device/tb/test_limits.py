# SPDX-License-Identifier: Apache-2.0
"""saltmill_device: the last address, the last block of a counter, lengths of tags, and what of a
descriptor is not looked at."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import ClockCycles

from rtl.device.tb.builds import builds, run
from rtl.device.tb.host import Host, started
from rtl.device.tb.job import DESTINATION, ENTRY, RING, SOURCE, TAGGED, Job, flipped, words_of
from rtl.device.tb.registers import CODES, DESCRIPTOR

LAST = (1 << 32) - 1
PARTS = {"source": "length", "destination": "length", "aad": "aad_length", "iv": "iv_length"}


def short_counter(first: int) -> bytes:
    """A nonce of AES: bytes 4 to 15 of a counter block, whose last 32 bits are these."""
    return random.randbytes(8) + first.to_bytes(4, "big")


# ---- addresses -----------------------------------------------------------------------------------


def parts(host: Host) -> list[tuple[str, str]]:
    """What reads or writes: the part, and an operation that has it."""
    found = [("source", "xor_stream"), ("destination", "xor_stream"), ("destination", "keystream")]
    found += [("source", "digest"), ("source", "mac"), ("aad", "seal"), ("aad", "open")]
    if host.aes:
        found += [("iv", "seal"), ("iv", "open")]
    return [(part, name) for part, name in found if name in host.operations]


def part_at(part: str, operation: str, address: int, length: int, expected: str) -> Job:
    """With nothing else in the way: additional data and initialisation vector without a text."""
    job = Job(0, operation=operation, expected=expected, tag=bytes(16))
    if operation != "open":
        job.tag = None
    setattr(job, part, address)
    setattr(job, PARTS[part], length)
    return job


@cocotb.test()
async def a_part_may_end_with_the_last_address(dut: Any) -> None:
    """There the bus has nothing, and says so. One byte more, and the job does not begin."""
    host = await started(dut, 5)
    end = (1 << host.address_bits) - host.memory.high  # as the bench counts
    for part, operation in parts(host):
        first = end - 320  # at a multiple of every port's width
        error = "write_error" if part == "destination" else "read_error"
        reads_and_writes = len(host.memory.reads), len(host.memory.writes)
        jobs = [
            part_at(part, operation, first, 321, "bad_address"),
            part_at(part, operation, end - 64, LAST, "bad_address"),
            part_at(part, operation, end - (1 << 32) + 64, LAST, "bad_address"),
        ]
        if host.address_bits < 64:
            jobs += [
                part_at(part, operation, end, 1, "bad_address"),
                part_at(part, operation, (1 << 63) - host.memory.high, 1, "bad_address"),
                part_at(part, operation, (1 << 64) - 64 - host.memory.high, 13, "bad_address"),
            ]
        for job in jobs:
            await host.run([job])
        ring = range(RING, RING + ENTRY * host.entries)
        moved = host.memory.reads[reads_and_writes[0] :] + host.memory.writes[reads_and_writes[1] :]
        assert all(access.start in ring for access in moved), "a refused job is on the bus"
        await host.run([part_at(part, operation, first, 320, error)])
    await host.run([Job(100)])


@cocotb.test()
async def the_longest_job_may_end_with_the_last_address(dut: Any) -> None:
    """It begins; with one byte less in front of the end it does not."""
    host = await started(dut)
    if host.keyless:
        return
    step = host.bytes if host.aligned_only else 1
    length = (1 << 32) - step
    last = (1 << host.address_bits) - length - host.memory.high
    refused = Job(length, destination=last + step, operation="keystream", expected="bad_address")
    await host.run([refused])
    await host.put(Job(length, destination=last, operation="keystream", expected="pending"))
    await host.hand_over()
    await ClockCycles(dut.aclk, 3000)
    assert await host.tail() == 1
    assert (await host.fields("status"))["busy"] == 1
    await host.write("control", wipe=1)
    await host.wiped()
    await host.set_up()
    await host.run([Job(100)])


@cocotb.test()
async def where_nothing_is_an_address_says_nothing(dut: Any) -> None:
    host = await started(dut)
    nowhere = (1 << 64) - 64 - host.memory.high
    jobs = [
        Job(0, nowhere, nowhere, name, aad=nowhere, iv=nowhere)
        for name in host.operations
        if name != "digest"
    ]
    await host.run(jobs)
    if "keystream" in host.operations:
        await host.run([Job(100, nowhere, operation="keystream")])
    if host.has_mac:
        await host.run([Job(100, destination=nowhere, operation="mac")])


@cocotb.test()
async def a_long_message_with_a_small_one_before_it(dut: Any) -> None:
    """Its length and addresses are its own: nothing of them is left from the job before."""
    host = await started(dut, 5)
    end = (1 << host.address_bits) - host.memory.high
    jobs: list[Job] = []
    for length in (1, 64, 65, 300):
        jobs.append(Job(length, destination=DESTINATION.start + 4096 * len(jobs)))
        jobs.append(Job(LAST, source=end - 64, expected="bad_address"))
    await host.run(jobs)


# ---- block counters ------------------------------------------------------------------------------


@cocotb.test()
async def a_counter_of_32_bits_does_not_wrap(dut: Any) -> None:
    """The keystream would repeat. The last block can be used."""
    host = await started(dut, 5)
    if host.keyless:
        return
    block = 16 if host.aes else 64

    def job(length: int, first: int, expected: str = "ok", name: str = "xor_stream") -> Job:
        made = Job(length, SOURCE.start, DESTINATION.start, name, expected=expected)
        if host.aes:
            made.nonce, made.short_counter = short_counter(first), True
        else:
            made.counter = first
        return made

    for name in ("xor_stream", "keystream"):
        await host.run([
            job(block, LAST, name=name),
            job(0, LAST, name=name),
            job(1, LAST, name=name),
            job(2 * block, LAST - 1, name=name),
            job(block + 1, LAST, "bad_counter", name),
            job(2 * block + 1, LAST - 1, "bad_counter", name),
            job(LAST, LAST - (1 << 32) // block + 2, "bad_counter", name),
            job(LAST, LAST, "bad_counter", name),
        ])  # fmt: skip


@cocotb.test()
async def a_counter_of_128_bits_wraps(dut: Any) -> None:
    host = await started(dut)
    if host.aes:
        await host.run([
            Job(100, counter=LAST, nonce=b"\xff" * 12),
            Job(100, nonce=short_counter(LAST), destination=DESTINATION.start + 4096),
        ])  # fmt: skip


# ---- tags ----------------------------------------------------------------------------------------


@cocotb.test()
async def tags_have_the_lengths_of_the_standard(dut: Any) -> None:
    """SP 800-38D, 5.2.1.2. One byte of a tag is guessed soon."""
    host = await started(dut, 6)
    if not host.aes:
        return
    right = Job(20, operation="open", key_bytes=len(host.keys[0]))
    tag = right.result(host.keys[0], host.memory.view(SOURCE.start, 20))[1]
    jobs: list[Job] = []
    for count in range(32):
        good = count in (0, 4, 8, *range(12, 17))
        cut = tag[:count] + random.randbytes(16 - count) if 0 < count < 16 else tag
        for wrong in (False, True):
            bit = random.randrange(8 * (count or 16)) if good else 0
            expected = ("tag_mismatch" if wrong else "ok") if good else "bad_length"
            job = Job(20, operation="open", nonce=right.nonce, tag_bytes=count, expected=expected)
            job.tag = flipped(cut, bit) if wrong else cut
            job.destination = DESTINATION.start + 64 * len(jobs)
            jobs.append(job)
    await host.run(jobs)


# ---- what is not looked at -----------------------------------------------------------------------


@cocotb.test()
async def fields_that_nobody_looks_at(dut: Any) -> None:
    """The tag of operations that compare none, and all that is behind the status."""
    host = await started(dut, 4)
    operations = [name for name in host.operations if name != "open"]
    for number, operation in enumerate(operations):
        words = {at: random.randrange(1, 1 << 32) for at in words_of("tag")}
        words |= {at: random.randrange(1, 1 << 32) for at in words_of("reserved")}
        words |= {at: random.randrange(1, 1 << 32) for at in words_of("reserved_status")}
        words[DESCRIPTOR["status"].address] = 0xDEAD_BEEF
        job = Job(64, operation=operation, words=words)
        job.destination = DESTINATION.start + 128 * number
        await host.run([job])
    if "open" in host.operations:
        words = {at: random.randrange(1, 1 << 32) for at in words_of("reserved")}
        await host.run([Job(64, operation="open", words=words)])


@cocotb.test()
async def only_what_matters_of_a_descriptor_is_read(dut: Any) -> None:
    """Up to the tag; where there are tags, with it. In whole rows: at least 16 bytes, or a beat."""
    host = await started(dut)
    row = max(16, host.bytes)
    name = "status" if set(TAGGED) & set(host.operations) else "tag"
    end = -(-DESCRIPTOR[name].address // row) * row
    host.memory.reads.clear()
    await host.run([Job(0) for _ in range(3)])
    read = [address for access in host.memory.reads for address in access]
    entries = [host.entry(number) for number in range(3)]
    assert read == [address for entry in entries for address in range(entry, entry + end)]


@cocotb.test()
async def what_is_not_read_may_not_be_there(dut: Any) -> None:
    host = await started(dut)
    bytes_read = 128 if host.bytes == 64 else 96 if host.bytes == 32 else 80
    start = host.entry(0) + bytes_read
    host.memory.read_error = range(start, host.entry(0) + ENTRY)
    await host.run([Job(0)])
    assert host.status(0) == (CODES["ok"], 0)


@pytest.mark.parametrize("build", builds("small-8", "aes-16"))
def test_limits(build: str) -> None:
    run(build, __name__)
