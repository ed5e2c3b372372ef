# SPDX-License-Identifier: Apache-2.0
"""Pynqrypt's table: CPU by the wall clock, our devices in cycles before its board's memory."""

from collections.abc import Mapping, Sequence
from typing import Any

from lab.experiments import blocks, store
from lab.experiments.plots import Line, lines
from lab.report import comparison
from lab.report.choosing import markdown
from lab.report.entries import OWN, Entry
from lab.report.experiment_words import Filled, processor, stale
from lab.report.tables import number

MBPS = 1 << 20  # theirs


def pynqrypt(entries: Sequence[Entry]) -> Filled:
    found = store.load(blocks.NAME)
    if found is None:
        return {}, {}
    own = {e.name: e for e in entries if e.origin == OWN and e.family == "ecp5"}
    theirs = {e.name: e for e in entries if e.origin != OWN}
    fills = {
        "machine": f"{processor(found['machine'])}, {found['machine']['openssl']}",
        "table": block_table(found),
        "cycles": cycle_table(found),
        "verdict": verdict(found),
        "steps": markdown(*comparison.steps(own, theirs)),
        "stale": stale(found, blocks.MODEL),
    }
    return fills, {"pynqrypt": block_picture(found)}


def milliseconds(seconds: float) -> str:
    value = seconds * 1e3
    return f"{value:.2f}" if value >= 10 else f"{value:.3f}" if value >= 0.1 else f"{value:.5f}"


def named(clock_hz: int) -> str:
    return f"{clock_hz / 1e6:g} MHz"


def size_name(size: int) -> str:
    for unit, shown in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit:
            return f"{size // unit} {shown}"
    return f"{size} B"


def block_rows(found: Mapping[str, Any]) -> list[tuple[str, str, list[float]]]:
    """Name, label and seconds by size."""
    given = blocks.published()
    rows_of: list[tuple[str, str, list[float]]] = [
        (f"Pynqrypt {row['name']}", "published", [ms / 1e3 for ms in row["ms"]])
        for row in given["rows"]
    ]
    for name in dict.fromkeys(row["name"] for row in found["cpu"]):
        seconds = [row["seconds"] for row in found["cpu"] if row["name"] == name]
        rows_of.append((f"{name}, one thread here", "measured", seconds))
    for variant in blocks.VARIANTS:
        for clock in blocks.CLOCKS_HZ:
            seconds = [
                row["seconds"]
                for row in found["device"]
                if (row["variant"], row["clock_hz"]) == (variant, clock)
            ]
            rows_of.append((f"{variant}, {named(clock)}", "simulated", seconds))
    return rows_of


def block_table(found: Mapping[str, Any]) -> str:
    sizes = blocks.published()["bytes"]
    head = ["who", "label", *(f"{size_name(size)}, ms" for size in sizes), '"Mbps" at 16 MiB']
    printed = {f"Pynqrypt {row['name']}": row["mbps"] for row in blocks.published()["rows"]}
    body = []
    for name, label, seconds in block_rows(found):
        rate = printed.get(name, 8 * sizes[-1] / MBPS / seconds[-1])
        body.append([name, label, *map(milliseconds, seconds), number(rate)])
    return markdown(head, body)


def cycle_table(found: Mapping[str, Any]) -> str:
    head = [
        "device",
        "MHz",
        "bytes",
        "cycles",
        "register accesses",
        "cycles to the interrupt",
        "register reads",
        "writes",
        "more writes for a new key",
    ]
    body = [
        [
            f"`{row['variant']}`",
            f"{row['clock_hz'] / 1e6:g}",
            f"{row['bytes']:,}",
            f"{row['cycles']:,}",
            f"{row['polled_accesses']:g}",
            f"{row['interrupt_cycles']:,}",
            f"{row['reads']:g}",
            f"{row['writes']:g}",
            str(row["key_writes"]),
        ]
        for row in found["device"]
    ]
    return markdown(head, body)


def verdict(found: Mapping[str, Any]) -> str:
    sizes = blocks.published()["bytes"]
    at = {(row["variant"], row["clock_hz"], row["bytes"]): row for row in found["device"]}
    fast, slow = blocks.CLOCKS_HZ[-1], blocks.CLOCKS_HZ[0]
    best = max(8 * sizes[-1] / MBPS / at[v, fast, sizes[-1]]["seconds"] for v in blocks.VARIANTS)
    theirs = next(r["mbps"] for r in blocks.published()["rows"] if r["name"] == "9, 200 MHz")
    told = [
        f"`{variant}` {at[variant, slow, sizes[0]]['cycles']} at {named(slow)} and "
        f"{at[variant, fast, sizes[0]]['cycles']} at {named(fast)} "
        f"({at[variant, slow, sizes[0]]['interrupt_cycles']} and "
        f"{at[variant, fast, sizes[0]]['interrupt_cycles']} to the interrupt)"
        for variant in blocks.VARIANTS
    ]
    return (
        f'16 MiB at {named(fast)}: {number(best)} "Mbps", {best / theirs:.1f} times the published '
        f"{theirs}. 16 bytes, from the call to the result in memory: {'; '.join(told)} cycles, "
        "with the register accesses of the table."
    )


def block_picture(found: Mapping[str, Any]) -> str:
    shown = ("Pynqrypt CPU, 650 MHz", "Pynqrypt 1", "Pynqrypt 9", "Pynqrypt 9, 200 MHz")
    rows_of = [row for row in block_rows(found) if row[1] != "published" or row[0] in shown]
    picked = [row for row in rows_of if "143" not in row[0]]
    places = [size_name(size) for size in blocks.published()["bytes"]]
    found_lines = [Line(name, label, [s * 1e3 for s in secs]) for name, label, secs in picked]
    return lines("AES-128-CTR, time of a call", places, found_lines, "ms")
