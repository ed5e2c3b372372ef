#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What must hold for the Python package, measured (wall clock) in one run.

Files are in memory (/dev/shm). Programs take turns, so that whatever else the machine does hits
all; figures are medians. The command and the package must be built alike:

    cargo build --release --package saltmill-cli
    make wheel
    build/python/venv/bin/pip install --force-reinstall --no-deps build/python/wheels/*.whl
    build/python/venv/bin/python crates/saltmill-python/benches/speed.py
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

import fsspec
import pyrage
import saltmill

ROOT = Path(__file__).resolve().parents[3]
COMMAND = ROOT / "target/release/saltmill"  # unless the caller names another one
MIB, PAGE = 1 << 20, 4 << 10
PACKAGE = """
import sys, saltmill
act, key, source, target = sys.argv[1:]
identity = saltmill.Identity.from_file(key)
getattr(saltmill, act)(source, target, identity, replace=True)
"""


def run(call: list[str | Path], said: IO[bytes] | None = None) -> tuple[float, float]:
    """Seconds of a process, and its peak memory in MiB."""
    started = time.perf_counter()
    process = subprocess.Popen(call, stdout=said)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"error: {call[0]} ended with {process.returncode}")
    return time.perf_counter() - started, usage.ru_maxrss / 1024


def files(folder: Path, program: Path, turns: int) -> None:
    """A file to a file, by the command and by a Python process that does nothing else."""
    key, text, sealed = folder / "key", folder / "text", folder / "sealed"
    out = folder / "out"
    python = [sys.executable, "-c", PACKAGE]
    calls = {
        "encrypt": (
            [program, "encrypt", "--force", "-i", key, "-o", out, text],
            [*python, "encrypt_file", key, text, out],
        ),
        "decrypt": (
            [program, "decrypt", "--force", "-i", key, "-o", out, sealed],
            [*python, "decrypt_file", key, sealed, out],
        ),
    }
    for what, (command, package) in calls.items():
        pairs = [(run(command), run(package)) for _ in range(turns)]
        ours, theirs = ([pair[i][0] for pair in pairs] for i in (1, 0))
        ratio = statistics.median(p[1][0] / p[0][0] for p in pairs)
        memory = max(package[1] for _, package in pairs)
        print(
            f"{what} {text.stat().st_size // MIB} MiB, file to file: command"
            f" {statistics.median(theirs):.3f} s, Python {statistics.median(ours):.3f} s,"
            f" ratio {ratio:.3f}; peak memory of Python {memory:.0f} MiB"
        )


def seconds(call: Callable[[], object], times: int) -> float:
    started = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - started) / times


def in_memory(identity: saltmill.Identity, size: int, times: int, turns: int) -> None:
    """Bytes to bytes, against pyrage."""
    rage = pyrage.x25519.Identity.from_str(identity.secret())
    text, ours, theirs = os.urandom(size), identity.recipient, [rage.to_public()]
    sealed = saltmill.encrypt(text, ours)
    pairs = {
        "encrypt": (
            lambda: saltmill.encrypt(text, ours),
            lambda: pyrage.encrypt(text, theirs),
        ),
        "decrypt": (
            lambda: saltmill.decrypt(sealed, identity),
            lambda: pyrage.decrypt(sealed, [rage]),
        ),
    }
    for what, (us, them) in pairs.items():
        ratios = [(seconds(us, times), seconds(them, times)) for _ in range(turns)]
        print(
            f"{what} {size // 1024} KiB, bytes to bytes: saltmill"
            f" {statistics.median(r[0] for r in ratios) * 1e3:.3f} ms, pyrage"
            f" {statistics.median(r[1] for r in ratios) * 1e3:.3f} ms, pyrage takes"
            f" {statistics.median(r[1] / r[0] for r in ratios):.2f} times as long"
        )


def starts(program: Path) -> None:
    """What every process costs before it does anything: part of the figures of files."""
    calls: dict[str, list[str | Path]] = {
        "the command": [program, "--version"],
        "Python": [sys.executable, "-c", "pass"],
        "Python with the package": [sys.executable, "-c", "import saltmill"],
    }
    with Path(os.devnull).open("wb") as nowhere:
        turns = [[run(call, nowhere)[0] for call in calls.values()] for _ in range(30)]
    medians = map(statistics.median, zip(*turns, strict=True))
    said = (f"{name} {time * 1e3:.1f} ms" for name, time in zip(calls, medians, strict=True))
    print(f"start and end of a process: {', '.join(said)}")


def read(call: Callable[[int], object], places: list[int]) -> str:
    """Reads a second, in five parts: median, least and most; and in a second of processor time."""
    rates, own = [], []
    for part in (places[i::5] for i in range(5)):
        started, processor = time.perf_counter(), time.thread_time()
        for place in part:
            call(place)
        rates.append(len(part) / (time.perf_counter() - started))
        own.append(len(part) / (time.thread_time() - processor))
    return (
        f"{statistics.median(rates):,.0f} a second ({min(rates):,.0f} to {max(rates):,.0f}),"
        f" {statistics.median(own):,.0f} in a second of processor time"
    )


def random_reads(identity: saltmill.Identity, sealed: Path, text: Path, reads: int) -> None:
    """4 KiB at any place, on one thread; some are compared with the text."""
    draw, buffer = random.Random(1), bytearray(PAGE)
    options = {"age": {"identities": identity}}
    with (
        saltmill.open(sealed, identities=identity) as file,
        fsspec.open(f"age::file://{sealed}", "rb", **options) as chained,
        text.open("rb") as plain,
    ):

        def sought(place: int) -> bytes:
            file.seek(place)
            return file.read(PAGE)

        def filled(place: int) -> bytearray:
            file.seek(place)
            if file.readinto(buffer) != PAGE:
                sys.exit("error: fewer bytes than are there")
            return buffer

        def through_fsspec(place: int) -> bytes:
            chained.seek(place)
            return bytes(chained.read(PAGE))

        ways: dict[str, Callable[[int], bytes | bytearray]] = {
            "pread": lambda place: file.pread(PAGE, place),
            "seek and read": sought,
            "seek and readinto": filled,
            "seek and read through fsspec": through_fsspec,
        }
        places = [draw.randrange(file.size - PAGE) for _ in range(reads)]
        print(f"random reads of 4 KiB in {file.size // MIB} MiB, one thread, at any byte:")
        for name, way in ways.items():
            for place in places[:100]:
                plain.seek(place)
                if way(place) != plain.read(PAGE):
                    sys.exit("error: what was read is not what is there")
            print(f"  {name}: {read(way, places)}")
        aligned = [place // PAGE * PAGE for place in places]
        print(f"  pread at multiples of 4 KiB: {read(ways['pread'], aligned)}")


def opens(identity: saltmill.Identity, folder: Path) -> None:
    """To open a file: header, identity, last chunk. fsspec.open does all of it anew."""
    path = folder / "small"
    path.write_bytes(saltmill.encrypt(os.urandom(10 * PAGE), identity))
    url, options = f"age::file://{path}", {"age": {"identities": identity}}
    fs, name = fsspec.core.url_to_fs(url, **options)

    def anew() -> bytes:
        with fsspec.open(url, "rb", **options) as file:
            return bytes(file.read(100))

    def again() -> bytes:
        with fs.open(name) as file:
            return bytes(file.read(100))

    def directly() -> bytes:
        with saltmill.open(path, identities=identity) as file:
            return file.pread(100, 0)

    ways = {"fsspec.open": anew, "open of one file system": again, "saltmill.open": directly}
    said = (f"{way} {seconds(call, 500) * 1e6:.0f} µs" for way, call in ways.items())
    print(f"open a file of 40 KiB, read 100 bytes, close it: {', '.join(said)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--mib", type=int, default=1024, help="size of the large file")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--command", type=Path, default=COMMAND)
    arguments = parser.parse_args()
    print(f"measured (wall clock), {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    identity = saltmill.Identity.generate()
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder = Path(name)
        (folder / "key").write_text(identity.secret() + "\n")
        with (folder / "text").open("wb") as text:
            for _ in range(arguments.mib):
                text.write(os.urandom(MIB))
        saltmill.encrypt_file(folder / "text", folder / "sealed", identity)
        random_reads(identity, folder / "sealed", folder / "text", 50_000)
        opens(identity, folder)
        if arguments.command.exists():
            starts(arguments.command)
            files(folder, arguments.command, arguments.turns)
        else:
            print(f"{arguments.command} is not there: nothing to compare files with")
    in_memory(identity, 64 << 10, 500, arguments.turns)
    in_memory(identity, arguments.mib * MIB, 1, min(3, arguments.turns))


if __name__ == "__main__":
    main()
