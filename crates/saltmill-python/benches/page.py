#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/many-machines.md: what `cluster.py` measured, and `model.py` on paper.

It is made from benches/cluster.json and many-machines.txt; `--check` says whether the page is that.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from model import GIB, INPUTS, MIB, PART_SIZES, PIB, WORKERS, Run

HERE = Path(__file__).resolve().parent
TEMPLATE = HERE / "many-machines.txt"
PAGE = HERE.parents[2] / "docs/many-machines.md"
COMPLETES = {
    "versitygw": "copies the parts into one\nfile then, on one processor",
    "seaweedfs": "writes a list of the\nparts then, and copies nothing",
}


def size(count: int) -> str:
    return f"{count // GIB} GiB" if count % GIB == 0 else f"{count // MIB} MiB"


def span(seconds: float) -> str:
    for unit, length in (("days", 86400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.1f} {unit}"
    return f"{seconds:.1f} s"


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def without_end(run: dict[str, float]) -> float:
    """Seconds until all parts are there."""
    return run["seconds"] - run["complete"]


def busy(run: dict[str, float], *, complete: bool) -> float:
    """Processors that all of it kept busy; `complete` is one request, which keeps one busy."""
    spent = sum(run[who] for who in ("workers", "server", "scheduler"))
    if complete:
        return spent / run["seconds"]
    return (spent - run["complete"]) / without_end(run)


def scaling(results: dict[str, Any], name: str = "runs") -> str:
    rows, count = [], results["processors"]
    for act in ("encrypt", "decrypt", "sum"):
        one = next(iter(results[name].values()))[act]
        for workers, runs in results[name].items():
            run = runs[act]
            spent = [run[who] for who in ("workers", "server", "scheduler")]
            rows.append(
                [
                    act,
                    workers,
                    f"{without_end(run):.1f} s",
                    f"{run['bytes'] / MIB / without_end(run):.0f} MiB/s",
                    f"{without_end(one) / without_end(run):.2f}",
                    f"{run['complete']:.1f} s",
                    f"{one['seconds'] / run['seconds']:.2f}",
                    *(f"{one_spent:.1f} s" for one_spent in spent),
                    f"{busy(run, complete=True) / count:.0%}",
                ]
            )
    head = ["", "workers", "all parts", "rate", "times one worker", "`complete`", "times, with it"]
    more = ["processor time: workers", "server", "client and scheduler", "processors busy"]
    return table([*head, *more], rows)


def steps(results: dict[str, Any]) -> str:
    names = {
        "read a file": "read a part of a local file",
        "get": "read a part of an object",
        "seal": "encrypt it",
        "open": "decrypt it",
        "put": "write it as a part of an object",
    }
    rows = [
        [
            names[step],
            *(f"{found[what] * 1e3:.0f} ms" for what in ("seconds", "client", "server")),
        ]
        for step, found in results["part_costs"].items()
    ]
    return table(["a step of a part", "time", "processor time: worker", "server"], rows)


def by_part_size(results: dict[str, Any]) -> str:
    rows = []
    for part in PART_SIZES:
        run = Run(results, part, 1000)
        rows.append(
            [
                size(part),
                f"{run.objects:,}",
                f"{run.parts:,}",
                f"{run.puts + run.gets:,}",
                f"{run.requests_usd:,.2f} USD",
                span(run.seconds),
                run.limit,
                f"{run.workers_usd:,.0f} USD",
                f"{(run.requests_usd + run.workers_usd) / run.parts * 1e6:,.0f} USD",
                f"{run.most_workers():,}",
                size(2 * part * run.threads),
            ]
        )
    head = ["a part", "objects", "parts", "requests", "they cost", "time", "limited by"]
    more = ["workers cost", "a million parts cost", "more workers than these gain nothing"]
    return table([*head, *more, "memory of a worker"], rows)


def by_workers(results: dict[str, Any]) -> str:
    rows = []
    for workers in WORKERS:
        cells = [f"{workers:,}"]
        for part in PART_SIZES[:2]:
            run = Run(results, part, workers)
            rate = PIB / run.seconds / GIB
            cells += [span(run.seconds), f"{rate:,.1f} GiB/s", run.limit]
        rows.append(cells)
    head = ["workers"]
    for part in PART_SIZES[:2]:
        head += [f"parts of {size(part)}: time", "rate", "limited by"]
    return table(head, rows)


def text(results: dict[str, Any]) -> str:
    run = Run(results, 64 * MIB, 1000)
    one, two = (results["runs"][n]["encrypt"] for n in ("1", "2"))
    own_one, own_two = (results["limited_runs"][n]["encrypt"] for n in ("1", "2"))
    values = {
        "file": size(results["bytes"]),
        "part": size(results["part_bytes"]),
        "versions": ", ".join(f"{name} {number}" for name, number in results["versions"].items()),
        "gain": without_end(one) / without_end(two),
        "whole": one["seconds"] / two["seconds"],
        "own_gain": without_end(own_one) / without_end(own_two),
        "own_whole": own_one["seconds"] / own_two["seconds"],
        "alone": busy(one, complete=False),
        "most_gain": results["processors"] / busy(one, complete=False),
        "completes": COMPLETES[results["server"].partition("@")[0]],
        "served": two["server"] / (two["server"] + two["workers"]),
        "task": results["task_seconds"] * 1e3,
        "tasks": 1 / results["task_seconds"],
        "threads": run.threads,
        "most": run.most_workers(),
        "kept": PIB / 1e9 * INPUTS.month_usd,
        "month": INPUTS.month_usd,
        "scaling": scaling(results),
        "own_scaling": scaling(results, "limited_runs"),
        "steps": steps(results),
        "inputs": _inputs(),
        "by_part_size": by_part_size(results),
        "by_workers": by_workers(results),
    }
    known = (
        "measured",
        "machine",
        "processors",
        "load",
        "server",
        "turns",
        "share",
        "limited_turns",
    )
    return TEMPLATE.read_text().format(**values, **{name: results[name] for name in known})


def _inputs() -> str:
    one = INPUTS
    rows = [
        ["answer of the store", f"{one.answer_seconds} s", "AWS: 100 to 200 ms"],
        ["one connection", f"{one.connection_bytes / 1e6:.0f} MB/s", "AWS: 85 to 90 MB/s"],
        [
            "requests in a second",
            f"{one.puts_per_prefix:,.0f} PUT, {one.gets_per_prefix:,.0f} GET",
            f"AWS, for a prefix; {one.prefixes} prefix",
        ],
        ["network of a worker", f"{one.worker_network / 1e6:.0f} MB/s each way", "assumed"],
        ["a worker", f"{one.worker_usd_hour} USD an hour", "assumed: c7gn.medium, 2025"],
        [
            "1,000 requests",
            f"{one.thousand_puts_usd} USD PUT, POST, LIST; {one.thousand_gets_usd} USD GET, HEAD",
            "S3 Standard, us-east-1, 2025",
        ],
    ]
    return table(["what", "value", "from"], rows)


def write(results: dict[str, Any]) -> None:
    PAGE.write_text(text(results))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    arguments = parser.parse_args()
    results = json.loads((HERE / "cluster.json").read_text())
    if not arguments.check:
        write(results)
    elif PAGE.read_text() != text(results):
        sys.exit(f"error: {PAGE} is not what the results say\nhint: run it without --check")


if __name__ == "__main__":
    main()
