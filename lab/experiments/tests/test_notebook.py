# SPDX-License-Identifier: Apache-2.0
"""The notebook runs from its first cell to its last, and finds what the pages say."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from lab.experiments import bench

NOTEBOOK = Path(__file__).parent.parent / "experiments.ipynb"


def cells() -> list[str]:
    found = json.loads(NOTEBOOK.read_text())
    assert found["nbformat"] == 4
    return ["".join(c["source"]) for c in found["cells"] if c["cell_type"] == "code"]


def test_cells_are_python_and_hold_no_output() -> None:
    for number, source in enumerate(cells()):
        compile(source, f"cell {number}", "exec")
    outputs = [cell.get("outputs", []) for cell in json.loads(NOTEBOOK.read_text())["cells"]]
    assert not any(outputs)


@pytest.mark.skipif("SALTMILL_LONG" not in os.environ, reason="needs a command with all devices")
def test_it_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.command().exists()
    names: dict[str, Any] = {}
    for number, source in enumerate(cells()):
        exec(compile(source, f"cell {number}", "exec"), names)
    said = capsys.readouterr().out
    assert "16 bytes: " in said
    errors = {row["name"]: row["fitted"]["error"] for row in names["rows"]}
    assert max(map(abs, errors.values())) <= 0.15
    assert names["ours"] > 1.3 * names["rates"]["E2"]
