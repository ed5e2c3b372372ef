# SPDX-License-Identifier: Apache-2.0
"""A SoC for a board through Yosys, nextpnr and ecppack, kept in a folder that is named by the hash
of what it is made from.
"""

import dataclasses
import hashlib
import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

from boards.litex import environment, wrapper
from lab import cores, files, jobs, synth, targets, variants

TOP = "soc"  # as in board_soc.py
OWN = ("board_soc.py", "external_memory.py", "ports.py", "saltmill.py", "wrapper.py")
SYNTH = "synth_ecp5"
DEADLINE_S = 7200.0  # of a tool: to route an OrangeCrab can take more than an hour


@dataclass(frozen=True)
class Board:
    name: str  # as in board_soc.py
    label: str
    fpga: str
    memory: str
    clock_hz: int  # of the SoC
    part: str  # flags of nextpnr


BOARDS = {
    board.name: board
    for board in (
        Board(
            name="ulx3s",
            label="ULX3S-85F",
            fpga="LFE5U-85F-6BG381C",
            memory="SDRAM, 16 bits",
            clock_hz=75_000_000,
            part="--85k --package CABGA381 --speed 6",
        ),
        Board(
            name="orangecrab",
            label="OrangeCrab-85F",
            fpga="LFE5U-85F-8MG285C",
            memory="DDR3, 16 bits",
            clock_hz=75_000_000,
            part="--85k --package CSFBGA285 --speed 8",
        ),
    )
}

# With the static placer the router does not end on an OrangeCrab.
PLACERS = {"ulx3s": "--placer static", "orangecrab": "--placer heap"}


class Clock(TypedDict):
    asked_mhz: float
    reached_mhz: float


@dataclass(frozen=True)
class Made:
    """One placement of a SoC, and its bitstream if that met the timing."""

    seed: int
    clocks: dict[str, Clock]
    lut: int
    ff: int
    bram: int
    mult: int
    seconds: float  # of place and route
    bitstream_sha256: str | None

    @property
    def met(self) -> bool:
        return all(clock["reached_mhz"] >= clock["asked_mhz"] for clock in self.clocks.values())


