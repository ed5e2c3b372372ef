# SPDX-License-Identifier: Apache-2.0
"""Records docs/waveforms/*.json: chosen ports of each core in a short scene, cycle by cycle.

`python -m rtl.testbench.waveforms [BLOCK]...` records again. The files are WaveJSON, which WaveDrom
shows too; lab/report/waveforms.py draws them.
"""

import json
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

from lab import cores, variants
from rtl.testbench.runner import simulate
from rtl.testbench.stream import Sink, Source, cycles, sample_bytes, start, to_beats

KEY = bytes(range(32))
IV = bytes(range(0xF0, 0x100))
DATA = sample_bytes(40)
STREAM = "tvalid tready tdata tkeep tlast"

Scene = Callable[[Any, Callable[[], None]], Awaitable[None]]


@dataclass(frozen=True)
class Recording:
    """What is recorded of a block.

    Groups are a title and ports: valid (of which the others are unknown unless it is high), ready
    and fields. A prefix of all ports is before a colon.
    """

    top: str
    variant: str  # none: as its parameters are by default
    groups: dict[str, str]
    scene: Scene


# ---- scenes: they start a core, call `now` when it is worth looking, and go on ------------------


async def chacha20(dut: Any, now: Callable[[], None]) -> None:
    """A packet of 40 bytes. Its consumer is not ready for two cycles after the first beat."""
    from rtl.chacha20.tb import model, test_chacha20  # noqa: PLC0415 (one block's bench at a time)

    tb = test_chacha20.TB(dut)
    await tb.start()
    now()
    cocotb.start_soon(tb.run([model.Packet(DATA, KEY, IV[:12], 1)]))
    await tb.received(1)
    tb.sink.busy = 1.0
    await cycles(dut.aclk, 2)
    tb.sink.busy = 0.0
    await tb.received(3)
    await cycles(dut.aclk, 4)


async def poly1305(dut: Any, now: Callable[[], None]) -> None:
    """A key, and a message of 40 bytes."""
    from rtl.poly1305.tb import model, test_poly1305  # noqa: PLC0415

    tb = test_poly1305.TB(dut)
    await tb.start()
    now()
    await tb.run([model.Message(DATA, KEY)])


async def aead(dut: Any, now: Callable[[], None]) -> None:
    """Seal: 12 bytes of additional data, in a beat of their own, then 40 bytes of data."""
    from rtl.chacha20_poly1305.tb import model  # noqa: PLC0415
    from rtl.testbench.messages import Bench  # noqa: PLC0415

    tb = Bench[model.Message](dut)
    await tb.start()
    now()
    await tb.run([model.Message(model.SEAL, DATA, DATA[:12], KEY, IV[:12])])


async def aes(dut: Any, now: Callable[[], None]) -> None:
    """A packet of 40 bytes in CTR: the third block is part of one."""
    from rtl.aes.tb import model, test_aes  # noqa: PLC0415

    tb = test_aes.TB(dut)
    await tb.start()
    now()
    await tb.run([model.Packet(DATA, KEY[:16], "ctr", iv=IV)])


async def cbc(dut: Any, now: Callable[[], None]) -> None:
    """A key, then two messages in lanes 0 and 1: an IV and one block each."""
    from rtl.aes_cbc.tb import lanes  # noqa: PLC0415

    tb = lanes.TB(dut)
    await tb.start()
    now()
    tb.offer_key(KEY[:16])
    queue = [lanes.Message(lane, DATA[16 * lane :][:16], IV) for lane in (0, 1)]
    await tb.run(queue, lanes.in_turn(queue))


async def ghash(dut: Any, now: Callable[[], None]) -> None:
    """A key, which has 0 blocks remaining, then a message of three blocks."""
    from rtl.ghash.tb import test_ghash  # noqa: PLC0415

    tb = test_ghash.TB(dut)
    await tb.start()
    now()
    await tb.run([test_ghash.Message(3, KEY[:16], sample_bytes(48, 32))])


