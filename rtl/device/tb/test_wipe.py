# SPDX-License-Identifier: Apache-2.0
"""saltmill_device: wipe and reset at any moment leave no secret and a device that works."""

import random
import re
from collections.abc import Iterator
from typing import Any

import cocotb
import pytest
from cocotb.handle import ArrayObject, HierarchyArrayObject, HierarchyObject, ValueObjectBase
from cocotb.triggers import ClockCycles, FallingEdge, ReadOnly
from Crypto.Cipher import AES, ChaCha20

from rtl.chacha20.tb.model import rounds
from rtl.device.tb.builds import builds, run
from rtl.device.tb.host import Host, started
from rtl.device.tb.job import DESTINATION, SOURCE, Job
from rtl.device.tb.registers import CODES, DESCRIPTOR_LOG2
from rtl.dma.tb.builds import SLICE_BITS

HCHACHA = 1 << 33  # of a place in the ring's u_blocks
# Of a wide XOR's output: 16 bytes, and beside them which of them count and whether they are masked
XOR_PART, XOR_SLICE_BITS = 128 + 16 + 1, 160


def values(scope: Any) -> Iterator[tuple[str, int]]:
    """Every signal below a scope, memories entry by entry."""
    if isinstance(scope, HierarchyObject | HierarchyArrayObject | ArrayObject):
        for part in scope:
            yield from values(part)
    elif isinstance(scope, ValueObjectBase) and hasattr(scope.value, "to_unsigned"):
        yield scope._path, scope.value.to_unsigned()


