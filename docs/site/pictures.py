# SPDX-License-Identifier: Apache-2.0
"""docs/pictures/*.svg, which docs/ring.md shows: drawn here. `python -m docs.site pictures`."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from docs.site import ROOT
from docs.site.slots import Ring, cycles, entries

FOLDER = ROOT / "docs" / "pictures"
RING2 = Ring.chacha20(unroll=2, stages=8, beat_bytes=16)
HASH_SLOTS, HASH_PASSES = 13, 16  # sha256-ring: 3 * 4 + 1 slots, 64 rounds by 4

STYLE = """
text { font: 13px sans-serif; fill: #222; text-anchor: middle }
.left { text-anchor: start }
.name { font-weight: bold; text-anchor: start }
.small { font-size: 11px; fill: #555 }
.number text { font: 10px monospace }
.box { fill: #fff; stroke: #4a5560 }
.turn { fill: #dff1ea; stroke: #0b6e4f; stroke-width: 1.5 }
.register { fill: #0b6e4f }
.free { fill: #f4f6f8 }
.line { stroke: #ccd; fill: none }
.way { fill: none; stroke: #4a5560; stroke-width: 1.5; marker-end: url(#head) }
.credit { fill: none; stroke: #b3541e; stroke-width: 1.5; stroke-dasharray: 5 4 }
.credit { marker-end: url(#end) }
"""
MARKERS = (
    '<defs><marker id="head" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">'
    '<path d="M0 0L8 4L0 8z" fill="#4a5560"/></marker><marker id="end" markerWidth="8" '
    'markerHeight="8" refX="7" refY="4" orient="auto"><path d="M0 0L8 4L0 8z" fill="#b3541e"/>'
    "</marker></defs>"
)


def svg(width: int, height: int, title: str, shapes: Iterable[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-labelledby="title">\n'
        f'<title id="title">{title}</title>\n<style>{STYLE}</style>\n{MARKERS}\n'
        f'<rect width="{width}" height="{height}" fill="#fff"/>'
    )
    return "\n".join([head, *shapes, "</svg>"]) + "\n"


def text(x: float, y: float, words: object, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}"{named}>{words}</text>'


def box(x: float, y: float, width: float, height: float, kind: str = "box", round_: int = 4) -> str:
    return (
        f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
        f'rx="{round_}"/>'
    )


def colour(number: int) -> str:
    """Of a block: neighbours differ."""
    return f"hsl({number * 83 % 360} 62% 78%)"


def cell(x: float, y: float, width: float, height: float, number: int) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{colour(number)}"/>'
    )


def steps() -> str:
    """A round between two registers, and the same with a register behind each step."""
    return svg(660, 250, "One round between two registers, or one step", steps_shapes())


def steps_shapes() -> Iterator[str]:
    for top, name, registers, period in (
        (20, "a round in a cycle", (0, 4), 4),
        (140, "a step in a cycle", (0, 1, 2, 3, 4), 1),
    ):
        yield text(20, top + 4, name, "name")
        for step in range(4):
            x = 60 + 145 * step
            yield f'<path class="way" d="M{x - 19} {top + 42}H{x + 8}"/>'
            yield box(x + 10, top + 20, 106, 44, "turn")
            yield text(x + 63, top + 39, "add, XOR,")
            yield text(x + 63, top + 56, "rotate")
        yield f'<path class="way" d="M622 {top + 42}H648"/>'
        for register in registers:
            yield box(32 + 145 * register, top + 14, 8, 56, "register", 1)
        yield f'<path class="line" stroke-width="2" d="M36 {top + 84}H{36 + 145 * period}"/>'
        yield text(36 + 145 * period / 2, top + 100, "one cycle", "small")


def ways() -> str:
    """Blocks over time, in steps of a round."""
    return svg(660, 520, "Blocks over time: one at a time, a ring, a pipeline", ways_shapes())


def ways_shapes() -> Iterator[str]:
    until, scale, left, whole = 240, 2.5, 40, 80
    top = 24
    for name, starts, height in (
        ("a round per cycle, one block at a time", range(0, until, whole), 10.0),
        ("a ring of two rounds: eight blocks at a time", entries(RING2, until), 5.0),
        ("a pipeline of 20 rounds: 80 blocks at a time", range(until), 0.75),
    ):
        yield text(left, top, name, "name")
        for number, start in enumerate(starts):
            end = min(start + whole, until)
            y = top + 10 + number * height
            hue = number if height > 1 else number // 8  # lines are too thin for colours
            yield cell(left + start * scale, y, (end - start) * scale, height * 0.9, hue)
        top += int(10 + len(starts) * height) + 36
    yield from scale_of(until, scale, left, top - 22)


def scale_of(until: int, scale: float, left: float, y: float) -> Iterator[str]:
    yield f'<path class="line" d="M{left} {y}H{left + until * scale:g}"/>'
    for step in range(0, until + 1, 40):
        yield f'<path class="line" d="M{left + step * scale:g} {y}v5"/>'
        yield text(left + step * scale, y + 18, step, "small")
    yield text(left + until * scale / 2, y + 34, "time, in steps", "small")


def grid(
    ring: Ring, columns: int, wanted: int | None, x: int, y: int, size: int, *, numbers: bool
) -> Iterator[str]:
    """A row per slot, a column per cycle. The cells of a block are one path."""
    cells: dict[int, list[str]] = {}
    turns = []
    yield box(x, y, columns * size, ring.stages * size, "free", 0)
    for column, found in enumerate(islice(cycles(ring, wanted), columns)):
        for row, slot in enumerate(found):
            if slot is None:
                continue
            left, top, side = x + column * size, y + row * size, size - 1
            cells.setdefault(slot.block, []).append(f"M{left} {top}h{side}v{side}h-{side}z")
            turns.append(text(left + size / 2, top + size / 2 + 3, slot.turn + 1))
    for block, path in cells.items():
        yield f'<path fill="{colour(block)}" d="{"".join(path)}"/>'
    if numbers:
        yield f'<g class="number">{"".join(turns)}</g>'


def slots() -> str:
    return svg(660, 190, "Slots of a ring over the cycles", slots_shapes())


def slots_shapes() -> Iterator[str]:
    size, columns, left = 15, 40, 54
    for row in range(RING2.stages):
        yield text(left - 10, 22 + row * size + 11, row, "small")
    yield text(20, 22 + 4 * size, "slot", "small")
    yield from grid(RING2, columns, None, left, 22, size, numbers=True)
    for column in range(0, columns, 4):
        yield text(left + column * size + 7, 16, column, "small")
    yield text(left + columns * size / 2, 22 + 8 * size + 20, "cycle: 0 at the left", "small")


def turns() -> str:
    return svg(660, 330, "One message in a ring of thirteen slots, and thirteen", turns_shapes())


def turns_shapes() -> Iterator[str]:
    ring = Ring(HASH_SLOTS, HASH_PASSES)
    for top, name, wanted in ((20, "one message", 1), (180, "thirteen messages", 13)):
        yield text(20, top, name, "name")
        yield from grid(ring, 62, wanted, 20, top + 10, 10, numbers=False)


def credits_() -> str:
    title = "A block enters with a credit, and its result gives it back"
    return svg(660, 230, title, credits_shapes())


def credits_shapes() -> Iterator[str]:
    yield box(14, 70, 96, 46)
    yield text(62, 98, "next block")
    yield '<path class="way" d="M110 93H168"/>'
    yield box(170, 70, 100, 46)
    yield text(220, 90, "a credit?")
    yield text(220, 106, "a free slot?")
    yield '<path class="way" d="M270 93H318"/>'
    yield '<circle class="turn" cx="368" cy="93" r="48"/>'
    yield text(368, 90, "ring: always")
    yield text(368, 106, "moves")
    yield '<path class="way" d="M416 93H458"/>'
    for place in range(5):
        yield box(460 + 18 * place, 74, 17, 38, "turn" if place > 2 else "free", 1)
    yield text(504, 64, "FIFO")
    yield '<path class="way" d="M550 93H592"/>'
    yield text(624, 97, "consumer")
    yield '<path class="credit" d="M556 112C540 200 240 200 222 120"/>'
    yield text(390, 200, "a result is taken: its credit comes back", "small")


PICTURES = {"steps": steps, "ways": ways, "slots": slots, "turns": turns, "credits": credits_}


def drawn() -> dict[Path, str]:
    return {FOLDER / f"{name}.svg": picture() for name, picture in PICTURES.items()}
