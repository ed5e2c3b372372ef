#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Wall-clock time of `saltmill encrypt` and `decrypt` against age and rage, paired in one run.

Files in memory go to new files in memory, or through pipes; many small files in one call, against a
loop of calls; the largest file also while other work has one of the processors, and with one
processor for all. The programs take turns, so that whatever else the machine does hits all; each
turn gives a ratio, and the median of the ratios is the result. `cp` is the yardstick of files, a
third `cat` that of pipes. age and rage are taken from PATH, and left out if they are not there.

    cargo build --release
    python3 crates/saltmill-cli/benches/age_speed.py --sizes 1K,1M,1G --report docs/host-speed
"""

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import speed_plot

ROOT = Path(__file__).resolve().parents[3]
BUILT = ROOT / "target/release/saltmill"
SALTMILL = ROOT / "build/bench/saltmill"  # where it is installed for the measurement
MIB = 1 << 20
UNITS = {"K": 1 << 10, "M": MIB, "G": 1 << 30}
OTHERS = ("age", "rage")
Command = Sequence[str | Path]


@dataclass
class Case:
    """One thing that all programs do to one text, turn by turn."""

    what: str
    bytes: int
    workers: int
    seconds: dict[str, list[float]]
    peak_memory_bytes: int  # of saltmill

    def ratios(self, program: str) -> list[float]:
        """How often saltmill fits into another program's time, turn by turn."""
        ours = self.seconds["saltmill"]
        return [other / own for own, other in zip(ours, self.seconds[program], strict=True)]


def size(text: str) -> int:
    """4K, 1M, 1G or a number of bytes."""
    return int(text.rstrip("KMG")) * UNITS.get(text[-1:], 1)


def run(command: Command, source: Path | None, target: Path | None) -> tuple[float, int]:
    """Runs a command, perhaps between two pipes; gives its seconds and its peak memory."""
    reader = subprocess.Popen(["cat", source], stdout=subprocess.PIPE) if source else None
    started = time.perf_counter()
    with target.open("wb") if target else Path(os.devnull).open("wb") as sink:
        writer = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=sink) if target else None
        process = subprocess.Popen(
            command,
            stdin=reader.stdout if reader else subprocess.DEVNULL,
            stdout=writer.stdin if writer else sink,
        )
        for pipe in (reader.stdout if reader else None, writer.stdin if writer else None):
            if pipe:
                pipe.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        for other in (reader, writer):
            if other:
                other.wait()
    seconds = time.perf_counter() - started
    if process.returncode != 0:
        sys.exit(f"error: {command[0]} ended with {process.returncode}")
    return seconds, usage.ru_maxrss * 1024


def commands(
    folder: Path, programs: Sequence[str], workers: int, *, encrypt: bool, pipe: bool
) -> dict[str, Command]:
    """What each program is called with; each of them decrypts what age format there is."""
    key, recipient = folder / "key", (folder / "recipient").read_text().strip()
    source = folder / ("text" if encrypt else "sealed")
    made: dict[str, Command] = {}
    for program in programs:
        files = [] if pipe else ["-o", folder / f"{program}.out", source]
        if program == "saltmill":
            do = ["encrypt", "-r", recipient] if encrypt else ["decrypt", "-i", key]
            made[program] = [SALTMILL, *do, "--workers", str(workers), *files]
        else:
            made[program] = [
                program,
                *(["-r", recipient] if encrypt else ["-d", "-i", key]),
                *files,
            ]
    yardstick = "cat" if pipe else "cp"
    made[yardstick] = ["cat"] if pipe else ["cp", source, folder / "cp.out"]
    return made


@contextmanager
def other_work() -> Iterator[None]:
    """Something else keeps one processor busy. It ends with this program, however that ends."""
    loop = 'while kill -0 "$PPID" 2> /dev/null; do :; done'
    with subprocess.Popen(["sh", "-c", loop]) as busy:
        try:
            yield
        finally:
            busy.kill()


def measure(
    folder: Path, what: str, length: int, turns: int, calls: dict[str, Command], workers: int
) -> Case:
    """Takes turns; the order changes from one to the next."""
    encrypt, pipe = what.startswith("encrypt"), "pipe" in what
    source = folder / ("text" if encrypt else "sealed")
    case = Case(what, length, workers, {name: [] for name in calls}, 0)
    for turn in range(turns):
        for name in list(calls) if turn % 2 == 0 else list(reversed(calls)):
            output = folder / f"{name}.out"
            ends = (source, output) if pipe else (None, None)
            seconds, memory = run(calls[name], *ends)
            case.seconds[name].append(seconds)
            if name == "saltmill":
                case.peak_memory_bytes = max(case.peak_memory_bytes, memory)
                check(folder, output, encrypt=encrypt)
            output.unlink(missing_ok=True)  # age makes none for an empty text
    return case


