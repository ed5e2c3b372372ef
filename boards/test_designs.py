# SPDX-License-Identifier: Apache-2.0
"""What vendors' tools get: the wrapper is our device, scripts are Tcl that names what there is.

No tool of a vendor runs here: their commands are replaced by ones that only note what they get.
"""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from pyslang import Bag, SVInt, ast, syntax

from boards import platform_designer, wrapper
from boards.linux.packages import device_tree_tool, output
from boards.pynq.__main__ import write
from lab import cores, elaboration, variants

BOARDS = cores.ROOT / "boards"
VARIANTS = ("device-aead-balanced", "device-aes-ring", "device-pipe")


@pytest.fixture
def tcl() -> Any:
    """A Tcl interpreter that notes every command that it does not know."""
    interpreter = pytest.importorskip("tkinter").Tcl()
    interpreter.eval("""
        set noted {}
        proc unknown {args} { lappend ::noted $args; return [lindex $args end] }
        rename package {}
    """)
    return interpreter


def noted(tcl: Any) -> list[tuple[str, ...]]:
    calls = tcl.splitlist(tcl.eval("set noted"))
    return [tuple(map(str, tcl.splitlist(call))) for call in calls]


@pytest.mark.parametrize("name", VARIANTS)
def test_the_wrapper_is_the_device(name: str) -> None:
    """slang elaborates it with all sources: ports, widths and parameters fit."""
    variant = variants.load()[name]
    options = ast.CompilationOptions()
    options.flags |= ast.CompilationFlags.RelaxEnumConversions
    options.topModules = {wrapper.NAME}
    compilation = ast.Compilation(Bag([options]))
    for path in cores.files(variant.block):
        compilation.addSyntaxTree(elaboration.parsed(path, path.read_text()))
    text = wrapper.verilog(variant, 100_000_000)
    compilation.addSyntaxTree(syntax.SyntaxTree.fromText(text))
    errors = [found for found in compilation.getAllDiagnostics() if found.isError()]
    assert not errors
    (top,) = compilation.getRoot().topInstances
    device = top.body.lookupName("u_device")
    values = {
        parameter.name: int(parameter.value.value)
        for parameter in device.body
        if isinstance(parameter, ast.ParameterSymbol)
        and isinstance(parameter.value.value, SVInt)
        and parameter.name in variant.parameters
    }
    assert values == variant.parameters


def test_the_component_of_platform_designer_is_current() -> None:
    for path, text in platform_designer.generated().items():
        assert path.read_text() == text, f"run python -m {platform_designer.__name__}"


def test_the_component_names_every_port_and_source(tcl: Any) -> None:
    tcl.eval("proc package {args} {}")
    tcl.eval((platform_designer.FOLDER / "saltmill_hw.tcl").read_text())
    calls = noted(tcl)
    ports = {call[2]: call for call in calls if call[0] == "add_interface_port"}
    variant = variants.load()[platform_designer.VARIANT]
    for port in elaboration.ports(variant):
        direction = "Input" if port.is_input else "Output"
        assert ports.pop(port.name)[4:] == (direction, str(port.width))
    assert not ports
    files = [Path(call[4]) for call in calls if call[0] == "add_fileset_file"]
    assert all((platform_designer.FOLDER / path).exists() for path in files)
    needed = {path.name for path in elaboration.sources(variant)} | {f"{wrapper.NAME}.v"}
    assert {path.name for path in files} == needed
    interfaces = [call[1:] for call in calls if call[0] == "add_interface"]
    kinds = {"clock", "reset", "axi4lite", "axi4", "interrupt"}
    assert {kind for _, kind, _ in interfaces} == kinds


def test_the_block_design_connects_the_device(tcl: Any, tmp_path: Path) -> None:
    write(variants.load()["device-aes-ring"], tmp_path)
    tcl.eval(f"set argv {{{tmp_path}}}")
    # The answers that the script looks at.
    tcl.eval('proc get_property {name args} { expr {$name eq "PROGRESS" ? "100%" : "/nowhere"} }')
    tcl.eval(
        "rename file real_file; proc file {args} { if {[lindex $args 0] ne {copy}} {"
        " real_file {*}$args } }"
    )
    tcl.eval((BOARDS / "pynq" / "block_design.tcl").read_text())
    calls = noted(tcl)
    sources = [Path(call[-1]) for call in calls if call[0] == "read_verilog"]
    assert all(path.exists() for path in sources)
    assert sources[-1].name == f"{wrapper.NAME}.v"
    cells = {call[-1] for call in calls if call[0] == "create_bd_cell"}
    used = {name for call in calls if call[0] == "get_bd_pins" for name in call[1:]}
    used |= {name for call in calls if call[0] == "get_bd_intf_pins" for name in call[1:]}
    assert {name.partition("/")[0] for name in used} == cells
    interfaces = {"s_axil", "m_axi"}
    ports = {port.name for port in elaboration.ports(variants.load()["device-aes-ring"])}
    ours = {name.partition("/")[2] for name in used if name.startswith("saltmill_0/")}
    single = {port for port in ports if not port.startswith(tuple(f"{i}_" for i in interfaces))}
    assert ours == interfaces | single


def test_the_notebook_knows_the_address() -> None:
    design = (BOARDS / "pynq" / "block_design.tcl").read_text()
    found = re.search(r"^set registers (0x\w+)$", design, re.MULTILINE)
    assert found
    notebook = json.loads((BOARDS / "pynq" / "saltmill.ipynb").read_text())
    code = "".join(line for cell in notebook["cells"] for line in cell["source"])
    assert f'"phys_addr": {found[1]}' in code


@pytest.mark.skipif(not shutil.which("apt-get"), reason="needs Debian's apt-get")
def test_the_overlay_compiles(tmp_path: Path) -> None:
    """By the call of docs/boards/cyclone-v.md."""
    page = (cores.ROOT / "docs" / "boards" / "cyclone-v.md").read_text()
    (call,) = re.findall(r"^```sh\n(dtc .*)\n```$", page, re.MULTILINE)
    (tmp_path / "boards").symlink_to(BOARDS)
    output(device_tree_tool("dtc"), *call.split()[1:], cwd=tmp_path)
    made = tmp_path / "saltmill.dtbo"
    properties = ("/fragment@0/__overlay__/saltmill@ff200000", "reg")
    told = output(device_tree_tool("fdtget"), "-t", "x", made, *properties)
    assert told.split() == ["ff200000", "1000"]
