# SPDX-License-Identifier: Apache-2.0
"""Parts of many files in a Dask cluster: what is begun, what has ended, what became of it."""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future as Local
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from distributed import Client, Future

from ._parts import Part, Plan, abort, complete, part
from ._refusals import is_full
from ._saltmill import Engine, Error, FormatError, IdentityError, RecipientError, RefusedError
from ._stores import ChangedError

_LOOK_SECONDS = 2.0
_THREADS = 16
"""Of the client, which wait for answers of stores."""
# Another try would end in the same way.
_FINAL = (
    ChangedError,
    RefusedError,
    FormatError,
    IdentityError,
    RecipientError,
    FileNotFoundError,
    FileExistsError,
    PermissionError,
    ValueError,
)


@dataclass
class FileReport:
    """What became of one file."""

    source: str
    target: str | None
    bytes: int = 0
    """Bytes of the source."""
    parts: int = 0
    tries: int = 0
    """Tasks that were begun: more than parts if some were tried again. What Dask itself begins
    again, because a worker was lost, is not in it."""
    digest: str | None = None
    error: BaseException | None = None
    left: Plan | None = field(default=None, repr=False)
    """What could not be removed of a target that failed: `saltmill.abort` it when its store
    answers again. It can't be seen under the target's name, but takes room."""


@dataclass
class Report:
    """What became of all files."""

    files: list[FileReport] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def failed(self) -> list[FileReport]:
        """Files that are not there."""
        return [file for file in self.files if file.error is not None]

    def check(self) -> Report:
        """Raises an `ExceptionGroup` of what failed, if anything did."""
        if errors := [file.error for file in self.failed if isinstance(file.error, Exception)]:
            raise ExceptionGroup(f"{len(errors)} of {len(self.files)} files failed", errors)
        return self


Progress = Callable[[int, int], None]
"""Gets the bytes of all sources that are done, and those of all."""


class NoWorkerError(Error):
    """Nobody is there to do anything."""


class Ended:
    """Futures that have ended, as they end."""

    def __init__(self, client: Client, lonely_seconds: float) -> None:
        self.client, self.lonely_seconds = client, lonely_seconds
        self.ended: queue.SimpleQueue[Future[Any] | Local[None]] = queue.SimpleQueue()
        self.lonely_since: float | None = None

    def submit(self, *call: Any, **options: Any) -> Future[Any]:
        future = self.client.submit(*call, pure=False, **options)
        future.add_done_callback(self.ended.put)
        return future

    def next(self) -> Future[Any] | Local[None]:
        """The next one. Raises `NoWorkerError`: Dask itself would wait for workers for ever."""
        wait = min(_LOOK_SECONDS, self.lonely_seconds)
        while True:
            try:
                return self.ended.get(timeout=wait)
            except queue.Empty:
                self._look()

    def _look(self) -> None:
        now = time.monotonic()
        if self.client.nthreads():
            self.lonely_since = None
        elif self.lonely_since is None:
            self.lonely_since = now
        elif now - self.lonely_since >= self.lonely_seconds:
            raise NoWorkerError(
                f"the cluster has had no worker for {self.lonely_seconds:.0f} s: see why they end"
                " (memory is a part's text and result for each thread), and run it again"
            )


def _part(made: Plan, number: int) -> Part:
    # Dask counts threads: another worker has the other processors.
    return part(made, number, engine=Engine(1))