def soc_sha256(board: Board) -> str:
    """Of all that the SoC around the device is made from; of the device it is `synth.digest`."""
    found = hashlib.sha256(json.dumps([dataclasses.asdict(board), synth.READ, SYNTH]).encode())
    for path in [
        environment.REQUIREMENTS,
        environment.BOARDS,
        *map(environment.HERE.joinpath, OWN),
    ]:
        found.update(path.name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def tools() -> dict[str, str]:
    """As of the lab's rows, and the compiler of what is in the ROM."""
    asked = [environment.COMPILER, "-dumpversion"]
    compiler = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    return {**synth.tools(targets.TARGETS["ecp5"]), environment.COMPILER: compiler}


def soc_folder(board: Board) -> Path:
    """Of what LiteX makes, the same for all devices. Relative, as the tools want it."""
    return named_by(board.name, [soc_sha256(board), tools()])


def folder(board: Board, variant: variants.Variant) -> Path:
    """Of what is made of it and a device."""
    made_of = [soc_sha256(board), synth.digest(variant), tools()]
    return named_by(f"{board.name}-{variant.name}", made_of)


def named_by(name: str, made_of: list[Any]) -> Path:
    key = hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()[:16]
    return environment.FOLDER.relative_to(cores.ROOT) / f"{name}-{key}"


def generate(board: Board) -> Path:
    """Verilog of the SoC with LiteX's BIOS in its ROM; minutes, most of them for the BIOS."""
    here = soc_folder(board)
    done = cores.ROOT / here / "sources.json"

    def work() -> None:
        environment.ready(boards=True)
        settings = {
            **os.environ,
            "PATH": f"{environment.PYTHON.parent}:{os.environ['PATH']}",
            "PYTHONPATH": str(cores.ROOT),
            "SOURCE_DATE_EPOCH": "0",  # the BIOS has the date of its compilation in it
        }
        script = environment.HERE / "board_soc.py"
        where, clock = cores.ROOT / here, str(board.clock_hz)
        command: list[str | Path] = [environment.PYTHON, script, where, board.name, clock]
        (cores.ROOT / here).mkdir(parents=True, exist_ok=True)
        log = cores.ROOT / here / "generate.log"
        with log.open("w") as output:
            made = subprocess.run(
                command, cwd=cores.ROOT, env=settings, stdout=output, stderr=output, check=False
            )
        if made.returncode:
            shown = log.relative_to(cores.ROOT)
            raise jobs.JobError(f"the SoC for {board.label} was not made (log: {shown})", "failed")

    jobs.once(done, work, title=f"{board.label}, LiteX")
    return here


def verilog(here: Path) -> list[Path]:
    """LiteX's own files, relative; memories that a file fills are found from the project's folder,
    where Yosys runs.
    """
    found = []
    for name in json.loads((cores.ROOT / here / "sources.json").read_text()):
        path = Path(name)
        if path.stem == TOP:
            text = path.read_text().replace('$readmemh("', f'$readmemh("{here}/gateware/')
            path = cores.ROOT / here / "top.v"
            files.write(path, text)
        found.append(path.relative_to(cores.ROOT))
    return found


def synthesise(board: Board, variant: variants.Variant) -> Path:
    """The netlist, with registers of RAMs and multipliers where the lab puts them."""
    around, here = generate(board), folder(board, variant)
    own = wrapper.write(variant, board.clock_hz, cores.ROOT / here)
    ours = " ".join(str(path.relative_to(cores.ROOT)) for path in own)
    theirs = " ".join(map(str, verilog(around)))
    script = (
        f"{synth.READ} --top {wrapper.TOP} {ours}; read_verilog {theirs}; "
        # LiteX writes keep = "true", which is no attribute for Yosys.
        'attrmap -tocase keep -imap keep="true" keep=1 -remove keep=0; '
        f"{SYNTH} -top {TOP}; write_json"
    )
    title = f"{board.label}, {variant.name}, synthesis"
    netlist = here / "netlist.json"
    synth.yosys(
        variant, script, netlist, title=title, deadline_s=DEADLINE_S, force=False, improve=True
    )
    return netlist


def place(board: Board, variant: variants.Variant, seed: int, flags: Sequence[str]) -> Made:
    """Places, routes, and packs if the timing is met."""
    netlist = synthesise(board, variant)
    here = netlist.parent
    stem = "-".join(["seed", str(seed), *(flag.lstrip("-") for flag in flags)])
    kept = cores.ROOT / here / f"{stem}.json"

    def work() -> None:
        configuration, report = here / f"{stem}.config", here / f"{stem}.report.json"
        how = [*board.part.split(), *flags, "--seed", str(seed), "--timing-allow-fail"]
        constraints = soc_folder(board) / "gateware" / f"{TOP}.lpf"
        command: list[str | Path] = [synth.BIN / targets.NEXTPNR, *how]
        command += ["--json", netlist, "--lpf", constraints]
        command += ["--textcfg", configuration, "--report", report]
        title = f"{board.label}, {variant.name}, seed {seed}"
        seconds = jobs.run(command, log=here / f"{stem}.log", deadline_s=DEADLINE_S, title=title)
        made = read(json.loads((cores.ROOT / report).read_text()), seed, seconds)
        if made.met:
            made = dataclasses.replace(made, bitstream_sha256=pack(here, stem))
        files.write(kept, json.dumps(dataclasses.asdict(made), indent=1) + "\n")

    jobs.once(kept, work, title=f"{board.label}, {variant.name}, place and route")
    return Made(**json.loads(kept.read_text()))


def read(report: dict[str, Any], seed: int, seconds: float) -> Made:
    used = {kind: entry["used"] for kind, entry in report["utilization"].items()}
    return Made(
        seed=seed,
        clocks={
            name.removeprefix("$glbnet$"): Clock(
                asked_mhz=round(clock["constraint"], 2), reached_mhz=round(clock["achieved"], 2)
            )
            for name, clock in report["fmax"].items()
        },
        lut=used["TRELLIS_COMB"],
        ff=used["TRELLIS_FF"],
        bram=used["DP16KD"],
        mult=used["MULT18X18D"],
        seconds=seconds,
        bitstream_sha256=None,
    )


def pack(here: Path, stem: str) -> str:
    """The bitstream's SHA-256."""
    bitstream = here / f"{stem}.bit"
    tool, source = synth.BIN / "yowasp-ecppack", here / f"{stem}.config"
    jobs.run(
        [tool, "--compress", "--input", source, "--bit", bitstream],
        log=here / f"{stem}.pack.log",
        deadline_s=DEADLINE_S,
        title=f"{here.name}, ecppack",
    )
    return hashlib.sha256((cores.ROOT / bitstream).read_bytes()).hexdigest()
