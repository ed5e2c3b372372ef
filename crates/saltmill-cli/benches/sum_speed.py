#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Wall-clock time of `saltmill sum` against other programs that print digests, paired in one run.

Files in memory, all named in one call. The programs take turns, so that whatever else the machine
does hits all; each turn gives a ratio, and the median of the ratios is the result. Programs that
are not in PATH are left out.

    cargo build --release
    python3 crates/saltmill-cli/benches/sum_speed.py
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
KIB, MIB = 1 << 10, 1 << 20
OTHERS = {
    "sha256": (["sha256sum"], ["openssl", "dgst", "-sha256"]),
    "sha512": (["sha512sum"], ["openssl", "dgst", "-sha512"]),
    "md5": (["md5sum"], ["openssl", "dgst", "-md5"]),
    "blake3": (["b3sum"],),
}
WARM_UP = 1  # turns that are not counted


@dataclass
class Case:
    """One algorithm on one set of files."""

    algorithm: str
    files: int
    bytes: int  # of each
    seconds: dict[str, list[float]]

    def ratio(self, program: str) -> float:
        """How often saltmill fits into another program's time: the median of the turns."""
        turns = zip(self.seconds["saltmill"], self.seconds[program], strict=True)
        return statistics.median(other / own for own, other in turns)


def run(command: Sequence[str], files: Sequence[str], folder: Path) -> tuple[float, list[str]]:
    """Seconds of a call, and the digests that it printed, whatever stands around them."""
    started = time.perf_counter()
    done = subprocess.run([*command, *files], cwd=folder, stdout=subprocess.PIPE, check=False)
    seconds = time.perf_counter() - started
    if done.returncode != 0:
        sys.exit(f"error: {command[0]} ended with {done.returncode}")
    lines = done.stdout.decode().splitlines()
    return seconds, [max(line.split(), key=len) for line in lines]


def measure(program: str, algorithm: str, folder: Path, turns: int) -> Case:
    """Takes turns; the order changes from one to the next."""
    files = sorted(path.name for path in folder.iterdir())
    calls = {"saltmill": [program, "sum", "-a", algorithm]}
    calls |= {other[0]: other for other in OTHERS[algorithm] if shutil.which(other[0])}
    case = Case(algorithm, len(files), (folder / files[0]).stat().st_size, {})
    for turn in range(turns + WARM_UP):
        found = set()
        for name in list(calls) if turn % 2 == 0 else list(reversed(calls)):
            seconds, digests = run(calls[name], files, folder)
            found.add(tuple(digests))
            if turn >= WARM_UP:
                case.seconds.setdefault(name, []).append(seconds)
        if len(found) != 1:
            sys.exit(f"error: the programs don't agree about {algorithm}")
    return case


def show(case: Case) -> None:
    """A line for each program."""
    print(f"{case.algorithm}, {case.files} files of {case.bytes} bytes (measured)")
    for name, runs in case.seconds.items():
        median = statistics.median(runs)
        rate = case.files * case.bytes / MIB / median
        ratio = "" if name == "saltmill" else f"  {case.ratio(name):6.2f} x"
        print(f"  {name:10} {1000 * median:9.1f} ms {rate:8.0f} MiB/s{ratio}")


def main() -> None:
    """All algorithms on large files, on one larger file, and on many small ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, default=ROOT / "target/release/saltmill")
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--algorithms", default=",".join(OTHERS))
    parser.add_argument("--json", type=Path, help="write all that was measured here")
    arguments = parser.parse_args()
    cases = []
    memory = Path("/dev/shm")
    for count, length in ((64, 32 * MIB), (1, 1024 * MIB), (10_000, KIB)):
        with tempfile.TemporaryDirectory(dir=memory if memory.exists() else None) as folder:
            for number in range(count):
                (Path(folder) / f"{number:05}").write_bytes(os.urandom(length))
            for algorithm in arguments.algorithms.split(","):
                cases.append(
                    measure(
                        str(arguments.program.resolve()), algorithm, Path(folder), arguments.turns
                    )
                )
                show(cases[-1])
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(case) for case in cases], indent=2) + "\n")


if __name__ == "__main__":
    main()
