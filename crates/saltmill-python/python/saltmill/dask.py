# SPDX-License-Identifier: Apache-2.0
"""Many files, each in parts, by the workers of a Dask cluster.

Dask schedules; what is done is `plan`, `part` and `complete`. The client makes plans and completes
them; workers get plans, and so the key of a payload, never an identity.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from distributed import Client, Future, as_completed, get_client

from ._files import Identities, Recipients
from ._parts import ChangedError, Plan, abort, complete, part, plan
from ._saltmill import Error, FormatError, Hash, IdentityError, RecipientError, RefusedError
from ._stores import pin, read

_READ_BYTES = 8 << 20
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
    """Tasks that were begun: more than parts if some were tried again."""
    digest: str | None = None
    error: BaseException | None = None


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


def encrypt(
    urls_in: str | Sequence[str],
    urls_out: str | Sequence[str],
    recipients: Recipients,
    **options: Any,
) -> Report:
    """Seals files. The options are those of `run`."""
    return run(urls_in, urls_out, recipients=recipients, **options)


def decrypt(
    urls_in: str | Sequence[str],
    urls_out: str | Sequence[str],
    identities: Identities,
    **options: Any,
) -> Report:
    """Opens files. The options are those of `run`."""
    return run(urls_in, urls_out, identities=identities, **options)


def run(
    urls_in: str | Sequence[str],
    urls_out: str | Sequence[str],
    *,
    client: Client | None = None,
    retries: int = 3,
    in_flight: int = 1000,
    progress: Progress | None = None,
    **planned: Any,
) -> Report:
    """Plans each file (with the options of `saltmill.plan`), and has its parts done.

    A part that fails is tried `retries` times more, unless it would fail again; so is one whose
    worker was lost. At most `in_flight` tasks wait in the scheduler. A file of which a part fails
    is left out, and its upload aborted; the others go on. `Report.check()` raises what failed.
    """
    sources, targets = _pairs(urls_in, urls_out)
    started = time.monotonic()
    with _Jobs(client or get_client(), retries, progress) as jobs:
        for source, target in zip(sources, targets, strict=True):
            report = FileReport(source, target)
            try:
                made = plan(source, target, **planned)
            except Exception as error:
                report.error = error
                jobs.report.files.append(report)
                continue
            report.bytes, report.parts = made.input_bytes, made.parts
            jobs.add(made, report)
        jobs.run(in_flight)
    jobs.report.seconds = time.monotonic() - started
    return jobs.report


class _Jobs:
    """Parts of all plans, in the scheduler and in front of it."""

    def __init__(self, client: Client, retries: int, progress: Progress | None) -> None:
        self.client, self.retries, self.progress = client, retries, progress
        self.report = Report()
        self.plans: list[tuple[Plan, FileReport]] = []
        self.left: dict[int, int] = {}
        self.open: set[int] = set()
        self.waiting: deque[tuple[int, int, int]] = deque()
        self.running: dict[Future[Any], tuple[int, int, int]] = {}
        self.done_bytes = self.all_bytes = 0

    def __enter__(self) -> _Jobs:
        return self

    def __exit__(self, *_: object) -> None:
        """What is not complete by now never will be."""
        for future in self.running:
            future.cancel()
        for file in list(self.open):
            self.give_up(file, Error("it was not completed"))

    def add(self, made: Plan, report: FileReport) -> None:
        file = len(self.plans)
        self.plans.append((made, report))
        self.report.files.append(report)
        self.open.add(file)
        self.left[file] = made.parts
        self.all_bytes += made.input_bytes
        self.waiting.extend((file, number, 0) for number in range(made.parts))

    def run(self, in_flight: int) -> None:
        completed = as_completed(with_results=False)
        while self.waiting or self.running:
            for future in self.start(in_flight):
                completed.add(future)
            if not self.running:
                continue
            future = next(completed)
            file, number, tries = self.running.pop(future)
            if file not in self.open:
                continue
            error = future.exception() if future.status == "error" else None
            if future.status == "finished":
                self.finished(file, number)
            elif tries < self.retries and not isinstance(error, _FINAL):
                self.waiting.appendleft((file, number, tries + 1))
            else:
                self.give_up(file, error or Error(f"part {number}: {future.status}"))
            future.release()

    def start(self, in_flight: int) -> Iterator[Future[Any]]:
        while self.waiting and len(self.running) < in_flight:
            file, number, tries = self.waiting.popleft()
            if file not in self.open:
                continue
            made, report = self.plans[file]
            report.tries += 1
            future = self.client.submit(part, made, number, pure=False)
            self.running[future] = (file, number, tries)
            yield future

    def finished(self, file: int, number: int) -> None:
        made, _ = self.plans[file]
        self.left[file] -= 1
        self.done_bytes += len(made.place(number)[0])
        if self.progress:
            self.progress(self.done_bytes, self.all_bytes)
        if self.left[file] == 0:
            try:
                complete(made)
                self.open.discard(file)
            except Exception as error:
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
            error.add_note(f"what there is of it could not be removed: {second}")


def sum(  # noqa: A001 -- as the command is called
    urls: str | Sequence[str],
    algorithm: str = "sha256",
    *,
    client: Client | None = None,
    retries: int = 3,
    source_options: dict[str, Any] | None = None,
) -> Report:
    """Digests of files: each is read by one worker, in pieces of 8 MiB."""
    client = client or get_client()
    started = time.monotonic()
    urls = [urls] if isinstance(urls, str) else list(urls)
    report = Report([FileReport(url, None, parts=1, tries=1) for url in urls])
    options = source_options or {}
    futures = [
        client.submit(_digest, url, algorithm, options, pure=False, retries=retries) for url in urls
    ]
    for future, file in zip(futures, report.files, strict=True):
        try:
            file.bytes, file.digest = future.result()
        except Exception as error:
            file.error = error
    report.seconds = time.monotonic() - started
    return report


def _digest(url: str, algorithm: str, options: dict[str, Any]) -> tuple[int, str]:
    before = pin(url, options, dates_do=True)
    size, hasher = int(dict(before)["size"]), Hash(algorithm)
    for start in range(0, size, _READ_BYTES):
        hasher.update(read(url, options, start, min(size, start + _READ_BYTES)))
    if pin(url, options, dates_do=True) != before:
        raise ChangedError(f"{url} changed while it was read")
    return size, hasher.hexdigest()


def _pairs(
    urls_in: str | Sequence[str], urls_out: str | Sequence[str]
) -> tuple[list[str], list[str]]:
    sources = [urls_in] if isinstance(urls_in, str) else list(urls_in)
    targets = [urls_out] if isinstance(urls_out, str) else list(urls_out)
    if len(sources) != len(targets):
        raise ValueError(f"{len(sources)} sources and {len(targets)} targets")
    if len(set(targets)) != len(targets):
        raise ValueError("two files can't have the same target")
    return sources, targets
