# SPDX-License-Identifier: Apache-2.0
"""Which registers a multiplier takes in."""

from copy import deepcopy
from typing import Any

import pytest

from lab import mult_registers

CLOCK, RESET, OTHER = 2, 3, 4


def flip_flop(data: int, q: int, reset: int | str) -> dict[str, Any]:
    nets: dict[str, list[int | str]] = {"CLK": [CLOCK], "DI": [data], "Q": [q], "LSR": [reset]}
    return {
        "type": "TRELLIS_FF",
        "parameters": {"CEMUX": "1 ", "CLKMUX": "CLK", "REGSET": "RESET", "LSRMUX": "LSR"},
        "port_directions": {pin: "output" if pin == "Q" else "input" for pin in nets},
        "connections": nets,
    }


def module() -> dict[str, Any]:
    """Two bits of A and one of B, which a second multiplier takes too; two of the product."""
    outputs = {"P0": [30], "P1": [31]}
    nets = {"A0": [20], "A1": [21], "A2": ["0"], "B0": [22], **outputs}
    multiplier = {
        "type": "MULT18X18D",
        "parameters": {},
        "port_directions": {pin: "output" if pin in outputs else "input" for pin in nets},
        "connections": nets,
    }
    second = deepcopy(multiplier)
    second["connections"] = {"A0": [23], "B0": [22], "P0": [32]}
    flops = {f"in{i}": flip_flop(10 + i, 20 + i, RESET) for i in range(4)}
    flops |= {f"out{i}": flip_flop(30 + i, 40 + i, "0") for i in range(3)}
    used = {"direction": "output", "bits": [40, 41, 42]}
    return {"ports": {"p": used}, "cells": {"one": multiplier, "two": second, **flops}}


def test_takes_all_registers_in() -> None:
    changed = module()
    assert mult_registers.absorb(changed) == 7
    assert list(changed["cells"]) == ["one", "two"]
    one, two = changed["cells"].values()
    assert [one["connections"][pin] for pin in ("A0", "A1", "A2", "B0")] == [
        [10],
        [11],
        ["0"],
        [12],
    ]
    assert [two["connections"][pin] for pin in ("A0", "B0", "P0")] == [[13], [12], [42]]
    assert [one["connections"][pin] for pin in ("P0", "P1")] == [[40], [41]]
    assert (one["connections"]["CLK0"], one["connections"]["RST0"]) == ([CLOCK], [RESET])
    assert one["connections"]["RST1"] == ["0"]
    assert {one["parameters"][f"REG_{place}_CLK"] for place in ("INPUTA", "INPUTB", "OUTPUT")} == {
        "CLK0"
    }


def test_takes_none_in_twice() -> None:
    changed = module()
    mult_registers.absorb(changed)
    before = deepcopy(changed)
    assert mult_registers.absorb(changed) == 0
    assert changed == before


@pytest.mark.parametrize(
    ("part", "key", "value"),
    [
        ("connections", "LSR", [OTHER]),
        ("connections", "CLK", [OTHER]),
        ("parameters", "REGSET", "SET"),
        ("parameters", "CLKMUX", "INV"),
        ("parameters", "CEMUX", "CE"),
    ],
)
def test_takes_none_in_that_it_is_not(part: str, key: str, value: Any) -> None:
    changed = module()
    changed["cells"]["in1"][part][key] = value
    one = deepcopy(changed["cells"]["one"])
    assert mult_registers.absorb(changed) == 2  # of the other one; B0 stays for both
    assert changed["cells"]["one"] == one


def test_a_product_that_is_used_at_once_stays() -> None:
    changed = module()
    changed["ports"]["raw"] = {"direction": "output", "bits": [31]}
    assert mult_registers.absorb(changed) == 5
    assert changed["cells"]["one"]["connections"]["P0"] == [30]
    assert "REG_OUTPUT_CLK" not in changed["cells"]["one"]["parameters"]
