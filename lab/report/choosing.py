# SPDX-License-Identifier: Apache-2.0
"""docs/choosing.md: which variant for which board and rate, from the committed results."""

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lab import cores
from lab.elaboration import MESSAGES
from lab.report.entries import FAMILIES, NOT_RUN, OWN, ROUTED, Entry, labels, outdated
from lab.report.tables import DASH, megahertz, number

BOARDS = Path(__file__).parent.parent / "boards.toml"
DOCUMENT = cores.ROOT / "docs" / "choosing.md"
RATES = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 40, 80)  # Gbit/s
FILL = 0.8  # of a device; above it, placement gets slow and clocks drop
SHOWN_CLOCK_MHZ = 300  # a clock above it is not worth a try on these devices


@dataclass(frozen=True)
class Device:
    """A part of a family. Numbers are in the units of the lab's rows."""

    label: str
    target: str
    lut: int
    ff: int
    bram: int
    mult: int
    boards: list[str]
    source: str

    def share(self, entry: Entry) -> tuple[float, str]:
        """Of the resource that a variant takes most of, and its name."""
        needs = {"LUT": entry.lut, "FF": entry.ff, "block RAM": entry.bram, "mult": entry.mult}
        sizes = {"LUT": self.lut, "FF": self.ff, "block RAM": self.bram, "mult": self.mult}
        return max((need / sizes[name], name) for name, need in needs.items() if need is not None)


def devices() -> list[Device]:
    return [Device(**row) for row in tomllib.loads(BOARDS.read_text())["device"].values()]


def clock_for(entry: Entry, gigabits: float) -> float | None:
    """MHz at which a variant has the rate."""
    if not entry.cycles_per_block or not entry.block_bytes:
        return None
    return gigabits * 1000 * entry.cycles_per_block / (8 * entry.block_bytes)


def choose(
    own: Sequence[Entry], device: Device, gigabits: float
) -> tuple[Entry, float | None] | None:
    """The smallest whole core of some that fits and has the rate at the clock it reached on ECP5.

    With it the clock that it needs, on families where no clock is known.
    """
    reached = {e.name: e.fmax_mhz for e in own if e.family == "ecp5" and e.status == ROUTED}
    fitting = []
    for entry in own:
        needed, clock = clock_for(entry, gigabits), reached.get(entry.name)
        if entry.family != device.target or not entry.complete or not entry.lut:
            continue
        if needed and clock and needed <= clock and device.share(entry)[0] <= FILL:
            fitting.append((entry, needed if device.target != "ecp5" else None))
    return min(fitting, key=lambda found: found[0].lut or 0, default=None)


def row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join([row(head), row("---" for _ in head), *map(row, rows)])


def gigabits(rate: float) -> str:
    return f"{rate:g} Gbit/s"


def by_rate(own: Sequence[Entry], parts: Sequence[Device]) -> str:
    label = labels(own)

    def cell(part: Device, rate: float) -> str:
        found = choose(own, part, rate)
        if found is None:
            return DASH
        entry, needed = found
        return label[entry.name] + (f" at {megahertz(needed)} MHz" if needed else "")

    head = [own[0].algorithm, *(part.label for part in parts)]
    return markdown(head, ([gigabits(r), *(cell(part, r) for part in parts)] for r in RATES))


def by_algorithm_and_rate(own: Sequence[Entry], parts: Sequence[Device]) -> str:
    bare = [e for e in own if e.block not in ("device", "stream")]
    groups = [
        [e for e in bare if e.algorithm == name]
        for name in dict.fromkeys(e.algorithm for e in bare)
    ]
    return "\n\n".join(by_rate(group, parts) for group in groups)


def by_clock(own: Sequence[Entry]) -> str:
    """What a designer with a clock of another tool can look up."""
    known = {e.name: e for e in own if e.cycles_per_block and e.block != "stream"}

    def cell(entry: Entry, rate: float) -> str:
        needed = clock_for(entry, rate)
        return DASH if needed is None or needed > SHOWN_CLOCK_MHZ else megahertz(needed)

    head = ["variant", *map(gigabits, RATES)]
    label = labels(own)
    rows = ([label[name], *(cell(e, rate) for rate in RATES)] for name, e in known.items())
    return markdown(head, rows)


