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

# As in rtl/testbench: the wheel's verilated.mk is unconfigured.
MAKEFLAGS = (
    "CFG_CXXFLAGS_PCH_I=-include CFG_CXXFLAGS_COROUTINES=-fcoroutines VK_PCH_I_FAST= VK_PCH_I_SLOW="
)
CLOCK_HZ = 1_000_000  # as in soc.py
GATEWARE = ("ports.py", "saltmill.py", "shared_memory.py", "shared_memory.sv", "soc.py")


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


def gateware_sha256(variant: variants.Variant) -> str:
    """Of all that the gateware is made of: its parameters, sources, the versions of LiteX."""
    own = [environment.HERE / name for name in GATEWARE]
    paths = [*elaboration.sources(variant), environment.REQUIREMENTS, *own]
    found = hashlib.sha256(wrapper.text(variant, CLOCK_HZ).encode())
    for path in paths:
        found.update(path.relative_to(cores.ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def build(name: str, memory: str) -> Path:
    """The folder of the SoC with a device of this variant; minutes, unless it is there already."""
    variant = variants.load()[name]
    folder = environment.FOLDER / f"{name}-{memory}"
    stamp, wanted = folder / "built", gateware_sha256(variant)
    if stamp.exists() and stamp.read_text() == wanted:
        return folder
    environment.ready()
    files = wrapper.write(variant, CLOCK_HZ, folder)
    settings = {
        **os.environ,
        "PATH": f"{environment.VERILATOR}:{os.environ['PATH']}",
        "PYTHONPATH": str(cores.ROOT),
        "MAKEFLAGS": MAKEFLAGS,
    }
    generate = [str(environment.PYTHON), str(environment.HERE / "soc.py"), str(folder), memory]
    steps = [([*generate, *map(str, files)], cores.ROOT)]
    steps += [(["bash", "build_sim.sh"], folder / "gateware")]
    log = folder / "build.log"
    with log.open("w") as output:
        for command, where in steps:
            done = subprocess.run(
                command, cwd=where, env=settings, stdout=output, stderr=output, check=False
            )
            if done.returncode:
                raise SimulationError(f"the SoC of {name} was not built: see {log}")
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
