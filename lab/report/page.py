# SPDX-License-Identifier: Apache-2.0
"""Puts the page together: one HTML file with its style, scripts and data inside."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path

from lab.report import bars, comparison, tables
from lab.report.entries import (
    FAMILIES,
    NOT_RUN,
    OWN,
    ROUTED,
    SAME_TOOLS,
    Breakdown,
    Entry,
    Source,
)
from lab.report.headlines import tiles

FOLDER = Path(__file__).parent
MARKS = {"own": "Saltmill", "same-tools": "open cores, same tools", "published": "published"}
HOW = {
    "measured: same tools": """other people's open RTL through this lab's tools: area and clock
        are synthesised or placed-and-routed as ours are, cycles are simulated.""",
    "simulated": "clock cycles of the RTL in a cycle-accurate simulation; a test asserts them.",
    "synthesised": "cells of the netlist after synthesis by Yosys. Nothing was placed.",
    "placed-and-routed": """LUTs as nextpnr counts them once it has packed the design, and the clock
        that its static timing allows: LFE5U-85F, speed grade 6, out of context, median of the
        seeds with the better of two placers. No board was involved.""",
    "modelled": """from a formula or a model. Toggles per byte count how often the nets of the
        synthesised netlist change under random data: good for ranking variants, not for watts.""",
    "published": "its owner's words, by the owner's tools and rules; converted to Mbit/s.",
}


def script_json(value: object) -> str:
    """JSON that can stand in a script element: nothing in it can end the element."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True).replace("<", "\\u003c")


def chip(name: str, value: str, label: str, *, checked: bool, mark: str = "") -> str:
    on = " checked" if checked else ""
    symbol = f'<span class="mark {mark}" aria-hidden="true"></span>' if mark else ""
    return (
        f'<label class="chip"><input type="checkbox" name="{name}" value="{escape(value)}"{on}>'
        f"{symbol}<span>{escape(label)}</span></label>"
    )


def filters(entries: Sequence[Entry]) -> str:
    """A choice of algorithms, families and origins; at first the algorithms that we have."""
    ours = {entry.algorithm for entry in entries if entry.origin == OWN}
    algorithms = sorted({e.algorithm for e in entries}, key=lambda a: (a not in ours, a))
    families = [family for family in FAMILIES if any(e.family == family for e in entries)]
    groups = (
        (
            "Algorithm",
            [
                chip("algorithm", name, name, checked=name in ours or not ours)
                for name in algorithms
            ],
        ),
        (
            "Target",
            [chip("family", name, FAMILIES[name][0], checked=True) for name in families],
        ),
        (
            "Whose",
            [chip("origin", name, label, checked=True, mark=name) for name, label in MARKS.items()],
        ),
    )
    return "\n".join(
        f"<fieldset><legend>{legend}</legend>{''.join(chips)}</fieldset>"
        for legend, chips in groups
    )


def plain_words(entries: Iterable[Entry]) -> str:
    """What a reader might miss in the charts: rows that failed, and rows without a clock."""
    own = [entry for entry in entries if entry.origin == OWN]
    lines = []
    for entry in own:
        where = f"<b>{escape(entry.name)}</b> on {FAMILIES[entry.family][0]}"
        failed_seeds = [
            str(seed)
            for seed, clock in zip(entry.seeds, entry.fmax_seeds_mhz, strict=False)
            if clock is None
        ]
        if entry.outdated:
            lines.append(f"{where}: the figures are of older sources.")
        if entry.netlist_test and not entry.netlist_test.startswith("passed"):
            lines.append(f"{where}: tests on the netlist {escape(entry.netlist_test)}.")
        if entry.status not in (ROUTED, "synthesised"):
            lines.append(f"{where}: {escape(entry.status)}.")
        elif entry.status == ROUTED and failed_seeds:
            lines.append(f"{where}: no clock from seed {', '.join(failed_seeds)}.")
        elif entry.family == "ecp5" and entry.fmax_mhz is None:
            lines.append(f"{where}: synthesised, not placed: it has no clock and no rate.")
    without = sorted({FAMILIES[e.family][0] for e in own if e.family != "ecp5"})
    if without:
        lines.append(
            f"{' and '.join(without)}: areas only. There is no open placement for them here, so "
            "no clock and no rate is given, and none is guessed."
        )
    never = [f"{entry.name} on {entry.family}" for entry in own if entry.status == NOT_RUN]
    if never:
        lines.append(f"{len(never)} rows were not run yet; they show no figures.")
    return (
        f"<ul>{''.join(f'<li>{line}</li>' for line in lines)}</ul>" if lines else "<p>Nothing.</p>"
    )


def components(breakdowns: Sequence[Breakdown], entries: Sequence[Entry]) -> str:
    """The seed's table first, ours beside it."""
    by_id = {entry.id: entry for entry in entries}
    ordered = sorted(breakdowns, key=lambda one: by_id[one.id].origin == OWN)
    return "\n".join(tables.breakdown(one, by_id[one.id]) for one in ordered)


def render(
    entries: Sequence[Entry],
    breakdowns: Sequence[Breakdown],
    sources: Sequence[Source],
    plotly: str,
    experiments: str = "",
) -> str:
    """The page. The same rows make the same page, to the byte.

    `experiments`: pictures of the published ones, ready to be put in.
    """
    of = {origin: [e for e in entries if e.origin == origin] for origin in MARKS}
    areas = "\n".join(
        f"<div><h3>{FAMILIES[family][0]} <small>{FAMILIES[family][1]}</small></h3>"
        f"{bars.area(entries, family)}</div>"
        for family in ("ecp5", "xc7", "cyclonev")
    )
    how = "".join(f"<dt>{tables.badge(name)}</dt><dd>{words}</dd>" for name, words in HOW.items())
    parts = {
        "style": (FOLDER / "page.css").read_text(),
        "tiles": tiles(entries),
        "filters": filters(entries),
        "ranking": bars.ranking(entries),
        "areas": areas,
        "activity": bars.activity(entries),
        "registered": tables.registered(of[OWN]),
        "components": components(breakdowns, entries),
        "comparison": comparison.html(entries),
        "experiments": experiments,
        "own": tables.table(of[OWN], tables.OWN_COLUMNS, "Our variants", "own-rows"),
        "same_tools": tables.table(
            of[SAME_TOOLS],
            tables.SAME_TOOLS_COLUMNS,
            "Open cores, measured with the same tools",
            "same-tools-rows",
        ),
        "published": tables.table(
            of["published"], tables.PUBLISHED_COLUMNS, "Published figures", "published-rows"
        ),
        "plain_words": plain_words(entries),
        "how": how,
        "sources": tables.bibliography(sources),
        "data": script_json(
            {
                "entries": [asdict(entry) for entry in entries],
                "families": {name: label for name, (label, _) in FAMILIES.items()},
                "origins": MARKS,
            }
        ),
        "plotly": plotly,
        "charts": (FOLDER / "charts.js").read_text(),
        "script": (FOLDER / "page.js").read_text(),
    }
    template = (FOLDER / "page.html").read_text()
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], template)
