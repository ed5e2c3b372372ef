# SPDX-License-Identifier: Apache-2.0
"""FpgaCha's board as a model: what each step costs, from its rows A and B1 and from cycles of RTL.

Calibrated from A and B1 alone:
- a byte of ChaCha20 in software costs what B1 shows;
- XOR with a file costs what A shows; the final addition the same, because it takes as many
  instructions for a word (Semenov 2020, section 4.3);
- the memory carries for all what it carries in A: of each byte a read of the file, a read of the
  keystream, and for the output a line that is read before it is written, and is written back.

What A and B1 can't show is what a task costs on the device's own thread, before the device starts
and after it ends: cache maintenance, line by line, system calls, the interrupt. `overhead` is that;
0 gives the strict prediction, `fitted_overhead` the one that makes D1 right.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from lab.experiments.fluid import Machine, On, Outcome, Server, Step, Tasks, simulate

MIB = 1 << 20
CIRCULATING = 8  # tasks, in the public sources of the published system
COPY = 0.75  # of A's loop: it moves three words of four
# Bytes that cross the memory for a byte
FILE_XOR, FINAL_ADD, SOFTWARE, WRITTEN, READ_AND_WRITTEN, COPIED = 4, 2, 2, 1, 2, 3
STUB = Server(())


@dataclass(frozen=True)
class Board:
    """Seconds are for a byte."""

    processors: int
    task_bytes: int
    software: float
    file_xor: float
    overhead: float = 0.0

    @property
    def machine(self) -> Machine:
        return Machine(self.processors, FILE_XOR / self.file_xor)

    def run(self, workers: Sequence[Sequence[Server]], sink: Server, total: int) -> Outcome:
        tasks = Tasks(total // self.task_bytes, self.task_bytes, CIRCULATING)
        return simulate(self.machine, workers, sink, tasks)

    def untouched(self) -> "Board":
        """The CPU neither writes nor reads the data, so no cache holds any of it."""
        return replace(self, overhead=0)

    # ---- what does the work

    def step(self, seconds: float, transfers: float) -> Step:
        return Step(On.CPU, seconds, transfers)

    def prepare(self) -> tuple[Step, ...]:
        return (self.step(self.overhead, 0),) if self.overhead else ()

    def file(self) -> Server:
        return Server((self.step(self.file_xor, FILE_XOR),))

    def software_worker(self) -> list[Server]:
        return [Server((self.step(self.software, SOFTWARE),))]

    def fpgacha(self, device_seconds: float) -> list[Server]:
        """One thread waits for the device, so nothing is prepared meanwhile; another one adds."""
        device = Step(On.DEVICE, device_seconds, WRITTEN)
        return [
            Server((*self.prepare(), device)),
            Server((self.step(self.file_xor, FINAL_ADD),)),
        ]

    def published(self, kind: str, device_seconds: float) -> list[Server]:
        """A worker by its name in the published table."""
        match kind:
            case "stub":
                return [STUB]
            case "software":
                return self.software_worker()
            case "device":
                return self.fpgacha(device_seconds)
        raise ValueError(f"there is no worker {kind}")

    def sink(self, kind: str) -> Server:
        return self.file() if kind == "file" else STUB

    def ring(self, device_seconds: float, transfers: float, *, host_add: bool) -> list[Server]:
        """Jobs wait in the device's ring: it goes on while the next one is prepared."""
        chain = [Server(self.prepare()), Server((Step(On.DEVICE, device_seconds, transfers),))]
        if host_add:
            chain.append(Server((self.step(self.file_xor, FINAL_ADD),)))
        return chain

    def copied(self, device_seconds: float) -> list[Server]:
        """A file is read into the device's memory, and its result copied out of it."""
        copy = self.step(COPY * self.file_xor, COPIED)
        device = Server((Step(On.DEVICE, device_seconds, READ_AND_WRITTEN),))
        return [Server((copy, *self.prepare())), device, Server((*self.prepare(), copy))]


def calibrated(published: Mapping[str, float], *, cores: int, task_bytes: int) -> Board:
    """From MiB/s by the name of the row. A single number of each of A and B1 is used."""
    return Board(
        processors=cores,
        task_bytes=task_bytes,
        software=1 / (published["B1"] * MIB),
        file_xor=1 / (published["A"] * MIB),
    )


def fitted_overhead(board: Board, d1: float, device_seconds: float) -> Board:
    """D1's thread does nothing but prepare and wait, so the rest of its time is the overhead."""
    return replace(board, overhead=1 / (d1 * MIB) - device_seconds)
