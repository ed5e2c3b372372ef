# SPDX-License-Identifier: Apache-2.0
"""saltmill_control: every register, counters against a model, interrupts, and what happens when the
host writes in the cycle of an event."""

import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from lab import cores
from rtl.device.tb.registers import REGISTERS
from rtl.testbench import runner
from rtl.testbench.stream import Sink, Source, cycles, received, start

TOP = "control_bench"
OKAY, SLVERR = 0, 2
EVENTS = {
    "cycles": "active_i",
    "busy": "busy_i",
    "stalled_input": "stalled_input_i",
    "stalled_output": "stalled_output_i",
    "blocks": "block_i",
    "jobs": "finished_i",
}
COUNTERS = ("cycles", "busy", "stalled_input", "stalled_output", "blocks", "bytes", "jobs")
CLEAR = 32  # cycles in which events may be lost
LATE = 80  # the same for a read: what it tells may be so old
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
}
RESETS = {"interrupt_coalescing": 1}  # of those that are not 0
KEYS = range(REGISTERS["key_slots"].address, REGISTERS["key_slots"].address + 0x400, 4)


class TB:
    def __init__(self, dut: Any) -> None:
        self.dut, clock = dut, dut.clk_i
        self.address_bits = int(dut.AddressBits.value)
        for name in (*EVENTS.values(), "begun_i", "begun_bytes_i", "finished_interrupt_i"):
            getattr(dut, name).value = 0
        dut.status_lost_i.value = 0
        dut.tail_i.value = 0
        dut.s_axil_awprot.value = dut.s_axil_arprot.value = 0

        def channel(name: str, *fields: str) -> tuple[Any, Any, Any, list[Any]]:
            def signal(suffix: str) -> Any:
                return getattr(dut, f"s_axil_{name}{suffix}")

            return clock, signal("valid"), signal("ready"), [signal(field) for field in fields]

        self.aw = Source(*channel("aw", "addr"))
        self.w = Source(*channel("w", "data", "strb"))
        self.b = Sink(*channel("b", "resp"))
        self.ar = Source(*channel("ar", "addr"))
        self.r = Sink(*channel("r", "data", "resp"))
        self.cycle = 0
        self.totals: list[dict[str, int]] = [dict.fromkeys(COUNTERS, 0)]  # in front of each cycle
        self.keys: list[tuple[int, int, int]] = []  # use, word, data
        self.seen: dict[str, list[int]] = {"irq": [], "raise": [], "write": [], "wipe": []}

    async def begin(self, pauses: float = 0.0) -> None:
        await start(self.dut)
        cocotb.start_soon(self.watch())
        cocotb.start_soon(self.answers_hold())
        self.aw.idle = self.w.idle = self.ar.idle = self.b.busy = self.r.busy = pauses
        await cycles(self.dut.clk_i, CLEAR + 1)

    async def watch(self) -> None:
        """Counts and notes what is there in front of every rising edge."""
        dut = self.dut
        inside = dut.u_control
        while True:
            await FallingEdge(dut.clk_i)
            await ReadOnly()
            now = dict(self.totals[-1])
            for name, signal in EVENTS.items():
                now[name] += int(getattr(dut, signal).value)
            if dut.begun_i.value:
                now["bytes"] += int(dut.begun_bytes_i.value)
            self.totals.append(now)
            if dut.key_write_o.value:
                key = (dut.key_use_o, dut.key_write_word_o, dut.key_write_data_o)
                self.keys.append((int(key[0].value), int(key[1].value), int(key[2].value)))
            signals = {
                "irq": dut.irq_o,
                "raise": getattr(inside, "raise"),
                "write": inside.u_registers.cpuif_req_is_wr,
                "wipe": dut.wipe_i,
            }
            for name, signal in signals.items():
                real = name != "write" or inside.u_registers.cpuif_req.value
                if signal.value and real:
                    self.seen[name].append(self.cycle)
            self.cycle += 1

    async def answers_hold(self) -> None:
        """AXI: once valid, an answer stays as it is until it is taken."""
        dut = self.dut
        answers = [("b", [dut.s_axil_bresp]), ("r", [dut.s_axil_rdata, dut.s_axil_rresp])]
        before: dict[str, list[int]] = {}
        while True:
            await FallingEdge(dut.clk_i)
            await ReadOnly()
            for name, fields in answers:
                valid = bool(getattr(dut, f"s_axil_{name}valid").value)
                values = [int(field.value) for field in fields]
                assert name not in before or (valid and values == before[name])
                before.pop(name, None)
                if valid and not getattr(dut, f"s_axil_{name}ready").value:
                    before[name] = values

    # ---- the host --------------------------------------------------------------------------------

    async def write_word(self, address: int, word: int, strobe: int = 15) -> int:
        self.aw.send([(address,)])
        self.w.send([(word, strobe)])
        await received(self.b, 1, 200)
        await FallingEdge(self.dut.clk_i)
        answer = self.b.received[0][0]
        self.b.clear()
        return answer

    async def read_word(self, address: int) -> tuple[int, int]:
        self.ar.send([(address,)])
        await received(self.r, 1, 200)
        await FallingEdge(self.dut.clk_i)
        word, answer = self.r.received[0]
        self.r.clear()
        return word, answer

    async def write(self, name: str, **values: int) -> None:
        register = REGISTERS[name]
        assert await self.write_word(register.address, register.pack(**values)) == OKAY

    async def read(self, name: str) -> int:
        word, answer = await self.read_word(REGISTERS[name].address)
        assert answer == OKAY, name
        return word

    async def fields(self, name: str) -> dict[str, int]:
        return REGISTERS[name].unpack(await self.read(name))

    async def counter(self, name: str) -> int:
        """As a host has to read it."""
        high = await self.read(f"counters_{name}_high")
        while True:
            low = await self.read(f"counters_{name}_low")
            before, high = high, await self.read(f"counters_{name}_high")
            if high == before:
                return high << 32 | low

    async def counters(self) -> dict[str, int]:
        return {name: await self.counter(name) for name in COUNTERS}

    async def preset(self, **values: int) -> None:
        """In the RAM, so that carries don't take 2^32 events; twice for the words under way."""
        memory = self.dut.u_control.u_counters.memory
        for _ in range(2):
            for name, value in values.items():
                at = 2 * COUNTERS.index(name)
                memory[at].value, memory[at + 1].value = value & 0xFFFF_FFFF, value >> 32
            await cycles(self.dut.clk_i, 5)

    # ---- events ----------------------------------------------------------------------------------

    async def pulse(self, signal: Any, value: int = 1) -> None:
        signal.value = value
        await FallingEdge(self.dut.clk_i)
        signal.value = 0

    async def finish(self, *, interrupt: bool = False) -> None:
        self.dut.finished_interrupt_i.value = int(interrupt)
        await self.pulse(self.dut.finished_i)
        self.dut.finished_interrupt_i.value = 0

    async def events(self, count: int, largest: int) -> None:
        """Random ones for so many cycles; bytes as often as they may come."""
        dut, since = self.dut, 0
        shares = {name: 1.0 for name in EVENTS}
        for number in range(count):
            if number % 50 == 0:
                shares = {name: random.choice((0, 0.1, 0.5, 1, 1)) for name in EVENTS}
            for name, signal in EVENTS.items():
                getattr(dut, signal).value = int(random.random() < shares[name])
            since += 1
            begun = since >= 4 and random.random() < 0.7
            since = 0 if begun else since
            dut.begun_i.value = int(begun)
            dut.begun_bytes_i.value = random.randrange(largest)
            await FallingEdge(dut.clk_i)
        for signal in (*EVENTS.values(), "begun_i"):
            getattr(dut, signal).value = 0


