# SPDX-License-Identifier: Apache-2.0
"""SoCs for boards: what is kept of them, and with SALTMILL_LONG that LiteX makes them."""

import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest

from boards.litex import bitstream, bitstream_results, environment
from boards.litex.bitstream import BOARDS
from lab import cores, synth, variants

LONG = bool(os.environ.get("SALTMILL_LONG"))
REPORT: dict[str, Any] = {
    "fmax": {
        "$glbnet$sys_clk": {"achieved": 80.126, "constraint": 75.0},
        "$glbnet$init_clk": {"achieved": 300.0, "constraint": 24.0},
    },
    "utilization": {
        kind: {"used": place, "available": 100}
        for place, kind in enumerate(("TRELLIS_COMB", "TRELLIS_FF", "DP16KD", "MULT18X18D"))
    },
}


def test_the_rows_are_bitstreams_that_met_their_timing() -> None:
    rows = bitstream_results.load()
    made = [(row["board"], row["variant"]) for row in rows]
    assert made == [soc for soc in bitstream_results.WANTED if soc in made]
    assert made
    for row in rows:
        assert row["clock_mhz"] >= 60
        assert all(clock["reached_mhz"] >= clock["asked_mhz"] for clock in row["clocks"].values())
        # The SoC's own clock is one of them; the PLL hits it to a percent.
        assert any(
            clock["asked_mhz"] == pytest.approx(row["clock_mhz"], rel=0.01)
            for clock in row["clocks"].values()
        )
        assert len(bytes.fromhex(row["bitstream_sha256"])) == 32


def test_the_page_shows_the_bitstreams() -> None:
    text = bitstream_results.PAGE.read_text()
    shown = bitstream_results.page(text, bitstream_results.load())
    assert text == shown, "run python -m boards.litex page"


def test_rows_of_older_sources_are_marked() -> None:
    row = bitstream_results.load()[0]
    today = {
        "rtl_sha256": synth.digest(variants.load()[row["variant"]]),
        "soc_sha256": bitstream.soc_sha256(BOARDS[row["board"]]),
    }
    assert "†" not in bitstream_results.table([{**row, **today}])  # type: ignore[typeddict-item]
    for name in today:
        older = {**row, **today, name: "0" * 64}
        table = bitstream_results.table([older])  # type: ignore[list-item]
        assert table.count("†") == 2


def test_a_clock_that_is_missed_gives_no_row() -> None:
    board, variant = BOARDS["ulx3s"], variants.load()["device-ring2"]
    made = bitstream.read(REPORT, 1, 0.0)
    assert made.met
    assert made.clocks["sys_clk"] == {"asked_mhz": 75.0, "reached_mhz": 80.13}
    assert (made.lut, made.ff, made.bram, made.mult) == (0, 1, 2, 3)
    slow = copy.deepcopy(REPORT)
    slow["fmax"]["$glbnet$init_clk"]["achieved"] = 23.9
    missed = bitstream.read(slow, 1, 0.0)
    assert not missed.met
    with pytest.raises(ValueError, match="timing was not met"):
        bitstream_results.row_of(board, variant, missed, "")


@pytest.mark.skipif(not LONG, reason="SALTMILL_LONG is not set: a BIOS takes minutes")
@pytest.mark.parametrize("name", BOARDS)
def test_litex_makes_the_soc(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its memory port, interrupt and registers are there, and what has pins has a place."""
    absent = environment.missing()
    if absent:
        pytest.skip(f"not installed: {' '.join(absent)}")
    monkeypatch.setattr(bitstream, "soc_folder", lambda _: tmp_path)
    bitstream.generate(BOARDS[name])
    top = (cores.ROOT / tmp_path / "gateware" / f"{bitstream.TOP}.v").read_text()
    assert "saltmill_soc saltmill_soc" in top
    constraints = (tmp_path / "gateware" / f"{bitstream.TOP}.lpf").read_text()
    assert "FREQUENCY PORT" in constraints
    regions = json.loads((tmp_path / "csr.json").read_text())["memories"]
    assert regions["saltmill_registers"]["base"] == 0x9000_0000
    assert regions["main_ram"]["size"] >= 32 << 20