def check(folder: Path, output: Path, *, encrypt: bool) -> None:
    """What was made is right; age says so, if it is there, and otherwise saltmill."""
    if encrypt:
        judge: Command = ["age", "-d", "-i"] if shutil.which("age") else [SALTMILL, "decrypt", "-i"]
        opened = folder / "opened"
        # age makes no file of its own for an empty text.
        with opened.open("wb") as text:
            subprocess.run([*judge, folder / "key", output], stdout=text, check=True)
        output = opened
    if subprocess.run(["cmp", "--quiet", output, folder / "text"], check=False).returncode != 0:
        sys.exit("error: what came out is not what went in")
    if encrypt:
        output.unlink()


def measure_many(folder: Path, count: int, length: int, turns: int, others: list[str]) -> Case:
    """So many files in one call of saltmill, and in a loop of calls of the others."""
    source, sealed = folder / "many", folder / "many.sealed"
    source.mkdir()
    for index in range(count):
        (source / str(index)).write_bytes(os.urandom(length))
    recipient = (folder / "recipient").read_text().strip()
    what = f"encrypt {count} files"
    case = Case(what, count * length, os.cpu_count() or 1, {"saltmill": []}, 0)
    case.seconds |= {name: [] for name in others}
    for _ in range(turns):
        for name in case.seconds:
            call: Command = [SALTMILL, "encrypt", "-r", recipient, "--recursive", source]
            call = [*call, "--out-dir", sealed]
            if name != "saltmill":
                sealed.mkdir()
                loop = f'for f in *; do {name} -r {recipient} -o "$0/$f.age" "$f" || exit 1; done'
                call = ["sh", "-c", f"cd {source} && {loop}", sealed]
            seconds, memory = run(call, None, None)
            case.seconds[name].append(seconds)
            if name == "saltmill":
                case.peak_memory_bytes = max(case.peak_memory_bytes, memory)
            if len(list(sealed.iterdir())) != count:
                sys.exit(f"error: {name} did not make {count} files")
            shutil.rmtree(sealed)
    shutil.rmtree(source)
    return case


def report(cases: list[Case], path: Path) -> None:
    """A table and a plot of all cases, in path.md and path.svg."""
    names = list(dict.fromkeys(name for case in cases for name in case.seconds))
    rows = [
        (
            f"{case.what}, {human(case.bytes)}, {case.workers} w",
            {name: statistics.median(case.ratios(name)) for name in case.seconds},
        )
        for case in cases
    ]
    title = "Time of a call; saltmill's is 1 (measured)"
    path.with_suffix(".svg").write_text(speed_plot.svg(rows, title))
    lines = [
        "<!-- SPDX-License-Identifier: Apache-2.0 -->",
        "# Speed of `encrypt` and `decrypt`",
        "",
        f"Measured (wall clock) on {platform.machine()}, {os.cpu_count()} processors, files in",
        "memory, by `make bench-host`; medians. In brackets: that time divided by saltmill's, the",
        "median of pairs; above 1, saltmill is faster. `w`: CPU threads of saltmill. A pipe has a",
        "`cat` at each end. Busy: other work keeps one processor busy. One core: all threads have",
        "one processor. [Where a core's time goes](core-time.md) says what the floor is.",
        "",
        f"![The same as a plot]({path.with_suffix('.svg').name})",
        "",
        "| | " + " | ".join(names) + " | peak memory |",
        "| --- " * (len(names) + 2) + "|",
    ]
    for (row, ratios), case in zip(rows, cases, strict=True):
        cells = []
        for name in names:
            if name not in case.seconds:
                cells.append("")
                continue
            seconds = f"{1000 * statistics.median(case.seconds[name]):.1f} ms"
            cells.append(seconds if name == "saltmill" else f"{seconds} ({ratios[name]:.2f})")
        memory = f"{case.peak_memory_bytes / MIB:.0f} MiB"
        lines.append(f"| {row} | " + " | ".join(cells) + f" | {memory} |")
    path.with_suffix(".md").write_text("\n".join(lines) + "\n")


