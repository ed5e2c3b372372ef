#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which library of ciphers is fast at every size, and ready at once.

Builds the program of each library (CPU seconds of a clean build, and what it needs), sees that all
of them make the same bytes, and lets them take turns: the first operation of a process, and speed
at each size. The page says what was found.

    python3 crates/saltmill-engine/benches/libraries/measure.py --report docs/cpu-crypto.md
"""

import argparse
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILDS = HERE.parents[3] / "build" / "libraries"
LIBRARIES = {
    "openssl": "OpenSSL",
    "aws-lc": "AWS-LC",
    "ring": "ring",
    "rustcrypto": "RustCrypto",
}
ALGORITHMS = [
    "chacha20", "chacha20-poly1305", "aes-128-ctr", "aes-192-ctr", "aes-256-ctr",
    "aes-128-gcm", "aes-192-gcm", "aes-256-gcm",
]  # fmt: skip
SIZES = {64: "64 B", 1 << 10: "1 KiB", 16 << 10: "16 KiB", 64 << 10: "64 KiB", 1 << 20: "1 MiB"}
THREADS = (1, 2)
# What a build may ask for beside a compiler and a linker of C; each is tried without, then with.
TOOLS = ("perl", "cmake", "make", "nasm", "go", "clang")
TRIES: tuple[tuple[str, ...], ...] = ((), ("make",), ("perl", "make"), ("cmake",), TOOLS)
NOT_THERE = 3

Times = dict[tuple[str, ...], list[float]]


@dataclass
class Build:
    """What a clean build took and made."""

    cpu_seconds: float
    program_bytes: int
    needs: tuple[str, ...]


def run(library: str, *words: str) -> list[str] | None:
    """Lines that a library's program prints; nothing if the library has no such algorithm."""
    command = [str(BUILDS / library / "release" / library), *words]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode == NOT_THERE:
        return None
    if done.returncode != 0:
        sys.exit(f"error: {library} {' '.join(words)}: {done.stderr}")
    return done.stdout.splitlines()


def path_without(tools: Sequence[str]) -> Path:
    """A folder with all programs of the PATH but these."""
    folder = BUILDS / "path"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for place in map(Path, os.environ["PATH"].split(os.pathsep)):
        for program in place.iterdir() if place.is_dir() else ():
            hidden = any(program.name.startswith(tool) for tool in tools)
            if not hidden and not (folder / program.name).is_symlink():
                (folder / program.name).symlink_to(program)
    return folder


