# SPDX-License-Identifier: Apache-2.0
"""Bars as lists: they can be read aloud, need no script, and fit any window."""

from collections.abc import Callable, Iterable
from html import escape

from lab.report.entries import FAMILIES, OTHERS, OWN, Entry
from lab.report.tables import number

Value = Callable[[Entry], float | None]


def bars(entries: Iterable[Entry], value: Value, name: str, note: Callable[[Entry], str]) -> str:
    """One line for each entry that has the value, in the order given. Filters hide lines, and
    the longest one that is left then fills the width."""
    found = [(entry, known) for entry in entries if (known := value(entry)) is not None]
    longest = max((known for _, known in found), default=1)
    lines = "\n".join(
        f'<li class="{entry.origin}" data-id="{escape(entry.id)}" data-value="{known}" '
        f'style="--v:{known}"><span class="who">{escape(entry.name)}'
        f' <small>{escape(note(entry))}</small></span><span class="bar"><i></i></span>'
        f'<span class="value">{number(known)}</span></li>'
        for entry, known in found
    )
    return (
        f'<ol class="bars" id="{name}" style="--max:{longest}">\n{lines}\n</ol>'
        '<p class="missing" hidden>Nothing to show for this choice.</p>'
    )


def ranking(entries: Iterable[Entry]) -> str:
    ordered = sorted(entries, key=lambda e: (-(e.mbit_s_per_lut or 0), e.name))
    return bars(ordered, lambda e: e.mbit_s_per_lut, "ranking", note)


def note(entry: Entry) -> str:
    family = FAMILIES[entry.family][0] if entry.origin != OTHERS else entry.device
    return f"{entry.algorithm} · {family}"


def area(entries: Iterable[Entry], family: str) -> str:
    """LUTs of one family, by the same tools: published figures are counted in other ways."""
    same = [e for e in entries if e.family == family and e.origin != OTHERS]
    ordered = sorted(same, key=lambda e: (e.lut or 0, e.name))
    return bars(ordered, lambda e: e.lut, f"area-{family}", lambda e: e.algorithm)


def activity(entries: Iterable[Entry]) -> str:
    """Toggles per byte; beside each name, how many times the least of its algorithm."""
    known = [e for e in entries if e.origin == OWN and e.toggles_per_byte is not None]
    if not known:
        return '<p class="missing">Not measured yet.</p>'
    least: dict[str, float] = {}
    for entry in known:
        toggles = entry.toggles_per_byte or 0
        least[entry.algorithm] = min(toggles, least.get(entry.algorithm, toggles))

    def relative(entry: Entry) -> str:
        bottom = least[entry.algorithm]
        return f"{(entry.toggles_per_byte or 0) / bottom:.2f} times the least" if bottom else ""

    ordered = sorted(known, key=lambda e: (e.toggles_per_byte or 0, e.name))
    return bars(ordered, lambda e: e.toggles_per_byte, "activity", relative)