async def started(dut: Any, pauses: float = 0.0) -> TB:
    tb = TB(dut)
    await tb.begin(pauses)
    return tb


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
    assert int(dut.base_o.value) << 7 == base % (1 << tb.address_bits)
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
    addresses = [random.choice((0x000, 0x06C, 0x088, 0xFFC)) for _ in heads]
    tb.aw.send([(REGISTERS["ring_head"].address,) for _ in heads])
    tb.w.send([(head, 15) for head in heads])
    tb.ar.send([(address,) for address in addresses])
    await received(tb.b, len(heads), 4000)
    await received(tb.r, len(heads), 4000)
    assert tb.b.received == [(OKAY,)] * len(heads)
    for address, (word, answer) in zip(addresses, tb.r.received, strict=True):
        assert answer == (SLVERR if address == 0xFFC else OKAY)
        assert word == 0x544C4153 or address != 0
        assert word in {0, *heads} or address != 0x06C
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


# ---- counters ------------------------------------------------------------------------------------


async def check_while_counting(tb: TB, names: Sequence[str]) -> None:
    """What is read was so at one moment, not long ago."""
    for name in names:
        first = max(0, tb.cycle - LATE)
        value = await tb.counter(name)
        window = {totals[name] for totals in tb.totals[first : tb.cycle + 1]}
        if name == "bytes":
            assert value in window, f"{name}: {value:#x}"
        else:
            assert min(window) <= value <= max(window), f"{name}: {value:#x}"