def build(library: str) -> Build:
    """Builds a library's program from nothing, with as few tools as it can be built with."""
    features = [] if library == "none" else ["--features", library]
    command = ["cargo", "build", "--release", "--locked", "--offline", "--jobs", "1"]
    command += ["--bin", library, *features, "--target-dir", str(BUILDS / library)]
    for tools in TRIES:
        shutil.rmtree(BUILDS / library, ignore_errors=True)
        path = path_without([tool for tool in TOOLS if tool not in tools])
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        environment = os.environ | {"PATH": str(path)}
        done = subprocess.run(
            command, cwd=HERE, env=environment, check=False, capture_output=True, text=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode == 0:
            seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
            size = (BUILDS / library / "release" / library).stat().st_size
            return Build(seconds, size, tools)
    sys.exit(f"error: {library} can't be built:\n{done.stderr}")


def check() -> None:
    """All libraries make the same bytes of a text."""
    for algorithm in ALGORITHMS:
        made = [run(library, "bytes", algorithm) for library in LIBRARIES]
        found = [lines for lines in made if lines is not None]
        if len(found) < 2 or any(lines != found[0] for lines in found):
            sys.exit(f"error: the libraries differ in {algorithm}")


def first_operations(rounds: int) -> tuple[Times, Times]:
    """Of each library and algorithm: µs of a process's first operation, ms of the process."""
    first: Times = defaultdict(list)
    whole: Times = defaultdict(list)
    for turn in range(rounds):
        for algorithm in ALGORITHMS:
            for library in in_turn(turn):
                started = time.perf_counter()
                lines = run(library, "first", algorithm)
                seconds = time.perf_counter() - started
                if lines is not None:
                    first[library, algorithm].append(int(lines[0].split()[0]) / 1e3)
                    whole[library, algorithm].append(seconds * 1e3)
        started = time.perf_counter()
        run("none")
        whole["none",].append((time.perf_counter() - started) * 1e3)
    return first, whole


def speeds(rounds: int, milliseconds: int) -> Times:
    """GB/s, by library, algorithm, threads and size."""
    found: Times = defaultdict(list)
    sizes = [str(size) for size in SIZES]
    for turn in range(rounds):
        for algorithm in ALGORITHMS:
            for threads in map(str, THREADS):
                for library in in_turn(turn):
                    words = ("speed", algorithm, threads, str(milliseconds), *sizes)
                    for size, line in zip(sizes, run(library, *words) or (), strict=False):
                        found[library, algorithm, threads, size].append(float(line))
    return found


def in_turn(turn: int) -> list[str]:
    """The libraries, each time with another one first."""
    names = list(LIBRARIES)
    return names[turn % len(names) :] + names[: turn % len(names)]


def table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table in Markdown."""
    lines = [titles, ["---"] * len(titles), *rows]
    return ["| " + " | ".join(line) + " |" for line in lines] + [""]


def start_rows(builds: dict[str, Build], first: Times, whole: Times) -> list[list[str]]:
    """Of each library: its start, its build, its size."""
    nothing = statistics.median(whole["none",])
    rows = []
    for library, name in LIBRARIES.items():
        row = [name]
        for algorithm in ("chacha20", "chacha20-poly1305", "aes-256-gcm"):
            times = first.get((library, algorithm))
            row.append(f"{statistics.median(times):.0f} µs" if times else "")
        more = statistics.median(whole[library, "chacha20-poly1305"]) - nothing
        made, none = builds[library], builds["none"]
        row += [f"{more:.1f} ms", f"{made.cpu_seconds - none.cpu_seconds:.0f} s"]
        row += [f"{(made.program_bytes - none.program_bytes) / 1024:.0f} KiB"]
        rows.append([*row, ", ".join(made.needs) or "nothing"])
    return rows


def speed_rows(found: Times, algorithm: str) -> list[list[str]]:
    """Of each library that has it: the median speeds; the fastest ones are bold."""
    columns = [(str(threads), str(size)) for threads in THREADS for size in SIZES]
    names = [library for library in LIBRARIES if (library, algorithm, *columns[0]) in found]
    medians = {
        (library, *column): statistics.median(found[library, algorithm, *column])
        for library in names
        for column in columns
    }
    rows = []
    for library in names:
        row = [LIBRARIES[library]]
        for column in columns:
            value = medians[library, *column]
            best = value == max(medians[other, *column] for other in names)
            row.append(f"**{value:.2f}**" if best else f"{value:.2f}")
        rows.append(row)
    return rows


def processor() -> str:
    """The processor in words, and what of it the libraries use."""
    facts: dict[str, str] = {}
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, fact = line.partition(":")
        facts[name.strip()] = fact.strip()
    flags = facts.get("flags", "").split()
    words = {"avx2": "AVX2", "avx512f": "AVX-512", "vaes": "VAES", "vpclmulqdq": "VPCLMULQDQ"}
    there = [word for flag, word in words.items() if flag in flags]
    missing = [word for flag, word in words.items() if flag not in flags]
    told = f"{facts.get('model name', platform.machine())} ({', '.join(there)}"
    return told + (f"; no {', '.join(missing)})" if missing else ")")


def report(builds: dict[str, Build], first: Times, whole: Times, found: Times) -> str:
    """The page."""
    lines = [
        "<!-- SPDX-License-Identifier: Apache-2.0 -->",
        "# Libraries for the CPU's ciphers",
        "",
        f"Measured on {platform.machine()}, {processor()}, {os.cpu_count()} processors, by",
        "`make bench-crypto`; medians of runs in turn. What was decided by it is decision 62.",
        "",
        "## Start and build",
        "",
        "The first operation of a process (64 bytes; messages are sealed and opened), and how much",
        "longer a process takes than one without a library. CPU time of a clean build with one",
        "job, and what it needs beside cargo and a C compiler: builds without the others were",
        "tried. The size is that of a stripped program, less one without a library.",
        "",
    ]
    titles = ["", "chacha20", "chacha20-poly1305", "aes-256-gcm", "process", "build", "size"]
    lines += table([*titles, "needs"], start_rows(builds, first, whole))
    lines += [
        "## Speed",
        "",
        "GB/s in place, on one thread and on two (sum). Each operation sets up its key; a message",
        "is sealed and opened. A run's speed is that of its best millisecond.",
        "",
    ]
    sizes = [f"{name}, {threads} t" for threads in THREADS for name in SIZES.values()]
    for algorithm in ALGORITHMS:
        lines += [f"### {algorithm}", "", *table(["", *sizes], speed_rows(found, algorithm))]
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    """Parses the arguments, builds, measures, writes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--milliseconds", type=int, default=25, help="of a run")
    parser.add_argument("--report", type=Path, help="write the page to this file")
    arguments = parser.parse_args()
    subprocess.run(["cargo", "fetch", "--locked"], cwd=HERE, check=True)
    builds = {}
    for library in ("none", *LIBRARIES):
        print(f"build     {library} ...", flush=True)
        builds[library] = build(library)
    check()
    print("measure   ...", flush=True)
    first, whole = first_operations(3 * arguments.rounds)
    found = speeds(arguments.rounds, arguments.milliseconds)
    page = report(builds, first, whole, found)
    print(page)
    if arguments.report:
        arguments.report.write_text(page)


if __name__ == "__main__":
    main()
