# SPDX-License-Identifier: Apache-2.0
"""Moves the register behind an ECP5 block RAM into the RAM, where Yosys leaves its own unused.

A DP16KD gives its data 5.8 ns after the clock, and far sooner with the output register that it
has. Where all outputs of a RAM go to nothing but flip-flops with one clock, one enable and no
reset, they are that register. Works on a flat netlist in Yosys's JSON, after synth_ecp5.
"""

from collections import defaultdict
from typing import Any

Cell = dict[str, Any]
Net = int | str  # a number, or a constant "0", "1", "x"

PORTS = ("A", "B")


def absorb(module: dict[str, Any]) -> int:
    """Changes the module in place; gives the number of flip-flops that have gone."""
    cells: dict[str, Cell] = module["cells"]
    users: dict[Net, list[tuple[str, str]]] = defaultdict(list)
    for name, cell in cells.items():
        for port, nets in cell["connections"].items():
            if cell["port_directions"].get(port) != "output":
                for net in nets:
                    users[net].append((name, port))
    for port in module["ports"].values():
        for net in port["bits"]:
            users[net].append(("", ""))
    taken = 0
    for ram in [cell for cell in cells.values() if cell["type"] == "DP16KD"]:
        taken += absorb_one(ram, cells, users)
    return taken


def absorb_one(ram: Cell, cells: dict[str, Cell], users: dict[Net, list[tuple[str, str]]]) -> int:
    """All outputs or none: a wide RAM's data come out of both ports."""
    behind: dict[str, str] = {}  # flip-flop behind each output in use
    if any(ram["parameters"].get(f"REGMODE_{port}") != "NOREG" for port in PORTS):
        return 0
    for port, nets in ram["connections"].items():
        readers = users[nets[0]] if port.startswith("DO") and nets else []
        if len(readers) > 1 or any(pin != "DI" for _, pin in readers):
            return 0
        if readers:
            behind[port] = readers[0][0]
    registers = [cells[name] for name in behind.values()]
    enables = {enable(register) for register in registers}
    clocks = {str(register["connections"].get("CLK")) for register in registers}
    wanted = {str(ram["connections"][f"CLK{port}"]) for port in PORTS}
    if not registers or None in enables or len(enables) != 1 or clocks != wanted:
        return 0
    ce = enables.pop()
    for port in PORTS:
        ram["parameters"][f"REGMODE_{port}"] = "OUTREG"
        ram["connections"][f"OCE{port}"] = [ce]
    for port, name in behind.items():
        ram["connections"][port] = cells.pop(name)["connections"]["Q"]
    return len(registers)


def enable(register: Cell) -> Net | None:
    """The net that enables a flip-flop, or nothing if the RAM's register can't do what it does."""
    parameters, nets = register["parameters"], register["connections"]
    plain = (
        register["type"] == "TRELLIS_FF"
        and parameters.get("CLKMUX", "CLK") == "CLK"
        and parameters.get("REGSET", "RESET") == "RESET"
        and nets.get("LSR", ["0"]) in (["0"], ["x"])
    )
    mux = str(parameters.get("CEMUX", "1")).strip()
    if not plain or mux not in ("1", "CE"):
        return None
    net: Net = nets["CE"][0] if mux == "CE" else "1"
    return net
