# SPDX-License-Identifier: Apache-2.0
"""The processor time of processes: what they took, and a share that they cannot exceed.

With a share, processes on one machine are measured as if each had a small one of its own. Control
groups keep it (Linux, as root).
"""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")
PERIOD_US = 20_000
TICKS = os.sysconf("SC_CLK_TCK")


def cpu(pid: int) -> float:
    """Seconds of processor time of a process and all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


class Meter:
    """Wall clock, and the processor time of server, workers, and this process: client, scheduler
    and nannies."""

    def __init__(self, server: int, workers: list[int]) -> None:
        self.pids = {"server": [server], "workers": workers, "scheduler": [os.getpid()]}

    def read(self) -> dict[str, float]:
        spent = {name: sum(map(cpu, pids)) for name, pids in self.pids.items()}
        return {"seconds": time.perf_counter(), **spent}

    def measure(self, call: Callable[[], object]) -> dict[str, float]:
        before = self.read()
        call()
        return {name: value - before[name] for name, value in self.read().items()}


def _limit(group: Path, share: float) -> None:
    quota = round(share * PERIOD_US)
    if (group / "cpu.cfs_quota_us").exists():  # version 1
        (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
        (group / "cpu.cfs_quota_us").write_text(str(quota))
    else:
        (group / "cpu.max").write_text(f"{quota} {PERIOD_US}")


@contextmanager
def limited(pids: list[int], share: float | None) -> Iterator[None]:
    """While this lasts, each of the processes has at most this share of one processor."""
    if share is None:
        yield
        return
    top = GROUPS / "cpu" if (GROUPS / "cpu").is_dir() else GROUPS
    groups = []
    try:
        for pid in pids:
            group = top / f"saltmill-{pid}"
            group.mkdir()
            groups.append(group)
            _limit(group, share)
            (group / "cgroup.procs").write_text(str(pid))
    except OSError as error:
        _remove(groups, top)
        sys.exit(f"error: no control group for a worker: {error}\nhint: run it as root")
    try:
        yield
    finally:
        _remove(groups, top)


def _remove(groups: list[Path], top: Path) -> None:
    """A group goes when no process is in it."""
    for group in groups:
        for pid in (group / "cgroup.procs").read_text().split():
            with contextlib.suppress(ProcessLookupError):
                (top / "cgroup.procs").write_text(pid)
        group.rmdir()
