# SPDX-License-Identifier: Apache-2.0
"""A GPU's figures beside those of CPUs and of our cores: docs/experiments/gpu.md."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from lab.experiments import blocks, store
from lab.experiments.plots import Value, bars
from lab.gpu import measure
from lab.report.choosing import markdown
from lab.report.entries import OWN, Entry
from lab.report.experiment_pynqrypt import size_name
from lab.report.experiment_words import Filled
from lab.report.tables import DASH, number

NAME = "gpu"
OURS = ("aes128-pipe-ram", "chacha20-ring2", "device-aes-pipe", "device-ring2")


def gpu(entries: Sequence[Entry]) -> Filled:
    found = store.load(NAME)
    if found is None:
        return {}, {}
    fills = {
        "words": f"{found['card']}, driver {found['driver']}; "
        f"it draws {number(found['idle_watts'])} W without work.",
        "table": table(found),
        "beside": beside(entries),
        "small": small(found),
        "stale": stale(found),
    }
    return fills, {"gpu": picture(found, entries)}


def table(found: Mapping[str, Any]) -> str:
    head = ["cipher", "text", "card, Gbit/s", "bus, Gbit/s", "W on the card", "card, nJ per byte"]
    body = []
    for row in found["rows"]:
        drawn = row.get("card_watts")
        energy = 8 * drawn / row["card_gbit_s"] if drawn else None
        cells = [row["cipher"], size_name(row["bytes"]), number(row["card_gbit_s"])]
        cells += [number(row["bus_gbit_s"]), number(drawn), number(energy)]
        body.append([cell or DASH for cell in cells])
    return markdown(head, body)


def on_cpu() -> tuple[str, float] | None:
    """Our fastest on one thread: name and Gbit/s."""
    found = store.load(blocks.NAME)
    if found is None:
        return None
    size = blocks.published()["bytes"][-1]
    best = min((r for r in found["cpu"] if r["bytes"] == size), key=lambda r: float(r["seconds"]))
    return f"AES-128-CTR, {best['name']}, one thread", 8 * size / best["seconds"] / 1e9


def cores(entries: Sequence[Entry]) -> list[Entry]:
    own = {e.name: e for e in entries if e.origin == OWN and e.family == "ecp5" and e.mbit_s}
    return [own[name] for name in OURS if name in own]


def beside(entries: Sequence[Entry]) -> str:
    rows = [
        f"| {entry.label}, ECP5 | {number((entry.mbit_s or 0) / 1e3)} Gbit/s |"
        for entry in cores(entries)
    ]
    if (cpu := on_cpu()) is not None:
        rows.append(f"| {cpu[0]} | {number(cpu[1])} Gbit/s |")
    return "\n".join(rows)


def small(found: Mapping[str, Any]) -> str:
    least, most = (
        found["rows"][0],
        next(row for row in reversed(found["rows"]) if row["cipher"] == found["rows"][0]["cipher"]),
    )
    return (
        f"{least['cipher']} of {size_name(least['bytes'])} runs at {number(least['card_gbit_s'])} "
        f"Gbit/s on the card and {number(least['bus_gbit_s'])} over the bus, of "
        f"{size_name(most['bytes'])} at {number(most['card_gbit_s'])} and "
        f"{number(most['bus_gbit_s'])}."
    )


def stale(found: Mapping[str, Any]) -> str:
    now = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in measure.SOURCES}
    older = [name for name, digest in found["sources"].items() if now.get(name) != digest]
    names = ", ".join(f"`{name}`" for name in older)
    return f"\nFigures of this page were made with earlier versions of {names}.\n" if older else ""


def picture(found: Mapping[str, Any], entries: Sequence[Entry]) -> str:
    groups = [
        (
            f"{row['cipher']}, {size_name(row['bytes'])}",
            [
                Value(row["card_gbit_s"], "measured", "card"),
                Value(row["bus_gbit_s"], "measured", "bus"),
            ],
        )
        for row in found["rows"]
    ]
    if (cpu := on_cpu()) is not None:
        groups.append((cpu[0], [Value(cpu[1], "measured")]))
    groups += [
        (f"{entry.name}, ECP5", [Value((entry.mbit_s or 0) / 1e3, "placed-and-routed")])
        for entry in cores(entries)
    ]
    return bars("AES-128-CTR and ChaCha20, Gbit/s", groups)
