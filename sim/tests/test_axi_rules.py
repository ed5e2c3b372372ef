# SPDX-License-Identifier: Apache-2.0
"""The simulated memory port: each of its AXI4 rules fires, and the memory is as it says."""

import os
import subprocess
from pathlib import Path

from lab.cores import ROOT

SIM = ROOT / "sim"
FLAGS = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror"]


def run(*command: str | Path) -> str:
    result = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    failures = [line for line in result.stdout.splitlines() if line.startswith("FAIL")]
    assert result.returncode == 0, "\n".join(failures) or result.stdout
    return result.stdout


def test_axi_rules() -> None:
    program = ROOT / "build" / "sim" / f"axi_rules_test-{os.getpid()}"
    program.parent.mkdir(parents=True, exist_ok=True)
    sources = [*sorted((SIM / "tests").glob("*.cpp")), SIM / "memory.cpp"]
    run("c++", *FLAGS, "-I", SIM, *sources, "-o", program)
    try:
        print(run(program))
    finally:
        program.unlink()
