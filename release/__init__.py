# SPDX-License-Identifier: Apache-2.0
"""Packages that users install, made by `make dist`."""

import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]

MAINTAINER = "The Saltmill authors <saltmill@localhost>"


def version() -> str:
    """The only place: the workspace's."""
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text())
    found: str = cargo["workspace"]["package"]["version"]
    return found


def interface(of: str) -> str:
    """What the shared library's name ends with: programs built for one run with all of that."""
    major, minor, _ = of.split(".")
    return f"0.{minor}" if major == "0" else major


def run(*command: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None) -> bytes:
    """Runs a command, which must end well; gives what it says."""
    return subprocess.run(command, cwd=cwd, env=env, check=True, stdout=subprocess.PIPE).stdout


def output(*command: str | Path) -> str:
    """The same as text."""
    return run(*command).decode().strip()


def epoch() -> int:
    """Seconds since 1970 of the last commit: the time of all files in packages."""
    return int(output("git", "log", "-1", "--format=%ct"))
