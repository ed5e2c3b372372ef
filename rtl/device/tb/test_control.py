# SPDX-License-Identifier: Apache-2.0
"""saltmill_control: every register and every address, and the words of keys."""

import random
from itertools import pairwise
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from rtl.device.tb.control import KEYS, OKAY, SLVERR, TB, run, started
from rtl.device.tb.registers import DESCRIPTOR_LOG2, REGISTERS
from rtl.testbench.stream import cycles, received

DESCRIPTION: dict[str, dict[str, int]] = {
    "magic": {"value": 0x544C4153},
    "version": {"minor": 0, "major": 1},
    "core": {"algorithm": 2, "structure": 1, "final_add": 1},
    "shape": {"unroll": 4, "stages": 16, "block_bytes": 64},
    "rate": {"cycles_per_block": 10, "latency": 321},
    "clock": {"hz": 123_456_789},
    "capabilities": {
        "data_bytes": 32,
        "any_alignment": 1,
        "extended_nonce": 0,
        "key_sizes": 0b101,
        "key_slots": 23,
        "max_log2_entries": 9,
    },
    "operations": {"mask": 0x8000_03BE},
    "keyless": {"mask": 0x4000_0002},
    "digest": {"bytes": 48},
}
RESETS = {"interrupt_coalescing": 1}  # of those that are not 0


# ---- registers -----------------------------------------------------------------------------------


@cocotb.test()
async def what_it_says_of_itself(dut: Any) -> None:
    tb = await started(dut)
    for name, expected in DESCRIPTION.items():
        assert await tb.fields(name) == expected, name
    assert await tb.read("port") == tb.address_bits


@cocotb.test()
async def resets(dut: Any) -> None:
    tb = await started(dut)
    for name in REGISTERS:
        if name not in DESCRIPTION and name not in {"port", "key_slots"}:
            assert await tb.read(name) == RESETS.get(name, 0), name
    assert (dut.enable_o.value, dut.head_o.value, dut.mask_o.value, dut.irq_o.value) == (0, 0, 0, 0)


def masks(tb: TB) -> dict[str, int]:
    """The bits that can be written and read."""
    return {
        "interrupt_enable": 3,
        "interrupt_coalescing": 0xFFFF_FFFF,
        "key_use": 7,
        "ring_base_low": 0xFFFF_FF80,
        "ring_base_high": 0xFFFF_FFFF if tb.address_bits > 32 else 0,
        "ring_size": 15,
        "ring_head": 0xFFFF,
    }


@cocotb.test()
@cocotb.parametrize(pauses=[0.0, 0.6])
async def registers_keep_what_is_written(dut: Any, pauses: float) -> None:
    tb = await started(dut, pauses)
    kept: dict[str, int] = {}
    for _ in range(60):
        name, mask = random.choice(list(masks(tb).items()))
        word = random.getrandbits(32)
        assert await tb.write_word(REGISTERS[name].address, word) == OKAY
        kept[name] = word & mask
        checked = random.choice(list(kept))
        assert await tb.read(checked) == kept[checked], checked
    base = kept.get("ring_base_high", 0) << 32 | kept.get("ring_base_low", 0)
    assert int(dut.base_o.value) << DESCRIPTOR_LOG2 == base % (1 << tb.address_bits)
    assert int(dut.head_o.value) == kept.get("ring_head", 0)
    assert int(dut.key_use_o.value) == kept.get("key_use", 0)


@cocotb.test()
async def only_whole_words_are_written(dut: Any) -> None:
    """No byte is written of others; those of an interconnect that writes none are no error."""
    tb = await started(dut)
    await tb.write("ring_head", index=0x1234)
    for strobe in range(16):
        for address in (REGISTERS["ring_head"].address, KEYS[3], 0x800):
            answer = await tb.write_word(address, 0x5678, strobe)
            if strobe < 15:
                assert answer == (SLVERR if strobe else OKAY)
                assert not tb.keys
                assert await tb.read("ring_head") == 0x1234
    assert await tb.read("ring_head") == 0x5678
    assert tb.keys == [(0, 3, 0x5678)]


@cocotb.test()
async def size_of_the_ring(dut: Any) -> None:
    tb = await started(dut)
    for log2_entries in range(16):
        await tb.write("ring_size", log2_entries=log2_entries)
        await cycles(dut.clk_i, 2)
        assert int(dut.mask_o.value) == (1 << min(log2_entries, 9)) - 1


@cocotb.test()
async def status_and_tail(dut: Any) -> None:
    tb = await started(dut)
    for word in (0, 1, 2, 3):
        dut.active_i.value, dut.wipe_i.value = word & 1, word >> 1
        dut.tail_i.value = tail = random.getrandbits(16)
        await cycles(dut.clk_i, 2)
        assert await tb.fields("status") == {"busy": word & 1, "wiping": word >> 1}
        assert await tb.read("ring_tail") == tail


