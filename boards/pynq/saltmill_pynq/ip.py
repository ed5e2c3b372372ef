# SPDX-License-Identifier: Apache-2.0
"""The driver that PYNQ binds to a Saltmill device of an overlay."""

from collections.abc import Callable
from typing import Any

import numpy as np
from pynq import DefaultIP, allocate

from .memory import Pool, Span, as_bytes, in_place
from .registers import saltmill
from .registers.saltmill import Algorithm
from .registers.saltmill_descriptor import JobStatus, KeySize, Operation
from .request import Request
from .ring import DeviceError, Job, JobError, Ring, TagMismatchError

AES_KEYS = {16: KeySize.KEY_128, 24: KeySize.KEY_192, 32: KeySize.KEY_256}
PIECE = 1 << 20  # of a stream that can be cut
AHEAD = 4  # pieces that are with the device at once


class Saltmill(DefaultIP):  # type: ignore[misc]
    """A device. Arrays in, arrays out; `start` does not wait, everything else does.

    Data may have any length. `out` may be memory from `allocate`, or a `Span` of it: the result is
    written there and nowhere else.
    """

    bindto = ("xilinx.com:module_ref:saltmill:1.0",)

    def __init__(self, description: dict[str, Any]) -> None:
        super().__init__(description)
        magic, version = self.read(saltmill.MAGIC), self.read(saltmill.VERSION)
        major = version >> saltmill.VERSION__MAJOR.low
        if magic != saltmill.MAGIC__VALUE_RESET or major != saltmill.VERSION__MAJOR_RESET:
            raise DeviceError(f"no Saltmill device of version 1: {magic=:#x}, {version=:#x}")
        self._ring = Ring(self.mmio, self.allocate, getattr(self, "irq_o", None))
        self._pool = Pool(self.allocate)
        self._key_sizes: dict[int, KeySize] = {}
        self.algorithm = Algorithm(self._ring.field(saltmill.CORE, "ALGORITHM"))
        mask = self.read(saltmill.OPERATIONS)
        self.operations = tuple(code for code in Operation if mask >> code & 1)
        self.key_slots = self._ring.field(saltmill.CAPABILITIES, "KEY_SLOTS")
        self.digest_bytes = self._ring.field(saltmill.DIGEST, "BYTES")

    def allocate(self, size: int) -> Any:
        """Bytes that the device reaches."""
        return allocate((size,), np.uint8, target=self.device)

    def wipe(self) -> None:
        """Ends all jobs, clears the device's keys and state, and the memory that jobs used."""
        self._ring.wipe()
        self._pool.clear()
        self._key_sizes.clear()

    def set_key(self, slot: int, key: bytes, *, one_time: bool = False) -> None:
        """Writes a key, which can't be read back. `one_time`: of Poly1305, for one `mac`."""
        aes = self.algorithm is Algorithm.AES
        hmac = Operation.HMAC in self.operations
        if not (len(key) in AES_KEYS if aes else len(key) <= 32 if hmac else len(key) == 32):
            raise ValueError(f"{self.algorithm.name} takes no key of {len(key)} bytes")
        if not 0 <= slot < self.key_slots:
            raise ValueError(f"there is no key slot {slot}, only 0 to {self.key_slots - 1}")
        self._key_sizes[slot] = AES_KEYS[len(key)] if aes else KeySize.KEY_128
        use = self._key_sizes[slot] << saltmill.KEY_USE__SIZE.low
        use |= int(one_time) << saltmill.KEY_USE__ONE_TIME.low
        self.write(saltmill.KEY_USE, use)
        base = saltmill.KEY_SLOTS + saltmill.KEY_SLOTS_STRIDE * slot
        padded = key.ljust(32, b"\0")
        for offset in range(0, 32, 4):
            self.write(base + offset, int.from_bytes(padded[offset : offset + 4], "little"))

    # ---- jobs ------------------------------------------------------------------------------------

    def start(self, operation: Operation, data: Any, *, slot: int = 0, **fields: Any) -> Job:
        """Hands a job over. Fields: nonce, counter, aad, tag, out; as the operation needs them."""
        if operation not in self.operations:
            raise ValueError(f"{self.algorithm.name} has no {operation.name.lower()}")
        aad, nonce = as_bytes(fields.pop("aad", b"")), bytes(fields.pop("nonce", b""))
        iv = b"" if len(nonce) in {0, 12, 16, 24} and not self._is_gcm(operation) else nonce
        iv = b"" if len(iv) == 12 else iv
        nonce = b"" if iv else nonce
        makes = operation in {Operation.DIGEST, Operation.HMAC}
        source, out = in_place(data), in_place(fields.pop("out", None))
        raw = source.bytes if source else as_bytes(data)
        size = 0 if operation is Operation.MAC else self.digest_bytes if makes else len(raw)
        if out and len(out) != size:
            raise ValueError(f"the result has {size} bytes, and out {len(out)}")

        # What is not in the device's reach: data, additional data, IV, result, one behind another.
        held = 0 if source else len(raw)
        ends = np.cumsum([held, len(aad), len(iv), 0 if out else size]).tolist()
        buffer = self._pool.take(max(ends[3], 1))
        for start, part in ((0, raw[:held]), (ends[0], aad), (ends[1], np.frombuffer(iv, "u1"))):
            buffer[start : start + len(part)] = part
        source = source or Span(buffer, 0, held)
        target = out or Span(buffer, ends[2], ends[3])
        for span in {id(s.buffer): s for s in (source, target, Span(buffer))}.values():
            span.flush()
        base = Span(buffer).address
        request = Request(
            operation,
            len(raw),
            source.address,
            target.address if size else 0,
            slot,
            self._key_sizes.get(slot, KeySize.KEY_128),
            nonce,
            (base + ends[1], len(iv)) if iv else (0, 0),
            aad=base + ends[0] if len(aad) else 0,
            aad_length=len(aad),
            **fields,
        )
        shaped = (data.dtype, data.shape) if isinstance(data, np.ndarray) and not makes else None
        job = Job(self._ring, request, self._finisher(request, target, buffer, out, shaped))
        self._ring.start(job)
        return job

    def _is_gcm(self, operation: Operation) -> bool:
        return self.algorithm is Algorithm.AES and operation in {Operation.SEAL, Operation.OPEN}

    def _finisher(
        self, request: Request, target: Span, buffer: Any, out: Span | None, shaped: Any
    ) -> Callable[[int, bytes], Any]:
        """What is done when the device has ended the job."""

        def finish(status: int, tag: bytes) -> Any:
            if status != JobStatus.OK and request.operation is Operation.OPEN:
                target.bytes[:] = 0  # it was written before its tag was compared
                target.flush()
            elif len(target):
                target.invalidate()
            result = target.bytes if out else target.bytes.copy()
            self._pool.give(buffer)
            if status == JobStatus.TAG_MISMATCH:
                raise TagMismatchError(status)
            if status != JobStatus.OK:
                raise JobError(status)
            if shaped and not out and request.operation is not Operation.MAC:
                result = result.view(shaped[0]).reshape(shaped[1])
            if request.operation is Operation.MAC:
                return tag
            return (result, tag) if request.operation is Operation.SEAL else result

        return finish

    # ---- and what they are for -------------------------------------------------------------------

    def xor_stream(self, data: Any, nonce: bytes, counter: int = 0, **more: Any) -> Any:
        """ChaCha20, or AES-CTR with a first counter block of 16 bytes: encrypts and decrypts."""
        length = len(in_place(data) or as_bytes(data))
        if length <= PIECE or "out" in more:
            fields: dict[str, Any] = {} if len(nonce) == 16 else {"counter": counter}
            return self.start(Operation.XOR_STREAM, data, nonce=nonce, **fields, **more).wait()
        raw = as_bytes(data)
        result, jobs = np.empty_like(raw), list[tuple[int, Job]]()
        for start in range(0, length, PIECE):
            if len(jobs) == AHEAD:
                at, job = jobs.pop(0)
                result[at : at + PIECE] = job.wait()
            fields = {"nonce": nonce}
            if len(nonce) == 16:
                block = int.from_bytes(nonce, "big") + start // 16
                fields["nonce"] = (block % (1 << 128)).to_bytes(16, "big")
            else:
                fields["counter"] = counter + start // 64
            piece = raw[start : start + PIECE]
            jobs.append((start, self.start(Operation.XOR_STREAM, piece, **fields, **more)))
        for at, job in jobs:
            result[at : at + PIECE] = job.wait()
        return result.view(data.dtype).reshape(data.shape) if hasattr(data, "dtype") else result

    def seal(self, data: Any, nonce: bytes, aad: Any = b"", **more: Any) -> tuple[Any, bytes]:
        """ChaCha20-Poly1305, XChaCha20-Poly1305 (24 bytes of nonce) or AES-GCM: data and tag."""
        result: tuple[Any, bytes] = self.start(
            Operation.SEAL, data, nonce=nonce, aad=aad, **more
        ).wait()
        return result

    def open(self, data: Any, nonce: bytes, tag: bytes, aad: Any = b"", **more: Any) -> Any:
        """The message; `TagMismatchError`, and none of it, if anything was changed."""
        return self.start(Operation.OPEN, data, nonce=nonce, aad=aad, tag=tag, **more).wait()

    def mac(self, data: Any, one_time_key: bytes, slot: int = 0) -> bytes:
        """Poly1305 (RFC 8439, 2.5)."""
        self.set_key(slot, one_time_key, one_time=True)
        return bytes(self.start(Operation.MAC, data, slot=slot).wait())

    def digest(self, data: Any, **more: Any) -> bytes:
        """SHA-256 or MD5, as the device was built."""
        return bytes(self.start(Operation.DIGEST, data, **more).wait())

    def hmac(self, data: Any, slot: int = 0, **more: Any) -> bytes:
        """HMAC-SHA-256 with the key of a slot."""
        return bytes(self.start(Operation.HMAC, data, slot=slot, **more).wait())
