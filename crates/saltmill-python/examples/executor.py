#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A file sealed in parts by processes of the standard library.

A cluster does the same: whatever runs a function with two arguments on its workers can seal a file,
for example `ray.remote(saltmill.part)`, or `sc.parallelize(range(plan.parts)).map(...)` of Spark.
"""

import tempfile
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

import saltmill


def main() -> None:
    identity = saltmill.Identity.generate()
    with tempfile.TemporaryDirectory() as name:
        text, sealed = Path(name) / "text", Path(name) / "text.age"
        text.write_bytes(bytes(range(251)) * 100_000)
        plan = saltmill.plan(text, sealed, recipients=identity.recipient, part_bytes=4 << 20)
        try:
            with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
                done = list(pool.map(saltmill.part, repeat(plan), range(plan.parts)))
            saltmill.complete(plan)
        except BaseException:
            saltmill.abort(plan)
            raise
        print(f"{len(done)} parts, {sealed.stat().st_size} bytes")
        print("it opens:", saltmill.decrypt(sealed.read_bytes(), identity) == text.read_bytes())


if __name__ == "__main__":
    main()
