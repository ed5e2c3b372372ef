# SPDX-License-Identifier: Apache-2.0
"""Files are whole or not there."""

import errno
from pathlib import Path

import pytest

from lab import files


def test_a_file_is_replaced(tmp_path: Path) -> None:
    files.write(tmp_path / "below" / "a", "one")
    files.write(tmp_path / "below" / "a", "two")
    assert (tmp_path / "below" / "a").read_text() == "two"
    assert [path.name for path in (tmp_path / "below").iterdir()] == ["a"]


@pytest.mark.parametrize("call", ["os.fsync", "pathlib.Path.replace"])
def test_a_full_disk_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    files.write(tmp_path / "a", "one")
    monkeypatch.setattr(call, full)
    with pytest.raises(OSError, match="No space left"):
        files.write(tmp_path / "a", "two")
    assert (tmp_path / "a").read_text() == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_tools_file_gets_its_name_at_the_end(tmp_path: Path) -> None:
    with files.complete(tmp_path, Path("below/a.json")) as aside:
        (tmp_path / aside).write_text("one")
        assert not (tmp_path / "below" / "a.json").exists()
    assert (tmp_path / "below" / "a.json").read_text() == "one"
    with pytest.raises(KeyboardInterrupt):
        interrupted(tmp_path)
    assert [path.read_text() for path in (tmp_path / "below").iterdir()] == ["one"]


def interrupted(folder: Path) -> None:
    with files.complete(folder, Path("below/a.json")) as aside:
        (folder / aside).write_text("half")
        raise KeyboardInterrupt
