# SPDX-License-Identifier: Apache-2.0
"""Moves the registers around an ECP5 multiplier into it, where Yosys leaves its own unused.

A MULT18X18D takes 3.9 ns, and what is routed to it and from it comes on top. With its own registers
of A, B and the product only a multiplication fills the cycle. Where all inputs that are in use
come from flip-flops with one clock, one reset and no enable, and all outputs go to nothing but
such flip-flops without a reset, they are those registers. A register that feeds several
multipliers is copied into each. Works on a flat netlist in Yosys's JSON, after synth_ecp5.
"""

from collections import defaultdict
from typing import Any

from lab.ram_registers import Cell, Net

INPUTS = [f"{side}{bit}" for side in "AB" for bit in range(18)]
OUTPUTS = [f"P{bit}" for bit in range(36)]
NO_RESET: tuple[list[Net], ...] = (["0"], ["x"])

Users = dict[Net, set[tuple[str, str]]]  # cells and pins that read a net


def absorb(module: dict[str, Any]) -> int:
    """Changes the module in place; gives the number of flip-flops that have gone."""
    cells: dict[str, Cell] = module["cells"]
    drivers: dict[Net, str] = {}
    users: Users = defaultdict(set)
    for name, cell in cells.items():
        for pin, nets in cell["connections"].items():
            for net in nets:
                if cell["port_directions"].get(pin) == "output":
                    drivers[net] = name
                else:
                    users[net].add((name, pin))
    for port in module["ports"].values():
        for net in port["bits"]:
            users[net].add(("", ""))
    before = len(cells)
    for name, cell in list(cells.items()):
        if cell["type"] == "MULT18X18D" and "REG_INPUTA_CLK" not in cell["parameters"]:
            clock = absorb_inputs(name, cells, drivers, users)
            if clock:
                absorb_outputs(name, cells, users, clock)
    return before - len(cells)


def absorb_inputs(
    name: str, cells: dict[str, Cell], drivers: dict[Net, str], users: Users
) -> tuple[Net, ...]:
    """The registers of both inputs or none; gives their clock."""
    nets = cells[name]["connections"]
    pins = [pin for pin in INPUTS if isinstance(nets.get(pin, ["0"])[0], int)]
    registers = {pin: drivers.get(nets[pin][0], "") for pin in pins}
    if not pins or not all(plain(cells.get(register)) for register in registers.values()):
        return ()
    controls = {
        (tuple(cell["connections"]["CLK"]), tuple(cell["connections"].get("LSR", ["0"])))
        for cell in (cells[register] for register in registers.values())
    }
    if len(controls) != 1:
        return ()
    ((clock, reset),) = controls
    for pin, register in registers.items():
        behind = nets[pin][0]
        nets[pin] = list(cells[register]["connections"]["DI"])
        users[behind].discard((name, pin))
        users[nets[pin][0]].add((name, pin))
        if not users[behind]:
            users[nets[pin][0]].discard((register, "DI"))
            del cells[register]
    connect(cells[name], "INPUTA", clock, "RST0", reset)
    connect(cells[name], "INPUTB", clock, "RST0", reset)
    return clock


def absorb_outputs(name: str, cells: dict[str, Cell], users: Users, clock: tuple[Net, ...]) -> None:
    """The registers of all bits of the product that are used, or none."""
    nets = cells[name]["connections"]
    read = {pin: users[nets[pin][0]] for pin in OUTPUTS if pin in nets and users[nets[pin][0]]}
    registers = {}
    for pin, readers in read.items():
        register, at = next(iter(readers))
        cell = cells.get(register)
        if len(readers) > 1 or at != "DI" or cell is None or not plain(cell):
            return
        pins = cell["connections"]
        if tuple(pins["CLK"]) != clock or pins.get("LSR", ["0"]) not in NO_RESET:
            return
        registers[pin] = register
    for pin, register in registers.items():
        nets[pin] = cells.pop(register)["connections"]["Q"]
    connect(cells[name], "OUTPUT", clock, "RST1", ("0",))


def plain(register: Cell | None) -> bool:
    """A flip-flop that is always enabled and becomes 0, if it is reset."""
    if register is None or register["type"] != "TRELLIS_FF":
        return False
    parameters = register["parameters"]
    return (
        parameters.get("CLKMUX", "CLK") == "CLK"
        and str(parameters.get("CEMUX", "1")).strip() == "1"
        and parameters.get("REGSET", "RESET") == "RESET"
        and parameters.get("LSRMUX", "LSR") == "LSR"
        and parameters.get("SRMODE", "LSR_OVER_CE") == "LSR_OVER_CE"
    )


def connect(
    multiplier: Cell, place: str, clock: tuple[Net, ...], pin: str, reset: tuple[Net, ...]
) -> None:
    """Switches one of the multiplier's registers on."""
    parameters, nets = multiplier["parameters"], multiplier["connections"]
    parameters |= {
        f"REG_{place}_CLK": "CLK0",
        f"REG_{place}_CE": "CE0",
        f"REG_{place}_RST": pin,
        "RESETMODE": "SYNC",
    }
    nets |= {"CLK0": list(clock), "CE0": ["1"], pin: list(reset)}
    for new in ("CLK0", "CE0", pin):
        multiplier["port_directions"][new] = "input"
