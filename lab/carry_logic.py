# SPDX-License-Identifier: Apache-2.0
"""Moves logic in front of an ECP5 carry chain into it, where Yosys leaves half of it unused.

Half of a CCU2C is a LUT4, which decides whether the carry goes on (p), and a LUT2 of its inputs A
and B, which makes the carry if not (g): the LUT2 is the first quarter of the LUT4's table. Yosys
uses the LUT4 for the XOR of two bits only. A LUT in front goes into it, if there is an order of all
the inputs in which the table's first quarter makes the right carry: of x + f any f of two inputs,
and of three any f that is 0 where two of them are (Ch and Maj of SHA-256, F of MD5). A LUT of two
inputs that others read stays as well: the sum no longer waits for it (the XORs of ChaCha20).
Works on a flat netlist in Yosys's JSON, after synth_ecp5.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from itertools import permutations, product
from typing import Any

from lab.ram_registers import Cell, Net

PINS = "ABCD"
Table = Callable[[Mapping[Net, int]], int]


def absorb(module: dict[str, Any]) -> int:
    """Changes the module in place; gives the number of LUTs that have gone."""
    cells: dict[str, Cell] = module["cells"]
    drivers: dict[Net, str] = {}
    users: dict[Net, int] = defaultdict(int)
    for name, cell in cells.items():
        for pin, nets in cell["connections"].items():
            for net in nets:
                if cell["port_directions"].get(pin) == "output":
                    drivers[net] = name
                else:
                    users[net] += 1
    for port in module["ports"].values():
        for net in port["bits"]:
            users[net] += 1
    before = len(cells)
    for cell in list(cells.values()):
        if cell["type"] == "CCU2C":
            for half in "01":
                absorb_half(cell, half, cells, drivers, users)
    return before - len(cells)


def absorb_half(
    cell: Cell, half: str, cells: dict[str, Cell], drivers: dict[Net, str], users: dict[Net, int]
) -> None:
    """Takes in one LUT in front of half a cell, then another, as long as one fits."""
    if cell["parameters"][f"INJECT1_{half}"] != "NO":
        return
    taken = True
    while taken:
        taken = False
        for pin in PINS:
            (net,) = cell["connections"][pin + half]
            lut = cells.get(drivers.get(net, ""), {})
            if lut.get("type") != "LUT4":
                continue
            inner = [lut["connections"].get(p, ["x"])[0] for p in PINS]
            if users[net] > 1 and sum(isinstance(n, int) for n in inner) > 2:
                continue
            before = [cell["connections"][p + half][0] for p in PINS]
            if take(cell, half, net, lut):
                after = [cell["connections"][p + half][0] for p in PINS]
                recount(users, before, after)
                if not users[net]:
                    recount(users, inner, [])
                    del cells[drivers[net]]
                taken = True
                break


def recount(users: dict[Net, int], before: list[Net], after: list[Net]) -> None:
    for net in before:
        users[net] -= 1
    for net in after:
        users[net] += 1


def take(cell: Cell, half: str, net: Net, lut: Cell) -> bool:
    """Changes half a cell so that the LUT, which drives the net, is a part of it, if it fits."""
    own = {pin: cell["connections"][pin + half][0] for pin in PINS}
    inner = {pin: lut["connections"].get(pin, ["0"])[0] for pin in PINS}
    init = int(cell["parameters"][f"INIT{half}"], 2)
    inner_init = int(lut["parameters"]["INIT"], 2)
    nets = sorted({n for n in (*own.values(), *inner.values()) if isinstance(n, int)} - {net})
    if len(nets) > len(PINS):
        return False

    def inputs(values: Mapping[Net, int]) -> dict[str, int]:
        values = dict(values) | {net: look_up(inner_init, bits(inner, values))}
        return bits(own, values)

    def goes_on(values: Mapping[Net, int]) -> int:
        return look_up(init, inputs(values))

    def carry(values: Mapping[Net, int]) -> int:
        found = inputs(values)
        return look_up(init, {"A": found["A"], "B": found["B"], "C": 0, "D": 0})

    # A constant 1 behind the inputs leaves the first quarter free.
    for order in permutations([*nets, *"1111"[len(nets) :]]):
        table = fit(order, goes_on, carry)
        if table is not None:
            cell["parameters"][f"INIT{half}"] = f"{table:016b}"
            for pin, chosen in zip(PINS, order, strict=True):
                cell["connections"][pin + half] = [chosen]
            return True
    return False


def fit(order: tuple[Net, ...], goes_on: Table, carry: Table) -> int | None:
    """The table of a LUT4 with its inputs in this order, if its first quarter makes the carry."""
    table: dict[int, int] = {}
    rows = []
    for places in product((0, 1), repeat=len(PINS)):
        if all(place or net != "1" for place, net in zip(places, order, strict=True)):
            index = sum(place << i for i, place in enumerate(places))
            values = dict(zip(order, places, strict=True))
            table[index] = goes_on(values)
            rows.append((index, carry(values)))
    for index, wanted in rows:
        if table[index] == 0 and table.setdefault(index & 3, wanted) != wanted:
            return None
    return sum(bit << index for index, bit in table.items())


def bits(nets: Mapping[str, Net], values: Mapping[Net, int]) -> dict[str, int]:
    """The value at each pin: a constant, or that of a net. What is not connected is 0."""
    return {pin: values.get(net, int(net == "1")) for pin, net in nets.items()}


def look_up(table: int, inputs: Mapping[str, int]) -> int:
    """A bit of a LUT4's table."""
    return table >> sum(inputs[pin] << i for i, pin in enumerate(PINS)) & 1
