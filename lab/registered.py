# SPDX-License-Identifier: Apache-2.0
"""A variant with a register at every port: out of context, paths to and from ports do not count."""

from pathlib import Path

from lab import cores, files, jobs, synth
from lab.elaboration import Port, ports
from lab.targets import Target
from lab.variants import Variant

CLOCKS = ("aclk", "clk_i")


def wrapper(variant: Variant) -> str:
    """SystemVerilog of a module around the variant's top. Structs are vectors here."""
    all_ports = ports(variant)
    (clock,) = (port.name for port in all_ports if port.name in CLOCKS)
    inner = [port for port in all_ports if port.name != clock]
    values = ", ".join(f".{name}({value})" for name, value in variant.parameters.items())
    wires = ", ".join(f".{port.name}({inner_name(port)})" for port in inner)
    return "\n".join(
        [
            f"module registered_{variant.top} (",
            *(f"  {declaration(port)} {port.name}," for port in inner),
            f"  input logic {clock}",
            ");",
            *(f"  logic [{port.width - 1}:0] {inner_name(port)};" for port in inner),
            f"  always_ff @(posedge {clock}) begin",
            *(f"    {assignment(port)};" for port in inner),
            "  end",
            f"  {variant.top} #({values}) u_inner (.{clock}, {wires});",
            "endmodule",
            "",
        ]
    )


def inner_name(port: Port) -> str:
    return f"{port.name}_inner"


def declaration(port: Port) -> str:
    return f"{'input' if port.is_input else 'output'} logic [{port.width - 1}:0]"


def assignment(port: Port) -> str:
    inner = inner_name(port)
    return f"{inner} <= {port.name}" if port.is_input else f"{port.name} <= {inner}"


def synthesise(
    variant: Variant, target: Target, *, deadline_s: float = jobs.DEADLINE_S, force: bool = False
) -> Path:
    netlist = synth.folder(variant, target) / "registered.json"
    title = f"{variant.name} with registers, {target.name}, synthesis"
    source = netlist.with_suffix(".sv")
    files.write(cores.ROOT / source, wrapper(variant))
    top = f"registered_{variant.top}"
    command = f"{synth.command(variant, target)} -top {top}"
    script = f"{synth.read(variant, source, top=top)}; {command}; write_json"
    synth.yosys(
        variant,
        script,
        netlist,
        title=title,
        deadline_s=deadline_s,
        force=force,
        improve=target.own_registers,
    )
    return netlist
