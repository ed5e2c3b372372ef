# SPDX-License-Identifier: Apache-2.0
"""The tables of the page, complete without JavaScript, which only sorts and filters them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from lab.elaboration import MESSAGES
from lab.report.entries import FAMILIES, Breakdown, Entry, Source

DASH = "\N{EN DASH}"
UNKNOWN = f'<span class="none" title="not known">{DASH}</span>'


def number(value: float | None, places: int | None = None) -> str:
    """Thousands apart; three digits that count where `places` is not given. Empty for None."""
    if value is None:
        return ""
    if places is None:
        places = 0 if value >= 100 or value == int(value) else 1 if value >= 10 else 2
        places = 3 if 0 < value < 1 else places
    return f"{value:,.{places}f}"


def by_message(cycles: Sequence[int]) -> str:
    return " · ".join(number(count) for count in cycles)


def megahertz(value: float | None) -> str:
    return number(value, 1 if value is None or value >= 10 else 2)


@dataclass(frozen=True)
class Column:
    title: str
    get: Callable[[Entry], Any]
    show: Callable[[Any], str] = number
    badges: tuple[str, ...] = ()
    numeric: bool = True
    wide: bool = False  # text that may wrap


def text(title: str, get: Callable[[Entry], str], show: Callable[[str], str] = escape) -> Column:
    return Column(title, get, show, numeric=False)


def prose(title: str, get: Callable[[Entry], str], show: Callable[[str], str] = escape) -> Column:
    return Column(title, get, show, numeric=False, wide=True)


def kind_of_status(status: str) -> str:
    """A class of the page's style: what failed must be seen at once."""
    known = {"placed-and-routed": "good", "synthesised": "fair", "not run": "none"}
    return known.get(status, "bad")


def status(entry: Entry) -> str:
    older = " <small>of older sources</small>" if entry.outdated else ""
    kind = kind_of_status(entry.status)
    return f'<span class="status {kind}">{escape(entry.status)}</span>{older}'


def seeds(values: Sequence[float | None]) -> str:
    """Clocks of the seeds; a seed that failed is said, not left out."""
    return " · ".join("failed" if value is None else megahertz(value) for value in values)


def cited(entry: Entry) -> str:
    key = entry.id.partition("/")[0]
    return f'<a href="#source-{escape(key)}">{escape(entry.source)}</a>'


SYNTHESISED = ("synthesised", "placed-and-routed")
ROUTED = ("placed-and-routed",)
FAMILY = text("family", lambda entry: FAMILIES[entry.family][0])
LUT = Column("LUT", lambda e: e.lut, badges=SYNTHESISED)
UNIT = text("counted in", lambda e: e.lut_unit if e.lut is not None else "")
CYCLES = Column("cycles per block", lambda e: e.cycles_per_block, badges=("simulated",))
RATE = ("placed-and-routed", "simulated")
MESSAGE_CYCLES = f"cycles for {', '.join(f'{size:,}' for size in MESSAGES)} B"

OWN_COLUMNS = (
    FAMILY,
    Column("status", lambda e: e, status, numeric=False, wide=True),
    LUT,
    Column("FF", lambda e: e.ff, badges=("synthesised",)),
    Column("MHz, median", lambda e: e.fmax_mhz, megahertz, ROUTED),
    CYCLES,
    Column("Mbit/s", lambda e: e.mbit_s, badges=RATE),
    Column("Mbit/s per LUT", lambda e: e.mbit_s_per_lut, badges=RATE),
    Column("latency, cycles", lambda e: e.latency_cycles, badges=("simulated",)),
    Column(MESSAGE_CYCLES, lambda e: e.message_cycles, by_message, ("simulated",), numeric=False),
    Column("block RAM", lambda e: e.bram, badges=("synthesised",)),
    Column("carry", lambda e: e.carry, badges=("synthesised",)),
    Column("mult", lambda e: e.mult, badges=("synthesised",)),
    Column("toggles per byte", lambda e: e.toggles_per_byte, badges=("modelled",)),
    text("tests on the netlist", lambda e: e.netlist_test or "not run"),
)
SAME_TOOLS_COLUMNS = (
    text("algorithm", lambda e: e.algorithm),
    FAMILY,
    LUT,
    Column("FF", lambda e: e.ff, badges=("synthesised",)),
    Column("mult", lambda e: e.mult, badges=("synthesised",)),
    Column("MHz", lambda e: e.fmax_mhz, megahertz, ROUTED),
    CYCLES,
    Column("Mbit/s", lambda e: e.mbit_s, badges=RATE),
    Column("Mbit/s per LUT", lambda e: e.mbit_s_per_lut, badges=RATE),
    prose("what is in it", lambda e: e.contains),
    Column("source", lambda e: e, cited, numeric=False),
)
PUBLISHED_COLUMNS = tuple(
    replace(column, badges=("published",) if column.numeric else ())
    for column in (
        text("algorithm", lambda e: e.algorithm),
        text("device", lambda e: e.device),
        LUT,
        UNIT,
        *SAME_TOOLS_COLUMNS[3:],
    )
)


