# SPDX-License-Identifier: Apache-2.0
"""HMAC-SHA-256 in the device: of any length, in parts too, beside digests; its keys."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import ClockCycles

from rtl.device.tb.builds import HMAC_BUILDS, run
from rtl.device.tb.host import Host, started
from rtl.device.tb.job import SOURCE, Job
from rtl.device.tb.registers import CODES
from rtl.device.tb.test_hash import BLOCK, follows, place
from rtl.testbench.runner import LONG

KEY_BYTES = (32, 0, 1, 16, 31)  # by slot


async def with_keys(dut: Any, log2_entries: int = 4) -> Host:
    host = await started(dut, log2_entries)
    await set_keys(host)
    return host


async def set_keys(host: Host) -> None:
    for slot, length in enumerate(KEY_BYTES):
        host.keys[slot] = random.randbytes(length)
        await host.write_key(slot, host.keys[slot])


def place_keyed(host: Host, length: int, number: int, **fields: Any) -> Job:
    job = place(host, length, number, key_slot=random.randrange(len(KEY_BYTES)), **fields)
    job.operation = "hmac"
    return job


def follows_keyed(host: Host, job: Job, before: Job, blocks: int) -> Job:
    """The last part of a message; the key's block is one of those before."""
    job.operation = "digest"
    follows(host, job, before, 1 + blocks)
    job.operation = "hmac"
    return job


@cocotb.test()
@cocotb.parametrize(share=[0.0, 0.5])
async def every_length_at_an_edge(dut: Any, share: float) -> None:
    """Of nothing, too; with digests between them."""
    host = await with_keys(dut, 5)
    host.pause(share)
    lengths = [0, 0, 1, 7, 16, 17, 31, 55, 56, 63, 64, 65, 119, 120, 128, 1000, 0, 4096, 3]
    jobs = [random.choice([place, place_keyed])(host, *pair[::-1]) for pair in enumerate(lengths)]
    jobs[0] = place_keyed(host, 0, 0)
    await host.run(jobs)


@cocotb.test()
async def messages_in_parts(dut: Any) -> None:
    host = await with_keys(dut)
    for number, (blocks, rest) in enumerate([(1, 0), (2, 17), (5, 64)]):
        first = place_keyed(host, BLOCK * blocks, 8 * number)
        first.operation = "hmac_part"
        await host.run([first])
        middle = place(host, 2 * BLOCK, 8 * number + 1)
        middle.operation = "digest_part"
        await host.run([follows(host, middle, first, 0)])
        last = place_keyed(host, rest, 8 * number + 2)
        last.key_slot = first.key_slot
        await host.run([follows_keyed(host, last, middle, blocks + 2), place(host, 10, 40)])


@cocotb.test()
async def what_is_refused(dut: Any) -> None:
    host = await with_keys(dut)
    bad: list[tuple[str, dict[str, Any]]] = [
        ("bad_length", {"operation": "hmac_part", "length": 0}),
        ("bad_length", {"operation": "hmac_part", "length": 65}),
        ("bad_length", {"iv_length": 31}),
        ("bad_descriptor", {"operation": "hmac_part", "iv_length": 32}),
        ("bad_descriptor", {"operation": "hmac_part", "counter": 1}),
        ("bad_descriptor", {"operation": "digest", "key_slot": 1}),
        ("bad_descriptor", {"aad_length": 1}),
        ("bad_descriptor", {"tag_bytes": 16}),
        ("bad_key_slot", {"key_slot": host.slots}),
        ("bad_operation", {"operation": "mac"}),
    ]
    for status, fields in bad:
        job = place_keyed(host, 64, 0, expected=status)
        for name, value in fields.items():
            setattr(job, name, value)
        await host.run([job, place_keyed(host, 70, 1)])


@cocotb.test()
async def a_wipe_forgets_keys_and_messages(dut: Any) -> None:
    """In the inner hash, between the two, in the outer one."""
    host = await with_keys(dut)
    for wait in (5, 60, 150, 220, 300, 400, 500) if LONG else (60, 220, 400):
        await host.put(place_keyed(host, 100, 0))
        await host.put(place_keyed(host, 8192, 1))
        await host.hand_over()
        await ClockCycles(dut.aclk, wait)
        await host.write("control", enable=1, wipe=1)
        await host.set_up()
        refused = place_keyed(host, 100, 2, expected="bad_key_slot")
        refused.key_slot = 1
        await host.run([refused])
        await set_keys(host)
        await host.run([place_keyed(host, 100, 3), place(host, 100, 4)])


@cocotb.test()
async def after_a_read_error_there_is_no_tag(dut: Any) -> None:
    host = await with_keys(dut)
    for at in (0, 600, 1023):
        job = place_keyed(host, 1024, 0, expected="read_error")
        job.source = SOURCE.start + 4096
        host.memory.read_error = range(job.source + at, job.source + at + 1)
        good = place_keyed(host, 100, 1)
        good.source = SOURCE.start + 8192
        await host.run([job, good])
        host.memory.read_error = range(0)


@cocotb.test()
async def what_it_says_of_itself(dut: Any) -> None:
    host = await with_keys(dut)
    digests = 1 << CODES["digest"] | 1 << CODES["digest_part"]
    keyed = 1 << CODES["hmac"] | 1 << CODES["hmac_part"]
    assert await host.read("operations") == digests | keyed
    assert await host.read("keyless") == digests
    assert await host.fields("digest") == {"bytes": 32}
    assert (await host.fields("core"))["algorithm"] == 4


@pytest.mark.parametrize("build", list(HMAC_BUILDS) if LONG else ["hmac-16"])
def test_hmac(build: str) -> None:
    run(build, __name__)