@cocotb.test()
async def registers_that_only_tell_are_not_written(dut: Any) -> None:
    tb = await started(dut)
    for name in (*DESCRIPTION, "port", "status", "ring_tail"):
        before = await tb.read(name)
        await tb.write_word(REGISTERS[name].address, ~before & 0xFFFF_FFFF)
        assert await tb.read(name) == before


@cocotb.test()
async def every_address_is_answered(dut: Any) -> None:
    """With an error where nothing is to be read, or written; keys can't be read."""
    tb = await started(dut)
    known = {register.address for name, register in REGISTERS.items() if name != "key_slots"}
    counters = {REGISTERS[name].address for name in REGISTERS if name.startswith("counters_")}
    for address in range(0, 0x1000, 4):
        assert (await tb.read_word(address))[1] == (OKAY if address in known else SLVERR)
        if address != REGISTERS["control"].address:
            written = address in KEYS or address in known - counters
            assert await tb.write_word(address, 0) == (OKAY if written else SLVERR)
    assert tb.keys == [(0, word, 0) for word in range(256)]
    assert await tb.counter("cycles") == 0


@cocotb.test()
async def reads_and_writes_at_once(dut: Any) -> None:
    tb = await started(dut, 0.3)
    heads = [random.getrandbits(16) for _ in range(40)]
    magic, head = REGISTERS["magic"].address, REGISTERS["ring_head"].address
    counter, nowhere = REGISTERS["counters_busy_low"].address, 0xFFC
    addresses = [random.choice((magic, head, counter, nowhere)) for _ in heads]
    tb.aw.send([(head,) for _ in heads])
    tb.w.send([(head, 15) for head in heads])
    tb.ar.send([(address,) for address in addresses])
    await received(tb.b, len(heads), 4000)
    await received(tb.r, len(heads), 4000)
    assert tb.b.received == [(OKAY,)] * len(heads)
    for address, (word, answer) in zip(addresses, tb.r.received, strict=True):
        assert answer == (SLVERR if address == nowhere else OKAY)
        assert word == DESCRIPTION["magic"]["value"] or address != magic
        assert word in {0, *heads} or address != head
    assert int(dut.head_o.value) == heads[-1]


# ---- keys ----------------------------------------------------------------------------------------


@cocotb.test()
@cocotb.parametrize(pauses=[0.0, 0.6])
async def words_of_keys(dut: Any, pauses: float) -> None:
    tb = await started(dut, pauses)
    expected = []
    for _ in range(10):
        size, one_time, slot = random.randrange(3), random.randrange(2), random.randrange(32)
        await tb.write("key_use", size=size, one_time=one_time)
        for word in range(8 * slot, 8 * slot + 8):
            data = random.getrandbits(32)
            assert await tb.write_word(KEYS[word], data) == OKAY
            expected.append((one_time << 2 | size, word, data))
    await cycles(dut.clk_i, 3)
    assert tb.keys == expected
    assert int(dut.key_write_data_o.value) == 0, "a word of a key is left"


@cocotb.test()
async def a_reset_clears_the_word_of_a_key(dut: Any) -> None:
    """In whatever cycle of its write."""
    tb = await started(dut)
    met = set()
    for delay in range(8):
        tb.aw.send([(KEYS[3],)])
        tb.w.send([(0x5EC0_0000 | delay, 15)])
        await cycles(dut.clk_i, delay)
        met.add(int(dut.key_write_data_o.value) != 0)
        dut.rst_i.value = 1
        await cycles(dut.clk_i, 1)
        await FallingEdge(dut.clk_i)
        assert int(dut.key_write_data_o.value) == 0
        dut.rst_i.value = 0
        await cycles(dut.clk_i, 20)
    assert met == {False, True}


@cocotb.test()
async def wipe_request_is_a_pulse(dut: Any) -> None:
    tb = await started(dut)
    requests: list[int] = []

    async def watch() -> None:
        while True:
            await FallingEdge(dut.clk_i)
            await ReadOnly()
            requests.extend([tb.cycle] * int(dut.wipe_request_o.value))

    cocotb.start_soon(watch())
    for _ in range(3):
        await tb.write("control", wipe=1, enable=1)
        assert await tb.fields("control") == {"enable": 1, "wipe": 0, "clear_counters": 0}
    assert len(requests) == 3
    assert all(second - first > 1 for first, second in pairwise(requests))


@pytest.mark.parametrize("address_bits", [32, 40, 64])
def test_control(address_bits: int) -> None:
    run(__name__, address_bits)