async def digest(dut: Any, now: Callable[[], None]) -> None:
    """A message of 40 bytes, which is one block with its padding."""
    from rtl.hash.tb import test_hash  # noqa: PLC0415

    tb = test_hash.TB(dut)
    await tb.start()
    now()
    await tb.run([test_hash.Message(DATA)])


async def tag(dut: Any, now: Callable[[], None]) -> None:
    """A message of 40 bytes; its inner hash has two blocks, and so has the outer one."""
    from rtl.hmac_sha256.tb import test_hmac_sha256 as test_hmac  # noqa: PLC0415

    tb = test_hmac.TB(dut)
    await tb.start()
    now()
    await tb.run([test_hmac.keyed(DATA, KEY)])


async def gcm(dut: Any, now: Callable[[], None]) -> None:
    """Seal: 12 bytes of additional data, in a beat of their own, then 40 bytes of data."""
    from rtl.aes_gcm.tb import model  # noqa: PLC0415
    from rtl.testbench.messages import Bench  # noqa: PLC0415

    tb = Bench[model.Message](dut)
    await tb.start()
    now()
    await tb.run([model.Message(model.SEAL, DATA, KEY[:16], DATA[:12], IV[:12])])


async def dma(dut: Any, now: Callable[[], None]) -> None:
    """A read and a write of 40 bytes at the same time; no address is a multiple of 16."""
    from rtl.device.tb.memory import axi  # noqa: PLC0415

    ports: dict[str, Any] = {name: getattr(dut, name) for name in dir(dut) if name.endswith("_i")}
    for name, port in ports.items():
        if name.startswith(("fetch", "post")):
            port.value = 0
    memory = axi.AxiRam(axi.AxiBus.from_prefix(dut, "m_axi"), dut.clk_i, dut.rst_i, size=1 << 16)
    memory.write(0x1003, DATA)
    clock, jobs = dut.clk_i, ("address", "length_m1")
    read = Source(
        clock,
        dut.read_job_valid_i,
        dut.read_job_ready_o,
        [ports[f"read_job_{name}_i"] for name in (*jobs, "zeros", "continues")],
    )
    write = Source(
        clock,
        dut.write_job_valid_i,
        dut.write_job_ready_o,
        [ports[f"write_job_{name}_i"] for name in jobs],
    )
    source = Sink(clock, dut.source_valid_o, dut.source_ready_i, [dut.source_data_o])
    fields = [ports[f"sink_{name}_i"] for name in ("data", "keep", "last", "error")]
    sink = Source(clock, dut.sink_valid_i, dut.sink_ready_o, fields)
    await start(dut)
    now()
    read.send([(0x1003, len(DATA) - 1, 0, 0)])
    write.send([(0x2005, len(DATA) - 1)])
    sink.send(to_beats(DATA, 16))
    for _ in range(200):
        await FallingEdge(clock)
        if dut.written_o.value == 1:
            break
    assert len(source.received) == 3
    assert memory.read(0x2005, len(DATA)) == DATA


async def device(dut: Any, now: Callable[[], None]) -> None:
    """A job of 40 bytes, from the write of RING_HEAD (06c) to the interrupt."""
    from rtl.device.tb import host, job  # noqa: PLC0415

    under_test = await host.started(dut)
    await under_test.put(job.Job(len(DATA), nonce=IV[:12], interrupt=True))
    now()
    await under_test.hand_over()
    await host.interrupt(dut)


