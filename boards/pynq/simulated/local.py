# SPDX-License-Identifier: Apache-2.0
"""A simulated device as pynq sees one on the board itself: `PynqBuffer`, caches, an interrupt.

The host's view of a buffer is memory of its own, like a cache that the device knows nothing of:
flush and invalidate copy, byte for byte what they were asked for.
"""

import asyncio
import ctypes
import os
from typing import Any

import numpy as np
from pynq.buffer import PynqBuffer
from pynq.pl_server.device import Device

from .client import Simulated
from .heap import Heap


class LocalDevice(Device):  # type: ignore[misc]
    def __init__(self, simulated: Simulated, address: int) -> None:
        super().__init__("simulated")
        self.capabilities = {"REGISTER_RW": True}
        self._simulated, self._address = simulated, address
        self._heap = Heap(len(simulated.memory))

    def read_registers(self, address: int, length: int) -> bytes:
        offset = address - self._address
        words = (self._simulated.read(offset + at) for at in range(0, length, 4))
        return b"".join(word.to_bytes(4, "little") for word in words)

    def write_registers(self, address: int, data: bytes) -> None:
        for at in range(0, len(data), 4):
            word = int.from_bytes(data[at : at + 4], "little")
            self._simulated.write(address - self._address + at, word)

    def allocate(self, shape: Any, dtype: Any, **_: Any) -> Any:
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        start = self._heap.take(size)
        address = self._simulated.base + start
        return PynqBuffer(shape, dtype, device=self, device_address=address, bo=start)

    def flush(self, bo: int, offset: int, pointer: int, size: int) -> None:
        start = bo + offset
        self._simulated.memory[start : start + size] = ctypes.string_at(pointer, size)

    def invalidate(self, bo: int, offset: int, pointer: int, size: int) -> None:
        start = bo + offset
        ctypes.memmove(pointer, self._simulated.memory[start : start + size], size)


class Interrupt:
    """As pynq's: `wait` returns when the line is up; here by the device's own interrupt."""

    def __init__(self, simulated: Simulated) -> None:
        self._event, self.count = simulated.interrupt, 0

    async def wait(self) -> None:
        loop = asyncio.get_running_loop()
        up = asyncio.Event()
        loop.add_reader(self._event, up.set)
        try:
            await asyncio.wait_for(up.wait(), 60)
        finally:
            loop.remove_reader(self._event)
        self.count += os.eventfd_read(self._event)
