# SPDX-License-Identifier: Apache-2.0
"""Registers that are the same on purpose stay apart in synthesis (decision 104)."""

from pathlib import Path

import pytest

from lab import cores, files, jobs, synth, targets

SOURCE = cores.ROOT / "rtl/stream/flag_copies.sv"
KEPT = "(* keep *) always_ff"


def registers(code: str, copies: int) -> int:
    """How many flip-flops are in the ecp5 netlist of this code."""
    folder = Path("build/lab-tests/kept", f"{len(code)}-{copies}")
    source, made = folder / "flag_copies.sv", folder / "netlist.json"
    files.write(cores.ROOT / source, code)
    read = f"{synth.READ} -G Copies={copies} --top flag_copies {source}"
    script = f"{read}; synth_ecp5 -top flag_copies; write_json {made}"
    command = [str(synth.BIN / targets.YOSYS), "-q", "-p", script]
    jobs.run(command, log=folder / "yosys.log", deadline_s=120, title="flag_copies")
    cells = synth.load(made)["flag_copies"]["cells"].values()
    return sum(cell["type"] == "TRELLIS_FF" for cell in cells)


@pytest.mark.parametrize("copies", [1, 4])
def test_copies_of_a_flag_stay_apart(copies: int) -> None:
    assert registers(SOURCE.read_text(), copies) == copies


def test_without_the_attribute_of_the_process_one_is_left() -> None:
    code = SOURCE.read_text()
    assert KEPT in code
    assert registers(code.replace(KEPT, "always_ff"), 4) == 1
