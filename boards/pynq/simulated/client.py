# SPDX-License-Identifier: Apache-2.0
"""A client of `saltmill sim serve`: registers, memory and interrupt of a simulated device.

The protocol is vfio-user 0.1 (QEMU's docs/interop/vfio-user.rst); the numbers are those of its
chapters, and of linux/vfio.h.
"""

import array
import contextlib
import json
import mmap
import os
import socket
import struct
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

HEADER = struct.Struct("<HHIII")  # message, command, size, flags, error
REPLY, FAILED = 0x1, 0x20  # flags
VERSION, DMA_MAP, SET_IRQS, REGION_READ, REGION_WRITE = 1, 2, 8, 9, 10  # commands
BAR_0, CONFIG = 0, 7  # regions
COMMAND, MEMORY_AND_MASTER = 4, 6  # of the configuration space
MSI, TRIGGER_BY_EVENTFD = 1, 0x24
READ_WRITE = 3


class Simulated:
    """A simulated device and memory that it reaches, from `base` on the bus."""

    def __init__(self, path: Path, size: int, base: int = 0x1000_0000) -> None:
        self.base = base
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(path))
        self._message = 0
        capabilities = json.dumps({"capabilities": {"max_msg_fds": 8}}).encode()
        self._ask(VERSION, struct.pack("<HH", 0, 1) + capabilities + b"\0")
        file = os.memfd_create("memory")
        os.ftruncate(file, size)
        self.memory = mmap.mmap(file, size)
        self._ask(DMA_MAP, struct.pack("<IIQQQ", 32, READ_WRITE, 0, base, size), file)
        os.close(file)
        self.interrupt = os.eventfd(0, os.EFD_NONBLOCK)
        self._ask(SET_IRQS, struct.pack("<5I", 20, TRIGGER_BY_EVENTFD, MSI, 0, 1), self.interrupt)
        # MSI on: control, behind the capability's two bytes; then bus master.
        self._write(CONFIG, 0x82, struct.pack("<H", 1))
        self._write(CONFIG, COMMAND, struct.pack("<H", MEMORY_AND_MASTER))

    def read(self, offset: int) -> int:
        answer = self._ask(REGION_READ, struct.pack("<QII", offset, BAR_0, 4))
        return int.from_bytes(answer[16:20], "little")

    def write(self, offset: int, value: int) -> None:
        self._write(BAR_0, offset, struct.pack("<I", value))

    def close(self) -> None:
        self._socket.close()
        os.close(self.interrupt)

    def _write(self, region: int, offset: int, data: bytes) -> None:
        self._ask(REGION_WRITE, struct.pack("<QII", offset, region, len(data)) + data)

    def _ask(self, command: int, body: bytes, *files: int) -> bytes:
        self._message = (self._message + 1) & 0xFFFF
        message = HEADER.pack(self._message, command, HEADER.size + len(body), 0, 0) + body
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))] if files else []
        self._socket.sendmsg([message], rights)
        number, answered, size, flags, error = HEADER.unpack(self._take(HEADER.size))
        answer = self._take(size - HEADER.size)
        if (number, answered) != (self._message, command) or not flags & REPLY:
            raise ConnectionError("the simulated device gave an answer to something else")
        if flags & FAILED:
            raise OSError(error, f"the simulated device refused command {command}")
        return answer

    def _take(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            part = self._socket.recv(size - len(data))
            if not part:
                raise ConnectionError("the simulated device has gone")
            data += part
        return data


@contextlib.contextmanager
def simulated(
    command: Path, folder: Path, variant: str, size: int = 64 << 20
) -> Iterator[Simulated]:
    """A device served by the command, for as long as the block lasts."""
    path = folder / f"{variant}.sock"
    options = ("sim", "serve", "--once", "--socket", path, "--sim-variant", variant)
    server = subprocess.Popen([command, *options], stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 30
        while not path.exists():
            if server.poll() is not None or time.monotonic() > deadline:
                raise ConnectionError(f"{command} does not serve {variant}")
            time.sleep(0.01)
        device = Simulated(path, size)
        try:
            yield device
        finally:
            device.close()
    finally:
        server.terminate()
        server.wait()
