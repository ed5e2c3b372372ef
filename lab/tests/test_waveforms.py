# SPDX-License-Identifier: Apache-2.0
"""docs/waveforms: drawn from the recordings, and these from the RTL."""

import json
import re
from typing import Any

import pytest

from lab.report import interfaces, waveforms
from rtl.testbench import waveforms as recorder
from rtl.testbench.runner import LONG

# Small, or built for other tests anyway; the others by `make test-all`
AGAIN = tuple(recorder.RECORDINGS) if LONG else ("chacha20", "ghash", "poly1305")


def test_each_core_has_a_recording() -> None:
    assert recorder.RECORDINGS.keys() == set(interfaces.BLOCKS)
    tops = [recording.top for recording in recorder.RECORDINGS.values()]
    assert sorted(tops) == [path.stem for path in waveforms.recordings()]


@pytest.mark.parametrize("recording", waveforms.recordings(), ids=lambda path: path.stem)
def test_pictures_are_of_their_recordings(recording: Any) -> None:
    picture = recording.with_suffix(".svg").read_text()
    assert picture == waveforms.drawn(recording), "run python -m lab report"


@pytest.mark.parametrize("block", AGAIN)
def test_recordings_are_of_this_rtl(block: str) -> None:
    path = waveforms.FOLDER / f"{recorder.RECORDINGS[block].top}.json"
    made = recorder.recorded(block)
    assert made == path.read_text(), f"run python -m rtl.testbench.waveforms {block}"


def two(first: str, second: str, data: list[str]) -> dict[str, Any]:
    signal = ["in", {"name": "valid", "wave": first}, {"name": "x", "wave": second, "data": data}]
    return {"head": {"text": "two"}, "signal": [signal]}


def test_long_times_without_change_are_broken() -> None:
    picture = waveforms.svg(two("01......0..", "x=......x..", ["1234abcd"]))
    shown = re.findall(r'class="number".*>(\d+)<', picture)
    assert shown == ["0", "1", "2", "7", "8", "9"]
    assert picture.count('class="break"') == 1
    assert picture.count(">abcd<") == 1, "one box, with the last digits"


def test_a_change_is_seen_in_the_picture() -> None:
    recording = json.loads(waveforms.recordings()[0].read_text())
    before = waveforms.svg(recording)
    entry = recording["signal"][0][1]
    entry["wave"] = entry["wave"][::-1].replace(".", "0")
    assert waveforms.svg(recording) != before
