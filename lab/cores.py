# SPDX-License-Identifier: Apache-2.0
"""File lists of the hardware, from the FuseSoC `.core` files, dependencies first."""

import functools
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parent.parent
RTL = ROOT / "rtl"


def core_file(block: str) -> Path:
    return RTL / block / f"{block}.core"


parsed = functools.lru_cache(maxsize=64)(yaml.safe_load)


def read(block: str) -> dict[str, Any]:
    document = parsed(core_file(block).read_text())
    if not isinstance(document, dict):
        raise ValueError(f"{core_file(block)} is not a FuseSoC core file")
    return document


def blocks(block: str) -> list[str]:
    """The block and all that it depends on, each once, dependencies first."""
    found: list[str] = []
    for fileset in read(block)["filesets"].values():
        for name in fileset.get("depend", []):
            found += blocks(name.split(":")[2])
    return list(dict.fromkeys([*found, block]))


def own_files(block: str, file_type: str = "systemVerilogSource") -> list[Path]:
    """Files of a type (also `vlt`: Verilator's waivers) that are the block's own, in order."""
    return [
        RTL / block / path
        for fileset in read(block)["filesets"].values()
        if fileset["file_type"] == file_type
        for path in fileset["files"]
    ]


def files(block: str, file_type: str = "systemVerilogSource") -> list[Path]:
    """Files that the block needs, in order."""
    return [path for name in blocks(block) for path in own_files(name, file_type)]
