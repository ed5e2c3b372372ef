# SPDX-License-Identifier: Apache-2.0
"""Pictures are well-formed, and what is longer is longer."""

import re
import xml.etree.ElementTree as ET

import pytest

from lab.experiments.plots import COLOURS, Line, Value, bars, decades, lines

SVG = "{http://www.w3.org/2000/svg}"


def test_bars_are_as_long_as_the_logarithm_and_have_the_colour_of_their_label() -> None:
    values = [Value(10, "published"), Value(100, "modelled"), Value(1000, "measured", "<&")]
    root = ET.fromstring(bars("a & b", [("first", values[:1]), ("second", values[1:])]))
    drawn = [r for r in root.iter(f"{SVG}rect") if r.get("x") == "250"]
    assert [r.get("fill") for r in drawn] == [COLOURS[value.label] for value in values]
    lengths = [float(r.get("width", "0")) for r in drawn]
    assert lengths == pytest.approx([2, 260, 520])
    words = "".join(root.itertext())
    assert "1,000 <&" in words
    assert "a & b" in words


def test_lines_go_up_where_values_do() -> None:
    drawn = lines("times", ["1", "2"], [Line("one", "measured", [1, 100])], "ms")
    root = ET.fromstring(drawn)
    (line,) = root.iter(f"{SVG}polyline")
    first, last = (float(y) for y in re.findall(r",([\d.]+)", line.get("points", "")))
    assert first - last == pytest.approx(300)


def test_decades_are_around_all_values() -> None:
    assert decades([0.02, 5]) == (-2, 1)
    assert decades([1]) == (0, 1)
