# SPDX-License-Identifier: Apache-2.0
"""Operations without a key and with a result of a length of its own: the digest of a source."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import ClockCycles

from rtl.device.tb.builds import DIGEST_BUILDS, run
from rtl.device.tb.host import Host, started
from rtl.device.tb.job import DESTINATION, DIGEST_BYTES, SOURCE, Job
from rtl.device.tb.registers import CODES
from rtl.testbench.runner import LONG


def place(host: Host, length: int, number: int, operation: str = "digest") -> Job:
    """From anywhere, to a place of its own with a gap behind it."""
    step = host.bytes if host.aligned_only else 1
    source = random.randrange(SOURCE.start, SOURCE.stop - length, step)
    destination = DESTINATION.start + 512 * number + random.randrange(0, 128, step)
    return Job(length, source, destination, operation)


@cocotb.test()
@cocotb.parametrize(share=[0.0, 0.5])
async def digests_of_every_length_at_an_edge(dut: Any, share: float) -> None:
    """Also of nothing, one behind another."""
    host = await started(dut, 5)
    host.pause(share)
    lengths = [0, 0, 1, 7, 8, 9, 15, 16, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 1000, 0, 4096]
    await host.run([place(host, length, number) for number, length in enumerate(lengths)])


@cocotb.test()
@cocotb.parametrize(share=[0.0, 0.5])
async def digests_and_other_jobs_mixed(dut: Any, share: float) -> None:
    host = await started(dut, 6)
    host.pause(share)
    lengths = [random.choice([0, 0, 1, random.randrange(400)]) for _ in range(120)]
    names = [random.choice(["xor_stream", "digest"]) for _ in lengths]
    jobs = zip(lengths, names, strict=True)
    await host.run([place(host, length, n, name) for n, (length, name) in enumerate(jobs)])


@cocotb.test()
async def a_digest_in_place_of_its_source(dut: Any) -> None:
    host = await started(dut)
    at = DESTINATION.start
    host.memory.put(at, random.randbytes(200))
    host.image[:] = host.memory.bytes
    await host.run([Job(200, at, at, "digest")])
    await host.run([Job(0, at, at, "digest")])


@cocotb.test()
async def the_source_of_nothing_is_anywhere(dut: Any) -> None:
    """But not the destination: that is written."""
    host = await started(dut)
    nowhere = (1 << 64) - 64 - host.memory.high
    end = (1 << host.address_bits) - host.memory.high
    jobs = [
        Job(0, nowhere, operation="digest"),
        Job(0, destination=nowhere, operation="digest", expected="bad_address"),
        Job(0, destination=end, operation="digest", expected="bad_address"),
        Job(1 << 20, end - 64, operation="digest", expected="bad_address"),
    ]
    await host.run(jobs)
    # Past the end by less than a bus word, and the last place that fits: there is no memory.
    if not host.aligned_only:
        await host.run([Job(9, destination=end - 31, operation="digest", expected="bad_address")])
    last = end - max(DIGEST_BYTES, host.bytes)
    await host.run([Job(9, destination=last, operation="digest", expected="write_error")])
    await host.run([Job(9, operation="digest")])


@cocotb.test()
async def after_a_read_error_there_is_no_digest(dut: Any) -> None:
    host = await started(dut)
    for at in (0, 600, 1023):
        job = Job(1024, operation="digest", expected="read_error")
        host.memory.read_error = range(job.source + at, job.source + at + 1)
        before = host.memory.view(job.destination, DIGEST_BYTES)
        await host.run([job, Job(0, destination=job.destination + 64, operation="digest")])
        assert host.memory.view(job.destination, DIGEST_BYTES) == before
        host.memory.read_error = range(0)


@cocotb.test()
async def fields_that_a_digest_does_not_use(dut: Any) -> None:
    host = await started(dut)
    bad: list[dict[str, Any]] = [
        {"key_slot": 1},
        {"counter": 1},
        {"aad_length": 1},
        {"iv_length": 1},
        {"short_counter": True},
        {"tag_bytes": 16},
    ]
    jobs = [Job(64, operation="digest", expected="bad_descriptor", **field) for field in bad]
    await host.run(jobs)
    await host.run([Job(64, operation="digest")])


@cocotb.test()
async def a_wipe_forgets_a_digest(dut: Any) -> None:
    """In the middle of its source, and before the source of nothing."""
    host = await started(dut)
    for length in (8192, 0):
        for wait in (5, 60, 150):
            await host.put(Job(length, operation="digest"))
            await host.hand_over()
            await ClockCycles(dut.aclk, wait)
            await host.write("control", enable=1, wipe=1)
            await host.set_up()
            await host.run([Job(100, destination=DESTINATION.start + 64, operation="digest")])


@cocotb.test()
async def counts(dut: Any) -> None:
    host = await started(dut)
    await host.run([place(host, length, n) for n, length in enumerate([0, 10, 300])])
    assert await host.counter("bytes") == 310
    assert await host.counter("jobs") == 3
    assert await host.counter("blocks") == 3 * -(-DIGEST_BYTES // host.bytes)
    assert await host.read("operations") >> CODES["digest"] & 1


@pytest.mark.parametrize("build", DIGEST_BUILDS if LONG else DIGEST_BUILDS[:1])
def test_digest(build: str) -> None:
    run(build, __name__)
