# SPDX-License-Identifier: Apache-2.0
"""What runs on a board that is reached by PYNQ's remote device protocol, with a simulated device.

`PYNQ_REMOTE_DEVICES=127.0.0.1` makes stock pynq (4.0 or later) use it. Its buffers are copies on
this side of the protocol: a driver that forgets to flush or to invalidate fails, as on a board.
The protocol has no interrupts.
"""

import contextlib
import threading
from collections.abc import Iterator
from concurrent import futures
from dataclasses import dataclass
from typing import Any

import grpc
from pynq.pl_server.remote_device import PYNQ_PORT
from pynq.remote import (
    buffer_pb2,
    buffer_pb2_grpc,
    mmio_pb2,
    mmio_pb2_grpc,
    remote_device_pb2,
    remote_device_pb2_grpc,
)

from .client import Simulated
from .heap import Heap

CHUNK = 1 << 20


class Registers(mmio_pb2_grpc.MmioServicer):  # type: ignore[misc]
    def __init__(self, device: Simulated) -> None:
        self._device, self._lock = device, threading.Lock()

    def get_mmio(self, request: Any, _: Any) -> Any:
        return mmio_pb2.GetMmioResponse(status=True, mmio_id=hex(request.base_addr))

    def read(self, request: Any, _: Any) -> Any:
        with self._lock:
            value = self._device.read(request.offset)
        return mmio_pb2.ReadResponse(status=True, data=value)

    def write(self, request: Any, _: Any) -> Any:
        with self._lock:
            for at in range(0, len(request.data), 4):
                word = int.from_bytes(request.data[at : at + 4], "little")
                self._device.write(request.offset + at, word)
        return mmio_pb2.WriteResponse(status=True)


class Buffers(buffer_pb2_grpc.RemoteBufferServicer):  # type: ignore[misc]
    def __init__(self, device: Simulated) -> None:
        self._device, self._heap = device, Heap(len(device.memory))
        self.synced: list[str] = []  # what was asked for, for tests

    def _place(self, request: Any) -> tuple[int, int]:
        start = int(request.buffer_id)
        return start, self._heap.sizes[start]

    def allocate(self, request: Any, _: Any) -> Any:
        return buffer_pb2.AllocateResponse(buffer_id=str(self._heap.take(request.size)))

    def freebuffer(self, request: Any, _: Any) -> Any:
        self._heap.give(int(request.buffer_id))
        return buffer_pb2.FreeBufferResponse()

    def physical_address(self, request: Any, _: Any) -> Any:
        return buffer_pb2.AddressResponse(address=self._device.base + self._place(request)[0])

    def write(self, requests: Any, _: Any) -> Any:
        done = 0
        for request in requests:
            start, size = self._place(request)
            data = request.data[: size - done]
            self._device.memory[start + done : start + done + len(data)] = data
            done += len(data)
        return buffer_pb2.BufferWriteResponse()

    def read(self, request: Any, _: Any) -> Any:
        start, size = self._place(request)
        for at in range(start, start + size, CHUNK):
            data = self._device.memory[at : min(at + CHUNK, start + size)]
            yield buffer_pb2.BufferReadResponse(data=data)

    def flush(self, _request: Any, _: Any) -> Any:
        self.synced.append("flush")
        return buffer_pb2.FlushResponse()

    def invalidate(self, _request: Any, _: Any) -> Any:
        self.synced.append("invalidate")
        return buffer_pb2.InvalidateResponse()


class Board(remote_device_pb2_grpc.RemoteDeviceServicer):  # type: ignore[misc]
    """Files of the machine: pynq asks for its architecture, and hands bitstreams over as files."""

    def __init__(self) -> None:
        self.files = {"/proc/version": b"Linux (armv7l)"}
        manager = "/sys/class/fpga_manager/fpga0"
        self.files |= {f"{manager}/state": b"operating\n", f"{manager}/flags": b"0\n"}

    def existsfile(self, request: Any, _: Any) -> Any:
        exists = request.file_path in self.files
        return remote_device_pb2.ExistsFileResponse(exists=exists)

    def readfile(self, request: Any, _: Any) -> Any:
        yield remote_device_pb2.ReadFileResponse(data=self.files[request.file_path])

    def writefile(self, requests: Any, _: Any) -> Any:
        written: dict[str, bytes] = {}
        for request in requests:
            written[request.file_path] = written.get(request.file_path, b"") + request.data
        self.files |= written
        return remote_device_pb2.WriteFileResponse()

    def set_bitstream_attrs(self, _request: Any, _: Any) -> Any:
        return remote_device_pb2.SetBitstreamAttrsResponse()


@dataclass
class Served:
    port: int
    synced: list[str]  # what was asked of buffers
    files: dict[str, bytes]  # of the board


@contextlib.contextmanager
def serving(device: Simulated, port: int = PYNQ_PORT) -> Iterator[Served]:
    """Serves on this machine only, for as long as the block lasts. Port 0: any that is free.

    A port is for one server: pynq's buffers free themselves there, however late.
    """
    server = grpc.server(futures.ThreadPoolExecutor(4))
    buffers, board = Buffers(device), Board()
    mmio_pb2_grpc.add_MmioServicer_to_server(Registers(device), server)
    buffer_pb2_grpc.add_RemoteBufferServicer_to_server(buffers, server)
    remote_device_pb2_grpc.add_RemoteDeviceServicer_to_server(board, server)
    bound = server.add_insecure_port(f"127.0.0.1:{port}")
    if not bound:
        raise ConnectionError(f"port {port} is taken")
    server.start()
    try:
        yield Served(bound, buffers.synced, board.files)
    finally:
        server.stop(1).wait()
