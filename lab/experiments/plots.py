# SPDX-License-Identifier: Apache-2.0
"""Bars and lines as SVG, on a logarithmic axis; a colour for how a value was obtained."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

COLOURS = {
    "published": "#8a8a8a",
    "measured": "#c1440e",
    "simulated": "#2b59c3",
    "modelled": "#0b6e4f",
    "placed-and-routed": "#7a3e9d",
}
DASHES = ("", "6 3", "2 3", "8 3 2 3")
LEFT, WIDTH, TOP, BAR, GAP = 250, 520, 62, 13, 9
LINE_LEFT, LINE_WIDTH, LINE_HEIGHT, KEY = 80, 430, 300, 230


@dataclass(frozen=True)
class Value:
    value: float
    label: str  # how it was obtained: one of COLOURS
    note: str = ""


@dataclass(frozen=True)
class Line:
    name: str
    label: str
    values: Sequence[float]


def number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{escape(words)}</text>'


def head(width: float, height: float, title: str) -> list[str]:
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" font-family="sans-serif" '
        'font-size="12" fill="#222"><rect width="100%" height="100%" fill="#fff"/>'
    )
    return [
        opening,
        f"<title>{escape(title)}</title>",
        text(12, 22, title),
    ]


def legend(labels: Iterable[str]) -> Iterable[str]:
    x = 12
    for label in labels:
        yield f'<rect x="{x}" y="34" width="12" height="12" fill="{COLOURS[label]}"/>'
        yield text(x + 17, 45, label)
        x += 34 + 7 * len(label)


def decades(values: Iterable[float]) -> tuple[int, int]:
    """Powers of ten around them."""
    known = [value for value in values if value > 0]
    low, high = math.floor(math.log10(min(known))), math.ceil(math.log10(max(known)))
    return low, max(high, low + 1)


def bars(title: str, rows: Sequence[tuple[str, Sequence[Value]]]) -> str:
    """A group for each row, a bar for each of its values."""
    low, high = decades(value.value for _, values in rows for value in values)
    scale = WIDTH / (high - low)
    height = TOP + sum(GAP + BAR * len(values) for _, values in rows) + 30
    parts = head(LEFT + WIDTH + 150, height, title)
    parts += legend(dict.fromkeys(value.label for _, values in rows for value in values))
    for power in range(low, high + 1):
        x = LEFT + scale * (power - low)
        line = f'x1="{x:.0f}" x2="{x:.0f}" y1="{TOP - 4}" y2="{height - 22}"'
        parts += [
            f'<line {line} stroke="#ddd"/>',
            text(x, height - 8, f"{10.0**power:g}", "middle"),
        ]
    y = float(TOP)
    for name, values in rows:
        parts.append(text(LEFT - 8, y + BAR * len(values) / 2 + 4, name, "end"))
        for value in values:
            length = max(2.0, scale * (math.log10(value.value) - low))
            parts.append(
                f'<rect x="{LEFT}" y="{y:.0f}" width="{length:.1f}" height="{BAR - 2}" '
                f'fill="{COLOURS[value.label]}"/>'
            )
            parts.append(
                text(LEFT + length + 5, y + BAR - 3, f"{number(value.value)} {value.note}")
            )
            y += BAR
        y += GAP
    return "\n".join([*parts, "</svg>"]) + "\n"


def lines(title: str, places: Sequence[str], found: Sequence[Line], unit: str) -> str:
    """A line for each row over places that are equally far apart."""
    low, high = decades(value for line in found for value in line.values)
    bottom = TOP + LINE_HEIGHT
    step = LINE_WIDTH / (len(places) - 1)

    def y(value: float) -> float:
        return bottom - LINE_HEIGHT * (math.log10(value) - low) / (high - low)

    height = max(bottom + 44, TOP + 18 * len(found) + 20)
    parts = head(LINE_LEFT + LINE_WIDTH + KEY, height, f"{title}, {unit}")
    parts += legend(dict.fromkeys(line.label for line in found))
    for power in range(low, high + 1):
        level = y(10.0**power)
        line_at = (
            f'x1="{LINE_LEFT}" x2="{LINE_LEFT + LINE_WIDTH}" y1="{level:.1f}" y2="{level:.1f}"'
        )
        parts += [f'<line {line_at} stroke="#ddd"/>']
        parts += [text(LINE_LEFT - 8, level + 4, f"{10.0**power:g}", "end")]
    for index, place in enumerate(places):
        parts.append(text(LINE_LEFT + step * index, bottom + 20, place, "middle"))
    of_label: dict[str, int] = {}
    for index, line in enumerate(found):
        turn = of_label[line.label] = of_label.get(line.label, -1) + 1
        style = (
            f'fill="none" stroke="{COLOURS[line.label]}" stroke-width="1.6" '
            f'stroke-dasharray="{DASHES[turn % len(DASHES)]}"'
        )
        points = " ".join(
            f"{LINE_LEFT + step * place:.1f},{y(value):.1f}"
            for place, value in enumerate(line.values)
        )
        parts.append(f'<polyline points="{points}" {style}/>')
        x, level = LINE_LEFT + LINE_WIDTH + 24, TOP + 18 * index
        parts.append(f'<line x1="{x}" x2="{x + 26}" y1="{level}" y2="{level}" {style}/>')
        parts.append(text(x + 32, level + 4, line.name))
    return "\n".join([*parts, "</svg>"]) + "\n"
