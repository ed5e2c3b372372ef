# SPDX-License-Identifier: Apache-2.0
"""The notebook runs from the first cell to the last, under stock pynq with its remote device."""

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from boards.pynq.simulated.client import simulated

HERE = Path(__file__).parent
COMMAND = Path(os.environ["SALTMILL_COMMAND"])


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from boards.pynq.simulated.remote import serving  # noqa: PLC0415

    stick = tmp_path / "stick"
    stick.mkdir()
    (stick / "empty").write_bytes(b"")
    (stick / "page.txt").write_text("a page of text\n" * 40)
    monkeypatch.setenv("SALTMILL_FOLDER", str(stick))
    monkeypatch.setenv("PYTHONPATH", str(HERE.parent))
    notebook = nbformat.read(HERE.parent / "saltmill.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)
    with simulated(COMMAND, tmp_path, "aes-ring") as device, serving(device) as served:
        NotebookClient(notebook, timeout=300, resources={"metadata": {"path": tmp_path}}).execute()
        assert {"flush", "invalidate"} <= set(served.synced)
    said = "".join(
        out.text
        for cell in notebook.cells
        for out in cell.get("outputs", [])
        if out.output_type == "stream"
    )
    assert "2 files sealed" in said
    assert "tag_mismatch" in said
    assert (stick / "page.txt.sealed").stat().st_size == 28 + 15 * 40
    images = [out for cell in notebook.cells for out in cell.get("outputs", []) if "data" in out]
    assert any("image/png" in out["data"] for out in images)
