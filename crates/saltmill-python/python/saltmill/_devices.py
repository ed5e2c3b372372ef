# SPDX-License-Identifier: Apache-2.0
"""Devices, real and simulated."""

from __future__ import annotations

import asyncio
import weakref
from concurrent.futures import Future
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from . import _saltmill

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

Operation = Literal[
    "xor_stream",
    "seal",
    "open",
    "digest",
    "hmac",
    "ecb_encrypt",
    "ecb_decrypt",
    "cbc_encrypt",
    "cbc_decrypt",
]


class Device:
    """A device by its name, one of `saltmill.devices()`; it is probed and wiped first.

    A thread keeps its ring full: jobs are done side by side as far as there is room, and end in any
    order. `memory` (`ideal`, `latency100`, `de10-nano`, `zedboard`, `pynq-z2`) and `dma_bytes`, its
    memory in bytes, are for simulated ones, whose clock runs while there are jobs: their cycles say
    something about hardware, their wall-clock time does not.

    Raises `DeviceError`; `ValueError` for a name that there is not.
    """

    def __init__(self, name: str, *, memory: str = "ideal", dma_bytes: int = 4 << 20) -> None:
        self._queue = _saltmill.DeviceQueue(name, memory, dma_bytes)
        self.name = self._queue.name
        self._closing = weakref.finalize(self, self._queue.close)

    @property
    def description(self) -> dict[str, str | int | None]:
        """How it was built, as its registers tell: algorithm, structure, cycles of a block."""
        return self._queue.description()

    def set_key(self, slot: int, key: bytes) -> None:
        """Writes a key to a slot, from 0; it can't be read back. Jobs before it are done first."""
        self._queue.set_key(slot, key)

    def submit(
        self,
        operation: Operation,
        data: ReadableBuffer,
        *,
        slot: int = 0,
        nonce: bytes = b"",
        counter: int = 0,
        aad: bytes = b"",
    ) -> Future[bytes]:
        """Hands a job of any length to the device; the future has its result.

        `seal` gives the text and a tag of 16 bytes, which `open` takes; such a message must fit
        into a quarter of the device's memory. Digests are of whole messages. `nonce`: 12 or 24
        bytes of ChaCha20, 12 of AES-GCM, 16 of AES in CTR and CBC mode. What an operation does not
        use stays as it is. (RFC 8439; SP 800-38A and 38D; FIPS 180-4; RFC 1321; RFC 2104.)

        The future raises `RefusedError` for a wrong tag, `JobError`, `DeviceError`.
        """
        future: Future[bytes] = Future()
        self._queue.submit(future, operation, data, slot, nonce, counter, aad)
        return future

    def run(
        self,
        operation: Operation,
        data: ReadableBuffer,
        *,
        slot: int = 0,
        nonce: bytes = b"",
        counter: int = 0,
        aad: bytes = b"",
    ) -> bytes:
        """The same, and waits for it."""
        made = self.submit(operation, data, slot=slot, nonce=nonce, counter=counter, aad=aad)
        return made.result()

    async def arun(
        self,
        operation: Operation,
        data: ReadableBuffer,
        *,
        slot: int = 0,
        nonce: bytes = b"",
        counter: int = 0,
        aad: bytes = b"",
    ) -> bytes:
        """The same for `await`."""
        made = self.submit(operation, data, slot=slot, nonce=nonce, counter=counter, aad=aad)
        return await asyncio.wrap_future(made)

    def counters(self) -> dict[str, int | None]:
        """Its performance counters, in cycles, blocks, bytes and jobs, since it was opened."""
        return self._queue.counters()

    def wipe(self) -> None:
        """Clears keys and buffers, when all jobs are done."""
        self._queue.wipe()

    def close(self) -> None:
        """Ends when all jobs are done; the device is wiped."""
        self._closing()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<saltmill.Device {self.name}>"
