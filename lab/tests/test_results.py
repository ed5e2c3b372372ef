# SPDX-License-Identifier: Apache-2.0
"""The committed results: their schema, and that they come from the sources as they are."""

import json
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from lab import cores, report, results, synth, variants
from lab.report import choosing, entries
from lab.results import Row
from lab.targets import TARGETS

PAIRS = [(t, v) for v in variants.load().values() for t in v.targets]
CHOOSING = choosing.DOCUMENT.read_text().splitlines()
ENTRIES = [entry for entry in report.rows()[0] if entry.origin == entries.OWN]
COMMITTED = sorted(results.FOLDER.glob("*.json"))


def refresh(target: str, variant: str) -> str:
    if TARGETS[target].routable:
        return f"python -m lab route {variant} --seeds 1,2,3"
    return f"python -m lab synth {variant} --target {target}"


def stale(target: str, variant: variants.Variant, row: Row | None) -> list[str]:
    """What is not of these sources in a row, each with the command that measures it."""
    digest = synth.digest(variant)
    where = f"{variant.name} on {target}"
    if row is None:
        return [f"{where} has no row: `{refresh(target, variant.name)}`"]
    found = []
    if row["rtl_sha256"] != digest:
        found.append(f"{where} is of other sources: `{refresh(target, variant.name)}`")
    netlist_test, activity = row["netlist_test"], row["activity"]
    if netlist_test and netlist_test["rtl_sha256"] != digest:
        found.append(f"{where}, netlist_test: `python -m lab netlist-test {variant.name}`")
    if activity and activity["rtl_sha256"] != digest:
        found.append(f"{where}, activity: `python -m lab activity {variant.name}`")
    return found


@pytest.mark.parametrize(
    ("target", "variant"), PAIRS, ids=lambda value: getattr(value, "name", value)
)
def test_every_row_is_there_and_of_these_sources_or_marked(
    target: str, variant: variants.Variant
) -> None:
    """Figures of an earlier RTL stay, but each document that shows them says so (decision 56)."""
    row = results.load(target).get(variant.name)
    wrong = stale(target, variant, row)
    assert row is not None, wrong
    digest = synth.digest(variant)
    entry = next(e for e in ENTRIES if (e.family, e.name) == (target, variant.name))
    for name, shown in (
        ("netlist_test", entry.netlist_test),
        ("activity", entry.toggles_per_byte),
    ):
        kept: Any = row[name]  # type: ignore[literal-required]
        assert not shown or kept["rtl_sha256"] == digest, "; ".join(wrong)
    assert entry.outdated == (row["rtl_sha256"] != digest)
    if entry.outdated:
        assert any(line.startswith(f"| {entry.label} |") for line in CHOOSING), "; ".join(wrong)


def test_there_are_no_other_files_and_rows() -> None:
    assert {path.stem for path in COMMITTED} <= set(TARGETS)
    for target in TARGETS:
        known = {variant.name for t, variant in PAIRS if t == target}
        assert set(results.load(target)) <= known


@pytest.mark.parametrize("target", TARGETS)
def test_rows_make_sense(target: str) -> None:
    for name, row in results.load(target).items():
        variant = variants.load()[name]
        assert row["parameters"] == variant.parameters
        assert row["block"] == variant.block
        assert len(row["seeds"]) == len(row["fmax_seeds_mhz"])
        clocks = [clock for clock in row["fmax_seeds_mhz"] if clock]
        assert row["fmax_mhz"] == (round(median(clocks), 2) if clocks else None)
        assert row["status"].startswith("placed-and-routed") == bool(clocks)
        if row["fmax_mhz"] and row["lut"] and row["cycles_per_block"] and row["block_bytes"]:
            rate = row["fmax_mhz"] * 8 * row["block_bytes"] / row["cycles_per_block"]
            assert row["mbit_s"] == pytest.approx(rate, rel=0.001)
            assert row["mbit_s_per_lut"] == pytest.approx(rate / row["lut"], rel=0.01)


# ---- the checks themselves ---------------------------------------------------------------------


SMALL = variants.load()["chacha20-small"]


def a_row(**fields: Any) -> dict[str, Any]:
    return {**results.empty(SMALL), **fields}


