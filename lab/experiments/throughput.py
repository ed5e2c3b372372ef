# SPDX-License-Identifier: Apache-2.0
"""FpgaCha's experiments A to E3: software rows by the wall clock of this machine, and all rows in
the simulated time of its board. Then the same board with our devices.
"""

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab import results
from lab.experiments import bench, board, fluid, store
from lab.experiments.bench import Jobs
from lab.experiments.board import MIB, Board

NAME = "throughput"
PUBLISHED = Path(__file__).with_name("published.toml")
MODEL = (Path(board.__file__), Path(fluid.__file__), PUBLISHED)
MEMORY, CLOCK_HZ = "de10-nano", 50_000_000
# Its rate and memory port: a block every 20 cycles without the final addition, 256 bits
PUBLISHED_DEVICE = "ring1-hostadd"
MESSAGE = 64 << 10
Say = Callable[[str], None]


@dataclass(frozen=True)
class Setup:
    """A way to use our devices on that board."""

    name: str
    words: str
    variant: str
    operation: str
    sink: str  # "stub" or "file"
    host_add: bool = False
    touched: bool = True  # by the CPU, so that caches are to be maintained
    copied: bool = False  # files through the device's own memory

    def worker(self, model: Board, device_seconds: float) -> list[fluid.Server]:
        if self.copied:
            return model.copied(device_seconds)
        transfers = board.WRITTEN if self.operation == "keystream" else board.READ_AND_WRITTEN
        used = model if self.touched else model.untouched()
        return used.ring(device_seconds, transfers, host_add=self.host_add)


SETUPS = (
    Setup(
        "D, host addition",
        "keystream, final addition by the host",
        "ring2-hostadd",
        "keystream",
        "stub",
        host_add=True,
    ),
    Setup("D, keystream", "whole keystream by the device", "ring2", "keystream", "stub"),
    Setup(
        "D, pipeline", "whole keystream by the pipeline of 512 bits", "pipe", "keystream", "stub"
    ),
    Setup(
        "D, keystream in place",
        "whole keystream by the device, in memory that the CPU does not touch",
        "ring2",
        "keystream",
        "stub",
        touched=False,
    ),
    Setup(
        "E, host addition",
        "keystream, final addition and XOR by the host",
        "ring2-hostadd",
        "keystream",
        "file",
        host_add=True,
    ),
    Setup(
        "E, keystream",
        "whole keystream by the device, XOR by the host",
        "ring2",
        "keystream",
        "file",
    ),
    Setup(
        "E, XOR, copied",
        "XOR by the device, files copied into and out of its memory",
        "ring2",
        "xor",
        "stub",
        copied=True,
    ),
    Setup(
        "E, XOR in place",
        "XOR by the device, files in its memory",
        "ring2",
        "xor",
        "stub",
        touched=False,
    ),
    Setup(
        "E, AEAD in place",
        "ChaCha20-Poly1305 by the device, files in its memory",
        "aead-balanced",
        "seal",
        "stub",
        touched=False,
    ),
)


def published() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads(PUBLISHED.read_text())["fpgacha"]
    return found


def own_clock(variant: str) -> int | None:
    """The median clock of its placements on ECP5, in Hz."""
    row = results.load("ecp5").get(store.device(variant))
    return round(row["fmax_mhz"] * 1e6) if row and row["fmax_mhz"] else None


def seconds_per_byte(found: dict[str, Any]) -> float:
    """Of one of the devices, while all work."""
    taken: float = found["steady_cycles"] / (found["clock_hz"] * found["bytes"])
    return taken


def cycles(
    variant: str, operation: str, devices: int, clock_hz: int, task: int, *, alone: bool = False
) -> dict[str, Any]:
    size = MESSAGE if operation == "seal" else task
    jobs = 3 * task // size + 1
    return Jobs(variant, MEMORY, operation, size, jobs, devices, 1 if alone else 2, clock_hz).run()


def predictions(models: dict[str, Board], found: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """All ten rows, by each model."""
    given = published()
    device = {run["devices"]: seconds_per_byte(run) for run in found}
    for row in given["rows"]:
        count, by_model = row["workers"], {}
        for name, model in models.items():
            each = device.get(count, 0.0)
            workers = [model.published(row["worker"], each) for _ in range(count)]
            outcome = model.run(workers, model.sink(row["sink"]), given["bytes"])
            mib_s = given["bytes"] / MIB / outcome.seconds
            by_model[name] = {
                "mib_s": round(mib_s, 1),
                "error": round(mib_s / row["mib_s"] - 1, 4),
                "busy": {key: round(share, 2) for key, share in outcome.busy.items()},
                "limit": outcome.limit(),
            }
        yield {"name": row["name"], "published_mib_s": row["mib_s"], **by_model}


def ours(model: Board, say: Say) -> Iterator[dict[str, Any]]:
    """Each way to use our devices, at their clock and at ours."""
    given = published()
    for setup in SETUPS:
        clocks = {"published": CLOCK_HZ, "own": own_clock(setup.variant)}
        for whose, clock_hz in clocks.items():
            for devices in range(1, 5):
                if clock_hz is None:
                    continue
                say(f"{setup.name}, {devices} devices at {clock_hz / 1e6:g} MHz")
                run = cycles(setup.variant, setup.operation, devices, clock_hz, given["task_bytes"])
                each = seconds_per_byte(run)
                workers = [setup.worker(model, each) for _ in range(devices)]
                outcome = model.run(workers, model.sink(setup.sink), given["bytes"])
                yield {
                    "name": setup.name,
                    "words": setup.words,
                    "variant": setup.variant,
                    "clock": whose,
                    "clock_hz": clock_hz,
                    "devices": devices,
                    "devices_alone_mib_s": round(devices / each / MIB, 1),
                    "mib_s": round(given["bytes"] / MIB / outcome.seconds, 1),
                    "busy": {key: round(share, 2) for key, share in outcome.busy.items()},
                    "limit": outcome.limit(),
                }


def run(say: Say) -> Path:
    """All of it, minutes."""
    given = published()
    machine = store.machine()
    say("software rows, wall clock")
    wall = bench.call("throughput", "--bytes", str(given["bytes"]))
    task = given["task_bytes"]
    counts = sorted({row["workers"] for row in given["rows"] if row["worker"] == "device"})
    found = []
    for devices in counts:
        say(f"{PUBLISHED_DEVICE}, {devices} devices")
        found.append(cycles(PUBLISHED_DEVICE, "keystream", devices, CLOCK_HZ, task, alone=True))
    rates = {row["name"]: row["mib_s"] for row in given["rows"]}
    strict = board.calibrated(rates, cores=given["cores"], task_bytes=task)
    fitted = board.fitted_overhead(strict, rates["D1"], seconds_per_byte(found[0]))
    models = {"strict": strict, "fitted": fitted}
    simulated = [PUBLISHED_DEVICE, *(setup.variant for setup in SETUPS)]
    return store.save(
        NAME,
        {
            "sources": store.sources(simulated, MODEL),
            "machine": machine,
            "wall": wall,
            "cycles": found,
            "model": {
                "overhead_us_per_task": round(fitted.overhead * task * 1e6, 1),
                "memory_mb_s": round(fitted.machine.memory / 1e6, 1),
            },
            "rows": list(predictions(models, found)),
            "ours": list(ours(fitted, say)),
        },
    )
