# SPDX-License-Identifier: Apache-2.0
"""A file system for fsspec: sealed files of another one, opened on the way.

    fs, path = url_to_fs("age::s3://bucket/table.parquet", age={"identities": "key.txt"})
    pandas.read_parquet("age::s3://...", storage_options={"age": {...}, "s3": {...}})

Names are those of the files below. A part of a text costs the chunks of 64 KiB that it is in; the
first use of a file costs its header and its last chunk, which must be authenticated before anything
is known about the file's size (C2SP, age.md, "Payload").
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Any, ClassVar

import fsspec
from fsspec.implementations.chained import ChainedFileSystem
from fsspec.implementations.local import LocalFileSystem

from . import _saltmill
from ._files import CACHE_BYTES, Identities, Recipients
from ._fs_files import AgeFile, AgeSealingFile, Known, open_run
from ._saltmill import CHUNK_BYTES, FormatError, Identity, Passphrase, Recipient, RefusedError

_HEAD_BYTES = 4 << 10
_LONGEST_HEAD = 16 << 20
_KNOWN_FILES = 1024


class AgeFileSystem(ChainedFileSystem):
    """Sealed files of the file system `fs`, or of `target_protocol` with `target_options`.

    `identities` (to read) and `recipients` (to write): `Identity`, `Recipient`, `Passphrase`, a
    path of a file of identities, or several of them. Nothing of them is in the URL, nor in `repr`.

    What is known of a file stays until `info` finds another size, a chunk is refused, or
    `invalidate_cache`: the text of a small one, too.
    """

    protocol: ClassVar[tuple[str, ...]] = ("age", "saltmill")
    # fsspec would know instances, and compare them, by the `repr` of what they were made with: that
    # of all passphrases is the same.
    cachable: ClassVar[bool] = False
    local_file = False

    def __init__(
        self,
        target_protocol: str | None = None,
        target_options: dict[str, Any] | None = None,
        fs: fsspec.AbstractFileSystem | None = None,
        fo: str | None = None,  # noqa: ARG002 -- where the chain leads, which the paths say, too
        identities: Identities | str | os.PathLike[str] | None = None,
        recipients: Recipients | None = None,
        cache_bytes: int = CACHE_BYTES,
        **storage_options: Any,
    ) -> None:
        super().__init__(**storage_options)
        self.fs = fs or fsspec.filesystem(target_protocol or "file", **(target_options or {}))
        self.cache_chunks = max(1, cache_bytes // CHUNK_BYTES)
        self._identities = _identities(identities)
        self._recipients = recipients
        self._known: OrderedDict[str, Known] = OrderedDict()
        self._lock = Lock()

    @property
    def fsid(self) -> str:
        return f"age::{self.fs.fsid}"

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    # What is the same below.

    def ls(
        self,
        path: str,
        detail: bool = True,  # noqa: FBT001, FBT002 -- the base class has it so
        **kwargs: Any,
    ) -> list[Any]:
        entries = self.fs.ls(self._below(path), detail=True, **kwargs)
        return [self._entry(entry) for entry in entries] if detail else [e["name"] for e in entries]

    def info(self, path: str, **kwargs: Any) -> dict[str, Any]:
        """As below; `size` is that of the text, `sealed_size` that of the file."""
        entry = self.fs.info(self._below(path), **kwargs)
        if entry["type"] == "file":
            self._forget_if_changed(entry["name"], entry["size"])
            self._file(entry["name"])
        return self._entry(entry)

    def exists(self, path: str, **kwargs: Any) -> bool:
        return bool(self.fs.exists(self._below(path), **kwargs))

    def isfile(self, path: str) -> bool:
        return bool(self.fs.isfile(self._below(path)))

    def isdir(self, path: str) -> bool:
        return bool(self.fs.isdir(self._below(path)))

    def mkdir(
        self,
        path: str,
        create_parents: bool = True,  # noqa: FBT001, FBT002 -- the same
        **kwargs: Any,
    ) -> None:
        self.fs.mkdir(self._below(path), create_parents=create_parents, **kwargs)

    def makedirs(
        self,
        path: str,
        exist_ok: bool = False,  # noqa: FBT001, FBT002 -- the same
    ) -> None:
        self.fs.makedirs(self._below(path), exist_ok=exist_ok)

    def rmdir(self, path: str) -> None:
        self.fs.rmdir(self._below(path))

    def _rm(self, path: str) -> None:
        self._forget(self._below(path))
        self.fs.rm_file(self._below(path))

    def rm_file(self, path: str) -> None:
        self._rm(path)

    def cp_file(self, path1: str, path2: str, **kwargs: Any) -> None:
        """Copies the sealed file: it stays for the same recipients."""
        self._forget(self._below(path2))
        self.fs.cp_file(self._below(path1), self._below(path2), **kwargs)

    def created(self, path: str) -> Any:
        return self.fs.created(self._below(path))

    def modified(self, path: str) -> Any:
        return self.fs.modified(self._below(path))

    def invalidate_cache(self, path: str | None = None) -> None:
        if path is None:
            with self._lock:
                self._known.clear()
        else:
            self._forget(self._below(path))
        self.fs.invalidate_cache(path)

    # What is opened.

    def cat_file(
        self, path: str, start: int | None = None, end: int | None = None, **kwargs: Any
    ) -> bytes:
        found = self.cat_ranges([path], [start], [end], on_error="raise", **kwargs)
        return bytes(found[0])

    def cat_ranges(
        self,
        paths: list[str],
        starts: Sequence[int | None] | int | None,
        ends: Sequence[int | None] | int | None,
        max_gap: int | None = None,
        on_error: str = "return",
        **kwargs: Any,
    ) -> list[Any]:
        """Parts of texts; what they need is asked for at once."""
        if not isinstance(starts, Sequence):
            starts = [starts] * len(paths)
        if not isinstance(ends, Sequence):
            ends = [ends] * len(paths)
        wanted = list(zip(map(self._below, paths), starts, ends, strict=True))
        found = self._ranges(wanted, max_gap, **kwargs)
        # What is known of a file may be that of an earlier one of the same name.
        stale = [i for i, part in enumerate(found) if isinstance(part, RefusedError)]
        for i in stale:
            self._forget(wanted[i][0])
        again = self._ranges([wanted[i] for i in stale], max_gap, **kwargs) if stale else []
        for i, part in zip(stale, again, strict=True):
            found[i] = part
        for part in found:
            if on_error == "raise" and isinstance(part, BaseException):
                raise part
        return found

    def _ranges(
        self, wanted: list[tuple[str, int | None, int | None]], max_gap: int | None, **kwargs: Any
    ) -> list[Any]:
        found: list[Any] = [None] * len(wanted)
        below: list[tuple[int, Known, int, int, int, int]] = []
        for i, (path, first, last) in enumerate(wanted):
            try:
                known = self._file(path)
            except Exception as error:
                found[i] = error
                continue
            size = known.payload.text_bytes
            start, stop = _clamp(first, 0, size), _clamp(last, size, size)
            if start >= stop:
                found[i] = b""
                continue
            chunks = known.payload.chunks_of(start, stop)
            if chunks[0] + 1 == known.payload.chunks:
                skipped = chunks[0] * CHUNK_BYTES
                found[i] = known.last[start - skipped : stop - skipped]
                continue
            below.append((i, known, start, stop, *chunks))
        places = [known.payload.sealed(first, stop) for _, known, _, _, first, stop in below]
        sealed = self.fs.cat_ranges(
            [wanted[item[0]][0] for item in below],
            [place[0] for place in places],
            [place[1] for place in places],
            max_gap=max_gap,
            on_error="return",
            **kwargs,
        )
        for (i, known, start, stop, first, end), data in zip(below, sealed, strict=True):
            found[i] = open_run(known, first, end, data)
            if isinstance(found[i], bytes):
                skipped = first * CHUNK_BYTES
                found[i] = found[i][start - skipped : stop - skipped]
        return found

    def _open(self, path: str, mode: str = "rb", **kwargs: Any) -> Any:
        path = self._below(path)
        if mode == "rb":
            known = self._file(path)
            return AgeFile(known, self, path, size=known.payload.text_bytes, cache_type="none")
        if mode in ("wb", "xb"):
            recipients = self._for()
            if mode == "xb" and isinstance(self.fs, LocalFileSystem):
                # It would write to the file itself, not to one that it commits. Who makes the file
                # in between loses it.
                if self.fs.exists(path):
                    raise FileExistsError(f"{path} exists")
                mode = "wb"
            self._forget(path)
            below = self.fs.open(path, mode, autocommit=False, **_writing(kwargs))
            return AgeSealingFile(below, recipients)
        raise ValueError(f"an encrypted file is opened with rb, wb or xb, not {mode}")

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **kwargs: Any) -> None:
        self._forget(self._below(path))
        sealed = _saltmill.encrypt(value, self._for())
        self.fs.pipe_file(self._below(path), sealed, mode=mode, **kwargs)

    # What is known of files.

    def _below(self, path: str) -> str:
        return str(self.fs._strip_protocol(self._strip_protocol(path)))

    def _for(self) -> Recipients:
        if self._recipients is None:
            raise ValueError("the file system has no recipients: it can't write")
        return self._recipients

    def _entry(self, entry: dict[str, Any]) -> dict[str, Any]:
        if entry["type"] != "file":
            return entry
        with self._lock:
            known = self._known.get(entry["name"])
        same = known is not None and known.sealed_bytes == entry["size"]
        size = known.payload.text_bytes if known and same else None
        return {**entry, "size": size, "sealed_size": entry["size"]}

    def _forget(self, path: str) -> None:
        with self._lock:
            self._known.pop(path, None)

    def _forget_if_changed(self, path: str, sealed_bytes: int) -> None:
        with self._lock:
            known = self._known.get(path)
            if known and known.sealed_bytes != sealed_bytes:
                del self._known[path]

    def _file(self, path: str) -> Known:
        with self._lock:
            if known := self._known.get(path):
                self._known.move_to_end(path)
                return known
        known = self._read_file(path)
        with self._lock:
            self._known[path] = known
            while len(self._known) > _KNOWN_FILES:
                self._known.popitem(last=False)
        return known

    def _read_file(self, path: str) -> Known:
        """Header and last chunk. A small file is read at once."""
        if self._identities is None:
            raise ValueError("the file system has no identities: it can't read")
        size = int(self.fs.info(path)["size"])
        length = size if size <= CHUNK_BYTES + _HEAD_BYTES else _HEAD_BYTES
        while True:
            # By name: some file systems have another parameter second.
            head = self.fs.cat_file(path, start=0, end=min(length, size))
            try:
                payload = _saltmill.Payload(head, size, self._identities)
                break
            except FormatError as error:
                if error.kind != "truncated" or length >= min(size, _LONGEST_HEAD):
                    raise
                length *= 8
        start, end = payload.sealed(payload.chunks - 1, payload.chunks)
        sealed = (
            head[start:end] if end <= len(head) else self.fs.cat_file(path, start=start, end=end)
        )
        last = payload.open(payload.chunks - 1, payload.chunks, sealed)
        return Known(payload, size, last)


def _clamp(place: int | None, default: int, size: int) -> int:
    if place is None:
        return default
    return max(0, size + place) if place < 0 else min(place, size)


def _writing(kwargs: dict[str, Any]) -> dict[str, Any]:
    known = ("block_size", "acl")
    return {name: value for name, value in kwargs.items() if name in known and value is not None}


def _identities(
    given: Identities | str | os.PathLike[str] | None,
) -> list[Identity | Passphrase] | None:
    if given is None:
        return None
    if isinstance(given, Identity | Passphrase):
        return [given]
    if isinstance(given, str | os.PathLike):
        return list(Identity.from_file(given))
    found: list[Identity | Passphrase] = []
    for one in given:
        found.extend(_identities(one) or [])
    return found


__all__ = ["AgeFile", "AgeFileSystem", "Recipient"]
