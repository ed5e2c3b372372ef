# SPDX-License-Identifier: Apache-2.0
"""The report: build/lab/report.html, docs/choosing.md and docs/comparison.md from the same rows.
docs/experiments from these and from the published experiments, docs/interfaces.md from the RTL,
docs/waveforms/*.svg from the recordings beside them.
"""

from pathlib import Path

import plotly.offline

from lab import cores, files, results, synth, targets, variants
from lab.report import choosing, comparison, entries, experiments, interfaces, page, waveforms

PAGE = cores.ROOT / "build" / "lab" / "report.html"


def rows() -> tuple[list[entries.Entry], list[entries.Breakdown]]:
    """The committed results and what is known of others."""
    table = variants.load()
    return entries.collect(
        table,
        {name: target.label for name, target in targets.TARGETS.items()},
        {name: results.load(name) for name in targets.TARGETS},
        entries.PUBLISHED.read_text(),
        {name: synth.digest(variant) for name, variant in table.items()},
    )


def build(
    output: Path = PAGE,
    document: Path = choosing.DOCUMENT,
    compared: Path = comparison.DOCUMENT,
    ports: Path = interfaces.DOCUMENT,
) -> Path:
    """Writes all; each is whole or what it was before."""
    found, breakdowns = rows()
    cited = entries.sources(entries.PUBLISHED.read_text())
    pictures = experiments.html(found, breakdowns)
    script = plotly.offline.get_plotlyjs()
    files.write(output, page.render(found, breakdowns, cited, script, pictures))
    files.write(document, choosing.text(found, choosing.devices()))
    files.write(compared, comparison.text(found))
    files.write(ports, interfaces.text())
    for path, text in experiments.documents(found, breakdowns).items():
        files.write(path, text)
    for recording in waveforms.recordings():
        files.write(recording.with_suffix(".svg"), waveforms.drawn(recording))
    return output
