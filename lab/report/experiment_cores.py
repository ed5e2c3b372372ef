# SPDX-License-Identifier: Apache-2.0
"""The tables that need no run of their own: cores of the SME library, components of the VHDL
accelerator, and ours from the lab's results beside them.
"""

import json
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from lab import cores, results
from lab.experiments import throughput
from lab.experiments.plots import Value, bars
from lab.report import comparison
from lab.report.choosing import markdown
from lab.report.entries import OLDER, OWN, ROUTED, Breakdown, Entry, outdated
from lab.report.experiment_words import Filled
from lab.report.tables import DASH, megahertz, number

BITS = 8
OURS = {
    "MD5": ("md5-serial", "md5-ring", "md5-pipe"),
    "SHA-256": ("sha256-serial", "sha256-ring2", "sha256-ring", "sha256-pipe"),
    "AES": ("aes128-small", "aes128-ring", "aes128-ring-ram", "aes128-pipe-ram", "aes128-pipe"),
    "ChaCha20": (
        "chacha20-tiny",
        "chacha20-small",
        "chacha20-ring2",
        "chacha20-ring4",
        "chacha20-pipe",
    ),
}
ONE_QUARTER_ROUND = ("chacha20-tiny", "chacha20-small")
THEIR_CYCLES = 1015
THEIR_COMPONENTS = "VHDL accelerator, Cyclone V"
SOFT_CORE = cores.ROOT / "boards" / "litex" / "results.json"
MEMORIES = {"bus": "the processor's bus, 32 bits", "shared": "a port of its own, 128 bits"}


def by_name(entries: Sequence[Entry], family: str) -> dict[str, Entry]:
    return {e.name: e for e in entries if e.origin == OWN and e.family == family}


def theirs_of(entries: Sequence[Entry], start: str) -> list[Entry]:
    return [e for e in entries if e.origin != OWN and e.name.startswith(start)]


def megabytes(entry: Entry) -> str:
    return number(entry.mbit_s / BITS if entry.mbit_s else None) or DASH


def sme(entries: Sequence[Entry]) -> Filled:
    tables = comparison.tables(entries)
    own = by_name(entries, "ecp5")
    fills = {
        "cores": core_table(entries, own),
        "structures": markdown(*tables["structures"]),
        "sha256": markdown(*tables["sha256"]),
        "md5": markdown(*tables["md5"]),
        "power": power_table(entries),
        "activity": activity_table(own),
        "stale": outdated(e for names in OURS.values() for n in names if (e := own.get(n))),
    }
    pictures = {"sme-throughput": throughput_picture(entries, own), "sme-power": power_picture(own)}
    return fills, pictures


def core_table(entries: Sequence[Entry], own: Mapping[str, Entry]) -> str:
    head = ["algorithm", "core", "label", "MHz", "MB/s best", "LUT", "FF", "block RAM"]
    body = []
    for algorithm, names in OURS.items():
        pairs = [(e, "published") for e in theirs_of(entries, f"SME {algorithm}")]
        pairs += [(own[name], own[name].status) for name in names if name in own]
        for entry, label in pairs:
            name = entry.label if label != "published" else entry.name
            cells = [algorithm, name, label, megahertz(entry.fmax_mhz), megabytes(entry)]
            cells += [number(entry.lut), number(entry.ff), number(entry.bram)]
            body.append([cell or DASH for cell in cells])
    return markdown(head, body)


def watts() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(throughput.PUBLISHED.read_text())["sme"]["power"]
    return found


def power_table(entries: Sequence[Entry]) -> str:
    known = {entry.name: entry for entry in entries if entry.origin != OWN}
    body = []
    for row in watts():
        entry = known[row["name"]]
        per_byte = row["watts"] / (entry.mbit_s * 1e6 / BITS) * 1e12 if entry.mbit_s else None
        body.append([row["name"], f"{row['watts']:g}", megabytes(entry), number(per_byte)])
    return markdown(["core", "W, published", "MB/s, published", "pJ per byte, from these"], body)


def toggles(own: Mapping[str, Entry]) -> list[tuple[str, float, Entry]]:
    """Of their algorithms: name, toggles per byte. Marked if counted on an earlier RTL."""
    rows, found = results.load("ecp5"), []
    for name in (name for names in OURS.values() for name in names if name in own):
        counted, entry = rows[name]["activity"], own[name]
        if counted:
            older = "" if entry.toggles_per_byte is not None else OLDER
            found.append((f"{name}{older}", counted["toggles_per_byte"], entry))
    return found


