# SPDX-License-Identifier: Apache-2.0
"""lab/results/experiments/<name>.json: what an experiment found, what it was found with, committed.

`sources` has a hash for each device that was simulated, of its RTL, as a row of the lab has; and
one of the memory profiles and of the model. What is of other sources is marked in the report.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lab import cores, files, results, synth, variants

PROFILES = cores.ROOT / "crates" / "saltmill-sim" / "src" / "profile.rs"
OLDER = " †"


def path(name: str) -> Path:
    return results.FOLDER / "experiments" / f"{name}.json"


def device(variant: str) -> str:
    """The row of a simulated device."""
    return f"device-{variant}"


def sources(simulated: Iterable[str], model: Iterable[Path]) -> dict[str, str]:
    """Hashes by what they are of."""
    table = variants.load()
    found = {name: synth.digest(table[device(name)]) for name in sorted(set(simulated))}
    # Comments and layout are no sources, as in the RTL.
    found["memory profiles"] = hashlib.sha256(synth.code(PROFILES.read_text()).encode()).hexdigest()
    for file in model:
        found[file.name] = hashlib.sha256(file.read_bytes()).hexdigest()
    return found


def machine() -> dict[str, Any]:
    """What a wall-clock time depends on."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    model = next((line.partition(":")[2].strip() for line in lines if "model name" in line), "")
    return {
        "processor": model or "not known",
        "processors": os.cpu_count() or 1,
        "load_before": round(os.getloadavg()[0], 2),
    }


def save(name: str, found: Mapping[str, Any]) -> Path:
    files.write(path(name), json.dumps(found, indent=2) + "\n")
    return path(name)


def load(name: str) -> dict[str, Any] | None:
    """None: it was not run."""
    if not path(name).exists():
        return None
    found: dict[str, Any] = json.loads(path(name).read_text())
    return found


def outdated(found: Mapping[str, Any], model: Iterable[Path]) -> list[str]:
    """What has changed since: names of devices and files."""
    known = {file.name: file for file in model}
    recorded: dict[str, str] = found["sources"]
    devices = [name for name in recorded if name not in known and name != "memory profiles"]
    table = variants.load()
    there = [name for name in devices if device(name) in table]
    now = sources(there, known.values())
    return [name for name, digest in recorded.items() if now.get(name) != digest]
