# SPDX-License-Identifier: Apache-2.0
"""Placement and routing with nextpnr, out of context: only paths between registers count.

Placements are kept by the netlist that they are of: sources that give the same one are not placed
again.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lab import cores, files, floorplan, jobs, synth
from lab.targets import Target


@dataclass(frozen=True)
class Routed:
    fmax_mhz: float
    lut: int
    ff: int
    bram: int
    mult: int
    seconds: float


def route(
    netlist: Path,
    target: Target,
    seed: int,
    *,
    flags: str = "",
    title: str,
    deadline_s: float = jobs.DEADLINE_S,
    force: bool = False,
) -> Routed:
    """One placement of a netlist."""
    modules = synth.load(netlist)
    planned = floorplan.place(modules)
    folder = synth.BUILD / target.name / "placed" / fingerprint(modules, target, flags)
    report = folder / f"seed{seed}.report.json"
    kept = cores.ROOT / folder / f"seed{seed}.json"

    def work() -> None:
        source = netlist
        if planned:
            source = folder / "planned.json"
            files.write(cores.ROOT / source, json.dumps({"modules": modules}))
        with files.complete(cores.ROOT, report) as aside:
            how = [*target.route.split(), *flags.split(), "--seed", str(seed)]
            seconds = jobs.run(
                [synth.BIN / target.tools[1], *how, "--json", source, "--report", aside],
                log=folder / f"seed{seed}.log",
                deadline_s=deadline_s,
                title=title,
            )
            routed = read(cores.ROOT / aside, seconds)
        files.write(kept, json.dumps(asdict(routed)) + "\n")

    jobs.once(kept, work, title=title, force=force)
    return Routed(**json.loads(kept.read_text()))


def fingerprint(modules: dict[str, Any], target: Target, flags: str = "") -> str:
    """Of what a placement is made from."""
    version = synth.tools(target)[target.tools[1]]
    how = " ".join(filter(None, [target.route, flags]))
    key = json.dumps([synth.without_lines(modules), how, version])
    return hashlib.sha256(key.encode()).hexdigest()[:16]


def read(report: Path, seconds: float) -> Routed:
    found = json.loads(report.read_text())
    if not found["fmax"]:
        reason = "there is no path from register to register"
        raise jobs.JobError(reason, f"failed: {reason}")
    used = {kind: entry["used"] for kind, entry in found["utilization"].items()}
    return Routed(
        fmax_mhz=round(min(clock["achieved"] for clock in found["fmax"].values()), 2),
        lut=used["TRELLIS_COMB"],
        ff=used["TRELLIS_FF"],
        bram=used["DP16KD"],
        mult=used["MULT18X18D"],
        seconds=seconds,
    )
