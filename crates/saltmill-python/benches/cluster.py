#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One file to S3 and back by a Dask cluster of 1, 2 and 4 worker processes, measured (wall clock).

The server is versitygw over loopback, or with `--server seaweedfs` one that does not copy the parts
when an object is complete; Go builds it the first time. It has the same processors as the workers,
so that its share of their time is measured, too, and the same memory: its objects are in /dev/shm,
two and a half times the file's size. The source has no blocks on the disk: reading it costs a copy
of zeros. Build and install the package as `speed.py` says, then:

    build/python/venv/bin/python crates/saltmill-python/benches/cluster.py --report

All of that is measured again with a share of a processor for each worker, as if it had a small
machine of its own, so that the server has processors which the workers cannot take: `--share`.
The report is benches/cluster.json, and docs/many-machines.md is made from it.
"""

import argparse
import json
import logging
import os
import platform
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dask
import distributed
import s3fs
import saltmill
import saltmill.dask
from saltmill import _jobs, _parts, _s3

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parent / "tests"))
import page  # noqa: E402
import processes  # noqa: E402
import servers  # noqa: E402

MIB = 1 << 20
RESULTS = HERE / "cluster.json"
SUMMED = 8
"""Objects of which `sum` has the digests: one worker reads one. They have half of the bytes."""
TASKS = 2000

Runs = dict[int, list[dict[str, dict[str, float]]]]
"""What was measured, by the count of workers: of each turn, by what was done."""


@contextmanager
def cluster(workers: int, folder: Path) -> Iterator[tuple[distributed.Client, list[int]]]:
    """Workers with one thread, which have imported what they need."""
    settings = {"distributed.worker.memory.terminate": False, "temporary-directory": str(folder)}
    with (
        dask.config.set(settings),
        distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=logging.ERROR,
        ) as local,
        distributed.Client(local) as client,
    ):
        client.run(lambda: __import__("saltmill.dask"))
        yield client, list(client.run(os.getpid).values())


class Bench:
    def __init__(
        self, folder: Path, options: dict[str, Any], server: int, sizes: tuple[int, int]
    ) -> None:
        self.folder, self.options, self.server = folder, options, server
        self.size, self.part = sizes
        self.identity = saltmill.Identity.generate()
        self.store = s3fs.S3FileSystem(**options)
        self.turn = 0
        self.completing = 0.0
        self.whole = _jobs.complete
        _jobs.complete = self.complete

    def complete(self, plan: saltmill.Plan) -> None:
        started = time.perf_counter()
        self.whole(plan)
        self.completing += time.perf_counter() - started

    def source(self, name: str, size: int) -> str:
        path = self.folder / name
        with path.open("wb") as file:
            file.truncate(size)
        return str(path)

    def renew(self) -> None:
        """Another bucket: only with its bucket SeaweedFS gives an object's room back at once."""
        if self.turn:
            self.store.rm(self.bucket, recursive=True)
        self.turn += 1
        self.store.mkdir(self.bucket)

    @property
    def bucket(self) -> str:
        return f"turn-{self.turn}"

    @property
    def sealed(self) -> str:
        return f"s3://{self.bucket}/sealed"

    def run(self, workers: int, share: float | None) -> dict[str, dict[str, float]]:
        """Encrypts, decrypts and sums with so many workers, each with a share of a processor."""
        self.renew()
        text, sealed, again = str(self.folder / "text"), self.sealed, self.folder / "again"
        summed = [f"s3://bucket/sums/{n}" for n in range(SUMMED)]
        both = {"part_bytes": self.part, "overwrite": True}
        s3, found = self.options, {}
        with cluster(workers, self.folder) as (client, pids), processes.limited(pids, share):
            meter = processes.Meter(self.server, pids)
            calls = {
                "encrypt": lambda: saltmill.dask.encrypt(
                    text, sealed, self.identity, client=client, target_options=s3, **both
                ),
                "decrypt": lambda: saltmill.dask.decrypt(
                    sealed, str(again), self.identity, client=client, source_options=s3, **both
                ),
                "sum": lambda: saltmill.dask.sum(summed, client=client, source_options=s3),
            }
            # One part for each worker, so that connections and libraries are there.
            warm, warmed = self.source("warm", workers * self.part), f"s3://{self.bucket}/warm"
            saltmill.dask.encrypt(
                warm, warmed, self.identity, client=client, target_options=s3, **both
            ).check()
            for name, call in calls.items():
                self.completing = 0.0
                found[name] = meter.measure(lambda call=call: call().check())
                found[name]["complete"] = self.completing
                found[name]["bytes"] = self.size // 2 if name == "sum" else self.size
                show(name, workers, share, found[name])
        if again.stat().st_size != self.size:
            sys.exit("error: what was decrypted has another size")
        again.unlink()
        return found

    def prepare(self) -> None:
        self.source("text", self.size)
        piece = self.source("piece", self.size // SUMMED // 2)
        for n in range(SUMMED):
            plan = saltmill.plan(
                piece,
                f"s3://bucket/sums/{n}",
                recipients=self.identity,
                target_options=self.options,
            )
            for number in range(plan.parts):
                saltmill.part(plan, number)
            saltmill.complete(plan)

    def part_costs(self, times: int) -> dict[str, dict[str, float]]:
        """What one part costs by itself, step by step, in this process: medians."""
        meter, engine = processes.Meter(self.server, []), saltmill.Engine(1)
        text = self.source("text", self.size)
        plan = saltmill.plan(
            text,
            "s3://bucket/costs",
            recipients=self.identity,
            part_bytes=self.part,
            target_options=self.options,
            overwrite=True,
        )
        place, upload = plan.place(1), _s3.S3Store("s3://bucket/costs", self.options)
        object_ = _s3.S3Object(self.sealed, self.options)
        pinned = object_.pin()
        opening = saltmill.plan(
            self.sealed,
            str(self.folder / "opened"),
            identities=self.identity,
            part_bytes=self.part,
            source_options=self.options,
        )
        sealed_place = opening.place(1)[0]
        data, got = bytes(len(place[0])), b""
        sealed = plan._core.run(1, data, engine)

        def get() -> None:
            nonlocal got
            got = object_.read(pinned, sealed_place.start, sealed_place.stop)

        steps: dict[str, Callable[[], object]] = {
            "read a file": lambda: _parts.read(text, {}, place[0].start, place[0].stop),
            "get": get,
            "seal": lambda: plan._core.run(1, data, engine),
            "open": lambda: opening._core.run(1, got, engine),
            "put": lambda: upload.put(plan.upload, 1, 0, sealed),
        }
        found = {}
        for name, step in steps.items():
            step()
            many = [meter.measure(step) for _ in range(times)]
            found[name] = {
                key: statistics.median(one[key] for one in many)
                for key in ("seconds", "server", "scheduler")
            }
            found[name]["client"] = found[name].pop("scheduler")
        saltmill.abort(plan)
        saltmill.abort(opening)
        return found

    def task_seconds(self, client: distributed.Client) -> float:
        """Processor time of client and scheduler for a task that does nothing with a plan."""
        plan = saltmill.plan(
            self.source("tiny", 1), str(self.folder / "tiny.age"), recipients=self.identity
        )
        ended = _jobs.Ended(client, 60.0)
        meter = processes.Meter(self.server, [])

        def tasks() -> None:
            started = [ended.submit(_nothing, plan, number) for number in range(TASKS)]
            for _ in started:
                ended.next()

        spent = meter.measure(tasks)
        saltmill.abort(plan)
        return spent["scheduler"] / TASKS


def _nothing(_plan: saltmill.Plan, number: int) -> int:
    return number


def show(name: str, workers: int, share: float | None, found: dict[str, float]) -> None:
    each = "" if share is None else f" with {share:g} of a processor"
    spent = ", ".join(f"{who} {found[who]:.1f}" for who in ("workers", "server", "scheduler"))
    print(
        f"{name}, {workers} workers{each}: {found['seconds']:.2f} s"
        f" ({found['bytes'] / MIB / found['seconds']:.0f} MiB/s), of that complete"
        f" {found['complete']:.2f} s; processor seconds: {spent}",
        flush=True,
    )


def median(runs: list[dict[str, dict[str, float]]]) -> dict[str, dict[str, float]]:
    """Of each name, the run whose time is in the middle."""
    found = {}
    for name in runs[0]:
        ordered = sorted((run[name] for run in runs), key=lambda one: one["seconds"])
        found[name] = ordered[(len(ordered) - 1) // 2]
    return found


def medians(runs: Runs) -> dict[str, dict[str, dict[str, float]]]:
    return {str(workers): median(several) for workers, several in runs.items()}


def turns(bench: Bench, arguments: argparse.Namespace, share: float | None) -> Runs:
    """As many turns as the time allows, one at least."""
    runs: Runs = {}
    started = time.monotonic()
    for turn in range(arguments.turns):
        spent = time.monotonic() - started
        if turn and spent + spent / turn > arguments.seconds:
            break
        for workers in arguments.workers:
            runs.setdefault(workers, []).append(bench.run(workers, share))
    return runs


def measure(arguments: argparse.Namespace, program: Path, folder: Path) -> dict[str, Any]:
    port = servers.free_port()
    for name in ("data", "meta"):
        (folder / name).mkdir()
    version, _, call = servers.SERVERS[arguments.server]
    with servers.started(call(program, folder, port), port) as server:
        options = servers.options(port)
        s3fs.S3FileSystem(**options).mkdir("bucket")
        size, part = arguments.mib * MIB, arguments.part_mib * MIB
        bench = Bench(folder, options, server.pid, (size, part))
        bench.prepare()
        # Those with shares first: where control groups are refused, that is said at once.
        limited, shared = turns(bench, arguments, arguments.share), turns(bench, arguments, None)
        costs = bench.part_costs(arguments.steps)
        with cluster(1, folder) as (client, _):
            task = bench.task_seconds(client)
    return {
        "measured": datetime.now(UTC).date().isoformat(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "server": version.rpartition("/")[2],
        "versions": {m.__name__: m.__version__ for m in (saltmill, distributed, s3fs)},
        "bytes": size,
        "part_bytes": part,
        "turns": min(map(len, shared.values())),
        "runs": medians(shared),
        "share": arguments.share,
        "limited_turns": min(map(len, limited.values())),
        "limited_runs": medians(limited),
        "part_costs": costs,
        "task_seconds": task,
    }


def rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    return float(f"{value:.4g}") if isinstance(value, float) else value


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--server", choices=servers.SERVERS, default="versitygw")
    parser.add_argument("--mib", type=int, default=4096, help="size of the file")
    parser.add_argument("--part-mib", type=int, default=64)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--share", type=float, default=0.25, help="of a processor, of each worker")
    parser.add_argument("--seconds", type=float, default=300, help="no turn that would end later")
    parser.add_argument("--steps", type=int, default=9, help="times that each step is measured")
    parser.add_argument("--folder", type=Path, default=Path("/dev/shm"), help="for all files")
    parser.add_argument("--report", action="store_true", help="write results and page")
    arguments = parser.parse_args()
    program = servers.SERVERS[arguments.server][1](ROOT / "build/python/bin")
    if program is None:
        sys.exit(f"error: there is no {arguments.server}\nhint: install it, or Go, which builds it")
    folder = Path(tempfile.mkdtemp(prefix="saltmill-cluster-", dir=arguments.folder))
    try:
        results = rounded(measure(arguments, program, folder))
    finally:
        shutil.rmtree(folder)
    print(page.scaling(results))
    if arguments.report:
        RESULTS.write_text(json.dumps(results, indent=2) + "\n")
        page.write(results)


if __name__ == "__main__":
    main()
