# SPDX-License-Identifier: Apache-2.0
"""saltmill_device with an AEAD core: what seal, open and mac have that no cipher job has. The jobs
of the other tests are a mix of all operations."""

import random
from itertools import product
from typing import Any

import cocotb
import pytest

from rtl.chacha20_poly1305.tb.model import Message, vectors
from rtl.device.tb.builds import AEAD_BUILDS, run
from rtl.device.tb.host import Host, started
from rtl.device.tb.job import (
    DESTINATION,
    ENTRY,
    NO_TAG,
    RING,
    SOURCE,
    TAGGED,
    Job,
    flipped,
    words_of,
)
from rtl.device.tb.memory import BASE, Response
from rtl.device.tb.registers import CODES, DESCRIPTOR
from rtl.testbench.runner import LONG

AAD = SOURCE.start + 65536  # far from the data of the tests that place it themselves


def packed(host: Host, jobs: list[Job]) -> list[Job]:
    """Gives the jobs destinations of their own."""
    step = host.bytes if host.aligned_only else 1
    free = DESTINATION.start
    for job in jobs:
        job.destination = free + random.randrange(0, 40, step)
        free = job.destination + -(-job.length // step) * step
    assert free <= DESTINATION.stop
    return jobs


@cocotb.test()
async def wycheproof(dut: Any) -> None:
    """Vectors whose nonce a descriptor can hold, sealed and opened: all in `make test-all`, a fifth
    of them at random in `make test`."""
    host = await started(dut, 6)
    valid, invalid = vectors()
    assert (len(valid), len(invalid)) == (502, 120)
    slots = host.slots
    groups = [[*pair] for pair in valid] + [[opening] for opening in invalid]
    random.shuffle(groups)
    groups = groups if LONG else groups[::5]
    while groups:
        batch, groups = groups[:slots], groups[slots:]
        free, jobs = SOURCE.start, []
        for slot, group in enumerate(batch):
            host.keys[slot] = group[0].key
            await host.write_key(slot, group[0].key)
            for message in group:
                jobs.append(vector_job(host, message, slot, free))
                free += 2048
        await host.run(packed(host, jobs))


def vector_job(host: Host, message: Message, slot: int, place: int) -> Job:
    """A job of a message whose data and additional data are put at that place."""
    step = host.bytes if host.aligned_only else 1
    source = place + random.randrange(0, 64, step)
    aad = place + 1024 + random.randrange(0, 64, step)
    for address, data in ((source, message.data), (aad, message.aad)):
        host.memory.put(address, data)
        host.image[address - BASE : address - BASE + len(data)] = data
    job = Job(len(message.data), source, key_slot=slot, nonce=message.nonce)
    job.aad, job.aad_length = aad, len(message.aad)
    job.operation = "open" if message.expected != NO_TAG else "seal"
    if job.operation == "open":
        job.tag = message.expected
        job.expected = "ok" if message.result()[1] == message.expected else "tag_mismatch"
    return job


@cocotb.test()
async def poly1305_of_the_rfc(dut: Any) -> None:
    """RFC 8439, 2.5.2: the key is r, then s."""
    host = await started(dut)
    key = bytes.fromhex("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b")
    text = b"Cryptographic Forum Research Group"
    host.memory.put(SOURCE.start, text)
    host.image[:] = host.memory.bytes
    await host.run([Job(len(text), operation="mac", one_time_key=key)])
    assert host.tag(0).hex() == "a8061dc1305136c6c22b8baf0c0127a9"


@cocotb.test()
@cocotb.parametrize(operation=TAGGED)
async def lengths_around_blocks(dut: Any, operation: str) -> None:
    """No bytes are a message, too, with a tag and nothing that is written."""
    host = await started(dut, 6)
    lengths = [0, 1, 15, 16, 17, 31, 63, 64, 65, 127, 128, 129, 257]
    aads = [0, 1, 15, 16, 17, 33] if operation != "mac" else [0]
    jobs = [
        Job(length, operation=operation, aad=AAD, aad_length=aad)
        for length, aad in product(lengths, aads)
    ]
    random.shuffle(jobs)
    await host.run(packed(host, jobs))


@cocotb.test()
async def alignments_of_the_additional_data(dut: Any) -> None:
    host = await started(dut, 6)
    step = host.bytes if host.aligned_only else 1
    offsets = range(0, 4 * step if host.aligned_only else host.bytes, step)
    jobs = [
        Job(
            random.randrange(70),
            SOURCE.start + random.choice(offsets),
            operation=random.choice(["seal", "open"]),
            aad=AAD + 4080 + offset,
            aad_length=random.randrange(1, 60),
        )
        for offset in offsets
        for _ in range(6)
    ]
    await host.run(packed(host, jobs))


@cocotb.test()
async def only_what_is_said_is_written(dut: Any) -> None:
    """The tag with the status for three operations, the status alone for the others."""
    host = await started(dut)
    for operation in ("xor_stream", *TAGGED):
        host.memory.writes.clear()
        await host.run([Job(0, operation=operation)])
        first = DESCRIPTOR["tag" if operation in TAGGED else "status"].address
        entry = host.entry(len(host.jobs) - 1)
        written = [address for part in host.memory.writes for address in part]
        assert written == [*range(entry + first, entry + DESCRIPTOR["reserved"].address)], operation


@cocotb.test()
async def every_bit_of_the_expected_tag(dut: Any) -> None:
    host = await started(dut, 6)
    nonce, data = random.randbytes(12), host.memory.view(SOURCE.start, 20)
    right = Job(20, operation="open", nonce=nonce).result(host.keys[0], data)[1]
    jobs = [
        Job(20, operation="open", nonce=nonce, tag=flipped(right, bit), expected="tag_mismatch")
        for bit in range(128)
    ]
    jobs.insert(random.randrange(128), Job(20, operation="open", nonce=nonce, tag=right))
    await host.run(packed(host, jobs))


@cocotb.test()
async def a_mismatch_in_the_middle_of_the_ring(dut: Any) -> None:
    """It is that job's alone, with an interrupt of its own if it asks for one."""
    host = await started(dut, 4)
    await host.write("interrupt_coalescing", count=200, timeout=0)
    jobs = [Job(random.randrange(300), operation="open", aad=AAD, aad_length=9) for _ in range(48)]
    for job in random.sample(jobs, 12):
        job.expected = "tag_mismatch"
        job.interrupt = True
    await host.run(packed(host, jobs))
    assert (await host.fields("interrupt_status"))["done"] == 1


# ---- keys ----------------------------------------------------------------------------------------


@cocotb.test()
async def tags_tell_no_key_of_a_cipher(dut: Any) -> None:
    """Poly1305 of no bytes is the upper half of its key; that of a block then tells the lower."""
    host = await started(dut, 5)
    for slot in range(host.slots):
        await host.set_key(slot)
    host.memory.writes.clear()
    await host.run([
        Job(length, operation="mac", key_slot=slot, expected="bad_key_slot")
        for slot in range(host.slots)
        for length in (0, 16)
    ])  # fmt: skip
    assert all(len(write) == 8 for write in host.memory.writes), "more than a status is written"
    await host.run([Job(64, key_slot=slot) for slot in range(host.slots)])


@cocotb.test()
async def a_one_time_key_makes_one_tag(dut: Any) -> None:
    """Two would tell it. It is the first that finds it, and used up however that ends."""
    host = await started(dut)
    for length, expected in ((0, "ok"), (16, "ok"), (100, "read_error")):
        first = Job(length, operation="mac", expected=expected)
        if expected == "read_error":
            host.memory.read_error = range(first.source, first.source + 1)
        await host.put(first)
        again = [Job(n, SOURCE.start + 4096, operation="mac") for n in (16, 0)]
        for job in again:
            job.key_slot, job.expected = first.key_slot, "bad_key_slot"
            await host.put(job)
        await host.hand_over()
        await host.until(len(host.jobs))
        found = [host.status(number)[0] for number in range(len(host.jobs))]
        assert found == [CODES[job.expected] for job in host.jobs]
        tags = [host.tag(number) for number in range(len(host.jobs))]
        assert tags == [
            tag if found[n] == CODES["ok"] else NO_TAG for n, tag in enumerate(host.tags)
        ]
        await host.run(again)


@cocotb.test()
async def a_refused_job_uses_up_no_key(dut: Any) -> None:
    host = await started(dut)
    slot = host.slots - 1
    for offset in (DESCRIPTOR["counter"].address, DESCRIPTOR["aad_length"].address):
        good = Job(70, operation="mac", key_slot=slot)
        await host.write_key(slot, good.one_time_key, one_time=True)
        refused = Job(70, operation="mac", key_slot=slot, words={offset: 1})
        refused.expected = "bad_descriptor"
        cipher = Job(70, operation="seal", key_slot=slot, expected="bad_key_slot")
        await host.run([refused, cipher, good])


@cocotb.test()
async def the_use_is_that_of_the_last_writing(dut: Any) -> None:
    host = await started(dut)
    for slot in (0, host.slots - 1):
        for one_time in (False, True, True, False, False, True):
            mac = Job(70, operation="mac", key_slot=slot, expected="bad_key_slot")
            cipher = Job(70, operation="seal", key_slot=slot, expected="bad_key_slot")
            host.keys[slot] = random.randbytes(32)
            await host.write_key(slot, host.keys[slot], one_time=one_time)
            right, wrong = (mac, cipher) if one_time else (cipher, mac)
            await host.run([wrong])
            right.expected = "ok"
            if right is cipher or slot >= host.cipher_slots:
                right.one_time_key = host.keys[slot]
                await host.run([right])


# ---- errors --------------------------------------------------------------------------------------


@cocotb.test()
async def what_an_operation_does_not_use_is_zero(dut: Any) -> None:
    host = await started(dut, 5)
    jobs = [Job(64, operation="mac", nonce=bytes(24), expected="bad_descriptor")]
    for operation in TAGGED:
        unused = ["counter", "nonce_first"]
        unused += ["aad_length"] if operation == "mac" else []
        jobs += [
            Job(64, operation=operation, words={at: 1 << bit}, expected="bad_descriptor")
            for name in unused
            for at in words_of(name)
            for bit in (0, random.randrange(32))
        ]
    host.memory.writes.clear()
    await host.run(jobs)
    ring = range(RING, RING + ENTRY * host.entries)
    assert all(write.start in ring for write in host.memory.writes)


@cocotb.test()
@cocotb.parametrize(operation=TAGGED, part=["additional data", "data"])
async def a_read_error_counts_before_the_tag(dut: Any, operation: str, part: str) -> None:
    """Also if the tag would not match. Nothing is written after it, and no tag."""
    host = await started(dut)
    if operation == "mac" and part == "additional data":
        return
    job = Job(100, operation=operation, aad=AAD, tag=random.randbytes(16))
    if operation != "mac":
        job.aad_length = 40
    if operation != "open":
        job.tag = None
    job.expected = "read_error"
    bad = AAD + 39 if part == "additional data" else job.source
    host.memory.read_error = range(bad, bad + 1)
    before = bytes(host.memory.bytes)
    follower = Job(200, SOURCE.start + 4096, DESTINATION.start + 4096, operation)
    await host.put(Job(200, SOURCE.start + 4096, DESTINATION.start + 8192, operation))
    await host.put(job)
    await host.put(follower)
    await host.hand_over()
    await host.until(3)
    assert [host.status(n)[0] for n in range(3)] == [CODES[s] for s in ("ok", "read_error", "ok")]
    assert [host.tag(n) for n in range(3)] == host.tags
    start = job.destination - BASE
    assert host.memory.bytes[start : start + 100] == before[start : start + 100]
    host.check_memory()


@cocotb.test()
@cocotb.parametrize(operation=["seal", "open"])
async def a_write_error_counts_before_the_tag(dut: Any, operation: str) -> None:
    host = await started(dut)
    job = Job(1500, operation=operation, expected="write_error")
    if operation == "open":
        job.tag = random.randbytes(16)
    host.memory.write_error = range(job.destination + 1400, job.destination + 1401)
    await host.put(job)
    await host.put(Job(0, operation=operation))
    await host.hand_over()
    await host.until(2)
    assert [host.status(n)[0] for n in range(2)] == [CODES["write_error"], CODES["ok"]]
    assert [host.tag(n) for n in range(2)] == host.tags
    assert host.tags[0] == NO_TAG


@cocotb.test()
@cocotb.parametrize(response=[Response.SLVERR, Response.DECERR], word=["tag", "status"])
async def a_tag_that_cannot_be_written(dut: Any, response: Response, word: str) -> None:
    host = await started(dut)
    host.memory.response = response
    address = host.entry(1) + DESCRIPTOR[word].address
    host.memory.write_error = range(address, address + 1)
    for job in packed(host, [Job(100, operation="seal") for _ in range(3)]):
        await host.put(job)
    await host.hand_over()
    await host.until(3)
    assert (await host.fields("interrupt_status"))["status_lost"] == 1
    assert [host.status(n)[0] for n in (0, 2)] == [CODES["ok"]] * 2
    assert [host.tag(n) for n in (0, 2)] == [host.tags[n] for n in (0, 2)]
    host.check_memory()


@cocotb.test()
async def rejected_jobs_keep_their_tag_field(dut: Any) -> None:
    """They end before the core, with their status alone."""
    host = await started(dut)
    tag = random.randbytes(16)
    await host.run([Job(64, operation="open", key_slot=255, tag=tag, expected="bad_key_slot")])
    assert host.tag(0) == tag


@pytest.mark.parametrize("build", AEAD_BUILDS)
def test_aead(build: str) -> None:
    run(build, __name__)
