# SPDX-License-Identifier: Apache-2.0
"""What the pages of experiments that are run share."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lab.experiments import store

# Text by its place in a page, and pictures by name
Filled = tuple[dict[str, str], dict[str, str]]


def percent(share: float) -> str:
    return f"{100 * share:+.1f} %"


def stale(found: Mapping[str, Any], model: Sequence[Path]) -> str:
    older = store.outdated(found, model)
    if not older:
        return ""
    names = ", ".join(f"`{name}`" for name in older)
    return f"\nFigures of this page were made with earlier versions of {names}.\n"


def processor(machine: Mapping[str, Any]) -> str:
    return (
        f"{machine['processor']}, {machine['processors']} processors, load "
        f"{machine['load_before']:g} when it began"
    )
