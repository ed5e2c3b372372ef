# SPDX-License-Identifier: Apache-2.0
"""The committed files that are generated from saltmill.rdl are those that it gives now."""

from pathlib import Path

from lab.cores import ROOT
from rtl.device import generate_registers


def test_generated_files_are_current(tmp_path: Path) -> None:
    generate_registers.generate(tmp_path)
    made = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(made) == 7
    for path in made:
        committed = ROOT / path.relative_to(tmp_path)
        assert committed.read_text() == path.read_text(), (
            f"{committed} is not what saltmill.rdl gives: run `make registers`"
        )
    folders = (ROOT / generate_registers.GENERATED, ROOT / generate_registers.RUST)
    assert sum(len(list(folder.iterdir())) for folder in folders) == len(made)
