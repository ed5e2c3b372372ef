# SPDX-License-Identifier: Apache-2.0
"""A host and a device around saltmill_control: registers, events, and notes of what was seen."""

import random
from pathlib import Path
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly
from cocotb_tools.runner import VerilatorControlFile

from lab import cores
from rtl.device import generate_registers
from rtl.device.tb.registers import COUNTERS, REGISTERS
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
CLEAR = 32  # cycles in which events may be lost
KEYS = REGISTERS["key_slots"].words
NEEDED = {  # of the device: the rest changes more often
    "saltmill_registers_pkg",
    "saltmill_registers",
    "saltmill_map_pkg",
    "saltmill_interrupt",
    "saltmill_counters",
    "saltmill_axil",
    "saltmill_control",
}


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
        shares = dict.fromkeys(EVENTS, 1.0)
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


def run(test_module: str, address_bits: int = 32, data_bytes: int = 32) -> None:
    own = [path for path in cores.own_files("device") if path.stem in NEEDED]
    own.insert(0, cores.ROOT / generate_registers.PACKAGE)
    bench = cores.RTL / "device" / "tb" / f"{TOP}.sv"
    waivers = map(VerilatorControlFile, cores.own_files("device", "vlt"))
    files: list[Path | VerilatorControlFile] = [*waivers, *own, bench]
    parameters = {"AddressBits": address_bits, "DataBytes": data_bytes}
    built = runner.compiled(runner.Builder(), TOP, files, parameters, runner.ARGUMENTS)
    runner.run_tests(*built, TOP, test_module)