@cocotb.test()
@cocotb.parametrize(largest=[100, 1 << 25, 1 << 32])
async def counters_follow_the_events(dut: Any, largest: int) -> None:
    tb = await started(dut, 0.2)
    events = cocotb.start_soon(tb.events(4000, largest))
    while not events.done():
        names = [name for name in COUNTERS if name != "bytes" or largest < 1 << 32]
        await check_while_counting(tb, random.sample(names, 3))
    await cycles(dut.clk_i, 40)
    assert await tb.counters() == tb.totals[-1]
    if largest == 1 << 32:
        assert tb.totals[-1]["bytes"] >> 32 > 100


@cocotb.test()
async def every_event_of_the_busiest_time(dut: Any) -> None:
    """One of each in every cycle, bytes as often as may be, and a host that reads all the time."""
    tb = await started(dut)
    for signal in EVENTS.values():
        getattr(dut, signal).value = 1

    async def begin() -> None:
        for _ in range(400):
            dut.begun_bytes_i.value = random.getrandbits(32)
            await tb.pulse(dut.begun_i)
            await cycles(dut.clk_i, 3)

    begun = cocotb.start_soon(begin())
    while not begun.done():
        await check_while_counting(tb, ["cycles", "jobs"])
    for signal in EVENTS.values():
        getattr(dut, signal).value = 0
    await cycles(dut.clk_i, 40)
    assert await tb.counters() == tb.totals[-1]


@cocotb.test()
async def carries(dut: Any) -> None:
    """Into the high half, at any time, seen by a host that reads again and again."""
    tb = await started(dut)
    for number in range(24):
        await tb.write("control", clear_counters=1)
        await cycles(dut.clk_i, CLEAR)
        edge = (random.getrandbits(8) << 32) - 1 - random.randrange(40) & (1 << 64) - 1
        await tb.preset(**dict.fromkeys(COUNTERS, edge))
        tb.totals[:] = [dict.fromkeys(COUNTERS, edge)] * (tb.cycle + 1)
        events = cocotb.start_soon(tb.events(120 + number, 20))
        name = COUNTERS[number % 7]
        high = await tb.read(f"counters_{name}_high")
        while not events.done():
            low = await tb.read(f"counters_{name}_low")
            again = await tb.read(f"counters_{name}_high")
            if again == high:
                value = high << 32 | low
                wrapped = (value - edge) % (1 << 64)
                assert wrapped <= (tb.totals[-1][name] - edge), f"{name}: {value:#x}"
            high = again
        await cycles(dut.clk_i, 40)
        expected = {name: value % (1 << 64) for name, value in tb.totals[-1].items()}
        assert await tb.counters() == expected


@cocotb.test()
async def clear(dut: Any) -> None:
    """At any time of a round: nothing is left, of high halves and of events either."""
    tb = await started(dut)
    for wait in range(32):
        await tb.preset(**dict.fromkeys(COUNTERS, random.getrandbits(64)))
        events = cocotb.start_soon(tb.events(40 + wait, 1 << 32))
        await cycles(dut.clk_i, 5)
        await tb.write("control", clear_counters=1)
        assert (await tb.fields("control"))["clear_counters"] == 0
        await events
        await tb.write("control", clear_counters=1)
        left = {name: value for name, value in (await tb.counters()).items() if value}
        assert not left, (wait, left)


