# SPDX-License-Identifier: Apache-2.0
"""docs/interfaces.md: current, complete, and its instances elaborate."""

import re
import subprocess
from pathlib import Path

import pytest

from lab import cores, elaboration, lint, variants
from lab.report import interfaces

BLOCKS = interfaces.BLOCKS


def test_page_is_current() -> None:
    written = interfaces.DOCUMENT.read_text()
    assert written == interfaces.text(), "docs/interfaces.md: run python -m lab report"


@pytest.mark.parametrize("block", [block for block in BLOCKS if block != "dma"])
def test_no_parameter_or_port_is_missing(block: str) -> None:
    """As slang sees the module."""
    found = interfaces.read(block)
    variant = next(row for row in variants.of_block(block) if row.top == found.top)
    body = elaboration.elaborate(variant).body
    free = [parameter.name for parameter in body.parameters if not parameter.isLocalParam]
    assert [line.name for line in found.parameters] == free
    assert [line.name for line in found.ports] == [port.name for port in body.portList]


def elaborated(block: str, instance: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Wires are made where they are named; only their widths are wrong then."""
    imports = "".join(f"import {name}::*;" for name in interfaces.read(block).imports)
    wrapper = folder / "wrapper.sv"
    wrapper.write_text(f"module wrapper;\n{imports}\n{instance}\nendmodule\n")
    flags = ["--lint-only", "--quiet", "-Wno-WIDTH", "-Wno-IMPLICIT", "--top", "wrapper"]
    sources = [*cores.files(block, "vlt"), *cores.files(block), wrapper]
    return subprocess.run(
        [lint.VERILATOR, *flags, *sources],
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


@pytest.mark.parametrize("block", BLOCKS)
def test_instances_elaborate(block: str, tmp_path: Path) -> None:
    top = interfaces.read(block).top
    page = interfaces.DOCUMENT.read_text()
    found = re.search(rf"^## {top}\n.*?```systemverilog\n(.*?)```", page, re.MULTILINE | re.DOTALL)
    assert found
    good = elaborated(block, found[1], tmp_path)
    assert good.returncode == 0, good.stdout
    bad = elaborated(
        block, found[1].replace(f".{interfaces.read(block).ports[1].name} ", ".no_port "), tmp_path
    )
    assert (bad.returncode, "no_port" in bad.stdout) == (1, True)
