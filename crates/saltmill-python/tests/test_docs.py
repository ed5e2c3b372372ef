# SPDX-License-Identifier: Apache-2.0
"""The examples do what the documents say."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import saltmill

PACKAGE = Path(__file__).parents[1]
DOCUMENTS = PACKAGE.parents[1] / "docs"


@pytest.mark.parametrize(("name", "count"), [("python.md", 7), ("guides/many-machines.md", 4)])
def test_a_page(name: str, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of its Python, one block after the other; `sim`: where there is a simulated device."""
    pytest.importorskip("distributed")
    page = DOCUMENTS / name
    blocks = re.findall(r"^```python( sim)?\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) == count
    simulated = "sim:ring2" in saltmill.devices()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.csv").write_text("n\n" + "1\n" * 100_000)
    names: dict[str, object] = {}
    for block in (text for sim, text in blocks if simulated or not sim):
        moved = block.replace("/tmp/saltmill-docs.age", f"{tmp_path}/docs.age")
        exec(compile(moved, str(page), "exec"), names)


@pytest.mark.parametrize(
    ("example", "said"),
    [
        (
            "parquet.py",
            "pandas reads what it wrote: True\npyarrow reads one column of 100000 rows\n",
        ),
        (
            "arrays.py",
            "xarray reads a mean of 74999.5\npolars reads it again: True\npolars finds 5 rows\n",
        ),
        ("executor.py", "6 parts, 25106533 bytes\nit opens: True\n"),
    ],
)
def test_examples(example: str, said: str) -> None:
    call = [sys.executable, PACKAGE / "examples" / example]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    if example == "executor.py":  # the header's length is not always the same
        said, found = (re.sub(r"\d+ bytes", "bytes", text) for text in (said, done.stdout))
        assert found == said
    else:
        assert done.stdout == said


@pytest.mark.parametrize("way", ["ray", "spark"])
def test_other_schedulers(way: str) -> None:
    """Where they are installed."""
    pytest.importorskip({"spark": "pyspark"}.get(way, way))
    call = [sys.executable, PACKAGE / "examples/executor.py", "--with", way]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "it opens: True" in done.stdout


def test_the_model_of_many_machines() -> None:
    """The page is what the script makes of what was measured."""
    if not (PACKAGE / "benches/cluster.json").exists():
        pytest.skip("it was not measured yet")
    subprocess.run([sys.executable, PACKAGE / "benches/page.py", "--check"], check=True)
