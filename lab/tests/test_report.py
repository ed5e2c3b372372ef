# SPDX-License-Identifier: Apache-2.0
"""The report's rows, its page as text, docs/choosing.md and docs/comparison.md."""

import os
import subprocess
import sys
import tomllib
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from lab import cores, report, results, variants
from lab.report import choosing, comparison, entries, page
from lab.tests import report_rows

FOUND, BREAKDOWNS = report_rows.collected()
OWN = [entry for entry in FOUND if entry.origin == entries.OWN]
OTHERS = [entry for entry in FOUND if entry.origin != entries.OWN]
BY_ID = {entry.id: entry for entry in FOUND}


class Text(HTMLParser):
    """Rows of a page's tables by id, as text; and what elements there are."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[str, list[str]] = {}
        self.tags: Counter[str] = Counter()
        self.classes: set[str] = set()
        self.at = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags[tag] += 1
        self.classes |= set((given.get("class") or "").split())
        if tag == "tr":
            self.at = given.get("data-id") or ""
        if tag in ("td", "th") and self.at:
            self.rows.setdefault(self.at, []).append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "tr":
            self.at = ""

    def handle_data(self, data: str) -> None:
        if self.at:
            self.rows[self.at][-1] += data


def parsed(html: str) -> Text:
    text = Text()
    text.feed(html)
    return text


def test_every_entry_is_a_row_and_unknown_is_a_dash() -> None:
    rows = parsed(report_rows.html()).rows
    assert set(rows) == set(BY_ID)
    assert rows["ecp5/tiny"][:6] == ["tiny", "ECP5", "placed-and-routed", "760", "900", "138.0"]
    assert rows["ecp5/ghash-late"][2:6] == ["timed out after 90 min", *"\N{EN DASH}" * 3]
    assert rows["cyclonev/ring"][2] == "not run"


def test_text_of_a_row_is_never_markup() -> None:
    html = report_rows.html()
    assert "Timed out &lt;/script&gt;" in html
    assert "evil" not in parsed(html).classes


def test_the_same_rows_make_the_same_page() -> None:
    """Whatever order Python gives to its sets."""
    code = "import hashlib; from lab.tests.report_rows import html; print(hash('a'), html())"
    pages = [
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=cores.ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.split(" ", 1)
        for seed in ("1", "2")
    ]
    assert pages[0][0] != pages[1][0]
    assert pages[0][1] == pages[1][1]


def test_plain_words_name_what_has_no_clock() -> None:
    words = page.plain_words(FOUND)
    assert "<b>ring-hostadd</b> on ECP5: no clock from seed 2." in words
    assert "<b>ghash-late</b> on ECP5: timed out after 90 min." in words
    assert "<b>device-ring</b> on ECP5: synthesised, not placed" in words
    assert "7 series and Cyclone V: areas only" in words or "Cyclone V and 7 series" in words
    assert "<b>pipe</b>" not in words


def test_figures_of_older_sources_are_called_so() -> None:
    assert [entry.id for entry in FOUND if entry.outdated] == ["ecp5/beaten"]
    assert "<b>beaten</b> on ECP5: the figures are of older sources." in page.plain_words(FOUND)
    assert "of older sources" in parsed(report_rows.html()).rows["ecp5/beaten"][2]


def test_activity_and_tests_of_older_sources_are_not_shown() -> None:
    table = variants.parse(tomllib.loads(report_rows.TABLE))
    row = report_rows.rows(table)["ecp5"]["ring"]
    test: results.NetlistTest
    test = {"status": "passed", "tests": 9, "rtl_sha256": "a", "seconds": 1.0}
    row["netlist_test"] = test
    row["rtl_sha256"] = "a"
    current = entries.own(table["ring"], table, "ecp5", "", row, "a")
    assert (current.netlist_test, current.toggles_per_byte) == ("passed: 9 tests", None)
    assert entries.own(table["ring"], table, "ecp5", "", row, "b").netlist_test == ""
    test["status"] = "failed: 2 of 9 tests"
    failed = entries.own(table["ring"], table, "ecp5", "", row, "a")
    assert "netlist failed: 2 of 9 tests" in page.plain_words([failed])


def test_a_variant_is_a_row_for_each_of_its_targets_even_if_never_run() -> None:
    table = variants.load()
    found, _ = report.rows()
    own = {entry.id for entry in found if entry.origin == entries.OWN}
    assert own >= {f"{target}/{v.name}" for v in table.values() for target in v.targets}


def test_rows_of_others_are_told_apart() -> None:
    assert not {entry.id for entry in OWN} & {entry.id for entry in OTHERS}
    assert len(BY_ID) == len(FOUND)
    assert {entry.origin for entry in OTHERS} == {"same-tools", "published"}
    assert all(entry.source and entry.contains for entry in OTHERS)


@pytest.mark.parametrize(
    "entry", [e for e in OTHERS if e.origin == entries.SAME_TOOLS and e.mbit_s], ids=lambda e: e.id
)
def test_rates_of_the_same_tools_follow_from_clock_and_cycles(entry: entries.Entry) -> None:
    assert entry.fmax_mhz
    assert entry.block_bytes
    assert entry.cycles_per_block
    rate = entry.fmax_mhz * 8 * entry.block_bytes / entry.cycles_per_block
    assert entry.mbit_s == pytest.approx(rate, rel=0.005)


def test_components_of_the_vhdl_accelerator_add_up() -> None:
    """To its own totals, within what the authors rounded or left out."""
    parts = next(one.components for one in BREAKDOWNS if one.id.startswith("vhdl/"))
    whole = next(e for e in OTHERS if e.name == "VHDL accelerator, Cyclone V")
    assert sum(part.lut for part in parts) == whole.lut
    assert sum(part.ff for part in parts) == whole.ff


def test_figures_of_an_earlier_rtl_are_marked() -> None:
    (older,) = [entry for entry in FOUND if entry.outdated]
    page = choosing.text(FOUND, choosing.devices())
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    assert older.label == f"`{older.name}` †"
    assert all(f"`{older.name}` †" in line for line in rows if f"`{older.name}`" in line)
    assert any(older.label in line for line in rows)
    assert "†: measured on an earlier version" in page
    now = [replace(entry, outdated=False) for entry in FOUND]
    assert "†" not in choosing.text(now, choosing.devices())


def test_choosing_is_current() -> None:
    found, _ = report.rows()
    written = choosing.DOCUMENT.read_text()
    current = choosing.text(found, choosing.devices())
    assert written == current, "docs/choosing.md is not current: run python -m lab report"


def test_comparison_is_current() -> None:
    found, _ = report.rows()
    written = comparison.DOCUMENT.read_text()
    assert written == comparison.text(found), (
        "docs/comparison.md is not current: run python -m lab report"
    )


def test_comparison_has_the_figures_of_the_rows() -> None:
    """A ratio is that of the two rows beside it, and no name is one of nothing."""
    found, _ = report.rows()
    by_name = {e.name: e for e in found if e.origin == entries.OWN and e.family == "ecp5"}
    made = comparison.tables(found)
    for *_, start, end, gain, _ in made["steps"][1]:
        if "`" in start:
            names = (name.strip("` †") for name in (start, end))
            before, after = (by_name[name].mbit_s for name in names)
            if before and after:
                assert gain == f"{after / before:,.2f}"
    for _, name, lut, *_ in made["pairs"][1]:
        assert float(lut.replace(",", "")) == by_name[name.strip("` †")].lut
    published = {e.name for e in OTHERS}
    for name, own in comparison.STRUCTURES:
        assert not name or name in published
        assert not own or own in by_name
    text = comparison.text(found)
    assert "{{" not in text
    assert "| the clock: more registers in a round |" in text


@pytest.mark.parametrize("device", choosing.devices(), ids=lambda device: device.label)
@pytest.mark.parametrize("rate", [0.1, 0.25, 5, 10, 40, 80, 200])
def test_the_choice_is_the_smallest_that_can(device: choosing.Device, rate: float) -> None:
    """Searched again, and in another way: from the smallest up, the first without an objection."""
    expected = None
    for entry in sorted(OWN, key=lambda e: e.lut or 0, reverse=True):
        on_ecp5 = BY_ID[f"ecp5/{entry.name}"]
        objections = (
            entry.family != device.target,
            entry.lut is None,
            entry.name in ("ring-hostadd", "device-ring", "ghash-late"),
            (entry.lut or 0) > 0.8 * device.lut or (entry.ff or 0) > 0.8 * device.ff,
            (on_ecp5.mbit_s or 0) < rate * 1000,
        )
        if not any(objections):
            expected = entry.name
    chosen = choosing.choose(OWN, device, rate)
    assert (chosen[0].name if chosen else None) == expected
    if chosen and device.target != "ecp5":
        assert chosen[1] == pytest.approx(rate * 1000 * 10 / 512)


def test_choices_differ() -> None:
    large = next(device for device in choosing.devices() if device.label == "ECP5-85")
    names = [choosing.choose(OWN, large, rate) for rate in (0.1, 5, 40, 90)]
    assert [found[0].name if found else None for found in names] == ["tiny", "ring", "pipe", None]


def test_a_device_that_is_too_small_is_named() -> None:
    small = next(device for device in choosing.devices() if device.label == "ECP5-25")
    assert "does not fit (FF)" in choosing.shares(OWN, [small])
    assert small.share(replace(BY_ID["ecp5/tiny"], bram=56))[0] == 1


def test_only_ecp5_has_clocks_in_the_document() -> None:
    other = [e for e in OWN if e.family != "ecp5"]
    assert all(e.fmax_mhz is None and e.mbit_s is None for e in other)
    assert "MHz" not in choosing.areas(OWN)
