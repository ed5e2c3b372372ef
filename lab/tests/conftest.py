# SPDX-License-Identifier: Apache-2.0
"""A table, results, a cache and a lock of the test's own."""

import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab import cores, jobs, results, synth, variants

# Whoever starts the tests may ignore it (nohup, a shell for what runs in the background), and then
# so would the children that are to be interrupted.
signal.signal(signal.SIGINT, signal.default_int_handler)

SMALL = """
[spill]
block = "stream"
top = "stream_spill"
parameters = { Width = 8 }
targets = ["xc7", "cyclonev", "ecp5"]
registered = true
purpose = "The least that has registers"

[fifo]
block = "stream"
top = "stream_fifo"
parameters = { Width = 8, Depth = 5 }
targets = ["ecp5"]
purpose = "Distributed RAM, and modules below the top"
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a test that must leave the project's results alone.

    The cache is below the project's folder, where the tools run, and is removed.
    """
    cache = Path("build/lab-tests") / tmp_path.parent.name / tmp_path.name
    table = tmp_path / "variants.toml"
    table.write_text(SMALL)
    monkeypatch.setattr(variants, "TABLE", table)
    monkeypatch.setattr(results, "FOLDER", tmp_path / "results")
    monkeypatch.setattr(results, "LOCK", tmp_path / "results.lock")
    monkeypatch.setattr(jobs, "LOCK", tmp_path / "lock")
    monkeypatch.setattr(synth, "BUILD", cache)
    monkeypatch.delenv(jobs.IN_TURN, raising=False)
    yield tmp_path
    shutil.rmtree(cores.ROOT / cache, ignore_errors=True)
