# SPDX-License-Identifier: Apache-2.0
"""What a module holds: for tests that nothing secret is left in it."""

import re
from collections.abc import Iterator
from typing import Any

from cocotb.handle import ArrayObject, HierarchyArrayObject, HierarchyObject

ASSERTION = "u_hold"  # no hardware


def secrets(
    scope: Any, bits: int, without: re.Pattern[str] | None = None
) -> Iterator[tuple[str, int]]:
    """Registers and memory words below a scope, with so many bits or more; names to pass over."""
    for handle in scope:
        name = handle._name
        if name == ASSERTION or (without and without.fullmatch(name)):
            continue
        if isinstance(handle, HierarchyObject | HierarchyArrayObject):
            yield from secrets(handle, bits, without)
        elif name.endswith("_q") or "memory" in name:
            for word in handle if isinstance(handle, ArrayObject) else [handle]:
                if len(word) >= bits:
                    yield word._path, int(word.value)
