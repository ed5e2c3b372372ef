# SPDX-License-Identifier: Apache-2.0
"""docs/experiments/: a page for each of the four published systems and one for a GPU, from the
results of the experiments and of the lab; and their pictures, which the report's page has too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lab import cores, experiments
from lab.report import experiment_cores, experiment_fpgacha, experiment_gpu, experiment_pynqrypt
from lab.report.entries import Breakdown, Entry

FOLDER = cores.ROOT / "docs" / "experiments"
TEMPLATES = Path(experiments.__file__).parent  # links in them work here and in FOLDER


@dataclass(frozen=True)
class Part:
    """What a page is filled with, and its pictures by name."""

    fills: Mapping[str, str]
    pictures: Mapping[str, str]


def parts(entries: Sequence[Entry], breakdowns: Sequence[Breakdown]) -> dict[str, Part]:
    """By the name of the page."""
    made = {
        "fpgacha": experiment_fpgacha.fpgacha(),
        "pynqrypt": experiment_pynqrypt.pynqrypt(entries),
        "sme": experiment_cores.sme(entries),
        "vhdl": experiment_cores.vhdl(entries, breakdowns),
        "gpu": experiment_gpu.gpu(entries),
    }
    return {name: Part(*both) for name, both in made.items()}


def filled(name: str, fills: Mapping[str, str]) -> str:
    """A page. An experiment that was not run has no figures to put in."""
    page = (TEMPLATES / f"{name}.md").read_text()
    for key, value in fills.items():
        page = page.replace(f"{{{{{key}}}}}", value)
    return page


def documents(entries: Sequence[Entry], breakdowns: Sequence[Breakdown]) -> dict[Path, str]:
    """All files of docs/experiments."""
    found: dict[Path, str] = {}
    for name, part in parts(entries, breakdowns).items():
        if part.fills:
            found[FOLDER / f"{name}.md"] = filled(name, part.fills)
        for picture, svg in part.pictures.items():
            found[FOLDER / f"{picture}.svg"] = svg
    return found


def html(entries: Sequence[Entry], breakdowns: Sequence[Breakdown]) -> str:
    """The pictures, for the page."""
    pictures: Iterable[str] = (
        f'<div class="scroll">{svg}</div>'
        for part in parts(entries, breakdowns).values()
        for svg in part.pictures.values()
    )
    return "\n".join(pictures)