def test_a_stale_row_names_the_command() -> None:
    other = {"rtl_sha256": "0"}
    row: Any = a_row(rtl_sha256="0", netlist_test=other, activity=other)
    assert stale("ecp5", SMALL, row) == [
        f"chacha20-small on ecp5{words}`"
        for words in (
            " is of other sources: `python -m lab route chacha20-small --seeds 1,2,3",
            ", netlist_test: `python -m lab netlist-test chacha20-small",
            ", activity: `python -m lab activity chacha20-small",
        )
    ]
    row["rtl_sha256"] = synth.digest(SMALL)
    row["netlist_test"] = row["activity"] = None
    assert stale("ecp5", SMALL, row) == []
    (missing,) = stale("xc7", SMALL, None)
    assert missing.endswith("has no row: `python -m lab synth chacha20-small --target xc7`")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"luts": 1}, "unknown or missing: luts"),
        ({"lut": "1"}, "x.lut: '1' is not of type int"),
        ({"lut": True}, "x.lut: True is not of type int"),
        ({"lut": 1.5}, "x.lut: 1.5 is not of type int"),
        ({"status": None}, "x.status: None is not of type str"),
        ({"seeds": [1, "2"]}, r"x.seeds\[1\]: '2' is not"),
        ({"seeds": 1}, "x.seeds: 1 is no list"),
        ({"tools": {"yosys": 1}}, "x.tools.yosys: 1 is not"),
        ({"tools": []}, r"x.tools: \[\] is no table"),
        ({"components": [{"component": "a", "lut": 1}]}, r"x.components\[0\]: .* missing: ff"),
        ({"activity": {}}, "x.activity: unknown or missing: "),
        ({"activity": 1}, "x.activity: 1 is no table"),
    ],
)
def test_what_the_schema_refuses(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        results.check(a_row(**fields), Row, "x")


def test_what_the_schema_accepts() -> None:
    results.check(a_row(), Row, "x")
    filled = a_row(
        bram=1.5, lut=3, fmax_mhz=100, seeds=[1, 2], fmax_seeds_mhz=[None, 100.5], seconds=1
    )
    results.check(filled, Row, "x")


def test_a_row_that_lacks_a_key_is_refused(own: Path) -> None:
    row = a_row()
    del row["lut"]
    results.FOLDER.mkdir()
    results.path("ecp5").write_text(json.dumps({"rows": [row]}))
    with pytest.raises(ValueError, match=r"ecp5.json.rows\[0\]: unknown or missing: lut"):
        results.load("ecp5")
    results.path("ecp5").write_text("{")
    with pytest.raises(ValueError, match=r"ecp5.json is not JSON"):
        results.load("ecp5")
    assert own.exists()


@pytest.mark.usefixtures("own")
def test_rows_are_merged_in_the_order_of_the_table() -> None:
    results.update("ecp5", "fifo", lut=3, status="synthesised")
    results.update("ecp5", "spill", lut=4, fmax_mhz=100.0, cycles_per_block=2, block_bytes=64)
    row = results.update("ecp5", "spill", ff=5)
    assert (row["lut"], row["ff"], row["mbit_s"], row["mbit_s_per_lut"]) == (4, 5, 25600, 6400)
    assert list(results.load("ecp5")) == ["spill", "fifo"]
    assert results.load("xc7") == {}


@pytest.mark.usefixtures("own")
def test_a_field_that_the_schema_refuses_changes_nothing() -> None:
    results.update("ecp5", "fifo", lut=3)
    with pytest.raises(ValueError, match="unknown or missing: size"):
        results.update("ecp5", "fifo", size=4)
    assert results.load("ecp5")["fifo"]["lut"] == 3


def test_two_processes_do_not_lose_each_others_rows(own: Path) -> None:
    script = f"""
import sys
from pathlib import Path
from lab import results, variants
variants.TABLE = Path({str(own / "variants.toml")!r})
results.FOLDER = Path({str(results.FOLDER)!r})
results.LOCK = Path({str(results.LOCK)!r})
results.update("ecp5", sys.argv[1], lut=0)
for value in range(100):
    assert results.load("ecp5")[sys.argv[1]]["lut"] == value
    results.update("ecp5", sys.argv[1], lut=value + 1)
"""
    names = ("spill", "fifo")
    writers = [subprocess.Popen([sys.executable, "-c", script, n], cwd=cores.ROOT) for n in names]
    assert [writer.wait(30) for writer in writers] == [0, 0]
    assert {name: row["lut"] for name, row in results.load("ecp5").items()} == {
        "spill": 100,
        "fifo": 100,
    }
