# SPDX-License-Identifier: Apache-2.0
"""Python environments of their own, below build/: what boards need and the project does not."""

import subprocess
import venv
from pathlib import Path


def ready(folder: Path, requirements: Path) -> Path:
    """Makes the environment, unless it is that of the pinned requirements; gives its Python."""
    python, made_from = folder / "bin" / "python", folder / "requirements.txt"
    if not made_from.exists() or made_from.read_text() != requirements.read_text():
        venv.create(folder, clear=True, with_pip=True)
        install = "-m pip install --quiet --disable-pip-version-check --require-hashes -r"
        subprocess.run([python, *install.split(), requirements], check=True)
        made_from.write_text(requirements.read_text())
    return python
