# SPDX-License-Identifier: Apache-2.0
"""Tasks that circulate between workers and a sink, in simulated time, on processors and a memory
that all share.

Between two events everything moves at a steady rate: threads that want a processor share the
processors evenly, and if all that moves wants more of the memory than there is, all of it is
slowed down alike. Tasks leave in the order of their numbers, as through FpgaCha's array of
one-element queues.

Steps take a little more or less than they should, at random with a fixed seed: workers that are
alike would go in step for ever, all on the processors and then all on their devices. In a real
machine nothing does.
"""

import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

EPSILON = 1e-12
UNEVEN = 0.05  # of a step, at most, either way


class On(Enum):
    """What a step needs besides the memory."""

    CPU = "processors"
    DEVICE = "devices"


@dataclass(frozen=True)
class Step:
    """What is done to each byte of a task."""

    on: On
    seconds: float  # for a byte, with nobody else about
    transfers: float = 0.0  # bytes that cross the memory for a byte


@dataclass(frozen=True)
class Server:
    """A thread or a device: a task goes through its steps before it takes the next one."""

    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Machine:
    processors: int
    memory: float  # bytes per second of all together


@dataclass(frozen=True)
class Tasks:
    count: int
    bytes: int  # of each
    circulating: int
    room: int = 1  # of the queue between two servers of a worker
    uneven: float = UNEVEN
    seed: int = 1


@dataclass(frozen=True)
class Outcome:
    seconds: float
    busy: dict[str, float]  # share of the time, by what it is: processors, memory, devices

    def limit(self) -> str:
        """What was busiest."""
        return max(self.busy, key=self.busy.__getitem__)


@dataclass
class _Place:
    """A server with its queue, and the task that it has."""

    server: Server
    room: int  # of the queue behind it
    queue: deque[int] = field(default_factory=deque)
    task: int | None = None
    step: int = 0
    left: float = 0.0  # bytes of the step
    done: int | None = None  # finished, and not yet taken over

    def current(self) -> Step | None:
        return None if self.task is None else self.server.steps[self.step]


@dataclass
class _Run:
    """A worker is a chain of servers; the sink is one server."""

    machine: Machine
    chains: list[list[_Place]]
    sink: _Place
    tasks: Tasks
    scheduled: deque[int]
    finished: set[int] = field(default_factory=set)
    next_out: int = 0
    out: int = 0

    def __post_init__(self) -> None:
        self.chance = random.Random(self.tasks.seed)
        self.next_id = self.tasks.circulating

    def begin(self, place: _Place, task: int) -> None:
        place.task, place.step = task, 0
        if place.server.steps:
            place.left = self.bytes()
        else:
            place.task, place.done = None, task

    def bytes(self) -> float:
        """Of a step of a task."""
        uneven = self.tasks.uneven
        return self.tasks.bytes * self.chance.uniform(1 - uneven, 1 + uneven)

    def move(self) -> bool:
        """Hands over one thing that can be handed over."""
        for chain in self.chains:
            for index, place in enumerate(chain):
                if place.done is not None:
                    if index + 1 == len(chain):
                        self.finished.add(place.done)
                        place.done = None
                        return True
                    if len(chain[index + 1].queue) < place.room:
                        chain[index + 1].queue.append(place.done)
                        place.done = None
                        return True
                if place.task is None and place.done is None:
                    source = self.scheduled if index == 0 else place.queue
                    if source:
                        self.begin(place, source.popleft())
                        return True
        if self.sink.done is not None:
            self.sink.done = None
            self.out += 1
            self.scheduled.append(self.next_id)
            self.next_id += 1
            return True
        if self.sink.task is None and self.next_out in self.finished:
            self.finished.remove(self.next_out)
            self.begin(self.sink, self.next_out)
            self.next_out += 1
            return True
        return False

    def active(self) -> list[tuple[_Place, Step]]:
        places = [place for chain in self.chains for place in chain] + [self.sink]
        return [(place, step) for place in places if (step := place.current())]

    def rates(self, active: Sequence[tuple[_Place, Step]]) -> tuple[list[float], float]:
        """Bytes per second of each, and how much of the memory they take."""
        threads = sum(step.on is On.CPU for _, step in active)
        share = min(1.0, self.machine.processors / threads) if threads else 1.0
        alone = [(share if step.on is On.CPU else 1.0) / step.seconds for _, step in active]
        wanted = sum(rate * step.transfers for rate, (_, step) in zip(alone, active, strict=True))
        slower = min(1.0, self.machine.memory / wanted) if wanted else 1.0
        found = [
            rate * (slower if step.transfers else 1.0)
            for rate, (_, step) in zip(alone, active, strict=True)
        ]
        return found, min(1.0, wanted / self.machine.memory)


def simulate(
    machine: Machine, workers: Sequence[Sequence[Server]], sink: Server, tasks: Tasks
) -> Outcome:
    """All tasks through workers, each a chain of servers, into the sink."""
    chains = [[_Place(server, tasks.room) for server in chain] for chain in workers]
    run = _Run(machine, chains, _Place(sink, 0), tasks, deque(range(tasks.circulating)))
    time, busy = 0.0, dict.fromkeys(("processors", "memory", "devices"), 0.0)
    devices = sum(
        any(step.on is On.DEVICE for step in server.steps) for chain in workers for server in chain
    )
    while True:
        while run.move():
            pass
        if run.out >= tasks.count:
            break
        active = run.active()
        rates, memory = run.rates(active)
        span = min(place.left / rate for (place, _), rate in zip(active, rates, strict=True))
        for (place, _), rate in zip(active, rates, strict=True):
            place.left -= rate * span
            if place.left <= EPSILON * tasks.bytes:
                place.step += 1
                place.left = run.bytes()
                if place.step == len(place.server.steps):
                    place.task, place.done = None, place.task
        threads = sum(step.on is On.CPU for _, step in active)
        running = sum(step.on is On.DEVICE for _, step in active)
        time += span
        busy["processors"] += span * min(1.0, threads / machine.processors)
        busy["memory"] += span * memory
        busy["devices"] += span * (running / devices if devices else 0.0)
    return Outcome(time, {name: share / time for name, share in busy.items()})
