# SPDX-License-Identifier: Apache-2.0
"""Many files, each in parts, by the workers of a Dask cluster.

Dask schedules; what is done is `plan`, `part` and `complete`. The client makes plans and completes
them; workers get plans, and so the key of a payload, never an identity.
"""

from __future__ import annotations

import builtins
import time
from collections.abc import Sequence
from typing import Any

from distributed import Client, Future, get_client

from ._files import Identities, Recipients
from ._jobs import Ended, FileReport, Jobs, NoWorkerError, Progress, Report
from ._parts import Plan, plan
from ._saltmill import Hash
from ._stores import ChangedError, pin, read

__all__ = ["FileReport", "Progress", "Report", "decrypt", "encrypt", "run", "sum"]

_READ_BYTES = 8 << 20


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
    in_flight: int | None = None,
    lonely_seconds: float = 300.0,
    progress: Progress | None = None,
    **planned: Any,
) -> Report:
    """Plans each file (with the options of `saltmill.plan`), and has its parts done.

    A part that fails is tried `retries` times more, unless it would fail again; so is one whose
    workers were lost again and again, when Dask has given it up. At most `in_flight` tasks wait in
    the scheduler: 1,000, or two for each thread of the workers if that is more. A file of which a
    part fails is left out, and its upload aborted; the others go on. So is all that is left when
    for `lonely_seconds` there was no worker. `Report.check()` raises what failed.

    A task uses one thread: a worker with several does as many parts at once.
    """
    sources, targets = _pairs(urls_in, urls_out)
    started = time.monotonic()
    client = client or get_client()
    in_flight = in_flight or max(1000, 2 * builtins.sum(client.nthreads().values()))
    with Jobs(Ended(client, lonely_seconds), retries, progress) as jobs:

        def made(source: str, target: str) -> Plan:
            return plan(source, target, **planned)

        jobs.plan(made, list(zip(sources, targets, strict=True)))
        jobs.run(in_flight)
    jobs.report.seconds = time.monotonic() - started
    return jobs.report


def sum(  # noqa: A001 -- as the command is called
    urls: str | Sequence[str],
    algorithm: str = "sha256",
    *,
    client: Client | None = None,
    retries: int = 3,
    lonely_seconds: float = 300.0,
    source_options: dict[str, Any] | None = None,
) -> Report:
    """Digests of files: each is read by one worker, in pieces of 8 MiB."""
    ended = Ended(client or get_client(), lonely_seconds)
    started = time.monotonic()
    urls = [urls] if isinstance(urls, str) else list(urls)
    options, report = source_options or {}, Report()
    running: dict[object, tuple[Future[Any], FileReport]] = {}
    for url in urls:
        future = ended.submit(_digest, url, algorithm, options, retries=retries)
        running[future] = future, FileReport(url, None, parts=1, tries=1)
    report.files.extend(file for _, file in running.values())
    try:
        while running:
            future, file = running.pop(ended.next())
            try:
                file.bytes, file.digest = future.result()
            except Exception as error:
                file.error = error
    except NoWorkerError as error:
        for future, file in running.values():
            future.cancel()
            file.error = error
    report.seconds = time.monotonic() - started
    return report


def _digest(url: str, algorithm: str, options: dict[str, Any]) -> tuple[int, str]:
    before = pin(url, options, dates_do=True)
    size, hasher = int(dict(before)["size"]), Hash(algorithm)
    for start in range(0, size, _READ_BYTES):
        hasher.update(read(url, options, start, min(size, start + _READ_BYTES)))
    if pin(url, options, dates_do=True) != before:
        raise ChangedError(f"{url} changed while it was read: write to it later, or copy it first")
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
