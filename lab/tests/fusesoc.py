# SPDX-License-Identifier: Apache-2.0
"""Calls of FuseSoC, for the tests."""

import functools
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

from lab import cores


@functools.cache
def tools() -> dict[str, str]:
    """The environment that lab/tools.sh makes."""
    command = ["bash", "-euc", ". lab/tools.sh && env -0"]
    made = subprocess.run(command, cwd=cores.ROOT, check=True, capture_output=True, text=True)
    return dict(entry.split("=", 1) for entry in made.stdout.split("\0") if entry)


def call(
    *arguments: str | Path, folder: Path = cores.ROOT, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """FuseSoC's status, with its messages and those of the tools in stdout."""
    return subprocess.run(
        ["fusesoc", *arguments],
        cwd=folder,
        env=dict(tools() if environment is None else environment),
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def fusesoc(*arguments: str | Path) -> str:
    """What FuseSoC says; fails if it does."""
    result = call(*arguments)
    assert result.returncode == 0, result.stdout
    return result.stdout


def set_up(block: str, target: str, build: Path, *arguments: str) -> Path:
    """The folder in which FuseSoC prepared a target of a block. Arguments as after the core."""
    fusesoc(
        *shlex.split(f"run --setup --target {target} --build-root"),
        build,
        f"saltmill:rtl:{block}",
        *arguments,
    )
    (folder,) = (build / f"saltmill_rtl_{block}_0.1.0").glob(f"{target}*")
    return folder


def assert_files(names: list[str], block: str) -> None:
    """The lab's, each block's in its order, and after those of the blocks that it depends on.
    Blocks of which neither needs the other may stand in either order.
    """
    assert sorted(names) == sorted(path.name for path in cores.files(block))
    for part in cores.blocks(block):
        own = [path.name for path in cores.own_files(part)]
        needed = [path.name for path in cores.files(part)]
        assert [name for name in names if name in needed][len(needed) - len(own) :] == own, part
