# SPDX-License-Identifier: Apache-2.0
"""Which crates are linked into a package, and what their licences say."""

import json
from pathlib import Path
from typing import Any

from release import output

TEXTS = ("LICEN[CS]E*", "COPYING*", "NOTICE*", "COPYRIGHT*")


def linked(package: str) -> list[dict[str, Any]]:
    """The crates that a package of the workspace is built from, but not what builds them."""
    host = next(
        line.removeprefix("host: ")
        for line in output("rustc", "-vV").splitlines()
        if line.startswith("host: ")
    )
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", host]
    found = json.loads(output(*command))
    nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
    crates = {crate["id"]: crate for crate in found["packages"]}
    start = next(key for key, crate in crates.items() if crate["name"] == package)
    seen, open_ = {start}, [start]
    while open_:
        for dependency in nodes[open_.pop()]["deps"]:
            kinds = {kind["kind"] for kind in dependency["dep_kinds"]}
            if None in kinds and dependency["pkg"] not in seen:
                seen.add(dependency["pkg"])
                open_.append(dependency["pkg"])
    others = [crates[key] for key in seen if crates[key]["source"]]
    return sorted(others, key=lambda crate: (crate["name"], crate["version"]))


def text(package: str) -> str:
    """All of them, and each text of a licence once."""
    lines, texts = ["Crates that are linked into this package:", ""], dict[str, list[str]]()
    for crate in linked(package):
        name = f"{crate['name']} {crate['version']}"
        lines.append(f"  {name}: {crate['license'] or 'see below'}")
        folder = Path(crate["manifest_path"]).parent
        for pattern in TEXTS:
            for file in sorted(folder.glob(pattern)):
                if file.is_file():
                    texts.setdefault(file.read_text(errors="replace").strip(), []).append(name)
    for said, names in texts.items():
        lines += ["", "-" * 78, ", ".join(dict.fromkeys(names)), "", said]
    return "\n".join(lines) + "\n"