def traces(dut: Any, secrets: bytes) -> list[str]:
    """Signals inside the device, but the assertions' own, that hold a 32-bit word of `secrets`.

    In a netlist (see lab/netlist.py), the levels of a name have `__` between them.
    """
    words = {secrets[i : i + 4] for i in range(0, len(secrets), 4)} - {bytes(4)}
    found = []
    for path, value in values(dut):
        name = path.rpartition(".")[2]
        if value >> 16 and ("axi" not in name or "__" in name) and ".u_hold." not in path:
            image = value.to_bytes((value.bit_length() + 7) // 8, "little")
            if any(word in image for word in words):
                found.append(path)
    return found


# What a wipe may leave, for it is no secret: counts, descriptors, lengths, expected tags, and where
# jobs read and write.
LEFT = (
    r"u_counters|u_(decode|feed)_rows|u_messages|u_expected"
    r"|u_(align|burst)_jobs|u_jobs|u_(read|write)_channel"
)


def may_be_left(path: str) -> bool:
    return bool(re.search(rf"({LEFT})(\.|__)", path))


def memories(dut: Any) -> Iterator[tuple[str, int]]:
    """Those that hold data or keys, without the flags beside them: which bytes of a beat count, and
    whether a block is one of HChaCha20."""
    width = int(dut.DataBytes.value)
    data = (1 << 8 * width) - 1
    xor = sum(((1 << 128) - 1) << XOR_PART * n for n in range(width // 16))
    hchacha = HCHACHA if int(dut.Core.value) in (0, 1) else 0
    for path, value in values(dut):
        if re.search(r"\.memory\[|__memory_", path) and not may_be_left(path):
            part = re.search(r"gen_slice\[(\d+)\]", path)
            first = int(part[1]) if part else 0
            if re.search(r"u_dma(\.|__).*u_buffer(\.|__)", path):
                yield path, value & data >> SLICE_BITS * first
            elif re.search(r"u_combine(\.|__).*u_late(\.|__)", path):
                yield path, value & xor >> XOR_SLICE_BITS * first
            else:
                yield path, value & ~(hchacha if "u_blocks" in path else 0)


async def busy(host: Host, cycles: int) -> list[Job]:
    """Jobs that keep the device busy, wiped after some cycles."""
    jobs = host.place([random.randrange(500, 12_000) for _ in range(12)])
    for job in jobs:
        await host.put(job)
    await host.hand_over()
    await ClockCycles(host.dut.aclk, cycles)
    return jobs


@cocotb.test()
@cocotb.parametrize(share=[0.0, 0.5])
async def wipe_at_any_moment(dut: Any, share: float) -> None:
    host = await started(dut)
    host.pause(share)
    for _ in range(12):
        await busy(host, random.randrange(600))
        await host.write("control", wipe=1)
        await host.wiped()
        assert host.rules.reads == host.rules.writes == 0, (
            "the wipe ended before the bus was at rest"
        )
        assert dut.m_axi_arvalid.value == dut.m_axi_awvalid.value == dut.m_axi_wvalid.value == 0
        assert await host.read("ring_head") == await host.read("ring_tail") == 0
        assert (await host.fields("control"))["enable"] == 0
        await host.set_up()
        await host.run(host.place([0, 1, 65, 500]))


@cocotb.test()
@cocotb.parametrize(share=[0.0, 0.5])
async def reset_at_any_moment(dut: Any, share: float) -> None:
    host = await started(dut)
    host.pause(share)
    for _ in range(12):
        await busy(host, random.randrange(600))
        await host.reset()
        await host.set_up()
        await host.run(host.place([0, 1, 65, 500]))


@cocotb.test()
async def a_wiped_job_writes_no_more(dut: Any) -> None:
    host = await started(dut)
    await busy(host, 300)
    await host.write("control", wipe=1)
    await ClockCycles(dut.aclk, 10)  # the memory may have beats that it took before
    before = bytes(host.memory.bytes)
    done = await host.tail()
    await host.wiped()
    await ClockCycles(dut.aclk, 500)
    assert host.memory.bytes == before
    assert done == 0
    assert any(host.status(n)[0] == CODES["pending"] for n in range(12)), (
        "all jobs were done already"
    )


@cocotb.test()
async def a_wipe_leaves_no_key(dut: Any) -> None:
    host = await started(dut)
    slots = range(host.slots)
    for slot in slots:
        await host.set_key(slot)
    for slot in range(host.cipher_slots, host.slots):
        await host.write_key(slot, random.randbytes(32), one_time=True)
    await host.write("control", enable=1, wipe=1)
    await host.wiped()
    await host.write("control", enable=1)
    host.jobs.clear()
    await host.write("ring_base_low", address=(host.entry(0) & 0xFFFF_FFFF) >> DESCRIPTOR_LOG2)
    if host.keyless:
        return
    for operation in host.operations:
        await host.run([
            Job(64, operation=operation, key_slot=slot, expected="bad_key_slot") for slot in slots
        ])  # fmt: skip


def secrets_of(job: Job, key: bytes, data: bytes) -> bytes:
    """What goes out, the one-time key, r as Poly1305 has it, the key made from a long nonce.

    Of AES, GHASH's key and what the tag is encrypted with.
    """
    secrets = job.result(key, data[: job.length], data[: job.aad_length])[0]
    if job.key_bytes:
        ecb = AES.new(key, AES.MODE_ECB)
        return secrets + ecb.encrypt(bytes(16) + job.nonce + bytes([0, 0, 0, 1]))
    if job.operation in ("seal", "open"):
        one_time = ChaCha20.new(key=key, nonce=job.nonce).encrypt(bytes(32))
        r = int.from_bytes(one_time[:16], "little") & 0x0FFFFFFC_0FFFFFFC_0FFFFFFC_0FFFFFFF
        secrets += one_time + r.to_bytes(16, "little")
    if len(job.nonce) == 24:
        state = rounds(key, job.nonce[4:16], int.from_bytes(job.nonce[:4], "little"))
        secrets += state[:16] + state[48:]
    return secrets


@cocotb.test()
async def a_wipe_clears_every_memory(dut: Any) -> None:
    """Also of the jobs that were under way: no memory holds anything, no register a secret."""
    host = await started(dut)
    source = random.randbytes(4096)
    host.memory.put(SOURCE.start, source)
    jobs = [Job(2000, SOURCE.start, DESTINATION.start + 2048 * n) for n in range(8)]
    if host.has_mac:
        for job, operation in zip(jobs, ("seal", "open", "mac", "seal", "open"), strict=False):
            job.operation, job.length = operation, random.choice([300, 2000])
        jobs[0].nonce = jobs[4].nonce = random.randbytes(24)
    if host.aes:
        names = ("seal", "open", "cbc_encrypt", "seal", "ecb_decrypt", "cbc_decrypt")
        for job, operation in zip(jobs, names, strict=False):
            job.operation, job.length = operation, random.choice([304, 2000])
    for job in jobs:
        await host.put(job)
    await host.hand_over()
    await ClockCycles(dut.aclk, 450)
    await ReadOnly()
    keys = [host.key_of(job) for job in jobs]
    secrets = source + b"".join(
        key + secrets_of(job, key, source) for job, key in zip(jobs, keys, strict=True)
    )
    # a netlist shows fewer: the words of its block RAMs are not among them
    assert len(traces(dut, secrets)) > 12, "this search finds nothing"
    assert sum(value != 0 for _, value in memories(dut)) > 20
    await FallingEdge(dut.aclk)
    await host.write("control", wipe=1)
    await host.wiped()
    dut.m_axi_rdata.value = 0  # where the bus still shows the last beat
    await ClockCycles(dut.aclk, 12)  # until that has gone through the alignment
    await ReadOnly()
    assert not [path for path, value in memories(dut) if value]
    # Nonces are random and no secret: some of them has four bytes like those of a key's stream.
    assert not [path for path in traces(dut, secrets) if not may_be_left(path)]


@cocotb.test()
async def every_wipe_clears_every_key(dut: Any) -> None:
    """Where a wipe begins in a memory depends on those before."""
    host = await started(dut)
    for _ in range(4):
        for slot in range(host.slots):
            await host.write_key(slot, random.randbytes(32))
        await host.write("control", wipe=1)
        await host.wiped()
        await ReadOnly()
        assert not [path for path, value in memories(dut) if value]
        await FallingEdge(dut.aclk)


@cocotb.test()
async def the_longest_job_can_be_stopped(dut: Any) -> None:
    host = await started(dut)
    if "keystream" not in host.operations:
        return
    await host.put(
        Job((1 << 32) - 1 - DESTINATION.start, operation="keystream", expected="pending")
    )
    await host.hand_over()
    await ClockCycles(dut.aclk, 2000)
    assert await host.tail() == 0
    assert (await host.fields("status"))["busy"] == 1
    assert await host.counter("blocks") > 5
    await host.write("control", wipe=1)
    await host.wiped()
    assert host.status(0) == (CODES["pending"], 0)
    await host.set_up()
    await host.run([Job(100)])


@cocotb.test()
async def disabling_stops_the_fetching_only(dut: Any) -> None:
    host = await started(dut)
    await host.run([Job(100)])
    await host.write("control", enable=0)
    await host.put(Job(100))
    await host.hand_over()
    await ClockCycles(dut.aclk, 300)
    assert await host.tail() == 1
    await host.write("control", enable=1)
    await host.until(2)
    host.check_memory()


@pytest.mark.parametrize("build", builds("aead-16"))
def test_wipe(build: str) -> None:
    run(build, __name__)
