# SPDX-License-Identifier: Apache-2.0
"""Sealed files as Python's file objects."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Literal, overload

from . import _saltmill
from ._saltmill import CHUNK_BYTES, Engine, Identity, Passphrase, Recipient

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

Identities = Identity | Passphrase | Iterable[Identity | Passphrase]
Recipients = Recipient | Identity | Passphrase | Iterable[Recipient | Identity | Passphrase]
PathOrFile = str | os.PathLike[str] | BinaryIO

CACHE_BYTES = 4 << 20
"""Text that a `SealedFile` keeps, in bytes, unless its caller says otherwise."""
_READ_BYTES = 1 << 20
_SEAL_BYTES = 1 << 20


class SealedFile(io.RawIOBase):
    """The text of a sealed file, to be read anywhere.

    Only the chunks of 64 KiB that are asked for are read, and each is authenticated before a byte
    of it is given out; the last chunk when the file is opened, so that a file that was cut off is
    noticed (C2SP, age.md, "Payload"). Of the chunks that were read in part, those that were
    used last are kept: `cache_bytes` of text, rounded to whole chunks and one at least. One that is
    read as a whole is not. Threads may read at once with `pread`.

    Raises `FormatError`, `IdentityError`, `RefusedError` and `OSError`.
    """

    def __init__(
        self, source: PathOrFile, identities: Identities, cache_bytes: int = CACHE_BYTES
    ) -> None:
        super().__init__()
        chunks = max(1, cache_bytes // CHUNK_BYTES)
        self._reader = _saltmill.SealedReader(source, identities, chunks)
        self.size: int = self._reader.size
        """Bytes of the text."""
        self._place = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        self._check()
        return self._place

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._check()
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self.size}
        if whence not in start:
            raise ValueError(f"whence {whence} is not known")
        place = start[whence] + offset
        if place < 0:
            raise ValueError(f"{place} is in front of the file")
        self._place = place
        return place

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes of text from `offset` on; the place stays, as with `os.pread`."""
        self._check()
        return self._reader.read_at(offset, size)

    def read(self, size: int | None = -1) -> bytes:
        """Up to `size` bytes, or all that are left."""
        self._check()
        left = max(0, self.size - self._place)
        size = left if size is None or size < 0 else size
        data = self._reader.read_at(self._place, size)
        self._place += len(data)
        return data

    def readall(self) -> bytes:
        return self.read()

    def readinto(self, buffer: WriteableBuffer) -> int:
        self._check()
        view = memoryview(buffer).cast("B")
        size = min(len(view), max(0, self.size - self._place), _READ_BYTES)
        read = self._reader.read_into(self._place, view[:size]) if size else 0
        self._place += read
        return read

    def _check(self) -> None:
        if self.closed:
            raise ValueError("the file is closed")

    def __repr__(self) -> str:
        return f"<saltmill.SealedFile of {self.size} bytes>"


