# SPDX-License-Identifier: Apache-2.0
"""results.json: cycles of the processor alone and of the device for the same work, simulated; and
the table of docs/boards/ecp5-soc.md that is made from it.
"""

import hashlib
import json
from typing import TypedDict

from boards.litex import environment, firmware, simulation
from lab import cores, elaboration, variants
from lab.report.tables import DASH

FILE = environment.HERE / "results.json"
PAGE = cores.ROOT / "docs" / "boards" / "ecp5-soc.md"
BEGIN, END = "<!-- from boards/litex/results.json -->\n", "<!-- end -->\n"
# The smallest ChaCha20, a ring of two rounds, the smallest one with Poly1305; AES; SHA-256.
MEASURED = [
    ("device-small", "bus"),
    ("device-small", "shared"),
    ("device-ring2", "bus"),
    ("device-ring2", "shared"),
    ("device-aead-small", "shared"),
    ("device-aes-ring", "shared"),
    ("device-sha256-ring", "shared"),
]
# Names of the firmware's lines, and what they are for people.
WORK = {"stream": "{stream}", "digests": "SHA-256, 8 messages"}
WITH_TAG = "ChaCha20-Poly1305"  # the rate of such a core is that of sealing
# A word on the SoC's bus takes this long: asked for, and answered.
BUS_BYTES, BUS_CYCLES = 4, 2


class Job(TypedDict):
    """A call, with the driver."""

    bytes: int
    device_cycles: int
    software_cycles: int


class Row(TypedDict):
    variant: str
    memory: str  # as in soc.py
    work: str
    block_bytes: int
    # Of the difference between two lengths, so that what a job costs is not in it; of the device
    # the cycles with a job in the core, by its counter.
    software_cycles_per_block: float
    device_cycles_per_block: float
    core_cycles_per_block: float | None  # what the core alone takes, if this is all that it does
    bus_share: float | None  # of the cycles, those that the device's words take on the SoC's bus
    jobs: list[Job]  # the shorter one and the longer one
    gateware_sha256: str
    firmware_sha256: str


def firmware_sha256() -> str:
    paths = [*firmware.SOURCES.iterdir(), *firmware.DRIVER.glob("*.[ch]")]
    found = hashlib.sha256()
    for path in sorted(paths):
        found.update(path.relative_to(cores.ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def rows_of(name: str, memory: str, run: simulation.Run) -> list[Row]:
    variant = variants.load()[name]
    rate = elaboration.rate(variant)
    block = int(rate["block_bytes"])
    core = None if run.algorithm == WITH_TAG else rate["cycles_per_block"]
    rows = []
    for work, title in WORK.items():
        device = run.cycles.get(f"{work} device", {})
        software = run.cycles.get(f"{work} software", {})
        if not device:
            continue
        busy = run.cycles[f"{work} busy"]
        short, long = sorted(device)
        blocks = (long - short) / block
        taken = (busy[long] - busy[short]) / blocks
        moved = 2 * block if work == "stream" else block  # read, and written
        words = BUS_CYCLES * moved / BUS_BYTES
        rows.append(
            Row(
                variant=name,
                memory=memory,
                work=title.format(stream=run.stream),
                block_bytes=block,
                software_cycles_per_block=round((software[long] - software[short]) / blocks, 1),
                device_cycles_per_block=round(taken, 1),
                core_cycles_per_block=core,
                bus_share=round(words / taken, 3) if memory == "bus" else None,
                jobs=[
                    Job(bytes=size, device_cycles=device[size], software_cycles=software[size])
                    for size in (short, long)
                ],
                gateware_sha256=simulation.gateware_sha256(variant, memory),
                firmware_sha256=firmware_sha256(),
            )
        )
    return rows


def load() -> list[Row]:
    found: list[Row] = json.loads(FILE.read_text()) if FILE.exists() else []
    return found


def keep(new: list[Row]) -> None:
    """In place of older rows of the same variant and memory."""
    replaced = {(row["variant"], row["memory"]) for row in new}
    order = {pair: place for place, pair in enumerate(MEASURED)}
    rows = [row for row in load() if (row["variant"], row["memory"]) not in replaced] + new
    rows.sort(key=lambda row: (order.get((row["variant"], row["memory"]), 99), row["work"]))
    FILE.write_text(json.dumps(rows, indent=1) + "\n")
    PAGE.write_text(page(PAGE.read_text(), rows))


HEADS = (
    "device, memory port; work; block, bytes; processor, cycles a block; device; times; "
    "of the core; of the bus; job, bytes; processor, cycles; device, with driver; times"
).split("; ")


def table(rows: list[Row]) -> str:
    lines = [f"| {' | '.join(HEADS)} |", "| --- " * len(HEADS) + "|"]
    for row in rows:
        software, device = row["software_cycles_per_block"], row["device_cycles_per_block"]
        core = row["core_cycles_per_block"]
        cells = [
            f"`{row['variant']}`, {row['memory']}",
            row["work"],
            str(row["block_bytes"]),
            f"{software:,.0f}",
            f"{device:,.1f}",
            f"{software / device:,.1f}",
            percent(core and core / device),
            percent(row["bus_share"]),
            *job_cells(row["jobs"]),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def percent(share: float | None) -> str:
    return DASH if share is None else f"{100 * share:.0f} %"


def job_cells(jobs: list[Job]) -> list[str]:
    """Of the jobs of a row, one below the other."""
    columns = [
        [f"{job['bytes']:,}" for job in jobs],
        [f"{job['software_cycles']:,}" for job in jobs],
        [f"{job['device_cycles']:,}" for job in jobs],
        [f"{job['software_cycles'] / job['device_cycles']:,.1f}" for job in jobs],
    ]
    return ["<br>".join(column) for column in columns]


def page(text: str, rows: list[Row]) -> str:
    """The page with the table between its two marks."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + table(rows) + END + after