RECORDINGS = {
    "chacha20": Recording(
        "chacha20",
        "chacha20-ring2",
        {
            "param": "param_valid_i param_ready_o param_i",
            "in": f"s_axis_: {STREAM}",
            "out": f"m_axis_: {STREAM}",
            "": "busy_o",
        },
        chacha20,
    ),
    "poly1305": Recording(
        "poly1305",
        "poly1305-balanced",
        {
            "key": "key_valid_i key_ready_o key_i",
            "in": f"s_axis_: {STREAM}",
            "tag": "tag_valid_o tag_ready_i tag_o",
            "": "busy_o",
        },
        poly1305,
    ),
    "chacha20_poly1305": Recording(
        "chacha20_poly1305",
        "aead-balanced",
        {
            "param": "param_valid_i param_ready_o param_i",
            "in": "s_axis_: tvalid tready tdata",
            "out": f"m_axis_: {STREAM}",
            "tag": "tag_valid_o tag_ready_i tag_o tag_match_o",
            "": "busy_o",
        },
        aead,
    ),
    "aes": Recording(
        "aes",
        "aes128-ring",
        {
            "param": "param_valid_i param_ready_o param_i",
            "in": f"s_axis_: {STREAM}",
            "out": f"m_axis_: {STREAM}",
            "": "busy_o",
        },
        aes,
    ),
    "aes_cbc": Recording(
        "aes_cbc",
        "aes128-cbc-ring",
        {
            "key": "key_valid_i key_ready_o key_i",
            "in": "s_axis_: tvalid tready tdata tlast tid",
            "out": "m_axis_: tvalid tready tdata tlast tid",
            "": "busy_o",
        },
        cbc,
    ),
    "ghash": Recording(
        "ghash",
        "ghash-small",
        {
            "in": "s_valid_i s_ready_o s_block_i s_remaining_i",
            "hash": "hash_valid_o hash_ready_i hash_o",
            "": "busy_o",
        },
        ghash,
    ),
    "sha256": Recording(
        "sha256",
        "sha256-serial",
        {
            "param": "param_valid_i param_ready_o param_i",
            "in": f"s_axis_: {STREAM}",
            "out": f"m_axis_: {STREAM}",
            "": "busy_o",
        },
        digest,
    ),
    "md5": Recording(
        "md5",
        "md5-serial",
        {
            "param": "param_valid_i param_ready_o param_i",
            "in": f"s_axis_: {STREAM}",
            "out": f"m_axis_: {STREAM}",
            "": "busy_o",
        },
        digest,
    ),
    "hmac_sha256": Recording(
        "hmac_sha256",
        "hmac-sha256-serial",
        {
            "param": "param_valid_i param_ready_o param_i",
            "in": f"s_axis_: {STREAM}",
            "out": f"m_axis_: {STREAM}",
            "": "busy_o",
        },
        tag,
    ),
    "aes_gcm": Recording(
        "aes_gcm",
        "aes-gcm-ring",
        {
            "param": "param_valid_i param_ready_o param_i",
            "in": "s_axis_: tvalid tready tdata",
            "out": f"m_axis_: {STREAM}",
            "tag": "tag_valid_o tag_ready_i tag_o tag_match_o",
            "": "busy_o",
        },
        gcm,
    ),
    "dma": Recording(
        "dma",
        "",
        {
            "read job": "read_job_: valid_i ready_o address_i length_m1_i",
            "read address": "m_axi_: arvalid arready araddr arlen",
            "read data": "m_axi_: rvalid rready rdata rlast",
            "source": "source_: valid_o ready_i data_o keep_o last_o",
            "write job": "write_job_: valid_i ready_o address_i length_m1_i",
            "sink": "sink_: valid_i ready_o data_i keep_i last_i",
            "write address": "m_axi_: awvalid awready awaddr awlen",
            "write data": "m_axi_: wvalid wready wdata wstrb wlast",
            "answer": "m_axi_: bvalid bready",
            "": "written_o",
        },
        dma,
    ),
    "device": Recording(
        "saltmill_device",
        "device-ring2",
        {
            "register address": "s_axil_: awvalid awready awaddr",
            "register data": "s_axil_: wvalid wready wdata",
            "read address": "m_axi_: arvalid arready araddr arlen arid",
            "read data": "m_axi_: rvalid rready rdata rlast",
            "write address": "m_axi_: awvalid awready awaddr awlen awid",
            "write data": "m_axi_: wvalid wready wdata wstrb wlast",
            "answer": "m_axi_: bvalid bready",
            "": "irq_o",
        },
        device,
    ),
}


