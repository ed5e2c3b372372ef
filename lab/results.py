# SPDX-License-Identifier: Apache-2.0
"""lab/results/<target>.json: a row for each variant, committed."""

import fcntl
import json
from pathlib import Path
from types import UnionType
from typing import Any, TypedDict, cast, get_args, get_origin, get_type_hints, is_typeddict

from lab import cores, files, variants

FOLDER = cores.ROOT / "lab" / "results"
LOCK = cores.ROOT / "build" / "lab" / "results.lock"


class Component(TypedDict):
    component: str
    lut: int
    ff: int


class NetlistTest(TypedDict):
    status: str
    tests: int
    rtl_sha256: str
    seconds: float


class Activity(TypedDict):
    toggles_per_byte: float
    nets: int
    bytes: int
    rtl_sha256: str


class Placements(TypedDict):
    """Of one placer, as in a row."""

    placer: str
    status: str
    lut: int | None
    ff: int | None
    bram: float | None
    mult: int | None
    fmax_mhz: float | None
    fmax_seeds_mhz: list[float | None]
    seeds: list[int]


class Row(TypedDict):
    """None: not known, not tried or not to be had on this target."""

    block: str
    variant: str
    parameters: dict[str, int]
    status: str  # "synthesised", "placed-and-routed", "failed: …", "timed out …"
    lut: int | None
    ff: int | None
    carry: int | None
    bram: float | None
    mult: int | None
    placer: str | None  # whose figures these are: the one with the better median
    fmax_mhz: float | None  # the median
    fmax_seeds_mhz: list[float | None]  # None: that seed failed
    seeds: list[int]
    other_placers: list[Placements]
    cycles_per_block: int | None
    block_bytes: int | None
    latency_cycles: int | None
    message_cycles: list[int] | None  # of elaboration.MESSAGES, back to back, another key each
    mbit_s: float | None
    mbit_s_per_lut: float | None
    registered_fmax_mhz: float | None  # with a register at every port of the top module
    registered_lut: int | None
    registered_ff: int | None
    components: list[Component]
    netlist_test: NetlistTest | None
    activity: Activity | None
    tools: dict[str, str]
    rtl_sha256: str
    netlist_sha256: str | None  # where it is placed: without the lines of the sources
    seconds: float


class File(TypedDict):
    rows: list[Row]


def empty(variant: variants.Variant) -> Row:
    return {
        "block": variant.block,
        "variant": variant.name,
        "parameters": variant.parameters,
        "status": "",
        "lut": None,
        "ff": None,
        "carry": None,
        "bram": None,
        "mult": None,
        "placer": None,
        "fmax_mhz": None,
        "fmax_seeds_mhz": [],
        "seeds": [],
        "other_placers": [],
        "cycles_per_block": None,
        "block_bytes": None,
        "latency_cycles": None,
        "message_cycles": None,
        "mbit_s": None,
        "mbit_s_per_lut": None,
        "registered_fmax_mhz": None,
        "registered_lut": None,
        "registered_ff": None,
        "components": [],
        "netlist_test": None,
        "activity": None,
        "tools": {},
        "rtl_sha256": "",
        "netlist_sha256": None,
        "seconds": 0.0,
    }


def path(target: str) -> Path:
    return FOLDER / f"{target}.json"


def load(target: str) -> dict[str, Row]:
    """The rows of a target by variant; a file that does not keep to the schema is an error."""
    if not path(target).exists():
        return {}
    try:
        document = json.loads(path(target).read_text())
    except json.JSONDecodeError as error:
        raise ValueError(f"{path(target)} is not JSON: {error}") from error
    check(document, File, path(target).name)
    return {row["variant"]: row for row in document["rows"]}


def check(value: object, kind: Any, where: str) -> None:
    """Raises ValueError for a value that is not of a type, down to the last key."""
    if get_origin(kind) is UnionType:  # with None: there are no others here
        if value is not None:
            check(value, get_args(kind)[0], where)
    elif is_typeddict(kind):
        hints = get_type_hints(kind)
        expect(isinstance(value, dict), where, f"{value!r} is no table")
        wrong = set(cast(dict[str, Any], value)) ^ set(hints)
        expect(not wrong, where, f"unknown or missing: {', '.join(sorted(wrong))}")
        for key, hint in hints.items():
            check(cast(dict[str, Any], value)[key], hint, f"{where}.{key}")
    elif get_origin(kind) is list:
        expect(isinstance(value, list), where, f"{value!r} is no list")
        for index, item in enumerate(cast(list[Any], value)):
            check(item, get_args(kind)[0], f"{where}[{index}]")
    elif get_origin(kind) is dict:
        expect(isinstance(value, dict), where, f"{value!r} is no table")
        for key, item in cast(dict[str, Any], value).items():
            check(item, get_args(kind)[1], f"{where}.{key}")
    else:
        allowed = (int, float) if kind is float else kind
        good = isinstance(value, allowed) and not isinstance(value, bool)
        expect(good, where, f"{value!r} is not of type {kind.__name__}")


def expect(condition: bool, where: str, what: str) -> None:  # noqa: FBT001
    if not condition:
        raise ValueError(f"{where}: {what}")


def update(target: str, variant: str, **fields: Any) -> Row:
    """Merges fields into a variant's row. Other processes may do the same to other rows."""
    table = variants.load()
    LOCK.parent.mkdir(parents=True, exist_ok=True)
    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        rows = load(target)
        merged: Any = {**rows.get(variant, empty(table[variant])), **fields}
        check(merged, Row, variant)
        row: Row = derive(merged)
        rows[variant] = row
        # Rows of variants that are no more go.
        kept = [rows[name] for name in table if name in rows]
        files.write(path(target), json.dumps({"rows": kept}, indent=2) + "\n")
    return row


def derive(row: Row) -> Row:
    """With what follows from other fields."""
    clock, cycles, size = row["fmax_mhz"], row["cycles_per_block"], row["block_bytes"]
    rate = clock * 8 * size / cycles if clock and cycles and size else None
    row["mbit_s"] = rate and round(rate, 1)
    row["mbit_s_per_lut"] = rate / row["lut"] if rate and row["lut"] else None
    if row["mbit_s_per_lut"]:
        row["mbit_s_per_lut"] = round(row["mbit_s_per_lut"], 4)
    row["seconds"] = round(row["seconds"], 1)
    return row
