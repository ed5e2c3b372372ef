#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""1 PiB on 1,000 workers, on paper: what `cluster.py` measured, and what is assumed of a store.

It writes docs/many-machines.md from benches/cluster.json; `--check` says whether the page is that.
Change a line of `Inputs` for another store or other prices, and run it again.
"""

import argparse
import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TEMPLATE = HERE / "many-machines.txt"
PAGE = HERE.parents[2] / "docs/many-machines.md"
COMPLETES = {
    "versitygw": "copies the parts into one\nfile then, on one processor",
    "seaweedfs": "writes a list of the\nparts then, and copies nothing",
}
MIB, GIB, PIB = 1 << 20, 1 << 30, 1 << 50


@dataclass(frozen=True)
class Inputs:
    """What is not measured here. Prices are those of S3 Standard and EC2 in us-east-1, 2025."""

    answer_seconds: float = 0.15
    """From a request to the first byte of its answer: AWS says 0.1 to 0.2."""
    connection_bytes: float = 85e6
    """A second, in one request: AWS says 85 to 90 MB/s."""
    puts_per_prefix: float = 3500.0
    gets_per_prefix: float = 5500.0
    """A second: AWS's least."""
    prefixes: int = 1
    """Into which the store has divided the names; more, after a while of such load."""
    worker_network: float = 0.26e9
    """Bytes a second, each way, all the time: 2.1 Gbit/s."""
    worker_usd_hour: float = 0.0624
    """A worker has one processor."""
    thousand_puts_usd: float = 0.005
    """Also each POST and LIST."""
    thousand_gets_usd: float = 0.0004
    """Also each HEAD."""
    month_usd: float = 0.021
    """To keep a GB for a month."""
    most_parts: int = 10_000
    parts_of_a_list: int = 1000
    client_threads: int = 16
    """Which make plans and complete them: `_THREADS` of `saltmill._jobs`."""


INPUTS = Inputs()
WORKERS = (1, 10, 100, 1000, 10_000)
PART_SIZES = (64 * MIB, 256 * MIB, 1 * GIB, 5 * GIB)


@dataclass(frozen=True)
class Run:
    """1 PiB of text from objects to objects."""

    results: dict[str, Any]
    part: int
    workers: int
    threads: int = 4
    inputs: Inputs = INPUTS

    @property
    def parts(self) -> int:
        return math.ceil(PIB / self.part)

    @property
    def objects(self) -> int:
        return math.ceil(self.parts / self.inputs.most_parts)

    def cost(self, step: str) -> float:
        """Processor seconds of a worker for a step of a part; it grows with the bytes."""
        per_byte: float = self.results["part_costs"][step]["client"] / self.results["part_bytes"]
        return per_byte * self.part

    @property
    def processor(self) -> float:
        return sum(map(self.cost, ("get", "seal", "put")))

    @property
    def alone(self) -> float:
        """Seconds of a part on a worker that does nothing else: one step after the other."""
        wire = self.part / min(self.inputs.connection_bytes, self.inputs.worker_network)
        moved = (self.inputs.answer_seconds + max(wire, self.cost(step)) for step in ("get", "put"))
        return sum(moved) + self.cost("seal")

    def rates(self) -> dict[str, float]:
        """Parts in a second, as far as each of these allows."""
        return {
            "connections of the workers": self.workers * self.threads / self.alone,
            "processors of the workers": self.workers / self.processor,
            "network of the workers": self.workers * self.inputs.worker_network / self.part,
            "the scheduler": 1 / self.results["task_seconds"],
            "the store's requests": self.inputs.prefixes
            * min(self.inputs.puts_per_prefix, self.inputs.gets_per_prefix),
        }

    @property
    def limit(self) -> str:
        rates = self.rates()
        return min(rates, key=lambda name: rates[name])

    @property
    def client_seconds(self) -> float:
        """For plans in front of the parts, and the end of the last objects."""
        begin = 3 * math.ceil(self.objects / self.inputs.client_threads)
        end = 3 + math.ceil(self.inputs.most_parts / self.inputs.parts_of_a_list)
        return (begin + end) * self.inputs.answer_seconds

    @property
    def seconds(self) -> float:
        return self.parts / self.rates()[self.limit] + self.client_seconds

    @property
    def puts(self) -> int:
        """One for each part; begin, list and complete for each object."""
        lists = math.ceil(self.parts / self.objects / self.inputs.parts_of_a_list)
        return self.parts + self.objects * (2 + lists)

    @property
    def gets(self) -> int:
        """One for each part; looks at source and target, at the begin and at the end."""
        return self.parts + 4 * self.objects

    @property
    def requests_usd(self) -> float:
        puts = self.puts * self.inputs.thousand_puts_usd
        return (puts + self.gets * self.inputs.thousand_gets_usd) / 1000

    @property
    def workers_usd(self) -> float:
        return self.workers * self.seconds / 3600 * self.inputs.worker_usd_hour

    def most_workers(self) -> int:
        """From how many on more of them gain nothing."""
        rates = self.rates()
        each = min(rates[name] for name in rates if "workers" in name) / self.workers
        return math.floor(min(rates["the scheduler"], rates["the store's requests"]) / each)


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


def scaling(results: dict[str, Any]) -> str:
    rows, count = [], results["processors"]
    for act in ("encrypt", "decrypt", "sum"):
        one = next(iter(results["runs"].values()))[act]
        for workers, runs in results["runs"].items():
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
                    f"{sum(spent) / run['seconds'] / count:.0%}",
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
    values = {
        "file": size(results["bytes"]),
        "part": size(results["part_bytes"]),
        "versions": ", ".join(f"{name} {number}" for name, number in results["versions"].items()),
        "gain": without_end(one) / without_end(two),
        "whole": one["seconds"] / two["seconds"],
        "completes": COMPLETES[results["server"].partition("@")[0]],
        "share": two["server"] / (two["server"] + two["workers"]),
        "task": results["task_seconds"] * 1e3,
        "tasks": 1 / results["task_seconds"],
        "threads": run.threads,
        "most": run.most_workers(),
        "kept": PIB / 1e9 * INPUTS.month_usd,
        "month": INPUTS.month_usd,
        "scaling": scaling(results),
        "steps": steps(results),
        "inputs": _inputs(),
        "by_part_size": by_part_size(results),
        "by_workers": by_workers(results),
    }
    known = ("measured", "machine", "processors", "load", "server", "turns")
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
