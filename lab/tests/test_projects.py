# SPDX-License-Identifier: Apache-2.0
"""The Vivado and Quartus projects that FuseSoC sets up.

The vendors' tools are not here. Their commands are stand-ins that record what they are called
with; a command that they do not have, or Tcl that is not Tcl, is an error.
"""

from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

import pytest

from lab import cores, elaboration, variants
from lab.tests.fusesoc import assert_files, call, set_up
from lab.variants import Variant

tkinter = pytest.importorskip("tkinter", reason="this Python has no Tcl")

VIVADO = """create_project set_property read_verilog read_xdc current_project get_filesets
    current_fileset get_runs"""
QUARTUS = "project_new set_global_assignment set_parameter set_instance_assignment"
CLOCK = "create_clock get_ports"

Calls = list[tuple[str, ...]]
VARIANTS = [v for v in variants.load().values() if v.block in ("chacha20", "device")]
by_variant = pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)


def run_tcl(script: str, commands: str) -> Calls:
    """The calls of these commands in their order. Each gives its name and arguments back."""
    calls: Calls = []

    def command(name: str, *arguments: str) -> str:
        calls.append((name, *arguments))
        return " ".join((name, *arguments))

    interpreter = tkinter.Tcl().tk
    for name in commands.split():
        interpreter.createcommand(name, partial(command, name))
    interpreter.eval(script)
    return calls


def of(calls: Calls, *start: str) -> list[tuple[str, ...]]:
    """What follows in those calls that start so."""
    return [call[len(start) :] for call in calls if call[: len(start)] == start]


def given(variant: Variant) -> list[str]:
    return [f"--{name}={value}" for name, value in variant.parameters.items()]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Calls]:
    """Sets a project up and gives the calls of its Tcl, run in its folder."""

    def calls(block: str, target: str, commands: str, *arguments: str) -> Calls:
        folder = set_up(block, target, tmp_path, *arguments)
        monkeypatch.chdir(folder)
        name = f"saltmill_rtl_{block}_0.1.0"
        script = f"{name}.tcl" if target == "vivado" else f"{name.replace('.', '_')}.tcl"
        return run_tcl(Path(script).read_text(), commands)

    return calls


def assert_clock(file: str, variant: Variant) -> None:
    """One clock, on a port that is there."""
    calls = run_tcl(Path(file).read_text(), CLOCK)
    ((_, name, _, period, port),) = of(calls, "create_clock")
    assert (name, port) == ("aclk", "get_ports aclk")
    assert 1 < float(period) < 20
    assert "aclk" in [port.name for port in elaboration.ports(variant)]


def assert_sources(names: list[str], variant: Variant) -> None:
    assert_files([Path(name).name for name in names], variant.block)
    assert all(Path(name).is_file() for name in names)


@by_variant
def test_vivado(variant: Variant, project: Callable[..., Calls]) -> None:
    calls = project(variant.block, "vivado", VIVADO, *given(variant))
    assert calls[0] == ("create_project", f"saltmill_rtl_{variant.block}_0.1.0", "-force")
    assert of(calls, "set_property", "part") == [("xc7z020clg400-1", "current_project")]
    assert of(calls, "set_property", "top") == [(variant.top, "current_fileset")]
    ((generics, fileset),) = of(calls, "set_property", "generic")
    assert fileset == "get_filesets sources_1"
    values = dict(entry.split("=") for entry in generics.split())
    assert {name: int(values[name]) for name in variant.parameters} == variant.parameters
    assert_sources([name for (name,) in of(calls, "read_verilog", "-sv")], variant)
    ((constraints,),) = of(calls, "read_xdc", "-unmanaged")
    assert_clock(constraints, variant)
    ((value, _, runs),) = of(
        calls, "set_property", "-name", "STEPS.SYNTH_DESIGN.ARGS.MORE OPTIONS", "-value"
    )
    assert (value, runs) == ("-mode out_of_context", "get_runs synth_1")


@by_variant
def test_quartus(variant: Variant, project: Callable[..., Calls]) -> None:
    calls = project(variant.block, "quartus", QUARTUS, *given(variant))
    assert calls[0] == ("project_new", f"saltmill_rtl_{variant.block}_0_1_0", "-overwrite")
    settings = of(calls, "set_global_assignment", "-name")
    assert of(settings, "FAMILY") == [("Cyclone V",)]
    assert of(settings, "DEVICE") == [("5CSEBA6U23I7",)]
    assert of(settings, "TOP_LEVEL_ENTITY") == [(variant.top,)]
    values = {name: int(value) for name, value in of(calls, "set_parameter", "-name")}
    assert {name: values[name] for name in variant.parameters} == variant.parameters
    assert_sources([name for (name,) in of(settings, "SYSTEMVERILOG_FILE")], variant)
    ((constraints,),) = of(settings, "SDC_FILE")
    assert_clock(constraints, variant)


@pytest.mark.parametrize("variant", [VARIANTS[0], VARIANTS[-1]], ids=lambda variant: variant.block)
def test_all_pins_but_the_clock_are_virtual(variant: Variant) -> None:
    script = (cores.RTL / "projects" / "quartus.tcl").read_text()
    calls = run_tcl(script, QUARTUS)
    start = "set_instance_assignment", "-name", "VIRTUAL_PIN", "ON", "-to"
    patterns = [pattern for (pattern,) in of(calls, *start)]
    assert len(patterns) == len(calls)
    real = [
        port.name
        for port in elaboration.ports(variant)
        if not any(fnmatchcase(port.name, pattern) for pattern in patterns)
    ]
    assert real == ["aclk"]


def test_another_part(project: Callable[..., Calls]) -> None:
    calls = project("chacha20", "quartus", QUARTUS, "--device", "5CSEMA5F31C6")
    assert of(calls, "set_global_assignment", "-name", "DEVICE") == [("5CSEMA5F31C6",)]
    calls = project("chacha20", "vivado", VIVADO, "--part", "xc7z020clg484-1")
    assert of(calls, "set_property", "part") == [("xc7z020clg484-1", "current_project")]


def test_an_unknown_parameter_is_refused(tmp_path: Path) -> None:
    command = "run", "--setup", "--target", "vivado", "--build-root", tmp_path
    refused = call(*command, "saltmill:rtl:chacha20", "--Unrolls=4")
    assert refused.returncode != 0
    assert "--Unrolls" in refused.stdout


@pytest.mark.parametrize("target", ["vivado", "quartus"])
def test_all_tcl_is_complete(target: str, tmp_path: Path) -> None:
    scripts = list(set_up("chacha20", target, tmp_path).rglob("*.tcl"))
    assert len(scripts) >= 2
    interpreter = tkinter.Tcl().tk
    for script in scripts:
        interpreter.setvar("script", script.read_text())
        assert interpreter.eval("info complete $script") == "1", script.name
