# SPDX-License-Identifier: Apache-2.0
"""Files of the file system for fsspec, which has them opened and sealed on the way."""

from __future__ import annotations

import errno
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from fsspec.spec import AbstractBufferedFile

from . import _saltmill
from ._files import SealingFile
from ._saltmill import CHUNK_BYTES, RefusedError


@dataclass(frozen=True)
class Known:
    """What was found out about a file. Its last chunk is authentic."""

    payload: _saltmill.Payload
    sealed_bytes: int
    last: bytes


class AgeFile(AbstractBufferedFile):
    """The text of a file. Chunks that were read in part are kept, those that were used last: as
    many as the file system's `cache_bytes` are.

    Raises `RefusedError` if it was replaced meanwhile: its text is all of one file.
    """

    def __init__(self, known: Known, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._opened = known
        self._chunks: OrderedDict[int, bytes] = OrderedDict()

    def _fetch_range(self, start: int, end: int) -> bytes:
        end = min(end, self.size)
        if start >= end:
            return b""
        first, stop = start // CHUNK_BYTES, -(-end // CHUNK_BYTES)
        found: dict[int, bytes | memoryview] = {}
        missing = []
        for chunk in range(first, stop):
            if (text := self._kept(chunk)) is not None:
                found[chunk] = text
            else:
                missing.append(chunk)
        if missing:
            # From the first to the last one: one request for what is mostly one piece.
            low, high = missing[0], missing[-1] + 1
            data = self._read(low, high)
            for chunk in range(low, high):
                place = slice((chunk - low) * CHUNK_BYTES, (chunk - low + 1) * CHUNK_BYTES)
                if start <= chunk * CHUNK_BYTES and (chunk + 1) * CHUNK_BYTES <= end:
                    found[chunk] = memoryview(data)[place]
                else:
                    found[chunk] = self._chunks[chunk] = data[place]
            while len(self._chunks) > self.fs.cache_chunks:
                self._chunks.popitem(last=False)
        pieces = []
        for chunk in range(first, stop):
            at = chunk * CHUNK_BYTES
            pieces.append(found[chunk][max(0, start - at) : end - at])
        return b"".join(pieces)

    def _read(self, low: int, high: int) -> bytes:
        below, above = self._opened.payload.sealed(low, high)
        sealed = self.fs.fs.cat_ranges([self.path], [below], [above], on_error="return")
        text = open_run(self._opened, low, high, sealed[0])
        if isinstance(text, BaseException):
            raise text
        return text

    def _kept(self, chunk: int) -> bytes | None:
        if chunk + 1 == self._opened.payload.chunks:
            return self._opened.last
        if chunk in self._chunks:
            self._chunks.move_to_end(chunk)
        return self._chunks.get(chunk)


class AgeSealingFile(SealingFile):
    """A file that is sealed into one of the file system below, which is there when it is whole."""

    def close(self) -> None:
        ended = self.closed
        super().close()
        if not ended:
            self._target.close()
            self._target.commit()  # type: ignore[attr-defined]

    def discard(self) -> None:
        if not self.closed:
            self._target.discard()  # type: ignore[attr-defined]
        super().discard()


def open_run(
    known: Known, first: int, end: int, data: bytes | BaseException
) -> bytes | BaseException:
    shorter = "the file is not as long as it was"
    if isinstance(data, OSError) and data.errno == errno.EINVAL:
        return RefusedError(shorter)  # S3 has no bytes in that range
    if isinstance(data, BaseException):
        return data
    try:
        return known.payload.open(first, end, data)
    except ValueError:
        return RefusedError(shorter)
    except _saltmill.Error as error:
        return error
