# SPDX-License-Identifier: Apache-2.0
"""Runs one long tool at a time: with a deadline, a limit of memory and nothing left behind."""

import contextlib
import errno
import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from lab import cores

DEADLINE_S = 90 * 60.0
MEMORY_GIB = 8.0
POLL_S = 0.2
LEAST_FREE = 16 * 2**20  # bytes; with less, a disk is full
LOCK = cores.ROOT / "build" / "lab" / "lock"
# Set for the children of a job: they are part of its turn, and don't wait for it.
IN_TURN = "SALTMILL_LAB_IN_TURN"
PAGE = os.sysconf("SC_PAGE_SIZE")


class JobError(Exception):
    """A tool that did not do its work, in one sentence."""

    def __init__(self, message: str, status: str) -> None:
        super().__init__(message)
        self.status = status  # for a row of the results


def run(
    command: Sequence[str | Path],
    *,
    log: Path,
    own_log: Path | None = None,
    deadline_s: float = DEADLINE_S,
    memory_gib: float = MEMORY_GIB,
    title: str,
) -> float:
    """Runs a command from the project's folder, its output in a log. Gives the seconds it took.

    A tool that writes a log of its own is asked what it is at, and what went wrong, there.
    It waits for its turn first. On the deadline, too much memory or an interruption the command
    and all that it started are killed.
    """
    with turn(title, deadline_s) as held, (cores.ROOT / log).open("wb") as output:
        started = time.monotonic()
        try:
            process = subprocess.Popen(
                [str(part) for part in command],
                cwd=cores.ROOT,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={**os.environ, IN_TURN: "1"},
                pass_fds=held,
            )
        except FileNotFoundError as error:
            tool = Path(command[0]).name
            raise FileNotFoundError(f"{tool} is not installed: `make setup` does it") from error
        said = cores.ROOT / (own_log or log)
        try:
            watch(process, said, title, deadline_s, memory_gib)
        finally:
            kill(process)
            progress(None)
        if process.returncode != 0:
            raise failure(title, Path(command[0]).name, process.returncode, said)
        return round(time.monotonic() - started, 1)


def once(file: Path, work: Callable[[], object], *, title: str, force: bool = False) -> None:
    """Does the work unless its file is there, also if another process makes it meanwhile."""
    if force or not file.exists():
        with turn(title):
            if force or not file.exists():
                work()


def watch(
    process: subprocess.Popen[bytes], log: Path, title: str, deadline_s: float, gib: float
) -> None:
    """Returns when the process has ended."""
    started = time.monotonic()
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(POLL_S)
            return
        elapsed = time.monotonic() - started
        progress(f"{title}: {clock(elapsed)}  {last_line(log)}")
        if elapsed > deadline_s:
            status = f"timed out after {minutes(deadline_s)}"
            raise JobError(f"{title} {status}", status)
        if memory(process.pid) > gib * 2**30:
            status = f"failed: used more than {gib:g} GiB of memory"
            raise JobError(f"{title} {status}", status)


def session(leader: int) -> Iterator[tuple[int, int]]:
    """Process and bytes of memory of all that a leader of a session started."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                # After the name, which may have spaces: state, parent, group, session, …
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(fields[3]) == leader and fields[0] != "Z":
                    yield int(entry.name), int(fields[21]) * PAGE


def memory(leader: int) -> int:
    return sum(size for _, size in session(leader))


def kill(process: subprocess.Popen[bytes]) -> None:
    """Also what the process left running; again, should one of them have started another."""
    for _ in range(500):
        members = [member for member, _ in session(process.pid)]
        for member in members:
            with contextlib.suppress(ProcessLookupError):
                os.kill(member, signal.SIGKILL)
        if not members:
            break
        time.sleep(0.01)
    process.wait()


def failure(title: str, tool: str, code: int, log: Path) -> JobError:
    """With the tool's own first sentence on it. What a full disk does to tools is not theirs."""
    if shutil.disk_usage(log.parent).free < LEAST_FREE:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(log.parent))
    text = log.read_text(errors="replace") if log.exists() else ""
    found = re.search(r"(?i)\berror: (.+)", text)
    if found:
        reason = found[1].strip().rstrip(".").removeprefix("$fatal encountered: ")
    elif code < 0:
        reason = f"{tool} was killed by signal {-code}"
    else:
        reason = f"{tool} ended with code {code}"
    shown = log.relative_to(cores.ROOT) if log.is_relative_to(cores.ROOT) else log
    return JobError(f"{title} failed: {reason} (log: {shown})", f"failed: {reason}")


@contextlib.contextmanager
def turn(title: str, deadline_s: float = DEADLINE_S) -> Iterator[tuple[int, ...]]:
    """Held while a job runs: others wait. Gives the descriptors that the job has to inherit.

    The job holds the lock too, so that one whose parent was killed still keeps others waiting.
    """
    if os.environ.get(IN_TURN):
        yield ()
        return
    LOCK.parent.mkdir(parents=True, exist_ok=True)
    with LOCK.open("a+") as lock:
        wait_for(lock.fileno())
        until = time.strftime("%H:%M", time.localtime(time.time() + deadline_s))
        lock.truncate(0)
        lock.write(f"{title} (until {until} at most)")
        lock.flush()
        os.environ[IN_TURN] = "1"
        try:
            yield (lock.fileno(),)
        finally:
            del os.environ[IN_TURN]
            lock.truncate(0)


def without_turns() -> None:
    """This process and its jobs neither wait nor make others wait."""
    os.environ[IN_TURN] = "1"


def wait_for(lock: int) -> None:
    said = ""
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = LOCK.read_text()
            if holder and holder != said:
                progress(None)
                print(f"waiting for another job: {holder}", file=sys.stderr, flush=True)
                said = holder
            time.sleep(POLL_S)
        else:
            return


def last_line(log: Path) -> str:
    """What a tool is at."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - 2000))
            lines = file.read().decode(errors="replace").split("\n")
    except FileNotFoundError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def progress(line: str | None) -> None:
    """A line that the next one replaces; None takes it away. Nothing where nobody looks."""
    if sys.stderr.isatty():
        columns = shutil.get_terminal_size().columns - 1
        print(f"\r\x1b[K{(line or '')[:columns]}", end="", file=sys.stderr, flush=True)


def minutes(seconds: float) -> str:
    return f"{seconds / 60:g} min" if seconds >= 60 else f"{seconds:g} s"


def clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