def human(length: int) -> str:
    """1 KiB, 64 MiB, 1 GiB."""
    for unit, name in ((1 << 30, "GiB"), (MIB, "MiB"), (1 << 10, "KiB")):
        if length >= unit:
            return f"{length / unit:.3g} {name}"
    return f"{length} B"


def show(case: Case) -> None:
    """A line for each program."""
    print(f"{case.what}, {case.bytes} bytes, {case.workers} workers (measured)")
    for name, runs in case.seconds.items():
        median = statistics.median(runs)
        ratio = "" if name == "saltmill" else f"  {statistics.median(case.ratios(name)):6.2f} x"
        print(f"  {name:9} {1000 * median:10.2f} ms {case.bytes / MIB / median:8.0f} MiB/s{ratio}")
    print(f"  peak memory of saltmill: {case.peak_memory_bytes / MIB:.1f} MiB")


def install() -> None:
    """Copies the program, as the others were: it starts a quarter of a millisecond sooner than the
    file that the linker wrote (measured)."""
    SALTMILL.parent.mkdir(parents=True, exist_ok=True)
    SALTMILL.unlink(missing_ok=True)
    shutil.copy2(BUILT, SALTMILL)


def prepare(folder: Path, length: int, call: Callable[[Command], object]) -> None:
    """A key, a text and the sealed text."""
    with (folder / "text").open("wb") as file:
        for start in range(0, length, MIB):
            file.write(os.urandom(min(MIB, length - start)))
    recipient = (folder / "recipient").read_text().strip()
    sealed = folder / "sealed"
    call([SALTMILL, "encrypt", "--force", "-r", recipient, "-o", sealed, folder / "text"])


def main() -> None:
    """Parses the arguments, measures, prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--sizes", default="0,1K,64K,1M,16M,64M,1G", help="of the text, with commas"
    )
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--workers", default="1,2", help="with commas")
    parser.add_argument(
        "--files", type=int, default=10_000, help="of 4 KiB in one call; 0 for none"
    )
    parser.add_argument("--report", type=Path, help="also write a table and a plot: .md and .svg")
    parser.add_argument("--json", type=Path, help="also write all figures to this file")
    arguments = parser.parse_args()
    programs = ["saltmill", *(name for name in OTHERS if shutil.which(name))]
    install()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    cases = []
    with tempfile.TemporaryDirectory(dir=memory) as place:
        folder = Path(place)
        keygen: Command = [SALTMILL, "keygen", "-o", folder / "key"]
        subprocess.run(keygen, check=True, stderr=subprocess.DEVNULL)
        recipient: Command = [SALTMILL, "keygen", "-y", folder / "key"]
        told = subprocess.run(recipient, check=True, capture_output=True)
        (folder / "recipient").write_bytes(told.stdout)
        for length in map(size, arguments.sizes.split(",")):
            prepare(folder, length, lambda command: subprocess.run(command, check=True))
            for workers in map(int, arguments.workers.split(",")):
                for what in ("encrypt", "decrypt", "encrypt pipe", "decrypt pipe"):
                    encrypt, pipe = what.startswith("encrypt"), what.endswith("pipe")
                    calls = commands(folder, programs, workers, encrypt=encrypt, pipe=pipe)
                    # A short call is measured more often: its time is about as long as its noise.
                    turns = arguments.turns * (3 if length <= MIB else 1)
                    cases.append(measure(folder, what, length, turns, calls, workers))
                    show(cases[-1])
        # The largest text that is left, with less than the whole machine.
        for what in ("encrypt", "decrypt"):
            calls = commands(folder, programs, 2, encrypt=what == "encrypt", pipe=False)
            with other_work():
                cases.append(measure(folder, f"{what}, busy", length, arguments.turns, calls, 2))
            show(cases[-1])
            one = {name: ["taskset", "-c", "0", *call] for name, call in calls.items()}
            cases.append(measure(folder, f"{what}, one core", length, arguments.turns, one, 2))
            show(cases[-1])
        if arguments.files:
            others = [name for name in programs if name != "saltmill"]
            cases.append(measure_many(folder, arguments.files, 4096, 1, others))
            show(cases[-1])
    if arguments.report:
        report(cases, arguments.report)
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(case) for case in cases], indent=2) + "\n")


if __name__ == "__main__":
    main()
