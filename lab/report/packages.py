# SPDX-License-Identifier: Apache-2.0
"""Types of the RTL's packages, with widths and places of fields, as slang has them."""

import functools
from collections.abc import Iterator
from typing import Any, TypeVar

from pyslang import ast

from lab import cores, elaboration

Member = TypeVar("Member")


@functools.lru_cache(maxsize=32)
def packages(block: str) -> tuple[ast.Compilation, dict[str, str]]:
    """The block's packages, and the texts of their files."""
    compilation = ast.Compilation()
    texts = {path.stem: path.read_text() for path in cores.files(block) if "_pkg" in path.stem}
    for path in cores.files(block):
        if path.stem in texts:
            compilation.addSyntaxTree(elaboration.parsed(path, texts[path.stem]))
    return compilation, texts


def type_named(block: str, name: str, imports: list[str]) -> tuple[ast.Type, str] | None:
    """A type and its package; None if no package has it."""
    compilation, _ = packages(block)
    *explicit, name = name.split("::")
    for package in explicit or imports:
        found = compilation.getPackage(package)
        symbol = found.find(name) if found else None
        if isinstance(symbol, ast.TypeAliasType):
            return symbol.targetType.type.canonicalType, package
    return None


def structs(block: str, package: str) -> list[str]:
    """The names of a package's packed structs."""
    found = packages(block)[0].getPackage(package)
    return [
        symbol.name
        for symbol in found or []
        if isinstance(symbol, ast.TypeAliasType)
        and isinstance(symbol.targetType.type.canonicalType, ast.PackedStructType)
    ]


def fields(block: str, name: str, package: str) -> list[str]:
    """The table of a packed struct, the field in the top bits first."""
    found = type_named(block, name, [package])
    if not found:
        raise ValueError(f"{package} has no type {name}")
    text = packages(block)[1][package]
    made = ["| field | bits | at | meaning |", "| --- | --- | --- | --- |"]
    for field in members(found[0], ast.FieldSymbol):
        width, low = field.type.bitWidth, field.bitOffset
        place = f"[{low}]" if width == 1 else f"[{low + width - 1}:{low}]"
        comment = text[field.location.offset :].partition("\n")[0].partition("//")[2].strip()
        said = "; ".join(part for part in (values(field.type), comment) if part)
        made.append(f"| `{field.name}` | {width} | `{place}` | {said} |")
    return [f"`{package}::{name}`, {found[0].bitWidth} bits:", "", *made, ""]


def values(of: ast.Type) -> str:
    """The names of an enum's values."""
    if not isinstance(of.canonicalType, ast.EnumType):
        return ""
    named = members(of.canonicalType, ast.EnumValueSymbol)
    return ", ".join(f"{value.value.value} `{value.name}`" for value in named)


def members(of: Any, kind: type[Member]) -> Iterator[Member]:
    """Those of a type that are of a kind: pyslang does not say that a type can be gone through."""
    return (member for member in of if isinstance(member, kind))
