# SPDX-License-Identifier: Apache-2.0
"""A host for the device under test: registers, ring, jobs, and what the jobs should have done."""

import random
import re
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge

from lab import cores
from rtl.aes.tb.model import SIZES
from rtl.device.tb.axi_rules import AxiRules
from rtl.device.tb.job import (
    DESTINATION,
    ENTRY,
    KEYLESS,
    NO_TAG,
    RING,
    SOURCE,
    TAGGED,
    WHOLE_BLOCKS,
    Job,
    flipped,
)
from rtl.device.tb.memory import BASE, Memory, Response, attach, axi
from rtl.device.tb.registers import CODES, DESCRIPTOR, DESCRIPTOR_LOG2, REGISTERS
from rtl.testbench.stream import sample_bytes

PACKAGE = (cores.RTL / "device" / "saltmill_device_pkg.sv").read_text()
CORES = {  # the names of core_e
    int(value): name
    for name, value in re.findall(r"(\w+) += (\d+)", PACKAGE[: PACKAGE.index("} core_e;")])
}


class Host:
    def __init__(self, dut: Any, *, own_reset: bool = False) -> None:
        self.dut = dut
        self.bytes = int(dut.DataBytes.value)
        self.aligned_only = int(dut.Alignment.value) == 0
        self.address_bits = int(dut.AddressBits.value)
        core = CORES[int(dut.Core.value)]
        self.aes = core == "AesGcm"
        self.has_mac = core == "ChaCha20Poly1305"
        self.hash = {"Sha256": "sha256", "HmacSha256": "sha256", "Md5": "md5"}.get(core, "")
        self.keyless = core in ("Sha256", "Md5", "XorConstant")
        sizes = int(dut.AesKeySizes.value)
        self.key_sizes = SIZES if sizes == 3 else (SIZES[sizes],)
        self.operations = ["xor_stream", "keystream"]  # of its core
        if self.keyless or self.hash:
            self.operations = ["digest"] if self.hash else ["xor_stream", "digest"]
        if self.has_mac:
            self.operations.append("mac")
        if self.has_mac or self.aes:
            self.operations += ["seal", "open"]
        if self.aes and dut.AesModes.value:
            self.operations += [
                name for name in WHOLE_BLOCKS if "en" in name or int(dut.AesDirections.value)
            ]
        self.memory = Memory(self.address_bits)
        self.memory.put(SOURCE.start, sample_bytes(len(SOURCE)))
        self.slave = attach(dut, self.memory, own_reset=own_reset)
        bus = axi.AxiLiteBus.from_prefix(dut, "s_axil")
        self.master = axi.AxiLiteMaster(bus, dut.aclk, dut.aresetn, reset_active_level=False)
        self.rules = AxiRules(dut, own_reset=own_reset)
        self.slots = int(dut.KeySlots.value)
        # The upper slots of a device with mac are for one-time keys.
        self.cipher_slots = -(-self.slots // 2) if self.has_mac else self.slots
        self.keys: dict[int, bytes] = {}
        self.image = bytearray()  # what memory should hold, without the statuses
        self.jobs: list[Job] = []  # put into the ring since the last wipe
        self.tags: list[bytes] = []  # that the device should write for them
        self.macs: list[int] = []  # those of them with a one-time key, each in the next slot
        self.log2_entries = 4

    # ---- registers -----------------------------------------------------------------------------

    async def read_word(self, address: int) -> tuple[int, Response]:
        answer = await self.master.read(address, 4)
        return int.from_bytes(answer.data, "little"), Response(answer.resp)

    async def write_word(self, address: int, word: int) -> Response:
        answer = await self.master.write(address, word.to_bytes(4, "little"))
        return Response(answer.resp)

    async def read(self, name: str) -> int:
        word, response = await self.read_word(REGISTERS[name].address)
        assert response == Response.OKAY, f"{name} can't be read"
        return word

    async def fields(self, name: str) -> dict[str, int]:
        return REGISTERS[name].unpack(await self.read(name))

    async def write(self, name: str, **values: int) -> None:
        register = REGISTERS[name]
        response = await self.write_word(register.address, register.pack(**values))
        assert response == Response.OKAY, f"{name} can't be written"

    async def counter(self, name: str) -> int:
        high = await self.read(f"counters_{name}_high")
        return high << 32 | await self.read(f"counters_{name}_low")

    async def write_key(
        self,
        slot: int,
        key: bytes,
        words: range = range(8),
        *,
        one_time: bool = False,
        size: int | None = None,
    ) -> None:
        """Says what the key is for, then writes words of it. The size is its own, unless told."""
        if size is None:
            size = SIZES.index(len(key)) if self.aes and not one_time else 0
        await self.write("key_use", size=size, one_time=int(one_time))
        slots = REGISTERS["key_slots"]
        base = slots.address + slots.stride * slot
        padded = key.ljust(32, b"\0")
        await self.master.write(base + 4 * words.start, padded[4 * words.start : 4 * words.stop])

    def new_key(self, slot: int) -> bytes:
        """As long as the keys of this slot are: sizes take turns from slot to slot."""
        return random.randbytes(self.key_sizes[slot % len(self.key_sizes)] if self.aes else 32)

    async def set_key(self, slot: int = 0) -> None:
        self.keys[slot] = self.new_key(slot)
        await self.write_key(slot, self.keys[slot])

    async def set_keys(self) -> None:
        """One of each size, in the first slots: jobs use these unless they are told otherwise."""
        for slot in range(0 if self.keyless else self.keyed_slots):
            await self.set_key(slot)

    @property
    def keyed_slots(self) -> int:
        return min(self.slots, len(self.key_sizes)) if self.aes else 1

    async def set_one_time_key(self, job: Job) -> None:
        """Gives a job its key, in the next slot, as soon as the job before has used up its own."""
        slots = range(self.cipher_slots, self.slots)
        if len(self.macs) >= len(slots) and await self.tail() <= self.macs[-len(slots)]:
            await self.hand_over()
            await self.until(self.macs[-len(slots)] + 1)
        job.key_slot = slots[len(self.macs) % len(slots)]
        self.macs.append(len(self.jobs))
        await self.write_key(job.key_slot, job.one_time_key, one_time=True)

    # ---- start and wipe ------------------------------------------------------------------------

    async def reset(self) -> None:
        self.dut.aresetn.value = 0
        await ClockCycles(self.dut.aclk, 5)
        await FallingEdge(self.dut.aclk)
        self.dut.aresetn.value = 1

    async def start(self, log2_entries: int = 4) -> None:
        Clock(self.dut.aclk, 10, unit="ns").start()
        await self.reset()
        await self.set_up(log2_entries)

    async def wiped(self) -> None:
        for _ in range(2000):
            if not (await self.fields("status"))["wiping"]:
                return
        raise AssertionError("the wipe does not end")

    async def set_up(self, log2_entries: int = 4) -> None:
        """After a reset or a wipe: ring and keys, from the beginning."""
        await self.wiped()
        self.log2_entries = log2_entries
        self.jobs.clear()
        self.tags.clear()
        self.macs.clear()
        self.image = bytearray(self.memory.bytes)
        await self.write("ring_base_low", address=(RING & 0xFFFF_FFFF) >> DESCRIPTOR_LOG2)
        await self.write("ring_base_high", address=RING + self.memory.high >> 32)
        await self.write("ring_size", log2_entries=log2_entries)
        await self.write("interrupt_enable", done=1, status_lost=1)
        self.keys.clear()
        await self.set_keys()
        await self.write("control", enable=1)

    def pause(self, share: float) -> None:
        """Lets every channel idle or push back in that share of the cycles."""
        write, read = self.slave.write_if, self.slave.read_if
        bus = [write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel]
        write, read = self.master.write_if, self.master.read_if
        bus += [write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel]
        for channel in bus:
            channel.set_pause_generator(_random_pauses(share))

    # ---- jobs ----------------------------------------------------------------------------------

    @property
    def entries(self) -> int:
        return 1 << self.log2_entries

    def entry(self, number: int) -> int:
        return RING + ENTRY * (number % self.entries)

    def status(self, number: int) -> tuple[int, int]:
        """The two words that the device writes for every job."""
        data = self.memory.view(self.entry(number) + DESCRIPTOR["status"].address, 8)
        return int.from_bytes(data[:4], "little"), int.from_bytes(data[4:], "little")

    def tag(self, number: int) -> bytes:
        return self.memory.view(self.entry(number) + DESCRIPTOR["tag"].address, 16)

    def key_of(self, job: Job) -> bytes:
        if self.keyless or job.operation in KEYLESS:
            return b""
        return job.one_time_key if job.operation == "mac" else self.keys[job.key_slot]

    async def put(self, job: Job) -> None:
        """Writes a job into the ring and what it should do into the image.

        A mac gets a one-time key, unless it is in a slot for these already, or should find none.
        What is for AES gets the size of its key, or if it has one, the first slot with such a key.
        """
        job.cipher, job.hash = not self.keyless, self.hash
        if self.aes and not job.key_bytes:
            job.key_bytes = len(self.keys.get(job.key_slot, self.keys[0]))
        elif self.aes and job.key_slot == 0 and job.key_bytes in self.key_sizes:
            fits = len(self.keys[0]) == job.key_bytes
            job.key_slot = 0 if fits else self.key_sizes.index(job.key_bytes)
        mac = self.has_mac and job.operation == "mac" and job.key_slot < self.cipher_slots
        if mac and job.expected != "bad_key_slot":
            await self.set_one_time_key(job)
        right = NO_TAG
        if job.expected in ("ok", "tag_mismatch"):
            start = job.destination - BASE
            source = start if job.operation == "keystream" else job.source - BASE
            data = bytes(self.image[source : source + job.length])
            aad = bytes(self.image[job.aad - BASE :][: job.aad_length])
            iv = bytes(self.image[job.iv - BASE :][: job.iv_length])
            result, right = job.result(self.key_of(job), data, aad, iv)
            self.image[start : start + len(result)] = result
        if job.operation == "open" and job.tag is None:
            bit = random.randrange(128)
            job.tag = flipped(right, bit) if job.expected == "tag_mismatch" else right
        self.tags.append(right if job.operation in ("mac", "seal") else NO_TAG)
        self.memory.put(self.entry(len(self.jobs)), job.descriptor(self.memory.high))
        self.jobs.append(job)

    async def hand_over(self) -> None:
        await self.write("ring_head", index=len(self.jobs) & 0xFFFF)

    async def tail(self) -> int:
        """Jobs finished; at most 2^16 since the last wipe."""
        return await self.read("ring_tail")

    async def until(self, jobs: int, patience: int = 200_000) -> None:
        """Until that many jobs are finished."""
        for _ in range(patience // 20):
            if await self.tail() >= jobs:
                return
            await ClockCycles(self.dut.aclk, 10)
        raise AssertionError(f"{await self.tail()} of {jobs} jobs are finished")

    async def run(self, jobs: list[Job]) -> None:
        """Runs jobs through the ring, as many at a time as it has entries, and checks them all."""
        while jobs:
            batch, jobs = jobs[: self.entries], jobs[self.entries :]
            first = len(self.jobs)
            for job in batch:
                await self.put(job)
            await self.hand_over()
            await self.until(len(self.jobs))
            for number, job in enumerate(batch, first):
                found = self.status(number)
                assert found == (CODES[job.expected], 0), f"job {number}, {job}: status {found}"
                if job.operation in TAGGED and job.expected in ("ok", "tag_mismatch"):
                    assert self.tag(number) == self.tags[number], f"job {number}, {job}: tag"
        self.check_memory()

    def check_memory(self) -> None:
        """Nothing but the destinations and the ring has changed."""
        ring = ENTRY * self.entries
        got, want = self.memory.bytes[ring:], self.image[ring:]
        if got != want:
            wrong = [i for i, (a, b) in enumerate(zip(got, want, strict=True)) if a != b]
            places = f"0x{BASE + ring + wrong[0]:x} to 0x{BASE + ring + wrong[-1]:x}"
            raise AssertionError(f"{len(wrong)} bytes differ, from {places}")

    def place(self, lengths: list[int]) -> list[Job]:
        """A job of each length, from anywhere to places of their own, with gaps between them."""
        step = self.bytes if self.aligned_only else 1
        often = [name for name in self.operations if name in ("xor_stream", "seal", "open")]
        jobs, free = [], DESTINATION.start
        for length in lengths:
            free += random.randrange(0, 80 if step == 1 else 4 * step, step)
            source = random.randrange(SOURCE.start, SOURCE.stop - length, step)
            operation = random.choice(self.operations + often)
            if operation in WHOLE_BLOCKS and length % 16:
                operation = "xor_stream"
            job = Job(length, source, free, operation)
            if job.operation not in TAGGED and "ecb" not in operation and not self.keyless:
                job.counter = random.choice([0, 1, random.randrange(1 << 31)])
            if self.aes:
                job.key_slot = random.randrange(self.keyed_slots)
            if job.operation in ("seal", "open"):
                job.aad_length = random.choice([0, 13, random.randrange(100)])
                job.aad = random.randrange(SOURCE.start, SOURCE.stop - 100, step)
            if job.operation == "open" and random.random() < 0.3:
                job.expected = "tag_mismatch"
            if self.has_mac and job.operation != "mac" and random.random() < 0.2:
                job.nonce = random.randbytes(24)
            if self.aes and job.operation in ("seal", "open") and random.random() < 0.4:
                job.iv_length = random.choice([1, 8, 11, 13, 16, 17, 60])
                job.iv = random.randrange(SOURCE.start, SOURCE.stop - 100, step)
            if self.aes and job.operation in ("xor_stream", "keystream"):
                job.short_counter = random.random() < 0.3
                job.nonce = job.nonce[:8] + bytes([random.randrange(128)]) + job.nonce[9:]
            jobs.append(job)
            free += -(-max(length, job.result_bytes) // step) * step
        assert free <= DESTINATION.stop
        return jobs


def _random_pauses(share: float) -> Any:
    while True:
        yield random.random() < share


async def started(dut: Any, log2_entries: int = 4) -> Host:
    host = Host(dut)
    await host.start(log2_entries)
    return host


async def interrupt(dut: Any, cycles: int = 20_000) -> int:
    """Waits for the interrupt; gives the cycles until it came."""
    for cycle in range(cycles):
        if dut.irq_o.value == 1:
            return cycle
        await FallingEdge(dut.aclk)
    raise AssertionError("no interrupt")


def background(coroutine: Any) -> Any:
    return cocotb.start_soon(coroutine)
