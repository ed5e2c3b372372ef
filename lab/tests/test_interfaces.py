# SPDX-License-Identifier: Apache-2.0
"""docs/interfaces.md: current, complete, and its instances elaborate."""

import re
import subprocess
from pathlib import Path

import pytest

from lab import cores, elaboration, lint
from lab.report import interfaces, packages
from lab.variants import Variant

over_tops = pytest.mark.parametrize(("block", "top"), interfaces.TOPS)


def test_page_is_current() -> None:
    written = interfaces.DOCUMENT.read_text()
    assert written == interfaces.text(), "docs/interfaces.md: run python -m lab report"


@over_tops
def test_no_parameter_or_port_is_missing(block: str, top: str) -> None:
    """As slang sees the module."""
    found = interfaces.read(block, top)
    chosen = {
        line.name: int(interfaces.EXAMPLES[line.name])
        for line in found.parameters
        if not line.value
    }
    body = elaboration.elaborate(Variant(top, block, top, chosen, (), "")).body
    free = [parameter.name for parameter in body.parameters if not parameter.isLocalParam]
    assert [line.name for line in found.parameters] == free
    assert [line.name for line in found.ports] == [port.name for port in body.portList]


def test_no_module_of_the_streams_is_missing() -> None:
    """Those of `stream` that are not part of another one, nor an assertion."""
    named = {top for block, top in interfaces.TOPS if block == "stream"}
    parts = {"stream_hold", "stream_fifo_ram", "stream_late_fifo", "stream_buffer_slice"}
    parts |= {"stream_width_up", "stream_width_down", "tag_compare"}
    assert named | parts == {path.stem for path in cores.own_files("stream")}


@pytest.mark.parametrize(
    ("block", "package", "name"),
    [
        *(("socket", "saltmill_socket_pkg", name) for name in ("job_t", "record_t", "facts_t")),
        ("chacha20", "chacha20_pkg", "param_t"),
        ("chacha20_poly1305", "chacha20_poly1305_pkg", "param_t"),
        ("aes", "aes_pkg", "param_t"),
        ("aes_gcm", "gcm_pkg", "param_t"),
        ("hmac_sha256", "hmac_sha256_pkg", "keyed_param_t"),
    ],
)
def test_no_field_is_missing(block: str, package: str, name: str) -> None:
    """As the package's text has them; together they are all bits."""
    page = interfaces.DOCUMENT.read_text()
    table = rf"^`{package}::{name}`, (\d+) bits:\n\n(.*?)\n\n"
    found = re.search(table, page, re.MULTILINE | re.DOTALL)
    assert found
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \|", found[2], re.MULTILINE)
    assert sum(int(width) for _, width in rows) == int(found[1])
    source = next(path for path in cores.files(block) if path.stem == package).read_text()
    declared = next(
        fields
        for fields, of in re.findall(r"struct packed \{([^}]*)\} (\w+);", source)
        if of == name
    )
    code = re.sub("//.*", "", declared)
    assert [field for field, _ in rows] == re.findall(r"(\w+);", code)


def test_all_structs_of_the_socket_are_there() -> None:
    source = (cores.RTL / "socket" / "saltmill_socket_pkg.sv").read_text()
    assert packages.structs("socket", "saltmill_socket_pkg") == re.findall(r"\} (\w+);", source)


def elaborated(
    block: str, top: str, instance: str, folder: Path
) -> subprocess.CompletedProcess[str]:
    """Wires are made where they are named; only their widths are wrong then."""
    imports = "".join(f"import {name}::*;" for name in interfaces.read(block, top).imports)
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


@over_tops
def test_instances_elaborate(block: str, top: str, tmp_path: Path) -> None:
    page = interfaces.DOCUMENT.read_text()
    found = re.search(rf"^## {top}\n.*?```systemverilog\n(.*?)```", page, re.MULTILINE | re.DOTALL)
    assert found
    good = elaborated(block, top, found[1], tmp_path)
    assert good.returncode == 0, good.stdout
    port = interfaces.read(block, top).ports[1].name
    wrong = re.sub(rf"\.{port}\b", ".no_port", found[1])
    bad = elaborated(block, top, wrong, tmp_path)
    assert (bad.returncode, "no_port" in bad.stdout) == (1, True)
