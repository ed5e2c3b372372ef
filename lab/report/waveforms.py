# SPDX-License-Identifier: Apache-2.0
"""docs/waveforms/*.svg: drawn from the recordings beside them.

The recordings are made by rtl/testbench/waveforms.py. A column is a cycle, from rising edge to
rising edge. Where nothing changes for long, columns are left out. A cycle in which a beat moves,
with valid and ready, is shaded.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

from lab import cores

FOLDER = cores.ROOT / "docs" / "waveforms"
SHOWN = 2  # cycles of a time without change, before the break
DIGITS = 4  # hexadecimal, the last ones of a value
WIDTH, HEIGHT, GAP, SLOPE = 30, 22, 10, 3  # of a cycle, a signal, between groups, of an edge
TITLE_WIDTH, NAME_WIDTH = 112, 128

STYLE = """
text { font: 11px sans-serif; fill: #222 }
.number, .value { font: 9.5px monospace; text-anchor: middle }
.number { fill: #777 }
.title { font-weight: bold }
line { stroke: #ddd }
path { fill: none; stroke: #135 }
.data { fill: #e8eef8 }
.break { stroke: #999; fill: #fff }
.moves { fill: #fdf0c8 }
"""


@dataclass(frozen=True)
class Signal:
    name: str
    values: list[str]  # per cycle; x: unknown
    is_bit: bool


def signal(entry: dict[str, Any]) -> Signal:
    """What WaveJSON says of a signal, per cycle."""
    data = iter(entry.get("data", []))
    values: list[str] = []
    for character in entry["wave"]:
        if character == ".":
            values.append(values[-1])
        else:
            values.append(next(data) if character == "=" else character)
    return Signal(entry["name"], values, "data" not in entry)


def columns(signals: list[Signal]) -> list[int | None]:
    """The cycles that are shown; None for a break."""
    shown: list[int | None] = []
    cycles = list(zip(*(signal.values for signal in signals), strict=True))
    changes = [0, *(i for i in range(1, len(cycles)) if cycles[i] != cycles[i - 1])]
    for change, following in pairwise([*changes, len(cycles)]):
        hidden = following - change - SHOWN - 1  # the last one before a change is shown
        if following == len(cycles):
            shown += range(change, min(change + SHOWN, following))
        elif hidden < 2:
            shown += range(change, following)
        else:
            shown += [*range(change, change + SHOWN), None, following - 1]
    return shown


def runs(values: list[str]) -> Iterator[tuple[int, int, str]]:
    """First column, the one behind the last, and value."""
    first = 0
    for i in range(1, len(values) + 1):
        if i == len(values) or values[i] != values[first]:
            yield first, i, values[first]
            first = i


def bit_shape(values: list[str], x: int, y: int) -> str:
    """A line that is high, low or, where unknown, in the middle."""
    levels = {"0": HEIGHT - 4, "1": 4}
    points = []
    for first, end, value in runs(values):
        level = y + levels.get(value, HEIGHT // 2)
        start = x + first * WIDTH + (SLOPE if first else 0)
        points.append(f"{start} {level}L{x + end * WIDTH} {level}")
    return f'<path d="M{"L".join(points)}"/>'


def bus_shape(values: list[str], x: int, y: int) -> Iterator[str]:
    """A box with the last digits of the value; a line in the middle where it is unknown."""
    middle, top, bottom = y + HEIGHT // 2, y + 4, y + HEIGHT - 4
    for first, end, value in runs(values):
        left, right = x + first * WIDTH, x + end * WIDTH
        if value == "x":
            yield f'<path d="M{left} {middle}H{right}"/>'
            continue
        yield (
            f'<path class="data" d="M{left} {middle}L{left + SLOPE} {top}H{right - SLOPE}'
            f'L{right} {middle}L{right - SLOPE} {bottom}H{left + SLOPE}Z"/>'
            f'<text class="value" x="{(left + right) // 2}" y="{middle + 3}">{value[-DIGITS:]}'
            "</text>"
        )


def svg(recording: dict[str, Any]) -> str:
    groups = [(group[0], [signal(entry) for entry in group[1:]]) for group in recording["signal"]]
    shown = columns([one for _, signals in groups for one in signals])
    left = TITLE_WIDTH + NAME_WIDTH
    made: list[str] = []
    y = HEIGHT
    for title, signals in groups:
        y += GAP
        made += transfers(signals, shown, left, y)
        made.append(f'<text class="title" x="4" y="{y + 15}">{escape(title)}</text>')
        for one in signals:
            # A break goes on with the value before it.
            values = [one.values[at(shown, i)] for i in range(len(shown))]
            made.append(f'<text x="{TITLE_WIDTH}" y="{y + 15}">{escape(one.name)}</text>')
            made += [bit_shape(values, left, y)] if one.is_bit else bus_shape(values, left, y)
            y += HEIGHT
    width, height = left + len(shown) * WIDTH + 4, y + GAP
    scale = list(grid(shown, left, height))
    breaks = [
        f'<path class="break" d="M{x + 11} {HEIGHT}l6 {height / 4 - 5}l-6 {height / 4 - 5}'
        f"l6 {height / 4 - 5}l-6 {height / 4 - 5}h8l6 -{height / 4 - 5}l-6 -{height / 4 - 5}"
        f'l6 -{height / 4 - 5}l-6 -{height / 4 - 5}"/>'
        for x in (left + i * WIDTH for i, cycle in enumerate(shown) if cycle is None)
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">\n<style>{STYLE}</style>\n'
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n'
        f'<text x="4" y="14">{escape(recording["head"]["text"])}</text>'
    )
    return "\n".join([head, *scale, *made, *breaks, "</svg>"]) + "\n"


def at(shown: list[int | None], column: int) -> int:
    """The cycle of a column; of a break, the one before it."""
    cycle = shown[column]
    return at(shown, column - 1) if cycle is None else cycle


def transfers(signals: list[Signal], shown: list[int | None], left: int, y: int) -> Iterator[str]:
    """Behind the cycles in which the group's valid and ready are high."""
    if len(signals) < 2:
        return
    valid, ready = signals[:2]
    for i, cycle in enumerate(shown):
        if cycle is not None and valid.values[cycle] == ready.values[cycle] == "1":
            x, height = left + i * WIDTH, HEIGHT * len(signals)
            yield f'<rect class="moves" x="{x}" y="{y}" width="{WIDTH}" height="{height}"/>'


def grid(shown: list[int | None], left: int, height: int) -> Iterator[str]:
    """The rising edges, and the numbers of the cycles."""
    for i, cycle in enumerate(shown):
        x = left + i * WIDTH
        yield f'<line x1="{x}" y1="{HEIGHT}" x2="{x}" y2="{height}"/>'
        if cycle is not None:
            yield f'<text class="number" x="{x + WIDTH // 2}" y="16">{cycle}</text>'


def drawn(recording: Path) -> str:
    return svg(json.loads(recording.read_text()))


def recordings() -> list[Path]:
    return sorted(FOLDER.glob("*.json"))
