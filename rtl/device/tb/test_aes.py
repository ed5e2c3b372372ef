# SPDX-License-Identifier: Apache-2.0
"""saltmill_device with AES: what its descriptors have that no other's do. The jobs of the other
tests are a mix of all operations."""

import random
from itertools import product
from typing import Any

import cocotb
import pytest

from rtl.aes.tb import cavp
from rtl.device.tb.builds import AES_BUILDS, run
from rtl.device.tb.host import Host, started
from rtl.device.tb.job import (
    DESTINATION,
    ENTRY,
    NO_TAG,
    RING,
    SOURCE,
    WHOLE_BLOCKS,
    Job,
    flipped,
    words_of,
)
from rtl.device.tb.memory import BASE
from rtl.device.tb.registers import CODES, DESCRIPTOR
from rtl.testbench.runner import long_only

PARTS = SOURCE.start + 65536  # far from the data
SHARE = 149  # of NIST's vectors for GCM, every so many


def packed(jobs: list[Job]) -> list[Job]:
    """Gives the jobs destinations of their own."""
    free = DESTINATION.start
    for job in jobs:
        job.destination = free + random.randrange(0, 40)
        free = job.destination + job.length
    assert free <= DESTINATION.stop
    return jobs


def put(host: Host, address: int, data: bytes) -> None:
    host.memory.put(address, data)
    host.image[address - BASE : address - BASE + len(data)] = data


@cocotb.test()
async def vectors_of_nist(dut: Any) -> None:
    """GCMVS: initialisation vectors, additional data and tags of all lengths; some are forged."""
    host = await started(dut, 5)
    for key_bytes, kind in product(host.key_sizes, ("EncryptExtIV", "Decrypt")):
        rows = list(cavp.gcm(kind, 8 * key_bytes))[::SHARE]
        assert kind == "EncryptExtIV" or any("FAIL" in row for row in rows)
        while rows:
            batch, rows = rows[: host.slots], rows[host.slots :]
            jobs = [vector_job(host, row, slot, key_bytes) for slot, row in enumerate(batch)]
            for slot in range(len(batch)):
                await host.write_key(slot, host.keys[slot])
            await host.run(packed(jobs))
            for job, row in zip(jobs, batch, strict=True):
                if job.expected == "ok":
                    found = host.memory.view(job.destination, job.length)
                    assert found == row["CT" if job.operation == "seal" else "PT"]


def vector_job(host: Host, row: dict[str, bytes], slot: int, key_bytes: int) -> Job:
    """A job of one of NIST's records, whose parts are put into memory."""
    host.keys[slot] = row["KEY"]
    seals = "TAG" in row and "PT" in row and "FAIL" not in row and random.random() < 0.5
    data = row["PT"] if seals else row["CT"]
    source, aad, iv = (place + 2048 * slot + random.randrange(64) for place in (
        SOURCE.start, SOURCE.start + 65536, SOURCE.start + 131072,
    ))  # fmt: skip
    put(host, source, data)
    put(host, aad, row["AAD"])
    put(host, iv, row["IV"])
    job = Job(len(data), source, operation="seal" if seals else "open", key_slot=slot)
    job.key_bytes, job.aad, job.aad_length = key_bytes, aad, len(row["AAD"])
    if len(row["IV"]) == 12:
        job.nonce = row["IV"]
    else:
        job.iv, job.iv_length = iv, len(row["IV"])
    if not seals:
        job.tag, job.tag_bytes = row["TAG"].ljust(16, b"\0"), len(row["TAG"]) % 16
        job.expected = "tag_mismatch" if "FAIL" in row else "ok"
    return job


@cocotb.test()
async def known_answers_of_the_block_modes(dut: Any) -> None:
    """AESAVS, multi-block messages, both ways."""
    host = await started(dut, 5)
    for key_bytes, mode in product(host.key_sizes, ("ECB", "CBC")):
        jobs: list[Job] = []
        results = []
        for slot, row in enumerate(cavp.blocks(mode, "MMT", 8 * key_bytes)):
            way = "decrypt" if "DECRYPT" in row else "encrypt"
            name = f"{mode.lower()}_{way}"
            if name not in host.operations:
                continue
            data, result = row["PLAINTEXT"], row["CIPHERTEXT"]
            if way == "decrypt":
                data, result = result, data
            source = SOURCE.start + 512 * slot
            put(host, source, data)
            job = Job(len(data), source, operation=name, key_slot=len(jobs) % host.slots)
            job.key_bytes = key_bytes
            if mode == "CBC":
                job.counter, job.nonce = int.from_bytes(row["IV"][:4], "little"), row["IV"][4:]
            host.keys[job.key_slot] = row["KEY"]
            await host.write_key(job.key_slot, host.keys[job.key_slot])
            await host.run(packed([job]))
            results.append(host.memory.view(job.destination, job.length) == result)
            jobs.append(job)
        assert bool(jobs) == (f"{mode.lower()}_encrypt" in host.operations)
        assert all(results)


