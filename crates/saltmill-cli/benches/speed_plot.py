# SPDX-License-Identifier: Apache-2.0
"""Times beside each other as dots on a logarithmic axis: saltmill's is 1, slower ones are right."""

import math
from collections.abc import Mapping, Sequence
from html import escape

ROW, LEFT, WIDTH, TOP = 26, 250, 520, 70
LEAST, MOST = 0.25, 64.0
COLOURS = {"saltmill": "#0b6e4f", "age": "#c1440e", "rage": "#7a3e9d", "cp": "#8a8a8a"}
OTHER = "#2b59c3"


def place(ratio: float) -> float:
    """Where a ratio is on the axis; what is beyond its ends is at them."""
    inside = min(max(ratio, LEAST), MOST)
    return LEFT + WIDTH * math.log(inside / LEAST) / math.log(MOST / LEAST)


def text(x: float, y: float, words: str, *, anchor: str = "start", colour: str = "#222") -> str:
    """Words at a place."""
    style = f'text-anchor="{anchor}" fill="{colour}"'
    return f'<text x="{x:.0f}" y="{y:.0f}" {style}>{escape(words)}</text>'


def svg(rows: Sequence[tuple[str, Mapping[str, float]]], title: str) -> str:
    """A picture: of each row its name and how often saltmill's time fits into each program's."""
    height = TOP + ROW * len(rows) + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 40}" height="{height}"',
        'font-family="sans-serif" font-size="13"><rect width="100%" height="100%" fill="#fff"/>',
        text(12, 24, title),
    ]
    programs = list(dict.fromkeys(name for _, ratios in rows for name in ratios))
    for index, name in enumerate(programs):
        x = LEFT + 110 * index
        parts.append(f'<circle cx="{x}" cy="44" r="6" fill="{COLOURS.get(name, OTHER)}"/>')
        parts.append(text(x + 12, 49, name))
    bottom = TOP + ROW * len(rows)
    tick = LEAST
    while tick <= MOST:
        x = place(tick)
        colour = "#0b6e4f" if tick == 1 else "#ddd"
        parts.append(
            f'<line x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{bottom}" stroke="{colour}"/>'
        )
        parts.append(text(x, bottom + 18, f"{tick:g}", anchor="middle"))
        tick *= 2
    for index, (name, ratios) in enumerate(rows):
        y = TOP + ROW * index + ROW / 2
        parts.append(text(LEFT - 12, y + 4, name, anchor="end"))
        for program, ratio in ratios.items():
            parts.append(
                f'<circle cx="{place(ratio):.1f}" cy="{y:.0f}" r="6" '
                f'fill="{COLOURS.get(program, OTHER)}" fill-opacity="0.85">'
                f"<title>{escape(program)}: {ratio:.2f} x</title></circle>"
            )
    return "\n".join([*parts, "</svg>"]) + "\n"