@cocotb.test()
async def events_around_a_clear(dut: Any) -> None:
    """One before it and one in its cycle are not counted, one after CLEAR cycles is."""
    tb = await started(dut)
    for offset in range(-6, 50):
        writes = len(tb.seen["write"])

        async def happen(offset: int = offset, writes: int = writes) -> int:
            """An event so many cycles after the write; the cycle of it."""
            if offset < 0:
                await cycles(dut.clk_i, 6 + offset)
            else:
                while len(tb.seen["write"]) == writes:
                    await FallingEdge(dut.clk_i)
                await cycles(dut.clk_i, offset)
            at = tb.cycle
            dut.begun_bytes_i.value = 1
            dut.begun_i.value = 1
            for signal in EVENTS.values():
                getattr(dut, signal).value = 1
            await FallingEdge(dut.clk_i)
            for signal in (*EVENTS.values(), "begun_i"):
                getattr(dut, signal).value = 0
            return at

        event = cocotb.start_soon(happen())
        await cycles(dut.clk_i, 6)
        await tb.write("control", clear_counters=1)
        at, written = await event, tb.seen["write"][writes]
        await cycles(dut.clk_i, 40)
        counted = set((await tb.counters()).values())
        if at <= written:
            assert counted == {0}, offset
        elif at > written + CLEAR:
            assert counted == {1}, offset


# ---- interrupts ----------------------------------------------------------------------------------


async def done_after(tb: TB, patience: int) -> int | None:
    """Cycles until the next pulse for INTERRUPT_STATUS.done."""
    first, before = tb.cycle, len(tb.seen["raise"])
    for _ in range(patience):
        await FallingEdge(tb.dut.clk_i)
        if len(tb.seen["raise"]) > before:
            return tb.seen["raise"][before] - first
    return None


@cocotb.test()
async def interrupt_after_count_jobs(dut: Any) -> None:
    tb = await started(dut)
    for count in (0, 1, 2, 3, 7, 254, 255, 1):
        await tb.write("interrupt_coalescing", count=count, timeout=0)
        for _ in range(3):
            raised = len(tb.seen["raise"])
            for _ in range(max(count, 1) - 1):
                await tb.finish()
                await cycles(dut.clk_i, random.choice((0, 0, 1, 5)))
            await cycles(dut.clk_i, 10)
            assert len(tb.seen["raise"]) == raised, "too early"
            waiting = cocotb.start_soon(done_after(tb, 10))
            await tb.finish()
            after = await waiting
            assert after is not None
            assert after <= 3


@cocotb.test()
async def interrupt_after_a_time(dut: Any) -> None:
    tb = await started(dut)
    for timeout in (1, 2, 3, 4, 5, 20, 100, 1000):
        await tb.write("interrupt_coalescing", count=200, timeout=timeout)
        waiting = cocotb.start_soon(done_after(tb, timeout + 10))
        for _ in range(random.randrange(1, 5)):
            await tb.finish()
        after = await waiting
        assert after is not None
        assert max(timeout, 3) <= after <= timeout + 3, (timeout, after)
        assert await done_after(tb, 2 * timeout + 10) in {None, timeout, timeout + 1, timeout + 2}
        assert await done_after(tb, 2 * timeout + 10) is None, "there is nothing to report"


@cocotb.test()
async def a_long_time(dut: Any) -> None:
    """All bits of the age count: without a job it does not grow, and not without a timeout."""
    tb = await started(dut)
    await tb.write("interrupt_coalescing", count=200, timeout=(1 << 24) - 1)
    await tb.finish()
    await cycles(dut.clk_i, 100)
    dut.u_control.u_interrupt.age_q.value = (1 << 24) - 20
    assert await done_after(tb, 40) in range(15, 30)
    await tb.write("interrupt_coalescing", count=200, timeout=0)
    await tb.finish()
    assert await done_after(tb, 300) is None
    await tb.write("interrupt_coalescing", count=200, timeout=50)
    assert await done_after(tb, 60) is not None
    await cycles(dut.clk_i, 200)
    waiting = cocotb.start_soon(done_after(tb, 60))
    await tb.finish()
    assert await waiting in range(50, 54)


@cocotb.test()
async def less_coalescing_counts_at_once(dut: Any) -> None:
    tb = await started(dut)
    for change in ({"count": 3, "timeout": 0}, {"count": 200, "timeout": 10}):
        await tb.write("interrupt_coalescing", count=200, timeout=100_000)
        for _ in range(5):
            await tb.finish()
        assert await done_after(tb, 100) is None
        waiting = cocotb.start_soon(done_after(tb, 30))
        await tb.write("interrupt_coalescing", **change)
        assert await waiting is not None


