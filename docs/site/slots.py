# SPDX-License-Identifier: Apache-2.0
"""A model of the slots of a ring, for the pictures: as rtl/chacha20/chacha20_slots.sv decides."""

from collections.abc import Iterator
from dataclasses import dataclass

ROUNDS = 20


@dataclass(frozen=True)
class Ring:
    stages: int  # slots
    passes: int  # times that a block goes around
    spacing: int = 1  # cycles between blocks that enter

    @classmethod
    def chacha20(cls, unroll: int, stages: int, beat_bytes: int) -> "Ring":
        return cls(stages, ROUNDS // unroll, 64 // beat_bytes)


@dataclass(frozen=True)
class Slot:
    block: int
    turn: int  # from 0


def cycles(ring: Ring, wanted: int | None = None) -> Iterator[list[Slot | None]]:
    """The slots in each cycle; slot 0 is behind the entry. `wanted` blocks enter, or all that can.

    A block enters if the slot that comes round is free, if none has entered in the cycles before,
    and if none is about to leave: its slot would be free at once.
    """
    slots: list[Slot | None] = [None] * ring.stages
    entered, since = 0, ring.spacing
    while True:
        last = slots[-1]
        stays = last is not None and last.turn < ring.passes - 1
        behind = slots[-ring.spacing : -1]
        leaving = any(slot is not None and slot.turn == ring.passes - 1 for slot in behind)
        may = not stays and not leaving and since >= ring.spacing
        first = Slot(last.block, last.turn + 1) if stays and last is not None else None
        since += 1
        if may and (wanted is None or entered < wanted):
            first, entered, since = Slot(entered, 0), entered + 1, 1
        slots = [first, *slots[:-1]]
        yield list(slots)


def entries(ring: Ring, until: int) -> list[int]:
    """The cycles in which blocks enter."""
    found = []
    for cycle, slots in zip(range(until), cycles(ring), strict=False):
        if slots[0] is not None and slots[0].turn == 0:
            found.append(cycle)
    return found
