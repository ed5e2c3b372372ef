# SPDX-License-Identifier: Apache-2.0
"""The committed files that are generated from saltmill.rdl are those that it gives now."""

import re
from pathlib import Path

import pytest
from systemrdl.compiler import RDLCompiler
from systemrdl.node import RegNode

from lab.cores import ROOT
from rtl.device import generate_registers
from rtl.device.tb.registers import CODES, DESCRIPTOR

PACKAGE = ROOT / generate_registers.PACKAGE


def test_generated_files_are_current(tmp_path: Path) -> None:
    generate_registers.generate(tmp_path)
    made = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(made) == 8
    for path in made:
        committed = ROOT / path.relative_to(tmp_path)
        assert committed.read_text() == path.read_text(), (
            f"{committed} is not what saltmill.rdl gives: run `make registers`"
        )
    folders = {ROOT / path.relative_to(tmp_path).parent for path in made}
    assert sum(len(list(folder.iterdir())) for folder in folders) == len(made)


def test_the_package_has_every_code_and_every_place() -> None:
    text = PACKAGE.read_text()
    values = [int(value) for value in re.findall(r"= \d+'d(\d+)", text)]
    assert sorted(values) == sorted(CODES.values())
    offsets = [int(value, 16) for value in re.findall(r"Offset = 'h(\w+);", text)]
    assert offsets == [register.address for register in DESCRIPTOR.values()]
    assert "DescriptorBytes = 128;" in text


def test_the_control_word_of_the_package_has_32_bits() -> None:
    """Its fields are where saltmill.rdl puts them: from bit 31 down."""
    text = PACKAGE.read_text()
    body = text[text.index("struct packed {") : text.index("} descriptor_control_t")]
    members = re.findall(r"logic (?:\[(\d+):0\] )?(\w+);", body)
    above, places = 32, {}
    for high, name in members:
        width = int(high or 0) + 1
        above -= width
        places[name] = (above, width)
    assert above == 0
    assert places == DESCRIPTOR["control"].fields


@pytest.mark.parametrize(
    ("low", "expected"),
    [(0, ["[7:0] unnamed_24", "[15:0] b", "[4:0] unnamed_3", "[2:0] a"]), (1, None)],
)
def test_gaps_of_a_word_are_members(tmp_path: Path, low: int, expected: list[str] | None) -> None:
    source = tmp_path / "word.rdl"
    fields = f"field {{}} a[{low + 2}:{low}]; field {{}} b[23:8];"
    source.write_text(f"addrmap top {{ reg {{ {fields} }} word @ 0; }};")
    compiler = RDLCompiler()
    compiler.compile_file(str(source))
    top = compiler.elaborate().top
    ((_, node),) = generate_registers.places(top)
    assert isinstance(node, RegNode)
    if expected is None:
        expected = ["[7:0] unnamed_24", "[15:0] b", "[3:0] unnamed_4", "[2:0] a", "unnamed_0"]
    made = generate_registers.sv_struct(node)[1:-2]
    assert made == [f"    logic {member};" for member in expected]
