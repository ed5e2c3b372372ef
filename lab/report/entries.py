# SPDX-License-Identifier: Apache-2.0
"""What the report shows, in one shape: rows of ours, of open cores, and published ones."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lab.results import NetlistTest, Row
from lab.variants import Variant

PUBLISHED = Path(__file__).parent.parent / "published.toml"

OWN, SAME_TOOLS, OTHERS = "own", "same-tools", "published"
ORIGINS = {"measured: same tools": SAME_TOOLS, "published": OTHERS}

# Name and the unit that its `lut` is counted in.
FAMILIES = {
    "ecp5": ("ECP5", "LUT4"),
    "xc7": ("7 series", "LUT6"),
    "cyclonev": ("Cyclone V", "ALUT"),
    "other": ("Other FPGAs", "LUT"),
    "cpu": ("Processors", ""),
}
ALGORITHMS = {
    "chacha20": "ChaCha20",
    "poly1305": "Poly1305",
    "chacha20_poly1305": "ChaCha20-Poly1305",
    "aes": "AES",
    "aes_cbc": "AES-CBC",
    "aes_gcm": "AES-GCM",
    "ghash": "GHASH",
    "sha256": "SHA-256",
    "md5": "MD5",
    "hmac_sha256": "HMAC-SHA-256",
    "stream": "Stream parts",
}
# Parameters of a core and of a device; 0: it is left to the host.
FINAL_ADD = ("FinalAdd", "ChaCha20FinalAdd")
NOT_RUN = "not run"
OLDER = " †"
ROUTED = "placed-and-routed"
SYNTHESISED = "synthesised"


@dataclass(frozen=True)
class Entry:
    """None: not known. The page, the tables and the downloads all read these."""

    id: str
    origin: str
    name: str
    algorithm: str
    family: str
    device: str
    contains: str
    status: str
    complete: bool = True  # False: leaves a part of the algorithm to the host
    outdated: bool = False  # the sources have changed since
    block: str = ""
    lut: float | None = None
    lut_unit: str = ""
    ff: int | None = None
    carry: int | None = None
    bram: float | None = None
    mult: int | None = None
    fmax_mhz: float | None = None
    fmax_seeds_mhz: tuple[float | None, ...] = ()
    seeds: tuple[int, ...] = ()
    registered_fmax_mhz: float | None = None
    registered_lut: int | None = None
    registered_ff: int | None = None
    block_bytes: int | None = None
    cycles_per_block: int | None = None
    latency_cycles: int | None = None
    message_cycles: tuple[int, ...] = ()
    mbit_s: float | None = None
    mbit_s_per_lut: float | None = None
    toggles_per_byte: float | None = None
    netlist_test: str = ""
    source: str = ""

    @property
    def label(self) -> str:
        """Its name in a document, with a mark if its figures are of an earlier RTL."""
        return f"`{self.name}`" + OLDER * self.outdated


def labels(own: Iterable[Entry]) -> dict[str, str]:
    """By name, for figures that stand for several families: marked if those of one are older."""
    found: dict[str, str] = {}
    for entry in own:
        if entry.outdated or entry.name not in found:
            found[entry.name] = entry.label
    return found


def outdated(own: Iterable[Entry]) -> str:
    """The sentence about marked rows, or nothing."""
    older = dict.fromkeys(entry.name for entry in own if entry.outdated)
    if not older:
        return ""
    return f"""
