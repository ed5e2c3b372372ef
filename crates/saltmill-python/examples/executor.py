#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A file sealed in parts by whatever runs functions somewhere: processes, Ray, Spark.

    executor.py                 processes of the standard library
    executor.py --with ray      tasks of Ray, if it is installed
    executor.py --with spark    tasks of Spark, if pyspark is installed

All three call `plan`, `part` and `complete`. A part can be done again, anywhere: let the scheduler
do that with one that was lost. On many machines source and target are objects (`s3://...`), or
files that all of them see.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

import saltmill


def by_processes(plan: saltmill.Plan) -> list[saltmill.Part]:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        return list(pool.map(saltmill.part, repeat(plan), range(plan.parts)))


def by_ray(plan: saltmill.Plan) -> list[saltmill.Part]:
    import ray  # noqa: PLC0415 -- it may not be there

    # A task that was lost is begun again, and so is one that fails; each has a processor.
    part = ray.remote(max_retries=3, retry_exceptions=True, num_cpus=1)(one)
    there = ray.put(plan)
    done: list[saltmill.Part] = ray.get([part.remote(there, n) for n in range(plan.parts)])
    return done


def by_spark(plan: saltmill.Plan) -> list[saltmill.Part]:
    from pyspark.sql import SparkSession  # noqa: PLC0415 -- it may not be there

    # The Python of the tasks, which has to have this package; set it where it is another one.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # `spark.task.maxFailures` says how often a task is begun again; each partition is a task.
    context = SparkSession.builder.getOrCreate().sparkContext
    numbers = context.parallelize(range(plan.parts), numSlices=plan.parts)
    done: list[saltmill.Part] = numbers.map(lambda number: one(plan, number)).collect()
    return done


def one(plan: saltmill.Plan, number: int) -> saltmill.Part:
    """A part on one thread: whoever schedules tasks counts processors."""
    return saltmill.part(plan, number, engine=saltmill.Engine(1))


WAYS: dict[str, Callable[[saltmill.Plan], list[saltmill.Part]]] = {
    "processes": by_processes,
    "ray": by_ray,
    "spark": by_spark,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--with", dest="way", choices=WAYS, default="processes")
    way = WAYS[parser.parse_args().way]
    identity = saltmill.Identity.generate()
    with tempfile.TemporaryDirectory() as name:
        text, sealed = Path(name) / "text", Path(name) / "text.age"
        text.write_bytes(bytes(range(251)) * 100_000)
        plan = saltmill.plan(text, sealed, recipients=identity.recipient, part_bytes=4 << 20)
        try:
            done = way(plan)
            saltmill.complete(plan)
        except BaseException:
            saltmill.abort(plan)
            raise
        print(f"{len(done)} parts, {sealed.stat().st_size} bytes")
        print("it opens:", saltmill.decrypt(sealed.read_bytes(), identity) == text.read_bytes())


if __name__ == "__main__":
    main()