def cell(column: Column, entry: Entry) -> str:
    value = column.get(entry)
    shown = column.show(value) or UNKNOWN
    if not column.numeric:
        return f"<td{' class=wide' if column.wide else ''}>{shown}</td>"
    return f'<td class="number" data-value="{"" if value is None else value}">{shown}</td>'


def badge(name: str) -> str:
    return f'<span class="badge {name.partition(":")[0]}">{name}</span>'


def heading(column: Column) -> str:
    kind = ' class="number"' if column.numeric else ""
    badges = " ".join(badge(name) for name in column.badges)
    return f'<th scope="col"{kind}><span class="title">{column.title}</span> {badges}</th>'


def named(entry: Entry) -> str:
    title = f' title="{escape(entry.contains)}"' if entry.contains else ""
    return f'<th scope="row" class="{entry.origin}"{title}>{escape(entry.name)}</th>'


def table(entries: Iterable[Entry], columns: Sequence[Column], caption: str, name: str) -> str:
    head = "".join(heading(column) for column in columns)
    body = "\n".join(
        f'<tr data-id="{escape(entry.id)}">{named(entry)}'
        + "".join(cell(column, entry) for column in columns)
        + "</tr>"
        for entry in entries
    )
    first = '<th scope="col"><span class="title">name</span></th>'
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}">'
        f'<table id="{name}" class="rows"><caption>{escape(caption)}</caption>\n'
        f"<thead><tr>{first}{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def bibliography(sources: Iterable[Source]) -> str:
    def item(one: Source) -> str:
        link = f' <a href="{escape(one.url)}">{escape(one.url)}</a>' if one.url else ""
        words = f"<b>{escape(one.short)}</b> {escape(one.words)}.{link}"
        how = badge(one.how)
        return f'<li id="source-{escape(one.key)}">{words} {how}</li>'

    return f'<ul class="sources">{"".join(map(item, sources))}</ul>'


def registered(entries: Iterable[Entry]) -> str:
    """The clock with a register at every port, beside that without."""
    rows = []
    for entry in entries:
        with_, without = entry.registered_fmax_mhz, entry.fmax_mhz
        if with_ is None:
            continue
        change = f"{(with_ / without - 1) * 100:+.1f} %" if without else UNKNOWN
        cells = (
            megahertz(without) or UNKNOWN,
            megahertz(with_),
            change,
            number(entry.lut) or UNKNOWN,
            number(entry.registered_lut) or UNKNOWN,
            number(entry.ff) or UNKNOWN,
            number(entry.registered_ff) or UNKNOWN,
        )
        numbers = "".join(f'<td class="number">{cell}</td>' for cell in cells)
        rows.append(f'<tr data-id="{escape(entry.id)}">{named(entry)}{numbers}</tr>')
    if not rows:
        return '<p class="missing">Not run yet.</p>'
    titles = ("MHz", "MHz, wrapped", "change", "LUT", "LUT, wrapped", "FF", "FF, wrapped")
    head = "".join(f'<th scope="col" class="number">{title}</th>' for title in titles)
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Registered wrapper">'
        f'<table id="registered"><thead><tr><th scope="col">variant</th>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def breakdown(one: Breakdown, entry: Entry) -> str:
    """A card with the area of each component; the bars are shares of the card's LUTs."""
    total = sum(part.lut for part in one.components) or 1
    rows = "".join(
        f'<tr><th scope="row">{escape(part.component)}</th>'
        f'<td class="number">{number(part.lut)}</td>'
        f'<td class="share"><i style="--v:{part.lut / total:.4f}"></i></td>'
        f'<td class="number">{number(part.ff)}</td></tr>'
        for part in one.components
    )
    sums = f"{number(total)} {entry.lut_unit}, {number(sum(p.ff for p in one.components))} FF"
    label = badge("published" if entry.origin == "published" else "synthesised")
    return (
        f'<section class="card {entry.origin}" data-id="{escape(entry.id)}">'
        f"<h3>{escape(entry.name)}</h3><p>{escape(entry.device)} {label}<br>{sums}</p>"
        '<table><thead><tr><th scope="col">component</th><th scope="col" class="number">LUT</th>'
        '<th><span class="hidden">share of LUTs</span></th>'
        '<th scope="col" class="number">FF</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></section>"
    )
