# SPDX-License-Identifier: Apache-2.0
"""What the documents name exists."""

import re
from pathlib import Path

import pytest

from lab.cores import ROOT

FOLDERS = ("crates", "demo", "docs", "lab", "rtl", "sim", "vectors")
FILES = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.*"))]
FILES = [path for path in [*ROOT.glob("*.*"), *FILES] if path.is_file()]
FILES = [path for path in FILES if path.name != ".git"]  # a file in a worktree
DOCUMENTS = [path for path in FILES if path.suffix == ".md"]
WITHOUT_COMMENTS = {".json", ".lock", ".pub", ".pyc", ".svg", ".txt"}


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_links_lead_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\((?!https:)([^)#]+)[^)]*\)", document.read_text())
    assert [t for t in targets if not (document.parent / t).exists()] == []


def test_make_has_the_targets_of_the_readme() -> None:
    named = set(re.findall(r"\bmake ([a-z-]+)\b", (ROOT / "README.md").read_text()))
    made = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert named >= {"demo", "test", "bench", "lab", "report", "help"}
    assert named <= made


def test_every_source_names_its_licence() -> None:
    missing = [
        name(path)
        for path in FILES
        if path.suffix not in WITHOUT_COMMENTS
        and "SPDX-License-Identifier: Apache-2.0" not in path.read_text()[:300]
    ]
    assert missing == []
