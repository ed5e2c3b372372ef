# SPDX-License-Identifier: Apache-2.0
"""The libraries' own documentation, by rustdoc, and the page that leads to it."""

import os
import shutil
import subprocess
import tomllib
from pathlib import Path

CRATES = ("saltmill", "saltmill-engine", "saltmill-format", "saltmill-device")
FOLDER = "rust"  # on the site
# rustdoc's page of help leads to it, and rustdoc does not make it.
INDEX = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>The Rust crates</title>
<meta http-equiv="refresh" content="0; url=../reference/rust.html">
<p><a href="../reference/rust.html">The Rust crates</a></p></html>
"""


def document(root: Path) -> Path:
    """The folder that rustdoc writes. A broken link in a comment is an error."""
    call = ["cargo", "doc", "--profile", "quick", "--no-deps", "--locked", "--quiet"]
    for crate in CRATES:
        call += ["--package", crate]
    subprocess.run(call, cwd=root, check=True, env=os.environ | {"RUSTDOCFLAGS": "--deny warnings"})
    return root / "target" / "doc"


def copy(documented: Path, target: Path) -> None:
    """Without other crates, which may have been documented there before."""
    ours = {folder(crate) for crate in CRATES}

    def others(path: str, names: list[str]) -> set[str]:
        own = Path(path) in (documented, documented / "src")
        crates = {name for name in names if (documented / "src" / name).is_dir()}
        return crates - ours if own else set()

    shutil.copytree(documented, target, ignore=others)
    (target / "index.html").write_text(INDEX)


def folder(crate: str) -> str:
    return crate.replace("-", "_")


def page(root: Path) -> str:
    rows = []
    for crate in CRATES:
        about = tomllib.loads((root / "crates" / crate / "Cargo.toml").read_text())["package"]
        inside = f"../{FOLDER}/{folder(crate)}/index.html"
        rows.append(f"| [`{crate}`]({inside}) | {about['description']} |")
    table = "\n".join(["| crate | |", "| --- | --- |", *rows])
    return (
        "# The Rust crates\n\nWhat each crate is for stands on its page below. Its types and "
        f"functions are documented by rustdoc:\n\n{table}\n\n"
        "`cargo doc --open --package saltmill` makes the same for all crates that it uses.\n"
    )