@cocotb.test()
async def interrupt_at_once(dut: Any) -> None:
    tb = await started(dut)
    await tb.write("interrupt_coalescing", count=200, timeout=100_000)
    for others in (0, 1, 5):
        for _ in range(others):
            await tb.finish()
        waiting = cocotb.start_soon(done_after(tb, 10))
        await tb.finish(interrupt=True)
        assert await waiting in range(4)
        await cycles(dut.clk_i, 5)
    raised = len(tb.seen["raise"])
    for _ in range(20):  # in each cycle
        await tb.finish(interrupt=True)
    last = tb.cycle
    await cycles(dut.clk_i, 10)
    assert len(tb.seen["raise"]) > raised
    assert tb.seen["raise"][-1] >= last


@cocotb.test()
async def no_job_is_forgotten(dut: Any) -> None:
    """However jobs end and the host clears: after the last one there is a pulse."""
    tb = await started(dut)
    for number in range(40):
        count, timeout = random.choice([(1, 0), (2, 3), (5, 40), (200, 1), (3, 17)])
        await tb.write("interrupt_coalescing", count=count, timeout=timeout)
        for _ in range(random.randrange(1, 30)):
            await tb.finish(interrupt=random.random() < 0.1)
            await cycles(dut.clk_i, random.choice((0, 0, 1, 2, 3, 10)))
        last = tb.cycle - 1
        if timeout == 0:
            await tb.finish()
        await cycles(dut.clk_i, timeout + 20)
        assert tb.seen["raise"], number
        assert tb.seen["raise"][-1] >= last - 10 or count == 1, number
        assert int(dut.u_control.u_interrupt.some_q.value) == 0, number


@cocotb.test()
async def line_follows_status_and_enable(dut: Any) -> None:
    tb = await started(dut)
    both = {"done": 1, "status_lost": 1}
    for name, other in (("done", "status_lost"), ("status_lost", "done")):
        await (tb.finish() if name == "done" else tb.pulse(dut.status_lost_i))
        await cycles(dut.clk_i, 8)
        assert await tb.fields("interrupt_status") == {name: 1, other: 0}
        for enabled in ({name: 0, other: 0}, {name: 1, other: 0}, {name: 0, other: 1}, both):
            await tb.write("interrupt_enable", **enabled)
            await cycles(dut.clk_i, 2)
            assert int(dut.irq_o.value) == enabled[name]
        await tb.write("interrupt_status", **{name: 0, other: 1})
        await cycles(dut.clk_i, 2)
        assert int(dut.irq_o.value) == 1
        await tb.write("interrupt_status", **{name: 1, other: 0})
        await cycles(dut.clk_i, 2)
        assert int(dut.irq_o.value) == 0
        assert await tb.read("interrupt_status") == 0


# ---- in the same cycle ---------------------------------------------------------------------------


def around(writes: Sequence[int], happened: Sequence[int]) -> None:
    """The sweep has met the very cycle of the write, the one before and the one after."""
    distances = {event - write for write, event in zip(writes, happened, strict=True)}
    assert {-1, 0, 1} <= distances, distances


async def beside(
    tb: TB, write: tuple[str, dict[str, int]], event: Callable[[], Any], offset: int
) -> int:
    """Writes a register and lets something happen so many cycles later; the cycle of the write."""
    writes = len(tb.seen["write"])

    async def happen() -> None:
        await cycles(tb.dut.clk_i, offset)
        await event()

    happening = cocotb.start_soon(happen())
    await cycles(tb.dut.clk_i, 3)  # what the event takes to get there
    await tb.write(write[0], **write[1])
    await happening
    await cycles(tb.dut.clk_i, 8)
    return tb.seen["write"][writes]


