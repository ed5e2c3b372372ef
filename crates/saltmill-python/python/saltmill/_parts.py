# SPDX-License-Identifier: Apache-2.0
"""One file in parts, each of which any process on any machine can do, as often as need be.

`plan` looks at the source, makes the header and begins the target; `part` does one part; `complete`
makes the target visible, all at once. A plan holds the key of this one payload and no identity: who
does parts can open this file and no other. It holds the options of the storage, too, and so the
credentials that are in them: better have none there, and let workers find their own (environment,
instance roles).
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import Any

from . import _saltmill
from ._files import Identities, Recipients
from ._saltmill import CHUNK_BYTES, Engine, FormatError, RefusedError
from ._stores import ChangedError as ChangedError  # noqa: PLC0414 -- it is this module's, too
from ._stores import Pinned, Store, check_pinned, pin, read, read_pinned, store_of

PART_BYTES = 64 << 20
"""Text of a part, in bytes, unless its caller says otherwise or there would be too many."""
_HEAD_BYTES = 4 << 10
_LONGEST_HEAD = 16 << 20


@dataclass(frozen=True)
class Part:
    """A part that was done."""

    number: int
    bytes: int
    """Bytes of the target."""
    tag: str
    """What the store says of it: an ETag."""


@dataclass(frozen=True)
class Plan:
    """What is to be done. It never changes, and it can be pickled.

    Then the payload's key and the options of the storage, with credentials, go with it.
    """

    source: str
    target: str
    pinned: Pinned
    """What tells that the source has not changed: its size, and ETag, version or times."""
    upload: str
    """What the store calls the target before it is complete."""
    overwrite: bool
    _core: _saltmill.Plan = field(repr=False)
    _source_options: dict[str, Any] = field(default_factory=dict, repr=False)
    _target_options: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def parts(self) -> int:
        """How many parts there are; one at least."""
        return self._core.parts

    @property
    def seals(self) -> bool:
        """Whether the source is sealed; if not, it is opened."""
        return self._core.seals

    @property
    def input_bytes(self) -> int:
        """Bytes of the source."""
        return self._core.input_bytes

    @property
    def output_bytes(self) -> int:
        """Bytes of the target."""
        return self._core.output_bytes

    def place(self, number: int) -> tuple[range, range]:
        """Bytes of the source and of the target that are part `number`, from 0."""
        first, stop, to, end = self._core.part(number)
        return range(first, stop), range(to, end)

    def _store(self) -> Store:
        return store_of(self.target, self._target_options)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_core": self._core.to_bytes()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        core = _saltmill.Plan.from_bytes(state["_core"])
        self.__dict__.update({**state, "_core": core})


def plan(  # noqa: PLR0913 -- they have names
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    recipients: Recipients | None = None,
    identities: Identities | None = None,
    part_bytes: int | None = None,
    overwrite: bool = False,
    source_options: dict[str, Any] | None = None,
    target_options: dict[str, Any] | None = None,
) -> Plan:
    """Plans to seal a source for recipients, or to open one for identities.

    Sources are paths or URLs of fsspec; targets are local paths or `s3://` (multipart upload), on
    the same storage for all workers. `part_bytes` of text are a part, rounded up to chunks of
    64 KiB: 64 MiB, or more if there were more than 10,000 parts. The options are those of the file
    systems.

    Raises `FileExistsError` for a target that is there, unless `overwrite`; `ValueError` for parts
    that the store does not take; as `decrypt` for a source that can't be opened.
    """
    if (recipients is None) == (identities is None):
        raise ValueError("a plan is for recipients, to seal, or for identities, to open")
    source, target = os.fspath(source), os.fspath(target)
    source_options, target_options = source_options or {}, target_options or {}
    pinned = pin(source, source_options)
    size = int(dict(pinned)["size"])
    store = store_of(target, target_options)
    chunks = _chunks(size, part_bytes, store)
    if recipients is not None:
        core = _saltmill.Plan.to_seal(recipients, size, chunks)
    else:
        core = _plan_to_open(source, source_options, size, identities, chunks)
    sizes = [stop - start for *_, start, stop in map(core.part, _ends(core.parts))]
    store.check(core.parts, sizes)
    upload = store.begin(core.output_bytes, overwrite=overwrite)
    return Plan(source, target, pinned, upload, overwrite, core, source_options, target_options)


def part(plan: Plan, number: int, *, engine: Engine | None = None) -> Part:
    """Does part `number`, from 0: reads it, seals or opens it, and writes it where it belongs.

    Done again, it writes the same bytes. It takes the memory of a part of the source and one of the
    target.

    Raises `ChangedError`, `RefusedError`, `IndexError`, and what the stores raise.
    """
    first, stop, start, end = plan._core.part(number)
    data = read_pinned(plan.source, plan._source_options, plan.pinned, first, stop)
    try:
        output = plan._core.run(number, data, engine)
    except RefusedError as error:
        error.args = (f"{plan.source}: {error}",)
        raise
    del data
    tag = plan._store().put(plan.upload, number, start, output)
    return Part(number, end - start, tag)


def complete(plan: Plan) -> None:
    """Gives the target its name, if the store has all parts and the source is still the same.

    Raises `ChangedError`; `Error` if parts are missing. The target is not there then; `abort`
    removes what there is of it.
    """
    check_pinned(plan.source, plan._source_options, plan.pinned)
    sizes = {number: len(plan.place(number)[1]) for number in range(plan.parts)}
    plan._store().complete(plan.upload, sizes, overwrite=plan.overwrite)


def abort(plan: Plan) -> None:
    """Removes what there is of a target that is not complete."""
    plan._store().abort(plan.upload)


def retarget(plan: Plan, target: str, *, overwrite: bool = False) -> Plan:
    """The same plan into another local file, byte by byte: to compare, and to test."""
    upload = store_of(target, {}).begin(plan.output_bytes, overwrite=overwrite)
    return replace(plan, target=target, upload=upload, overwrite=overwrite, _target_options={})


def _ends(parts: int) -> set[int]:
    """The parts whose sizes may be others than those of the rest."""
    return {0, min(1, parts - 1), parts - 1}


def _chunks(size: int, part_bytes: int | None, store: Store) -> int:
    """Chunks in a part."""
    most = -(-size // (CHUNK_BYTES * store.most_parts))
    if part_bytes is None:
        return max(PART_BYTES // CHUNK_BYTES, most)
    if part_bytes <= 0:
        raise ValueError("a part has a byte at least")
    return -(-part_bytes // CHUNK_BYTES)


def _plan_to_open(
    source: str, options: dict[str, Any], size: int, identities: Identities | None, chunks: int
) -> _saltmill.Plan:
    if identities is None:
        raise ValueError("there are no identities")
    length = _HEAD_BYTES
    while True:
        head = read(source, options, 0, min(length, size))
        try:
            return _saltmill.Plan.to_open(head, size, identities, chunks)
        except FormatError as error:
            if error.kind != "truncated" or length >= min(size, _LONGEST_HEAD):
                raise
            length *= 8
