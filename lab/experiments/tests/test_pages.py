# SPDX-License-Identifier: Apache-2.0
"""docs/experiments is what the results give, and nothing in it was left to fill in."""

import re
from pathlib import Path

import pytest

from lab import report
from lab.experiments import throughput
from lab.report import experiments
from lab.report.experiment_fpgacha import LIMITS

ENTRIES, BREAKDOWNS = report.rows()
DOCUMENTS = experiments.documents(ENTRIES, BREAKDOWNS)


def test_there_is_a_page_for_each_system() -> None:
    pages = {path.name for path in DOCUMENTS if path.suffix == ".md"}
    assert pages == {"fpgacha.md", "pynqrypt.md", "sme.md", "vhdl.md", "gpu.md"}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_it_is_current(path: Path) -> None:
    assert path.read_text() == DOCUMENTS[path], "run python -m lab report"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_nothing_is_left_to_fill_in(path: Path) -> None:
    assert not re.search(r"\{\{\w*\}\}|\bNone\b|\bnan\b", DOCUMENTS[path])


def test_pictures_of_a_page_are_there() -> None:
    for path, text in DOCUMENTS.items():
        named = re.findall(r"!\[[^]]*\]\(([^)]+)\)", text)
        assert all((path.parent / name).resolve() in DOCUMENTS for name in named)


def test_rows_that_are_not_twice_theirs_name_their_limit() -> None:
    page = DOCUMENTS[experiments.FOLDER / "fpgacha.md"]
    lines = [line for line in page.splitlines() if line.startswith("- ") and " times" in line]
    assert len(lines) == len(throughput.SETUPS)
    for line in lines:
        for ratio, words in re.findall(r"[DE]\d ([\d.]+) times([^,]*)", line):
            assert float(ratio) >= 1.995 or any(limit in words for limit in LIMITS.values()), line
