# SPDX-License-Identifier: Apache-2.0
"""`saltmill bench`, called by the experiments."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab import cores

BUILT = cores.ROOT / "target" / "release" / "saltmill"
DEADLINE_S = 900


def command() -> Path:
    """Of a release build with all simulated devices, or the one in SALTMILL."""
    found = Path(os.environ.get("SALTMILL", BUILT))
    if not found.exists():
        raise ValueError(f"{found} is not there: `make setup` builds it")
    return found


def call(*arguments: str) -> dict[str, Any]:
    """What it found. Its own sentence if it fails."""
    done = subprocess.run(
        [command(), "bench", *arguments, "--json"],
        capture_output=True,
        text=True,
        check=False,
        timeout=DEADLINE_S,
    )
    if done.returncode:
        raise ValueError(done.stderr.strip().removeprefix("error: "))
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@dataclass(frozen=True)
class Jobs:
    """A run of `saltmill bench device`."""

    variant: str
    memory: str
    operation: str
    bytes: int
    jobs: int
    devices: int = 1
    in_flight: int = 2
    clock_hz: int | None = None
    poll: bool = False

    def run(self) -> dict[str, Any]:
        options = {
            "--sim-variant": self.variant,
            "--sim-memory": self.memory,
            "--operation": self.operation,
            "--bytes": self.bytes,
            "--jobs": self.jobs,
            "--devices": self.devices,
            "--in-flight": self.in_flight,
        }
        if self.clock_hz:
            options["--clock-hz"] = self.clock_hz
        words = [str(part) for pair in options.items() for part in pair]
        return call("device", *words, *(["--poll"] if self.poll else []))