†: measured on an earlier version of the RTL, or with other options;
`python -m lab all NAME` measures a row anew.
{len(older)} variants: {", ".join(f"`{name}`" for name in older)}.
"""


@dataclass(frozen=True)
class Component:
    component: str
    lut: int
    ff: int


@dataclass(frozen=True)
class Breakdown:
    """Where the area of one row is."""

    id: str  # of the entry
    components: tuple[Component, ...]


def algorithm(variant: Variant, variants: Mapping[str, Variant]) -> str:
    core = variants[variant.core] if variant.core else variant
    return ALGORITHMS.get(core.block, core.block)


def tested(test: NetlistTest) -> str:
    passed = test["status"] == "passed"
    return f"passed: {test['tests']} tests" if passed else test["status"]


def own(
    variant: Variant,
    variants: Mapping[str, Variant],
    target: str,
    device: str,
    row: Row | None,
    digest: str | None,
) -> Entry:
    """Our row; a variant that was not run on one of its targets is a row that says so.

    `digest`: of the sources as they are. Tests and activity of older ones are not shown.
    """
    entry = Entry(
        id=f"{target}/{variant.name}",
        origin=OWN,
        name=variant.name,
        algorithm=algorithm(variant, variants),
        family=target,
        device=device,
        contains=variant.purpose,
        status=NOT_RUN,
        complete=all(variant.parameters.get(name, 1) != 0 for name in FINAL_ADD),
        block=variant.block,
        lut_unit=FAMILIES[target][1],
    )
    if row is None:
        return entry
    now = digest or row["rtl_sha256"]
    test, activity = row["netlist_test"], row["activity"]
    test = test if test and test["rtl_sha256"] == now else None
    activity = activity if activity and activity["rtl_sha256"] == now else None
    names = ("lut", "ff", "carry", "bram", "mult", "fmax_mhz", "registered_fmax_mhz", "status")
    more = ("registered_lut", "registered_ff", "cycles_per_block", "block_bytes", "latency_cycles")
    values: dict[str, Any] = {name: row[name] for name in (*names, *more)}  # type: ignore[literal-required]
    return replace(
        entry,
        **values,
        outdated=row["rtl_sha256"] != now,
        fmax_seeds_mhz=tuple(row["fmax_seeds_mhz"]),
        seeds=tuple(row["seeds"]),
        message_cycles=tuple(row["message_cycles"] or ()),
        mbit_s=row["mbit_s"],
        mbit_s_per_lut=row["mbit_s_per_lut"],
        toggles_per_byte=activity["toggles_per_byte"] if activity else None,
        netlist_test=tested(test) if test else "",
    )


@dataclass(frozen=True)
class Source:
    """Where rows of others come from."""

    key: str
    short: str
    words: str
    how: str
    url: str


def sources(text: str) -> list[Source]:
    def read(key: str, table: Mapping[str, Any]) -> Source:
        year = f", {table['year']}" if "year" in table else ""
        words = f"{table['authors']}: {table['title']}{year}"
        return Source(key, table["short"], words, table["how"], table.get("url", ""))

    return [read(key, table) for key, table in tomllib.loads(text).items()]


def published(text: str) -> tuple[list[Entry], list[Breakdown]]:
    """The rows of published.toml and their areas by component."""
    entries, breakdowns = [], []
    for key, source in tomllib.loads(text).items():
        for index, given in enumerate(source["rows"], start=1):
            row = {**source.get("rows_have", {}), **given}
            row.setdefault("device", FAMILIES[row["family"]][0])
            row.setdefault("lut_unit", FAMILIES[row["family"]][1])
            entry = Entry(
                id=f"{key}/{index}",
                origin=ORIGINS[source["how"]],
                status=source["how"],
                source=source["short"],
                **row,
            )
            if entry.lut and entry.mbit_s:
                entry = replace(entry, mbit_s_per_lut=round(entry.mbit_s / entry.lut, 4))
            entries.append(entry)
            if entry.name == source.get("components_of"):
                parts = tuple(Component(**part) for part in source["components"])
                breakdowns.append(Breakdown(entry.id, parts))
    return entries, breakdowns


def collect(
    variants: Mapping[str, Variant],
    targets: Mapping[str, str],
    rows: Mapping[str, Mapping[str, Row]],
    published_text: str,
    digests: Mapping[str, str],
) -> tuple[list[Entry], list[Breakdown]]:
    """Ours in the order of the table, ECP5 first; then the others'.

    `targets`: label by name; `digests`: of the sources, by variant.
    """
    entries, breakdowns = [], []
    for target in sorted(targets, key=list(FAMILIES).index):
        for variant in variants.values():
            row = rows.get(target, {}).get(variant.name)
            if row is None and target not in variant.targets:
                continue
            digest = digests.get(variant.name)
            entry = own(variant, variants, target, targets[target], row, digest)
            entries.append(entry)
            if row and row["components"]:
                parts = tuple(Component(**part) for part in row["components"])
                breakdowns.append(Breakdown(entry.id, parts))
    others, theirs = published(published_text)
    return entries + others, breakdowns + theirs