@cocotb.test()
@cocotb.parametrize(name=["done", "status_lost"])
async def an_event_in_the_cycle_of_its_clearing_is_kept(dut: Any, name: str) -> None:
    tb = await started(dut)
    writes, happened = [], []
    for offset in range(12):
        lost: list[int] = []

        async def event(lost: list[int] = lost) -> None:
            lost.append(tb.cycle)
            await (tb.finish() if name == "done" else tb.pulse(dut.status_lost_i))

        before = {"done": 0, "status_lost": 0, name: 1}
        await (tb.finish() if name == "done" else tb.pulse(dut.status_lost_i))
        await cycles(dut.clk_i, 8)
        assert await tb.fields("interrupt_status") == before
        raised = len(tb.seen["raise"])
        writes.append(await beside(tb, ("interrupt_status", before), event, offset))
        happened.append(tb.seen["raise"][raised] if name == "done" else lost[0])
        kept = (await tb.fields("interrupt_status"))[name]
        assert kept == int(happened[-1] >= writes[-1]), offset
        await tb.write("interrupt_status", done=1, status_lost=1)
    around(writes, happened)


@cocotb.test()
@cocotb.parametrize(name=["control", "ring_head"])
async def a_wipe_undoes_what_is_written_in_it(dut: Any, name: str) -> None:
    """In its last cycle, too; nothing of it is seen outside. In the cycle after it, it stays."""
    tb = await started(dut)
    values = {"enable": 1} if name == "control" else {"index": 0xABCD}
    output = dut.enable_o if name == "control" else dut.head_o
    writes, ends = [], []

    async def nothing() -> None:
        while dut.wipe_i.value:
            await FallingEdge(dut.clk_i)
            assert not dut.wipe_i.value or int(output.value) == 0

    async def end() -> None:
        dut.wipe_i.value = 0

    for offset in range(1, 14):
        await tb.write(name, **values)
        dut.wipe_i.value = 1
        await cycles(dut.clk_i, 3)
        watching = cocotb.start_soon(nothing())
        writes.append(await beside(tb, (name, values), end, offset))
        await watching
        ends.append(tb.seen["wipe"][-1])
        kept = (await tb.fields(name))[next(iter(values))]
        assert kept == (next(iter(values.values())) if writes[-1] > ends[-1] else 0), offset
    around(writes, ends)


@cocotb.test()
async def a_write_in_the_cycle_in_which_a_wipe_begins(dut: Any) -> None:
    tb = await started(dut)
    writes, begins = [], []

    async def begin() -> None:
        begins.append(tb.cycle)
        dut.wipe_i.value = 1

    for offset in range(10):
        writes.append(await beside(tb, ("ring_head", {"index": 77}), begin, offset))
        assert await tb.read("ring_head") == 0
        dut.wipe_i.value = 0
    around(writes, begins)


@cocotb.test()
async def words_of_keys_in_a_wipe_are_dropped(dut: Any) -> None:
    """A word is written as it is or not at all: one of zeros would make a key that nobody chose."""
    tb = await started(dut)
    distances = set()
    for offset in range(14):
        dut.wipe_i.value = 1
        await cycles(dut.clk_i, 3)
        tb.keys.clear()
        data = random.getrandbits(32) | 1

        async def end(offset: int = offset) -> None:
            await cycles(dut.clk_i, offset)
            dut.wipe_i.value = 0

        ending = cocotb.start_soon(end())
        assert await tb.write_word(KEYS[9], data) == OKAY
        await ending
        await cycles(dut.clk_i, 8)
        assert tb.keys in ([], [(0, 9, data)]), offset
        distances.add(len(tb.keys))
    assert distances == {0, 1}


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


def sources() -> list[Any]:
    """Only those of saltmill_control: the rest of the device changes more often."""
    own = [path for path in cores.own_files("device") if path.stem in NEEDED]
    return [*own, cores.RTL / "device" / "tb" / f"{TOP}.sv"]


NEEDED = {
    "saltmill_registers_pkg",
    "saltmill_registers",
    "saltmill_description_pkg",
    "saltmill_interrupt",
    "saltmill_counters",
    "saltmill_axil",
    "saltmill_control",
}


@pytest.mark.parametrize("address_bits", [32, 40, 64])
def test_control(address_bits: int) -> None:
    waivers = map(runner.VerilatorControlFile, cores.own_files("device", "vlt"))
    parameters = {"AddressBits": address_bits}
    files = [*waivers, *sources()]
    built = runner.compiled(runner.Builder(), TOP, files, parameters, runner.ARGUMENTS)
    runner.run_tests(*built, TOP, __name__)
