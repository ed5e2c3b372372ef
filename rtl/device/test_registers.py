# SPDX-License-Identifier: Apache-2.0
"""The committed files that are generated from saltmill.rdl are those that it gives now."""

import re
from pathlib import Path

import pytest
from systemrdl.compiler import RDLCompiler
from systemrdl.node import RegNode

from lab.cores import ROOT
from rtl.device import generate_registers
from rtl.device.tb.registers import (
    CODES,
    COUNTERS,
    DESCRIPTOR,
    DESCRIPTOR_BYTES,
    DESCRIPTOR_LOG2,
    REGISTERS,
)

PACKAGE = ROOT / generate_registers.PACKAGE


def test_generated_files_are_current(tmp_path: Path) -> None:
    generate_registers.generate(tmp_path)
    made = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(made) == 12
    for path in made:
        committed = ROOT / path.relative_to(tmp_path)
        assert committed.read_text() == path.read_text(), (
            f"{committed} is not what saltmill.rdl gives: run `make registers`"
        )
    folders = {ROOT / path.relative_to(tmp_path).parent for path in made}
    beside = [path for folder in folders for path in folder.iterdir() if path.is_file()]
    assert len(beside) == len(made)


def test_the_package_has_every_code_and_every_place() -> None:
    text = PACKAGE.read_text()
    values = [int(value) for value in re.findall(r"= \d+'d(\d+)", text)]
    assert sorted(values) == sorted(CODES.values())
    offsets = [int(value, 16) for value in re.findall(r"Offset = 'h(\w+);", text)]
    also = list(DESCRIPTOR["nonce_first"].words)
    assert offsets == [register.address for register in DESCRIPTOR.values()] + also
    assert f"DescriptorBytes = {DESCRIPTOR_BYTES};" in text
    assert f"DescriptorLog2 = {DESCRIPTOR_LOG2};" in text


def test_the_map_has_every_part_counter_and_field() -> None:
    text = (ROOT / generate_registers.MAP_PACKAGE).read_text()
    places = [int(value, 16) for value in re.findall(r"Offset = 32'h(\w+);", text)]
    first = [REGISTERS[name].address for name in ("magic", "counters_cycles_low", "key_slots")]
    assert places == first
    numbers = dict(re.findall(r"  localparam int unsigned Counter([A-Z]\w+) = (\d);", text))
    assert list(numbers.values()) == [str(number) for number in range(len(COUNTERS))]
    assert [generate_registers.camel(name) for name in COUNTERS] == list(numbers)
    body = text[text.index("struct packed {") : text.index("} description_t")]
    members = {
        name: int(high or 0) + 1
        for high, name in re.findall(r"logic (?:\[(\d+):0\] )?(\w+);", body)
    }
    told = (
        "core",
        "shape",
        "rate",
        "clock",
        "capabilities",
        "operations",
        "port",
        "keyless",
        "digest",
    )
    assert members == {
        f"{name}_{field}": width
        for name in told
        for field, (_, width) in REGISTERS[name].fields.items()
    }


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