class Jobs:
    """Parts of all plans, in the scheduler and in front of it."""

    def __init__(self, ended: Ended, retries: int, progress: Progress | None) -> None:
        self.ended, self.retries, self.progress = ended, retries, progress
        self.report = Report()
        self.plans: list[tuple[Plan, FileReport]] = []
        self.left: dict[int, int] = {}
        self.open: set[int] = set()
        self.waiting: deque[tuple[int, int, int]] = deque()
        self.running: dict[Future[Any], tuple[int, int, int]] = {}
        self.planning: deque[Local[Plan]] = deque()
        self.completing: dict[Local[None], int] = {}
        self.pool = ThreadPoolExecutor(_THREADS, "saltmill")
        self.done_bytes = self.all_bytes = 0

    def __enter__(self) -> Jobs:
        return self

    def __exit__(self, *_: object) -> None:
        """What is not complete by now never will be."""
        for future in self.running:
            future.cancel()
        self.pool.shutdown()
        for local in self.planning:
            with suppress(Exception):
                abort(local.result())
        for done, file in self.completing.items():
            self.completed(file, done.exception())
        for file in list(self.open):
            self.give_up(file, Error(f"{self.plans[file][0].target}: it was not completed"))

    def plan(self, make: Callable[[str, str], Plan], files: Sequence[tuple[str, str]]) -> None:
        """Makes the plans of all files, many at once."""
        self.planning.extend(self.pool.submit(make, *file) for file in files)
        for source, target in files:
            report = FileReport(source, target)
            self.report.files.append(report)
            try:
                self.add(self.planning[0].result(), report)
            except Exception as error:
                report.error = error
            self.planning.popleft()

    def add(self, made: Plan, report: FileReport) -> None:
        file = len(self.plans)
        report.bytes, report.parts = made.input_bytes, made.parts
        self.plans.append((made, report))
        self.open.add(file)
        self.left[file] = made.parts
        self.all_bytes += made.input_bytes
        self.waiting.extend((file, number, 0) for number in range(made.parts))

    def run(self, in_flight: int) -> None:
        while self.open:
            self.start(in_flight)
            try:
                ended = self.ended.next()
            except NoWorkerError as error:
                for file in list(self.open):
                    self.give_up(file, NoWorkerError(str(error)))
                return
            if isinstance(ended, Local):
                self.completed(self.completing.pop(ended), ended.exception())
                continue
            file, number, tries = self.running.pop(ended)
            if file in self.open:
                self.outcome(ended, file, number, tries)
            ended.release()

    def start(self, in_flight: int) -> None:
        while self.waiting and len(self.running) < in_flight:
            file, number, tries = self.waiting.popleft()
            if file not in self.open:
                continue
            made, report = self.plans[file]
            report.tries += 1
            self.running[self.ended.submit(_part, made, number)] = (file, number, tries)

    def outcome(self, future: Future[Any], file: int, number: int, tries: int) -> None:
        if future.status == "finished":
            self.finished(file, number)
            return
        error = future.exception() if future.status == "error" else None
        if tries < self.retries and not _is_final(error):
            self.waiting.appendleft((file, number, tries + 1))
            return
        error = error or Error(f"its task was {future.status}")
        error.add_note(f"part {number} of {self.plans[file][0].source}")
        self.give_up(file, error)

    def finished(self, file: int, number: int) -> None:
        made, _ = self.plans[file]
        self.left[file] -= 1
        self.done_bytes += len(made.place(number)[0])
        if self.progress:
            self.progress(self.done_bytes, self.all_bytes)
        if self.left[file] == 0:
            # The store takes its time for it, and other files go on.
            local = self.pool.submit(complete, made)
            self.completing[local] = file
            local.add_done_callback(self.ended.ended.put)

    def completed(self, file: int, error: BaseException | None) -> None:
        if error is None:
            self.open.discard(file)
        else:
            self.give_up(file, error)

    def give_up(self, file: int, error: BaseException) -> None:
        made, report = self.plans[file]
        self.open.discard(file)
        report.error = error
        for future, (other, *_) in list(self.running.items()):
            if other == file:
                future.cancel()
        try:
            abort(made)
        except Exception as second:
            report.left = made
            error.add_note(
                f"what there is of {made.target} could not be removed ({second}): it can't be seen,"
                " but takes room; saltmill.abort(report.left) when its store answers again"
            )


def _is_final(error: BaseException | None) -> bool:
    return isinstance(error, _FINAL) or is_full(error)
