#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Wall-clock time of `saltmill cipher` against `openssl enc -chacha20`, paired in one run.

A file in memory goes to a new file in memory. The programs take turns, so that whatever else the
machine does hits both; each pair gives one ratio, and the median of the ratios is the result. `cp`
is the yardstick. Peak memory is what the kernel accounts to the process (wait4).

    cargo build --release
    python3 crates/saltmill-cli/benches/cipher_speed.py
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
NONCE = "000000000000004a00000000"
MIB = 1 << 20


@dataclass
class Result:
    """All that was measured."""

    label: str
    bytes: int
    workers: int
    processors: int | None
    seconds: dict[str, list[float]]
    openssl_over_saltmill: list[float]
    median_ratio: float
    peak_memory_bytes: int


def run(command: Sequence[str]) -> tuple[float, int]:
    """Runs a command; gives its seconds and its peak memory in bytes."""
    started = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"error: {command[0]} ended with {process.returncode}")
    return seconds, usage.ru_maxrss * 1024


def same(left: Path, right: Path) -> bool:
    """Whether two files have the same bytes."""
    return subprocess.run(["cmp", "--quiet", left, right], check=False).returncode == 0


def measure(folder: Path, size: int, pairs: int, workers: int) -> Result:
    """Runs the pairs and gives all that was measured."""
    key, text = folder / "key", folder / "text"
    key.write_bytes(os.urandom(32))
    with text.open("wb") as file:
        for _ in range(size // MIB):
            file.write(os.urandom(MIB))
    outputs = {name: folder / name for name in ("saltmill", "openssl", "cp")}
    commands = {
        "saltmill": [
            str(ROOT / "target/release/saltmill"), "cipher", "--algorithm", "chacha20",
            "--key-file", str(key), "--nonce", NONCE, "--workers", str(workers),
            "-o", str(outputs["saltmill"]), str(text),
        ],
        "openssl": [
            "openssl", "enc", "-chacha20", "-K", key.read_bytes().hex(), "-iv", "00" * 4 + NONCE,
            "-in", str(text), "-out", str(outputs["openssl"]),
        ],
        "cp": ["cp", str(text), str(outputs["cp"])],
    }  # fmt: skip
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    peak = 0
    for pair in range(pairs):
        order = list(commands) if pair % 2 == 0 else list(reversed(commands))
        for name in order:
            elapsed, memory = run(commands[name])
            seconds[name].append(elapsed)
            peak = max(peak, memory) if name == "saltmill" else peak
        if not same(outputs["saltmill"], outputs["openssl"]):
            sys.exit("error: saltmill and openssl differ")
        for output in outputs.values():
            output.unlink()
    ratios = [o / s for s, o in zip(seconds["saltmill"], seconds["openssl"], strict=True)]
    return Result(
        label="measured",
        bytes=size,
        workers=workers,
        processors=os.cpu_count(),
        seconds=seconds,
        openssl_over_saltmill=ratios,
        median_ratio=statistics.median(ratios),
        peak_memory_bytes=peak,
    )


def show(result: Result) -> None:
    """Prints the result for people."""
    print(f"{'measured':10} {'median s':>9} {'MiB/s':>7}   each run, s")
    for name, runs in result.seconds.items():
        median = statistics.median(runs)
        each = " ".join(f"{run:.2f}" for run in runs)
        print(f"{name:10} {median:9.3f} {result.bytes / MIB / median:7.0f}   {each}")
    ratios = " ".join(f"{ratio:.2f}" for ratio in result.openssl_over_saltmill)
    print(f"openssl / saltmill, each pair: {ratios}   median {result.median_ratio:.2f}")
    print(f"peak memory of saltmill: {result.peak_memory_bytes / MIB:.1f} MiB")


def main() -> None:
    """Parses the arguments, measures, prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--mib", type=int, default=1024, help="size of the file")
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--at-least", type=float, help="fail if the median ratio is lower")
    parser.add_argument("--json", type=Path, help="also write all figures to this file")
    arguments = parser.parse_args()
    size = arguments.mib * MIB
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        result = measure(Path(folder), size, arguments.pairs, arguments.workers)
    show(result)
    if arguments.json:
        arguments.json.write_text(json.dumps(asdict(result), indent=2) + "\n")
    if arguments.at_least and result.median_ratio < arguments.at_least:
        sys.exit(f"error: the median ratio is below {arguments.at_least}")


if __name__ == "__main__":
    main()