def by_message_size(own: Sequence[Entry]) -> str:
    """Of cores that messages cost something: a key to set up, a tag."""
    head = ["variant", *(f"{size:,} B" for size in MESSAGES)]
    known = {e.name: e for e in own if e.message_cycles}
    label = labels(own)

    def cell(size: int, cycles: int) -> str:
        return f"{number(cycles)} ({number(64 * cycles / size)} per 64 B)"

    return markdown(
        head,
        ([label[name], *map(cell, MESSAGES, e.message_cycles)] for name, e in known.items()),
    )


def shares(own: Sequence[Entry], parts: Sequence[Device]) -> str:
    by_row = {(e.name, e.family): e for e in own if e.lut is not None}
    names = labels(by_row.values())

    def cell(name: str, part: Device) -> str:
        entry = by_row.get((name, part.target))
        if entry is None:
            return DASH
        share, what = part.share(entry)
        if share > 1:
            return f"does not fit ({what})"
        percent = "under 1 %" if share < 0.01 else f"{share:.0%}".replace("%", " %")
        return percent + (f" ({what})" if what != "LUT" else "")

    head = ["variant", *(f"{part.label}" for part in parts)]
    return markdown(
        head, ([label, *(cell(name, part) for part in parts)] for name, label in names.items())
    )


def latency(entry: Entry) -> str:
    if not entry.latency_cycles or not entry.fmax_mhz:
        return DASH
    return f"{number(1000 * entry.latency_cycles / entry.fmax_mhz)} ns"


def clocks(own: Sequence[Entry]) -> str:
    """ECP5: the family with clocks."""
    head = ["variant", "LUT", "FF", "block RAM", "MHz", "cycles per block", "latency, cycles"]
    head += ["latency at that clock", "Mbit/s", "Mbit/s per LUT", "status"]

    def cells(e: Entry) -> list[str]:
        values = [number(e.lut), number(e.ff), number(e.bram), megahertz(e.fmax_mhz)]
        values += [number(e.cycles_per_block), number(e.latency_cycles), latency(e)]
        values += [number(e.mbit_s), number(e.mbit_s_per_lut), e.status]
        return [e.label, *(value or DASH for value in values)]

    return markdown(head, (cells(e) for e in own if e.family == "ecp5"))


def areas(own: Sequence[Entry]) -> str:
    head = ["variant", "family", "LUT", "counted in", "FF", "carry", "block RAM", "mult", "status"]

    def cells(e: Entry) -> list[str]:
        values = [number(e.lut), e.lut_unit, number(e.ff), number(e.carry), number(e.bram)]
        return [v or DASH for v in (*values, number(e.mult), e.status)]

    rows = ([e.label, FAMILIES[e.family][0], *cells(e)] for e in own if e.family != "ecp5")
    return markdown(head, rows)


def purposes(own: Sequence[Entry]) -> str:
    known = dict.fromkeys((e.name, e.contains) for e in own)
    return "\n".join(f"- `{name}`: {purpose}." for name, purpose in known)


def sizes(part: Device) -> tuple[int, ...]:
    return part.lut, part.ff, part.bram, part.mult


def boards(parts: Sequence[Device]) -> str:
    head = ["device", "boards", "LUT", "FF", "block RAM", "mult", "sizes from"]
    rows = (
        (part.label, ", ".join(part.boards), *map(number, sizes(part)), part.source)
        for part in parts
    )
    return markdown(head, rows)


def text(entries: Sequence[Entry], parts: Sequence[Device]) -> str:
    own = [entry for entry in entries if entry.origin == OWN]
    unrun = sum(entry.status == NOT_RUN for entry in own)
    template = Path(__file__).with_name("choosing.md").read_text()
    pending = f"\n{unrun} rows have not been run yet and show no figures.\n" if unrun else ""
    fills = {
        "by_rate": by_algorithm_and_rate(own, parts),
        "shares": shares(own, parts),
        "by_clock": by_clock(own),
        "by_message_size": by_message_size(own),
        "clocks": clocks(own),
        "areas": areas(own),
        "purposes": purposes(own),
        "boards": boards(parts),
        "pending": pending + outdated(own),
        "fill": f"{FILL:.0%}".replace("%", " %"),
        "shown_clock": str(SHOWN_CLOCK_MHZ),
    }
    for name, value in fills.items():
        template = template.replace(f"{{{{{name}}}}}", value)
    return template
