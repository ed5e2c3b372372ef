# SPDX-License-Identifier: Apache-2.0
"""The ring of descriptors: hands jobs to the device and finds out which have ended."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Generator
from typing import Any

import numpy as np

from .memory import has_views
from .registers import saltmill
from .registers import saltmill_descriptor as layout
from .registers.saltmill_descriptor import JobStatus
from .request import Request

LOG2_ENTRIES = 6  # asked for; a device may have fewer
TIMEOUT = 60.0  # seconds; what is longer is no job but a memory that does not answer


class DeviceError(Exception):
    """It is no device that this driver knows, or it does not answer."""


class JobError(Exception):
    """A job did not end well."""

    def __init__(self, status: int) -> None:
        known = status in set(JobStatus)
        self.status = JobStatus(status) if known else status
        name = JobStatus(status).name.lower() if known else f"unknown status {status}"
        wiped = status == JobStatus.PENDING
        super().__init__("the device was wiped" if wiped else f"the job ended as {name}")


class TagMismatchError(JobError):
    """The message, its additional data, its nonce or its tag was changed, or the key is another."""


class Job:
    """A job that was handed over. Ask `done`, `wait` for it, or `await` it."""

    def __init__(self, ring: "Ring", request: Request, finish: Callable[[int, bytes], Any]) -> None:
        self.request = request
        self._ring, self._finish = ring, finish
        self._error: JobError | None = None
        self._result: Any = None
        self._ended = False

    def end(self, status: int, tag: bytes) -> None:
        self._ended = True
        try:
            self._result = self._finish(status, tag)
        except JobError as error:
            self._error = error

    def done(self) -> bool:
        """Looks at the device; never waits."""
        if not self._ended:
            self._ring.poll()
        return self._ended

    def wait(self, timeout: float = TIMEOUT) -> Any:
        """The result, or the error of the job."""
        deadline = time.monotonic() + timeout
        while not self.done():
            if time.monotonic() > deadline:
                raise DeviceError(f"the device has not finished a job in {timeout} seconds")
            time.sleep(0.0001)
        if self._error:
            raise self._error
        return self._result

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._wait_for_interrupt().__await__()

    async def _wait_for_interrupt(self) -> Any:
        while not self.done():
            if self._ring.interrupt:
                await self._ring.interrupt.wait()
            else:
                await asyncio.sleep(0.001)
        return self.wait(0)


class Ring:
    """One for each device. Jobs end in the order in which they were given."""

    def __init__(self, mmio: Any, allocate: Callable[[int], Any], interrupt: Any = None) -> None:
        self.interrupt = interrupt
        self._mmio = mmio
        log2 = min(self.field(saltmill.CAPABILITIES, "MAX_LOG2_ENTRIES"), LOG2_ENTRIES)
        self._entries, self._log2 = 1 << log2, log2
        self._memory = allocate(layout.BYTES << log2)
        self._waiting: deque[Job] = deque()
        self._running: deque[Job] = deque()
        self._head = self._tail = 0
        self.wipe()

    def field(self, register: int, name: str) -> int:
        """A field of a register, by name."""
        prefix = next(n for n, v in vars(saltmill).items() if v == register and n.isupper())
        place: saltmill.Field = getattr(saltmill, f"{prefix}__{name}")
        return int(self._mmio.read(register)) >> place.low & (1 << place.width) - 1

    def wipe(self, timeout: float = TIMEOUT) -> None:
        """Ends all jobs and clears keys, state and buffers of the device; then it is as new."""
        deadline = time.monotonic() + timeout
        self._mmio.write(saltmill.CONTROL, 1 << saltmill.CONTROL__WIPE.low)
        while self.field(saltmill.STATUS, "WIPING"):
            if time.monotonic() > deadline:
                raise DeviceError("memory does not answer the device: it can't be wiped")
        for job in self._running + self._waiting:
            job.end(JobStatus.PENDING, b"")
        self._running.clear()
        self._waiting.clear()
        self._head = self._tail = 0
        self._memory[:] = 0
        self._memory.flush()
        address = int(self._memory.device_address)
        done = 1 << saltmill.INTERRUPT_ENABLE__DONE.low
        for register, value in (
            (saltmill.RING_BASE_LOW, address & 0xFFFF_FFFF),
            (saltmill.RING_BASE_HIGH, address >> 32),
            (saltmill.RING_SIZE, self._log2),
            (saltmill.INTERRUPT_STATUS, done),
            (saltmill.INTERRUPT_ENABLE, done if self.interrupt else 0),
            (saltmill.CONTROL, 1 << saltmill.CONTROL__ENABLE.low),
        ):
            self._mmio.write(register, value)

    def start(self, job: Job) -> None:
        self._waiting.append(job)
        self._push()

    def _push(self) -> None:
        """Hands over what waits and has room.

        A remote buffer is flushed as a whole: that would write old statuses over new ones, so
        nothing is flushed while the device works.
        """
        views = has_views(self._memory)
        if not self._waiting or (self._running and not views):
            return
        first = self._head
        while self._waiting and len(self._running) < self._entries:
            job = self._waiting.popleft()
            entry = self._entry(self._head)
            entry[:] = np.frombuffer(job.request.pack(), np.uint8)
            if views:
                entry.flush()
            self._running.append(job)
            self._head = (self._head + 1) & 0xFFFF
        if self._head != first:
            if not views:
                self._memory.flush()
            self._mmio.write(saltmill.RING_HEAD, self._head)

    def _entry(self, number: int) -> Any:
        start = number % self._entries * layout.BYTES
        return self._memory[start : start + layout.BYTES]

    def poll(self) -> None:
        """Ends the jobs that the device has finished. First the interrupt: none gets lost."""
        if self.interrupt:
            self._mmio.write(saltmill.INTERRUPT_STATUS, 1 << saltmill.INTERRUPT_STATUS__DONE.low)
        tail = int(self._mmio.read(saltmill.RING_TAIL))
        ended: list[tuple[Job, int, bytes]] = []
        if tail != self._tail and not has_views(self._memory):
            self._memory.invalidate()
        while self._tail != tail:
            entry = self._entry(self._tail)
            if has_views(self._memory):
                entry.invalidate()
            data = entry.tobytes()
            status = int.from_bytes(data[layout.STATUS : layout.STATUS + 4], "little")
            ended.append((self._running.popleft(), status, data[layout.TAG : layout.TAG + 16]))
            self._tail = (self._tail + 1) & 0xFFFF
        self._push()
        for job, status, tag in ended:
            job.end(status, tag)