def ports_of(group: str) -> list[str]:
    prefix, colon, names = group.rpartition(":")
    return [f"{prefix}{name}" if colon else name for name in names.split()]


class Recorder:
    """Samples all groups of ports before each rising edge of the clock."""

    def __init__(self, dut: Any, groups: dict[str, str]) -> None:
        self.clock = dut.clk_i if hasattr(dut, "clk_i") else dut.aclk
        self.groups = {
            title: [(name, getattr(dut, name)) for name in ports_of(group)]
            for title, group in groups.items()
        }
        self.samples: dict[str, list[str]] = {
            name: [] for ports in self.groups.values() for name, _ in ports
        }

    def start(self) -> None:
        cocotb.start_soon(self._run())

    async def _run(self) -> None:
        while True:
            await FallingEdge(self.clock)
            await ReadOnly()
            for (valid, port), *others in self.groups.values():
                self.samples[valid].append(str(port.value))
                for i, (name, other) in enumerate(others):
                    known = i == 0 or port.value == 1
                    self.samples[name].append(text_of(other) if known else "x")

    def wave(self) -> list[list[Any]]:
        """The groups of WaveJSON."""
        return [
            [title, *({"name": name, **encoded(self.samples[name])} for name, _ in ports)]
            for title, ports in self.groups.items()
        ]


def text_of(port: Any) -> str:
    """A bit, or all hexadecimal digits."""
    if len(port) == 1:
        return str(port.value)
    return f"#{int(port.value):0{-(-len(port) // 4)}x}"


def encoded(samples: list[str]) -> dict[str, Any]:
    """A character per cycle; `.` is the value of the one before."""
    wave, data = "", []
    for i, sample in enumerate(samples):
        if i > 0 and sample == samples[i - 1]:
            wave += "."
        elif sample.startswith("#"):
            wave += "="
            data.append(sample[1:])
        else:
            wave += sample.lower()
    return {"wave": wave, **({"data": data} if data else {})}


@cocotb.test()
async def record(dut: Any) -> None:
    recording = RECORDINGS[os.environ["RECORDED"]]
    recorder = Recorder(dut, recording.groups)
    await recording.scene(dut, recorder.start)
    await cycles(recorder.clock, 2)
    made = {
        "head": {"text": recording.variant or recording.top},
        "foot": {"text": recording.scene.__doc__},
        "signal": recorder.wave(),
    }
    Path(os.environ["RECORDING"]).write_text(json.dumps(made))


def recorded(block: str) -> str:
    """The text of the recording, from a simulation."""
    recording = RECORDINGS[block]
    parameters = variants.load()[recording.variant].parameters if recording.variant else {}
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "wave.json"
        simulate(
            block,
            recording.top,
            parameters,
            __spec__.name if __spec__ else __name__,
            environment={"RECORDED": block, "RECORDING": str(made)},
            seed=1,
        )
        return laid_out(json.loads(made.read_text()))


def laid_out(recording: dict[str, Any]) -> str:
    """A signal per line."""
    groups = [
        ",\n".join(f"    {json.dumps(entry)}" for entry in group) for group in recording["signal"]
    ]
    signal = ",\n".join(f"  [\n{group}\n  ]" for group in groups)
    texts = ", ".join(f'"{name}": {json.dumps(recording[name])}' for name in ("head", "foot"))
    return f'{{{texts}, "signal": [\n{signal}\n]}}\n'


def main(blocks: list[str]) -> None:
    for block in blocks or RECORDINGS:
        path = cores.ROOT / "docs" / "waveforms" / f"{RECORDINGS[block].top}.json"
        path.write_text(recorded(block))
        print(path.relative_to(cores.ROOT))


if __name__ == "__main__":
    main(sys.argv[1:])