@cocotb.test()
async def every_key_size_and_operation(dut: Any) -> None:
    host = await started(dut, 6)
    jobs = [
        Job(length, operation=operation, key_bytes=size, counter=counter, short_counter=short)
        for size, operation in product(host.key_sizes, host.operations)
        for length in ((0, 16, 160) if operation in WHOLE_BLOCKS else (0, 1, 16, 31, 160, 1000))
        for short in ((False, True) if operation in ("xor_stream", "keystream") else (False,))
        for counter in ((0, 0xFFFFFFFF) if short or "cbc" in operation else (0,))
    ]
    random.shuffle(jobs)
    for n in range(0, len(jobs), 60):
        await host.run(packed(jobs[n : n + 60]))


@cocotb.test()
async def initialisation_vectors_in_memory(dut: Any) -> None:
    """With and without additional data and data, at all alignments."""
    host = await started(dut, 6)
    jobs = [
        Job(
            length,
            operation=operation,
            iv=PARTS + 4080 + random.randrange(16),
            iv_length=count,
            aad=PARTS + 8192 + random.randrange(16),
            aad_length=aad,
        )
        for operation in ("seal", "open")
        for length in (0, 40)
        for aad in (0, 20)
        for count in (1, 11, 13, 16, 31, 48)
    ]
    await host.run(packed(jobs))


@cocotb.test()
async def part_of_a_tag(dut: Any) -> None:
    host = await started(dut, 6)
    nonce, data = random.randbytes(12), host.memory.view(SOURCE.start, 20)
    size, key = host.key_sizes[-1], host.keys[len(host.key_sizes) - 1]
    fixed: dict[str, Any] = {"operation": "open", "nonce": nonce, "key_bytes": size}
    right = Job(20, **fixed).result(key, data)[1]
    jobs = []
    for count in (4, 8, 12, 13, 14, 15):
        cut = right[:count] + random.randbytes(16 - count)
        jobs += [Job(20, **fixed, tag=cut, tag_bytes=count)]
        wrong = flipped(cut, random.randrange(8 * count))
        jobs += [Job(20, **fixed, tag=wrong, tag_bytes=count, expected="tag_mismatch")]
    await host.run(packed(jobs))


@cocotb.test()
async def bad_descriptors(dut: Any) -> None:
    host = await started(dut, 6)
    fixed: dict[str, Any] = {"key_bytes": host.key_sizes[0]}
    bad = "bad_descriptor"
    jobs = [
        Job(64, operation="open", tag_bytes=n, tag=NO_TAG, expected="bad_length") for n in (17, 31)
    ]
    jobs += [Job(64, operation=name, tag_bytes=4, expected=bad) for name in ("seal", "xor_stream")]
    jobs += [
        Job(64, operation=name, short_counter=True, expected=bad)
        for name in host.operations
        if name not in ("xor_stream", "keystream")
    ]
    jobs += [
        Job(64, operation=name, counter=1 << random.randrange(32), expected=bad)
        for name in ("seal", "open", "ecb_encrypt", "ecb_decrypt")
        if name in host.operations
    ]
    jobs += [
        Job(64, operation=name, words={offset: 1}, expected=bad)
        for name in host.operations
        for field in ("nonce_first", "aad_length")
        for offset in words_of(field)
        if name not in ("seal", "open")
    ]
    jobs += [
        Job(16 * n + rest, operation=name, expected="bad_length")
        for name in WHOLE_BLOCKS
        if name in host.operations
        for n, rest in ((0, 1), (3, 15), (100, 8))
    ]
    jobs += [Job(64, operation=n, iv_length=12, expected="bad_length") for n in ("seal", "open")]
    for job in jobs:
        job.key_bytes = fixed["key_bytes"]
    control = DESCRIPTOR["control"]
    code = CODES["xor_stream"]
    for n, size in enumerate((16, 24, 32, None)):
        if size not in host.key_sizes:
            word = control.pack(operation=code, key_size=n)
            jobs.append(Job(64, words={0: word}, expected="bad_operation"))
    random.shuffle(jobs)
    host.memory.writes.clear()
    await host.run(jobs)
    ring = range(RING, RING + ENTRY * host.entries)
    assert all(write.start in ring for write in host.memory.writes)
    await host.run(packed([Job(100, operation=name) for name in ("seal", "open")]))


@cocotb.test()
@cocotb.parametrize(part=["iv", "aad", "source"], operation=["seal", "open"])
async def a_part_that_cannot_be_read(dut: Any, part: str, operation: str) -> None:
    """Nothing is written, no tag either; the next job is as if nothing had been."""
    host = await started(dut)
    job = Job(100, operation=operation, iv=PARTS, iv_length=40, aad=PARTS + 512, aad_length=50)
    job.expected, job.tag = "read_error", bytes(range(16)) if operation == "open" else None
    start = {"iv": job.iv + 20, "aad": job.aad + 20, "source": job.source}[part]
    host.memory.read_error = range(start, start + 1)
    await host.put(job)
    follower = Job(200, SOURCE.start + 4096, DESTINATION.start + 4096, operation, iv=PARTS + 1024)
    follower.iv_length = 5
    await host.put(follower)
    await host.hand_over()
    await host.until(2)
    assert [host.status(n)[0] for n in range(2)] == [CODES["read_error"], CODES["ok"]]
    assert host.tag(0) == NO_TAG
    host.check_memory()


@long_only  # in `make test`: the driver's suite on simulated devices with AES
@pytest.mark.parametrize("build", AES_BUILDS)
def test_aes(build: str) -> None:
    run(build, __name__)
