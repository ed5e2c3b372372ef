# SPDX-License-Identifier: Apache-2.0
"""Places of multipliers."""

from itertools import pairwise
from typing import Any

import pytest

from lab import floorplan


def netlist(count: int) -> dict[str, Any]:
    cells = {f"column[{i}].product": {"type": "MULT18X18D"} for i in range(count)}
    return {"top": {"cells": {**cells, "other": {"type": "LUT4"}}}}


def places(modules: dict[str, Any]) -> list[str]:
    cells = modules["top"]["cells"]
    assert "attributes" not in cells["other"]
    count = len(cells) - 1
    return [cells[f"column[{i}].product"]["attributes"]["BEL"] for i in range(count)]


@pytest.mark.parametrize(("count", "rows"), [(23, 2), (32, 2), (44, 2), (45, 3), (64, 3), (156, 3)])
def test_neighbours_by_name_are_neighbours_on_the_chip(count: int, rows: int) -> None:
    modules = netlist(count)
    assert floorplan.place(modules)
    found = [place.split("/") for place in places(modules)]
    assert len({tuple(place) for place in found}) == count
    across = [int(x[1:]) for x, _, _ in found]
    assert all(abs(a - b) <= 6 for a, b in pairwise(across))
    filled = [y for _, y, _ in found]
    assert {filled.count(y) for y in ("Y10", "Y34")[: rows - 1]} == {-(-count // rows)}
    assert len(set(filled)) == rows
    for x, _, bel in found:
        assert (int(x[1:]), bel) in floorplan.IN_ROW


@pytest.mark.parametrize("count", [0, 1, 22, 157])
def test_others_are_left_alone(count: int) -> None:
    modules = netlist(count)
    assert not floorplan.place(modules)
    assert modules == netlist(count)