class SealingFile(io.RawIOBase):
    """A file that is sealed as it is written.

    A file by its path appears under its name when it is closed, and not at all if a `with` block
    ends with an exception. A file object gets header and chunks as they come; whoever opened it
    closes it. When a write has failed, so do those after it and `close`: text is missing.
    """

    def __init__(
        self,
        target: PathOrFile,
        recipients: Recipients,
        *,
        replace: bool = False,
        engine: Engine | None = None,
    ) -> None:
        super().__init__()
        self._sealer = _saltmill.Sealer(recipients)
        self._engine, self._replace = engine, replace
        self._pending, self._place, self._failed = bytearray(), 0, False
        self._path: Path | None = None
        self._target: BinaryIO
        if isinstance(target, str | os.PathLike):
            import tempfile  # noqa: PLC0415 -- takes as long to import as all else here

            self._path = Path(target)
            if not replace and self._path.exists():
                raise FileExistsError(f"{self._path} exists")
            folder, prefix = self._path.parent, f".{self._path.name}.saltmill-"
            handle, name = tempfile.mkstemp(dir=folder, prefix=prefix)
            self._temporary = Path(name)
            self._target = os.fdopen(handle, "wb")
        else:
            self._target = target
        self._put(self._sealer.prologue)

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def write(self, data: ReadableBuffer) -> int:
        """Takes all of the bytes."""
        if self.closed:
            raise ValueError("the file is closed")
        self._check_whole()
        size = memoryview(data).nbytes
        self._pending += memoryview(data).cast("B") if size else b""
        self._place += size
        if len(self._pending) >= _SEAL_BYTES:
            self._seal()
        return size

    def _seal(self) -> None:
        self._check_whole()
        self._failed = True
        data, self._pending = self._pending, bytearray()
        self._put(self._sealer.update(data, self._engine))
        self._failed = False

    def _check_whole(self) -> None:
        if self._failed:
            raise OSError("an earlier write failed: the file can't be completed")

    def _put(self, data: bytes) -> None:
        """Writes all of it: a raw file object may take less at once."""
        left: bytes | memoryview = data
        while left:
            # A file object that is not raw takes all, and some of those say nothing.
            written: int | None = self._target.write(left)
            if written is None and isinstance(self._target, io.RawIOBase):
                raise BlockingIOError("write() would block")
            written = len(left) if written is None else written
            if not 0 < written <= len(left):
                raise OSError(f"write() took {written} of {len(left)} bytes")
            left = memoryview(left)[written:]

    def close(self) -> None:
        """Seals what is left, and gives the file its name."""
        if self.closed:
            return
        try:
            self._seal()
            self._put(self._sealer.finish())
            if self._path is not None:
                self._target.close()
                self._name(self._path)
        except BaseException:
            self.discard()
            raise
        super().close()

    def discard(self) -> None:
        """Closes it without an end: a file by its path is gone."""
        if not self.closed and self._path is not None:
            # What it may still have to write is not wanted.
            with contextlib.suppress(OSError):
                self._target.close()
            self._temporary.unlink(missing_ok=True)
        super().close()

    def _name(self, path: Path) -> None:
        mask = os.umask(0)
        os.umask(mask)
        self._temporary.chmod(0o666 & ~mask)
        if self._replace:
            self._temporary.replace(path)
        else:
            path.hardlink_to(self._temporary)
            self._temporary.unlink()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
        else:
            self.discard()

    def __del__(self) -> None:
        # Nobody has said that it is complete.
        if hasattr(self, "_target"):
            self.discard()


@overload
def open(  # noqa: A001 -- as in `gzip.open`
    file: PathOrFile,
    mode: Literal["rb"] = "rb",
    *,
    identities: Identities,
    cache_bytes: int = CACHE_BYTES,
) -> SealedFile: ...


@overload
def open(  # noqa: A001 -- as in `gzip.open`
    file: PathOrFile,
    mode: Literal["wb", "xb"],
    *,
    recipients: Recipients,
    engine: Engine | None = None,
) -> SealingFile: ...


def open(  # noqa: A001 -- as in `gzip.open`
    file: PathOrFile,
    mode: str = "rb",
    *,
    identities: Identities | None = None,
    recipients: Recipients | None = None,
    cache_bytes: int = CACHE_BYTES,
    engine: Engine | None = None,
) -> SealedFile | SealingFile:
    """A sealed file as a binary file object: a path, or a file object that can seek.

    Mode `rb` reads any part of the text, for `identities`; `wb` and `xb` write one for
    `recipients`, from front to back. Armored files can't be read anywhere: use `decrypt_file`.
    """
    if mode == "rb" and identities is not None:
        return SealedFile(file, identities, cache_bytes)
    if mode in ("wb", "xb") and recipients is not None:
        return SealingFile(file, recipients, replace=mode == "wb", engine=engine)
    raise ValueError("mode rb takes identities, modes wb and xb take recipients")
