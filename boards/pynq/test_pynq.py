# SPDX-License-Identifier: Apache-2.0
"""The driver and the notebook under stock pynq, with simulated devices; the block design's text."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from boards.environments import ready
from lab.cores import ROOT

HERE = Path(__file__).parent
BUILD = ROOT / "build" / "pynq"
VARIANTS = "aead-balanced,aes-ring,sha256-ring"
thorough = pytest.mark.skipif(not os.environ.get("SALTMILL_LONG"), reason="with SALTMILL_LONG")


def command() -> str:
    """The command with the devices: SALTMILL_COMMAND, or built here."""
    given = os.environ.get("SALTMILL_COMMAND")
    if given:
        return given
    build = "cargo build --profile quick --locked --package saltmill-cli --features sim"
    told = {
        **os.environ,
        "SALTMILL_SIM_VARIANTS": VARIANTS,
        "CARGO_TARGET_DIR": str(BUILD / "target"),
    }
    subprocess.run(build.split(), cwd=ROOT, env=told, check=True)
    return str(BUILD / "target" / "quick" / "saltmill")


@thorough
def test_driver_and_notebook_under_stock_pynq() -> None:
    python = ready(BUILD / "venv", HERE / "requirements.txt")
    tests = ("-m", "pytest", "-c", HERE / "tests" / "pytest.ini", HERE / "tests")
    told = {
        **os.environ,
        "SALTMILL_COMMAND": command(),
        "PYNQ_REMOTE_DEVICES": "127.0.0.1",
        "PYTHONPATH": str(ROOT),
    }
    subprocess.run([python, *tests], env=told, check=True)


def test_the_requirements_are_pinned() -> None:
    asked = (HERE / "requirements.in").read_text()
    pinned = (HERE / "requirements.txt").read_text()
    for line in asked.splitlines():
        if line and not line.startswith("#"):
            name = line.split("==")[0]
            assert re.search(rf"^{re.escape(line)}(==\S+)? \\$", pinned, re.MULTILINE), name
