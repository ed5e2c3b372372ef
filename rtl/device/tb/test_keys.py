# SPDX-License-Identifier: Apache-2.0
"""saltmill_device: keys. Each is for one size and one use, and counts when it was written whole."""

import random
from itertools import product
from typing import Any

import cocotb
import pytest

from rtl.aes.tb.model import SIZES
from rtl.device.tb.builds import builds, run
from rtl.device.tb.host import Host, started
from rtl.device.tb.job import ENTRY, RING, WHOLE_BLOCKS, Job
from rtl.device.tb.memory import Response
from rtl.device.tb.registers import REGISTERS


def good(host: Host) -> Job:
    """A job behind the bad one, to see that the ring goes on."""
    return host.place([random.randrange(1, 300)])[0]


def ciphers(host: Host) -> list[str]:
    return [name for name in host.operations if name != "mac"]


async def refuses(host: Host, slot: int, lengths: tuple[int, ...] = (64,), size: int = 0) -> None:
    """No operation of a cipher finds a key there, of that many bytes; and nothing is written."""
    host.memory.writes.clear()
    jobs = [
        Job(length, operation=name, key_slot=slot, key_bytes=size, expected="bad_key_slot")
        for name in ciphers(host)
        for length in lengths
    ]
    await host.run(jobs)
    ring = range(RING, RING + ENTRY * host.entries)
    assert all(write.start in ring for write in host.memory.writes)


@cocotb.test()
async def each_slot_has_its_key(dut: Any) -> None:
    host = await started(dut)
    slots = host.cipher_slots
    for slot in range(slots):
        await host.set_key(slot)
    jobs = host.place([random.randrange(1, 100) for _ in range(2 * slots)])
    for number, job in enumerate(jobs):
        job.key_slot = number % slots
    random.shuffle(jobs)
    await host.run(jobs)


@cocotb.test()
async def keys_cannot_be_read(dut: Any) -> None:
    host = await started(dut)
    for n in range(8):
        word, response = await host.read_word(REGISTERS["key_slots"].address + 4 * n)
        assert word == 0 or response != Response.OKAY
        assert word != int.from_bytes(host.keys[0][4 * n : 4 * n + 4], "little") or not word


@cocotb.test()
async def only_a_whole_key_counts(dut: Any) -> None:
    host = await started(dut)
    key = host.new_key(0)
    spoiled = Job(64, expected="bad_key_slot")
    for words in (range(1), range(7), range(1, 8)):
        await host.write_key(0, key, words)
        await host.run([spoiled])
    for order in ([0, 1, 2, 4, 3, 5, 6, 7], [0, 1, 2, 3, 4, 5, 7, 6], [0, 0, 2, 3, 4, 5, 6, 7]):
        for n in order:
            await host.write_key(0, key, range(n, n + 1))
        await host.run([spoiled])
    host.keys[0] = key
    await host.write_key(0, key)
    await host.run([good(host)])


@cocotb.test()
async def all_words_of_a_key_are_for_one_use(dut: Any) -> None:
    host = await started(dut)
    key = host.new_key(0)
    operations = ("xor_stream", "mac") if host.has_mac else ("xor_stream",)
    for words, first in product(range(1, 8), (False, True)):
        await host.write_key(0, key, range(words), one_time=first)
        await host.write_key(0, key, range(words, 8), one_time=not first)
        await host.run([Job(64, operation=o, expected="bad_key_slot") for o in operations])


@cocotb.test()
async def a_key_is_for_its_own_size(dut: Any) -> None:
    """The first half of an AES-256 key is no key of AES-128. Other ciphers have the first size."""
    host = await started(dut, 5)
    slot = host.slots - 1
    wanted = host.key_sizes if host.aes else SIZES[:1]
    for written, size in product(range(len(SIZES)), wanted):
        host.keys[slot] = key = random.randbytes(size if host.aes else 32)
        await host.write_key(slot, key, size=written)
        if SIZES[written] == size:
            jobs = [Job(64, operation=o, key_slot=slot) for o in ciphers(host)]
            await host.run(jobs)
        else:
            await refuses(host, slot, size=size if host.aes else 0)


@cocotb.test()
async def all_words_of_a_key_are_of_one_size(dut: Any) -> None:
    host = await started(dut)
    right = SIZES.index(len(host.keys[0])) if host.aes else 0
    for words, other in product(range(1, 8), {0, 1, 2} - {right}):
        for first, second in ((right, other), (other, right)):
            await host.write_key(0, host.keys[0], range(words), size=first)
            await host.write_key(0, host.keys[0], range(words, 8), size=second)
            await host.run([Job(64, expected="bad_key_slot")])
    await host.write_key(0, host.keys[0], size=right)
    await host.run([good(host)])


@cocotb.test()
async def a_one_time_key_is_for_no_cipher(dut: Any) -> None:
    """Not even to see whether it is there. Written again as a cipher's, it is one."""
    host = await started(dut)
    for slot in range(host.slots):
        host.keys[slot] = host.new_key(slot)
        await host.write_key(slot, random.randbytes(32), one_time=True)
        await refuses(host, slot, (0, 64))
        await host.write_key(slot, host.keys[slot])
        await host.run([Job(64, operation=o, key_slot=slot) for o in ciphers(host)])


@cocotb.test()
async def a_slot_past_the_last_changes_nothing(dut: Any) -> None:
    host = await started(dut)
    slots = host.slots
    if slots < 32:
        for one_time in (False, True):
            await host.write_key(slots, host.new_key(0), one_time=one_time)
        await host.run([Job(64, key_slot=slots, expected="bad_key_slot")])
    await host.run([good(host)])


@cocotb.test()
async def a_key_may_change_behind_its_jobs(dut: Any) -> None:
    host = await started(dut)
    for _ in range(4):
        await host.run([good(host)])
        await host.set_key()


@cocotb.test()
async def what_was_written_of_a_key_is_gone_after_a_wipe(dut: Any) -> None:
    """Half of it before, half behind: that is no key. Nor is what KEY_USE said kept for jobs."""
    host = await started(dut)
    key = host.new_key(0)
    await host.write_key(0, key, range(4))
    await host.write("control", wipe=1)
    await host.set_up()
    await host.write_key(0, key, range(4, 8))
    name = next(name for name in ciphers(host) if name not in WHOLE_BLOCKS)
    await host.run([Job(64, operation=name, expected="bad_key_slot")])
    host.keys[0] = key
    await host.write_key(0, key)
    await host.run([good(host)])


@pytest.mark.parametrize("build", builds("ring2-16", "aes-16", without="xor"))
def test_keys(build: str) -> None:
    run(build, __name__)