def activity_table(own: Mapping[str, Entry]) -> str:
    head = ["core", "toggles per byte, modelled", "MB/s"]
    body = [[f"`{name}`", number(count), megabytes(e)] for name, count, e in toggles(own)]
    older = any(OLDER in name for name, _, _ in toggles(own))
    note = "\n\n†: counted on an earlier version of the RTL." if older else ""
    return markdown(head, body) + note


def throughput_picture(entries: Sequence[Entry], own: Mapping[str, Entry]) -> str:
    groups = []
    for algorithm, names in OURS.items():
        placed = [own[name] for name in names if name in own and own[name].status == ROUTED]
        pairs = [(entry, "published") for entry in theirs_of(entries, f"SME {algorithm}")]
        pairs += [(entry, "placed-and-routed") for entry in placed]
        groups += [
            (entry.name, [Value(entry.mbit_s / BITS, label)])
            for entry, label in pairs
            if entry.mbit_s
        ]
    return bars("Hashes and ciphers of the SME library, and ours, MB/s", groups)


def power_picture(own: Mapping[str, Entry]) -> str:
    groups = [(f"{row['name']}, mW", [Value(row["watts"] * 1e3, "published")]) for row in watts()]
    groups += [
        (f"{name}, toggles per byte", [Value(count, "modelled")]) for name, count, _ in toggles(own)
    ]
    return bars("Estimated power (theirs, mW) and activity (ours, toggles per byte)", groups)


def vhdl(entries: Sequence[Entry], breakdowns: Sequence[Breakdown]) -> Filled:
    tiny = by_name(entries, "ecp5")["chacha20-tiny"]
    shown = [e for e in entries if e.origin == OWN and e.name in ONE_QUARTER_ROUND]
    theirs = next(entry for entry in entries if entry.name == THEIR_COMPONENTS)
    parts = {one.id: one for one in breakdowns}
    fills = {
        "cores": one_quarter_round(entries, shown),
        "clock_for_clock": f"{THEIR_CYCLES / (tiny.cycles_per_block or THEIR_CYCLES):.1f}",
        "tiny_cycles": str(tiny.cycles_per_block),
        "theirs": components(theirs, parts[theirs.id], "published"),
        "ours": components(tiny, parts[tiny.id], "synthesised, ECP5"),
        "soft_core": soft_core(),
        "stale": outdated(shown),
    }
    return fills, {}


def soft_core() -> str:
    """Cycles for a block on a soft processor, alone and with the device: boards/litex measures."""
    head = ["device", "memory", "work", "processor", "device", "times"]
    head += ["of the core", "of the bus", "jobs"]
    body = []
    for row in json.loads(SOFT_CORE.read_text()):
        alone, with_device = row["software_cycles_per_block"], row["device_cycles_per_block"]
        cells = [f"`{row['variant']}`", MEMORIES[row["memory"]], row["work"], f"{alone:,.0f}"]
        cells += [f"{with_device:.1f}", f"{alone / with_device:.1f}"]
        core = row["core_cycles_per_block"]
        for share in (core and core / with_device, row["bus_share"]):
            cells.append(DASH if share is None else f"{100 * share:.0f} %")
        jobs = (
            f"{job['software_cycles'] / job['device_cycles']:.1f} ({job['bytes'] >> 10} KiB)"
            for job in row["jobs"]
        )
        cells.append(", ".join(jobs))
        body.append(cells)
    return markdown(head, body)


def components(entry: Entry, found: Breakdown, label: str) -> str:
    rows = sorted(found.components, key=lambda part: -part.lut)
    body = [[part.component, number(part.lut), number(part.ff)] for part in rows]
    name = entry.name if entry.origin != OWN else entry.label
    return markdown([f"{name}: {label}", "LUT", "FF"], body)


def one_quarter_round(entries: Sequence[Entry], shown: Sequence[Entry]) -> str:
    head = ["core", "family", "label", "LUT", "FF", "MHz", "cycles per block", "Mbit/s"]
    pairs = [(e, "published") for e in theirs_of(entries, "VHDL accelerator")]
    pairs += [(e, e.status) for e in shown]
    body = []
    for entry, label in pairs:
        name = entry.name if label == "published" else entry.label
        cells = [name, entry.device, label, number(entry.lut), number(entry.ff)]
        cells += [megahertz(entry.fmax_mhz), number(entry.cycles_per_block), number(entry.mbit_s)]
        body.append([cell or DASH for cell in cells])
    return markdown(head, body)
