# SPDX-License-Identifier: Apache-2.0
"""Which registers a block RAM takes in. That the netlist does the same, test_netlist tells."""

from copy import deepcopy
from typing import Any

import pytest

from lab import ram_registers

CLOCK, ENABLE, OTHER = 2, 3, 4
OUTPUTS = ("DOA0", "DOA17", "DOB0")


def flip_flop(data: int, q: int) -> dict[str, Any]:
    nets = {"CLK": [CLOCK], "DI": [data], "Q": [q], "CE": [ENABLE]}
    return {
        "type": "TRELLIS_FF",
        "parameters": {"CEMUX": "CE", "CLKMUX": "CLK", "REGSET": "RESET"},
        "port_directions": {pin: "output" if pin == "Q" else "input" for pin in nets},
        "connections": nets,
    }


def module() -> dict[str, Any]:
    """A RAM with three outputs in use and one that is not, each behind a register."""
    outputs = {pin: [10 + i] for i, pin in enumerate((*OUTPUTS, "DOB1"))}
    nets = {"CLKA": [CLOCK], "CLKB": [CLOCK], "OCEA": ["0"], "OCEB": ["1"], **outputs}
    ram = {
        "type": "DP16KD",
        "parameters": {"REGMODE_A": "NOREG", "REGMODE_B": "NOREG"},
        "port_directions": {pin: "output" if pin in outputs else "input" for pin in nets},
        "connections": nets,
    }
    flops = {f"ff{i}": flip_flop(10 + i, 20 + i) for i in range(len(OUTPUTS))}
    used = {"direction": "output", "bits": [20, 21, 22]}
    return {"ports": {"q": used}, "cells": {"ram": ram, **flops}}


def test_takes_all_registers_in() -> None:
    changed = module()
    assert ram_registers.absorb(changed) == 3
    assert list(changed["cells"]) == ["ram"]
    ram = changed["cells"]["ram"]
    assert ram["parameters"] == {"REGMODE_A": "OUTREG", "REGMODE_B": "OUTREG"}
    assert (ram["connections"]["OCEA"], ram["connections"]["OCEB"]) == ([ENABLE], [ENABLE])
    assert [ram["connections"][pin] for pin in OUTPUTS] == [[20], [21], [22]]
    assert ram["connections"]["DOB1"] == [13]


def test_registers_without_an_enable_are_always_enabled() -> None:
    changed = module()
    for i in range(3):
        changed["cells"][f"ff{i}"]["parameters"]["CEMUX"] = "1 "
        del changed["cells"][f"ff{i}"]["connections"]["CE"]
    assert ram_registers.absorb(changed) == 3
    assert changed["cells"]["ram"]["connections"]["OCEB"] == ["1"]


def test_takes_none_in_twice() -> None:
    changed = module()
    ram_registers.absorb(changed)
    changed["cells"]["next"] = flip_flop(20, 30)
    assert ram_registers.absorb(changed) == 0


@pytest.mark.parametrize(
    ("cell", "part", "key", "value"),
    [
        ("ff1", "connections", "LSR", [OTHER]),
        ("ff1", "connections", "CE", [OTHER]),
        ("ff1", "connections", "CLK", [OTHER]),
        ("ff1", "parameters", "REGSET", "SET"),
        ("ff1", "parameters", "CLKMUX", "INV"),
        ("ff1", "parameters", "CEMUX", "INV"),
        ("ff1", "connections", "DI", [OTHER]),
        ("ram", "connections", "CLKB", [OTHER]),
        ("ram", "parameters", "REGMODE_B", "OUTREG"),
        ("ff0", "connections", "CE", [11]),  # a second use of an output
    ],
)
def test_takes_none_in_that_it_is_not(cell: str, part: str, key: str, value: Any) -> None:
    changed = module()
    changed["cells"][cell][part][key] = value
    if (cell, key) == ("ff1", "DI"):  # the output goes to logic
        changed["cells"]["lut"] = {
            "type": "LUT4",
            "parameters": {},
            "port_directions": {"A": "input", "Z": "output"},
            "connections": {"A": [11], "Z": [OTHER]},
        }
    before = deepcopy(changed)
    assert ram_registers.absorb(changed) == 0
    assert changed == before


def test_an_output_of_the_module_stays() -> None:
    changed = module()
    changed["ports"]["raw"] = {"direction": "output", "bits": [10]}
    assert ram_registers.absorb(changed) == 0
