# SPDX-License-Identifier: Apache-2.0
"""The rows of variants.toml."""

import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("variants.toml")


@dataclass(frozen=True)
class Variant:
    name: str
    block: str  # folder below rtl/ and its .core file
    top: str
    parameters: dict[str, int]
    targets: tuple[str, ...]
    purpose: str
    options: dict[str, str] = field(default_factory=dict)  # of the synthesis, by target
    abc9: str = ""  # script of ABC9 on ecp5, if not the default
    carry: bool = False  # on ecp5 logic goes into carry chains (lab.carry_logic)
    named: bool = True  # synthesis gives names to all cells
    route: str = ""  # more flags of nextpnr
    core: str | None = None  # the row of the core alone, to compare with
    sim: bool = False
    registered: bool = False
    long: bool = False


def parse(rows: dict[str, dict[str, Any]]) -> dict[str, Variant]:
    """Variants by name. A key too many or too few, or a core that is no row, is an error."""
    variants = {}
    for name, row in rows.items():
        unknown = row.keys() - ({known.name for known in fields(Variant)} - {"name"})
        missing = {"block", "top", "targets", "purpose"} - row.keys()
        if unknown or missing:
            words = [f"unknown key {key}" for key in sorted(unknown)]
            words += [f"no {key}" for key in sorted(missing)]
            raise ValueError(f"{TABLE.name}: [{name}]: {', '.join(words)}")
        core = row.get("core")
        if core is not None and core not in rows:
            raise ValueError(f"{TABLE.name}: [{name}] names the core {core}, which is no row")
        given = {"parameters": {}, **row, "targets": tuple(row["targets"])}
        variants[name] = Variant(name=name, **given)
    return variants


def load() -> dict[str, Variant]:
    try:
        return parse(tomllib.loads(TABLE.read_text()))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{TABLE.name}: {error}") from error


def of_block(block: str) -> list[Variant]:
    return [variant for variant in load().values() if variant.block == block]
