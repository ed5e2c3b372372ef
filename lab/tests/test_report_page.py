# SPDX-License-Identifier: Apache-2.0
"""The report in a real browser, without a network."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import plotly.offline
import pytest
from playwright.sync_api import Browser

from lab.report.entries import OWN, Entry
from lab.tests import report_rows
from lab.tests.report_browser import Seen, opened, started

FOUND, _ = report_rows.collected()
OURS = {entry.algorithm for entry in FOUND if entry.origin == OWN}
GROUPS = ("algorithm", "family", "origin")
CHIPS = sorted({(group, getattr(entry, group)) for entry in FOUND for group in GROUPS})


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from started()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made: Path = tmp_path_factory.mktemp("report")
    script = plotly.offline.get_plotlyjs()
    (made / "report.html").write_text(report_rows.html(script))
    (made / "nothing.html").write_text(report_rows.html(script, run=False))
    return made


@pytest.fixture(scope="module")
def kept(browser: Browser, folder: Path) -> Iterator[Seen]:
    yield from opened(browser, folder / "report.html")


@pytest.fixture
def seen(kept: Seen) -> Seen:
    """The page that most tests share, for opening it takes a while; only rows stay sorted."""
    kept.page.set_viewport_size({"width": 1280, "height": 900})
    kept.page.get_by_role("button", name="Reset").click()
    kept.page.wait_for_timeout(20)
    return kept


def pareto(entries: Sequence[Entry]) -> list[tuple[float, float]]:
    """By definition: no other is as small and as fast, unless it is the same."""
    points = {(e.lut, e.mbit_s) for e in entries if e.lut and e.mbit_s}
    kept = [
        (lut, rate)
        for lut, rate in points
        if not any(
            other != (lut, rate) and other[0] <= lut and other[1] >= rate for other in points
        )
    ]
    return sorted(kept)


def check_shown(seen: Seen, shown: list[Entry]) -> None:
    """Tables, bars, cards, points and lines: those of the rows shown and no others."""
    ids = {entry.id for entry in shown}
    assert sorted(seen.ids("table.rows tbody tr")) == sorted(ids)
    ranked = [e.id for e in shown if e.mbit_s_per_lut is not None]
    assert sorted(seen.ids("#ranking li")) == sorted(ranked)
    assert set(seen.ids("#activity li")) == {e.id for e in shown if e.toggles_per_byte}
    assert set(seen.ids(".card")) <= ids
    points = {e.id for e in shown if e.lut and e.mbit_s}
    traces = seen.traces("scatter")
    drawn = [point for trace in traces for point in trace["ids"]]
    assert sorted(map(str, drawn)) == sorted(points)
    assert seen.page.locator("#scatter-missing").is_visible() == (not points)
    lines = {t["name"]: list(zip(t["x"], t["y"], strict=True)) for t in traces if not t["ids"]}
    for family in ("ecp5", "xc7", "cyclonev"):
        for unit in {e.lut_unit for e in shown if e.family == family}:
            same = [e for e in shown if e.family == family and e.lut_unit == unit]
            best = pareto(same)
            expected = best if len(best) > 1 else None
            assert lines.get(f"Pareto: {family} {unit}") == expected  # type: ignore[call-overload]


def test_at_first_it_shows_the_algorithms_that_we_have(seen: Seen) -> None:
    check_shown(seen, [entry for entry in FOUND if entry.algorithm in OURS])
    front = [[t["x"], t["y"]] for t in seen.traces("scatter") if t["name"] == "Pareto: ecp5 LUT4"]  # type: ignore[comparison-overlap]
    assert front[0][0] == [760, 1333, 3100, 23900]  # with a GHASH: the table of the test has one


@pytest.mark.parametrize(("group", "value"), CHIPS)
def test_a_filter_leaves_what_it_says(seen: Seen, group: str, value: str) -> None:
    seen.choose_all()
    seen.choose(group, {value})
    shown = [entry for entry in FOUND if getattr(entry, group) == value]
    check_shown(seen, shown)
    assert seen.page.locator("#count").inner_text() == f"{len(shown)} of {len(FOUND)} rows"


def test_filters_work_together_and_can_be_reset(seen: Seen) -> None:
    seen.choose_all()
    check_shown(seen, FOUND)
    seen.choose("algorithm", {"AES", "MD5"})
    seen.choose("family", {"ecp5", "xc7"})
    seen.choose("origin", {"same-tools"})
    check_shown(
        seen,
        [
            entry
            for entry in FOUND
            if entry.algorithm in ("AES", "MD5")
            and entry.family in ("ecp5", "xc7")
            and entry.origin == "same-tools"
        ],
    )
    seen.choose("origin", set())
    check_shown(seen, [])
    seen.page.get_by_role("button", name="Reset").click()
    seen.page.wait_for_timeout(50)
    check_shown(seen, [entry for entry in FOUND if entry.algorithm in OURS])


def test_the_longest_bar_that_is_left_fills_the_width(seen: Seen) -> None:
    code = """[...document.querySelectorAll('#ranking li:not([hidden]) .bar')]
        .map(e => e.firstChild.offsetWidth / e.offsetWidth)"""
    for algorithm in ("ChaCha20", "AES"):
        seen.choose("algorithm", {algorithm})
        lengths = list(map(float, seen.page.evaluate(code)))
        assert max(lengths) == pytest.approx(1, abs=0.01)
        assert lengths == sorted(lengths, reverse=True)


@pytest.mark.parametrize(
    ("title", "key"), [("LUT", "lut"), ("Mbit/s", "mbit_s"), ("mult", "mult"), ("MHz", "fmax_mhz")]
)
def test_headings_sort_and_unknown_comes_last(seen: Seen, title: str, key: str) -> None:
    seen.choose_all()
    values = {e.id: getattr(e, key) for e in FOUND if e.origin == "published"}
    known = [value for value in values.values() if value is not None]
    unknown = [None] * (len(values) - len(known))
    heading = seen.page.locator("#published-rows thead th").filter(
        has=seen.page.get_by_text(title, exact=True)
    )
    for order, expected in (
        ("ascending", sorted(known) + unknown),
        ("descending", sorted(known, reverse=True) + unknown),
    ):
        heading.get_by_role("button").click()
        assert heading.get_attribute("aria-sort") == order
        assert [values[row] for row in seen.ids("#published-rows tbody tr")] == expected


def test_names_sort_too(seen: Seen) -> None:
    seen.page.locator("#own-rows thead button").first.click()
    names = [row.split("/")[1] for row in seen.ids("#own-rows tbody tr")]
    assert names == sorted(names)


def downloaded(seen: Seen, button: str) -> str:
    with seen.page.expect_download() as download:
        seen.page.get_by_role("button", name=button).click()
    return Path(download.value.path()).read_text()


def test_downloads_hold_the_rows_shown(seen: Seen) -> None:
    seen.choose("origin", {"own", "same-tools"})
    shown = [e for e in FOUND if e.algorithm in OURS and e.origin != "published"]
    rows = json.loads(json.dumps([asdict(entry) for entry in shown]))
    assert json.loads(downloaded(seen, "Download JSON")) == {"rows": rows}
    table = list(csv.DictReader(io.StringIO(downloaded(seen, "Download CSV"))))
    assert [row["id"] for row in table] == [entry.id for entry in shown]
    assert [row["contains"] for row in table] == [entry.contains for entry in shown]
    assert [float(row["lut"] or -1) for row in table] == [entry.lut or -1 for entry in shown]
    ring = next(row for row in table if row["id"] == "ecp5/ring-hostadd")
    assert ring["fmax_seeds_mhz"] == "175  171"
    assert ring["complete"] == "false"


def test_clocks_show_every_seed(seen: Seen) -> None:
    traces = {str(trace["name"]): trace for trace in seen.traces("clocks")}
    clocks = [c for e in FOUND for c in e.fmax_seeds_mhz if c is not None]
    assert sorted(traces["seeds"]["x"]) == sorted(clocks)
    assert sorted(traces["median"]["x"]) == sorted(
        e.fmax_mhz for e in FOUND if e.origin == OWN and e.fmax_mhz
    )
    assert traces["with registered ports"]["x"] == [160]
    assert seen.page.locator("#registered tbody tr").inner_text().split("\t")[3] == "-5.0 %"


def test_a_point_says_what_it_is(seen: Seen) -> None:
    seen.page.locator("#scatter").scroll_into_view_if_needed()
    box = seen.page.evaluate("""() => {
        const plot = document.getElementById('scatter'), layout = plot._fullLayout;
        const box = plot.getBoundingClientRect();
        return [box.left + layout._size.l + layout.xaxis.d2p(760), box.top + layout._size.t
            + layout.yaxis.d2p(138 * 512 / 350)];
    }""")
    seen.page.mouse.move(*box)
    text = seen.page.locator("#scatter .hoverlayer .hovertext").text_content(timeout=3000) or ""
    assert "tiny" in text
    assert "138 MHz" in text
    assert "placed-and-routed" in text


def test_text_of_a_row_makes_no_elements(seen: Seen) -> None:
    seen.choose_all()
    assert seen.page.locator(".evil").count() == 0
    assert "Timed out </script>" in str(seen.page.evaluate("JSON.stringify(DATA.entries)"))


def test_chips_work_from_the_keyboard(seen: Seen) -> None:
    seen.page.locator("input[name=origin][value=same-tools]").focus()
    seen.page.keyboard.press("Tab")
    outline = "getComputedStyle(document.activeElement.closest('.chip')).outlineStyle"
    assert seen.page.evaluate(outline) == "solid"
    seen.page.keyboard.press("Space")
    check_shown(seen, [e for e in FOUND if e.algorithm in OURS and e.origin != "published"])


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 768, 1920])
def test_it_fits_the_window(browser: Browser, folder: Path, width: int, dark: bool) -> None:  # noqa: FBT001
    for seen in opened(browser, folder / "report.html", width=width, dark=dark):
        seen.choose_all()
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
        assert seen.page.evaluate("document.querySelector('#scatter svg').clientWidth") <= width


def test_a_narrower_window_draws_the_charts_anew(seen: Seen) -> None:
    seen.page.set_viewport_size({"width": 400, "height": 800})
    narrow = "document.querySelector('#scatter svg').clientWidth <= 400"
    seen.page.wait_for_function(narrow, timeout=5000)


def test_without_script_the_tables_are_there(browser: Browser, folder: Path) -> None:
    for seen in opened(browser, folder / "report.html", script=False):
        rows = seen.page.locator("table.rows tbody tr")
        assert rows.count() == len(FOUND)
        assert rows.last.is_visible()
        assert not seen.page.locator("#filters").is_visible()
        assert not seen.page.locator("#scatter").is_visible()
        assert seen.page.locator("#ranking li").first.is_visible()


def test_with_no_results_at_all_it_says_so(browser: Browser, folder: Path) -> None:
    for seen in opened(browser, folder / "nothing.html"):
        assert seen.page.locator("#clocks-missing").is_visible()
        assert seen.page.get_by_text("Not measured yet.").is_visible()
        assert len(seen.ids("#own-rows tbody tr")) == sum(e.origin == OWN for e in FOUND)
