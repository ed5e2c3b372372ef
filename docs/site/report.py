# SPDX-License-Identifier: Apache-2.0
"""The lab's report on the site: a page that leads to it, and the report with a way back."""

from pathlib import Path

PAGE = """# The report

<p><a href="all-results.html"><strong>Open the report</strong></a>: all results of the lab, with
plots.</p>

- Filter by algorithm, family of devices and origin: our cores, other open cores through the same
  tools, published ones.
- Each row has its label: *synthesised*, *placed-and-routed*, *simulated*, *modelled* or
  *published* ([meanings](../index.html#figures)).
- The same figures as tables: [choosing](../docs/choosing.html) and
  [comparison](../docs/comparison.html). As data: [lab/results](results/index.html).

`make report` makes it from the committed results; `make lab` measures what is out of date
([the lab](../docs/lab.html)).
"""
BACK = (
    '<p style="margin: 0; padding: 0.5rem 1rem"><a href="report.html">Saltmill, documents</a></p>'
)
PLACE = "lab/all-results.html"


def with_a_way_back(report: Path) -> str:
    before, body, after = report.read_text().partition("<body>")
    if not body:
        raise ValueError(f"{report} has no <body>")
    return before + body + BACK + after
