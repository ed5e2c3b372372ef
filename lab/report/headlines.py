# SPDX-License-Identifier: Apache-2.0
"""The figures at the top of the page: our best rows beside the best of the others."""

from collections.abc import Callable, Sequence
from html import escape

from lab.report.entries import FAMILIES, OLDER, OTHERS, OWN, ROUTED, SAME_TOOLS, Entry
from lab.report.tables import number

Key = Callable[[Entry], float]


def rate(megabits: float) -> tuple[str, str]:
    """A number and its unit."""
    if megabits >= 1000:
        return number(megabits / 1000), "Gbit/s"
    return number(megabits), "Mbit/s"


def named(entry: Entry) -> str:
    return escape(entry.name) + OLDER * entry.outdated


def tile(title: str, value: str, unit: str, detail: str, beside: str) -> str:
    return (
        f'<div class="tile"><h2>{title}</h2><p class="figure">{value} <small>{unit}</small></p>'
        f"<p>{detail}</p><p class=beside>{beside}</p></div>"
    )


def cores(entries: Sequence[Entry]) -> list[Entry]:
    """Rows of ours that do the whole algorithm and nothing more, on ECP5."""
    return [
        entry
        for entry in entries
        if entry.origin == OWN
        and entry.family == "ecp5"
        and entry.complete
        and entry.block not in ("device", "stream")
    ]


def best_of_others(entries: Sequence[Entry], like: Entry, key: Key) -> Entry | None:
    """Of the same algorithm and family, through the same tools."""
    others = [
        e
        for e in entries
        if e.origin == SAME_TOOLS and e.algorithm == like.algorithm and e.family == like.family
    ]
    return max((e for e in others if e.mbit_s), key=key, default=None)


def beside(other: Entry | None, words: Callable[[Entry], str]) -> str:
    return f"{escape(other.name)}, same tools: {words(other)}" if other else ""


def most_for_its_area(entries: Sequence[Entry], clocked: Sequence[Entry]) -> str:
    def key(entry: Entry) -> float:
        return entry.mbit_s_per_lut or 0

    best = max(clocked, key=key)
    detail = f"<b>{named(best)}</b>, {number(best.lut)} LUT at {number(best.fmax_mhz)} MHz"
    other = beside(best_of_others(entries, best, key), lambda e: number(key(e)))
    return tile("Most rate for its area", number(key(best)), "Mbit/s per LUT", detail, other)


def fastest(entries: Sequence[Entry], clocked: Sequence[Entry]) -> str:
    def key(entry: Entry) -> float:
        return entry.mbit_s or 0

    best = max(clocked, key=key)
    detail = f"<b>{named(best)}</b>, {number(best.lut)} LUT at {number(best.fmax_mhz)} MHz"
    other = beside(best_of_others(entries, best, key), lambda e: " ".join(rate(key(e))))
    return tile("Fastest", *rate(key(best)), detail, other)


def smallest(entries: Sequence[Entry], sized: Sequence[Entry]) -> str:
    best = min(sized, key=lambda e: e.lut or 0)
    detail = f"<b>{named(best)}</b>, {number(best.cycles_per_block)} cycles per block"
    others = [
        e
        for e in entries
        if e.origin == OTHERS and e.algorithm == best.algorithm and e.lut and e.mbit_s
    ]
    least = min(others, key=lambda e: e.lut or 0, default=None)
    words = ""
    if least:
        words = f"{escape(least.name)}, published: {number(least.lut)} {least.lut_unit}"
        words += f", {number(least.cycles_per_block)} cycles" if least.cycles_per_block else ""
    return tile("Smallest", number(best.lut), "LUT", detail, words)


def coverage(entries: Sequence[Entry]) -> str:
    own = [entry for entry in entries if entry.origin == OWN]
    on_ecp5 = [entry for entry in own if entry.family == "ecp5"]
    routed = sum(entry.status == ROUTED for entry in on_ecp5)
    families = len({entry.family for entry in own if entry.lut is not None})
    return tile(
        "Placed and routed",
        f"{routed} of {len(on_ecp5)}",
        "",
        f"variants on {FAMILIES['ecp5'][0]}; areas on {families} families",
        "",
    )


def tiles(entries: Sequence[Entry]) -> str:
    sized = [entry for entry in cores(entries) if entry.lut]
    clocked = [entry for entry in sized if entry.mbit_s]
    made = []
    if clocked:
        made += [most_for_its_area(entries, clocked), fastest(entries, clocked)]
    if sized:
        made.append(smallest(entries, sized))
    return "\n".join([*made, coverage(entries)])
