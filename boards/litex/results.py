# SPDX-License-Identifier: Apache-2.0
"""results.json: cycles of the processor alone and of the device for the same work, simulated; and
the table of docs/boards/ecp5-soc.md that is made from it.
"""

import hashlib
import json
from typing import TypedDict

from boards.litex import environment, firmware, simulation
from lab import cores, elaboration, variants

FILE = environment.HERE / "results.json"
PAGE = cores.ROOT / "docs" / "boards" / "ecp5-soc.md"
BEGIN, END = "<!-- from boards/litex/results.json -->\n", "<!-- end -->\n"
# A ring of two rounds of ChaCha20, on the bus and with a memory port of its own; SHA-256.
MEASURED = [
    ("device-aead-balanced", "bus"),
    ("device-aead-balanced", "shared"),
    ("device-sha256-ring", "shared"),
]
# Names of the firmware's lines, and what they are for people.
WORK = {"stream": "{stream}", "digests": "SHA-256, 8 messages"}


class Row(TypedDict):
    variant: str
    memory: str  # as in soc.py
    work: str
    block_bytes: int
    # Of the difference between two lengths, so that what a job costs is not in it; of the device
    # the cycles with a job in the core, by its counter.
    software_cycles_per_block: float
    device_cycles_per_block: float
    core_cycles_per_block: float  # what the core alone takes
    job_cycles: int  # of the shorter job, with the driver
    job_bytes: int
    software_job_cycles: int
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
    rows = []
    for work, title in WORK.items():
        device = run.cycles.get(f"{work} device", {})
        software = run.cycles.get(f"{work} software", {})
        if not device:
            continue
        busy = run.cycles[f"{work} busy"]
        short, long = sorted(device)
        blocks = (long - short) / block
        rows.append(
            Row(
                variant=name,
                memory=memory,
                work=title.format(stream=run.stream),
                block_bytes=block,
                software_cycles_per_block=round((software[long] - software[short]) / blocks, 1),
                device_cycles_per_block=round((busy[long] - busy[short]) / blocks, 1),
                core_cycles_per_block=rate["cycles_per_block"],
                job_cycles=device[short],
                job_bytes=short,
                software_job_cycles=software[short],
                gateware_sha256=simulation.gateware_sha256(variant),
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


def table(rows: list[Row]) -> str:
    heads = (
        "device, memory port; work; block, bytes; processor, cycles a block; device; times; "
        "core alone; job, bytes; processor, cycles; device, with driver; times"
    ).split("; ")
    lines = [f"| {' | '.join(heads)} |", "| --- " * len(heads) + "|"]
    for row in rows:
        software, device = row["software_cycles_per_block"], row["device_cycles_per_block"]
        job, job_software = row["job_cycles"], row["software_job_cycles"]
        cells = [
            f"`{row['variant']}`, {row['memory']}",
            row["work"],
            str(row["block_bytes"]),
            f"{software:,.0f}",
            f"{device:,.1f}",
            f"{software / device:,.1f}",
            f"{row['core_cycles_per_block']:,}",
            f"{row['job_bytes']:,}",
            f"{job_software:,}",
            f"{job:,}",
            f"{job_software / job:,.1f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def page(text: str, rows: list[Row]) -> str:
    """The page with the table between its two marks."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + table(rows) + END + after
