# SPDX-License-Identifier: Apache-2.0
"""The documentation site, build/docs: pages are the Markdown files of the repository, not copies.

`make docs` copies them at build, at the paths that they have in the repository, so that their links
stay; adds what is made (references of command and Python, sources, the lab's report); lets mdBook
make HTML of it; and checks every link and anchor of the result.
"""

from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build" / "docs"
STAGED = ROOT / "build" / "docs-source"
