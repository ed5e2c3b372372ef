# SPDX-License-Identifier: Apache-2.0
"""Memory that the device reaches: pynq's buffers, whole ones and parts at any byte.

The CPU's caches don't know of the device (Zynq's HP ports). What the device reads is flushed before
a job; what it writes is flushed before, so that no dirty line is written over it later, and
invalidated after. A job owns the buffers that it names until it has ended.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from pynq.buffer import PynqBuffer

try:
    from pynq.pl_server.remote_device import RemoteBuffer
except ImportError:  # before pynq 4 there was no remote device
    RemoteBuffer = ()


def has_views(buffer: Any) -> bool:
    """A part of the buffer can be flushed alone. Of a remote buffer only the whole is right."""
    return isinstance(buffer, PynqBuffer)


@dataclass(frozen=True)
class Span:
    """Bytes `start` to `stop` of a buffer from `pynq.allocate`: a job uses them where they are."""

    buffer: Any
    start: int = 0
    stop: int | None = None

    @property
    def bytes(self) -> Any:
        return self.buffer.view(np.ndarray).reshape(-1).view(np.uint8)[self.start : self.stop]

    @property
    def address(self) -> int:
        return int(self.buffer.device_address) + self.start

    def __len__(self) -> int:
        return len(self.bytes)

    def flush(self) -> None:
        self.buffer.flush()

    def invalidate(self) -> None:
        self.buffer.invalidate()


def in_place(data: Any) -> Span | None:
    """The memory itself, if the device can reach it."""
    if isinstance(data, Span):
        return data
    whole = isinstance(data, RemoteBuffer) and data.base is None
    if (isinstance(data, PynqBuffer) and data.device_address is not None) or whole:
        return Span(data)
    return None


def as_bytes(data: Any) -> Any:
    """Any array, or anything with the buffer protocol, as bytes in a row."""
    array = data if isinstance(data, np.ndarray) else np.frombuffer(data, np.uint8)
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


class Pool:
    """Buffers for data that is somewhere else; used again, because to allocate one takes long."""

    def __init__(self, allocate: Callable[[int], Any]) -> None:
        self._allocate = allocate
        self._free: dict[int, list[Any]] = {}

    def take(self, size: int) -> Any:
        rounded = 1 << max(size - 1, 4095).bit_length()
        free = self._free.setdefault(rounded, [])
        return free.pop() if free else self._allocate(rounded)

    def give(self, buffer: Any) -> None:
        self._free[buffer.nbytes].append(buffer)

    def clear(self) -> None:
        """Leaves nothing of the data in memory."""
        for buffers in self._free.values():
            for buffer in buffers:
                buffer[:] = 0
                buffer.flush()
