# SPDX-License-Identifier: Apache-2.0
"""The libraries' own documentation, by rustdoc, and the page that leads to it."""

import subprocess
import tomllib
from pathlib import Path

CRATES = ("saltmill", "saltmill-engine", "saltmill-format", "saltmill-device")
FOLDER = "rust"  # on the site


def document(root: Path) -> Path:
    """The folder that rustdoc writes. A broken link in a comment is an error."""
    call = ["cargo", "doc", "--profile", "quick", "--no-deps", "--locked", "--quiet"]
    for crate in CRATES:
        call += ["--package", crate]
    subprocess.run(call, cwd=root, check=True)
    return root / "target" / "doc"


def page(root: Path) -> str:
    rows = []
    for crate in CRATES:
        about = tomllib.loads((root / "crates" / crate / "Cargo.toml").read_text())["package"]
        inside = f"../{FOLDER}/{crate.replace('-', '_')}/index.html"
        rows.append(f"| [`{crate}`]({inside}) | {about['description']} |")
    table = "\n".join(["| crate | |", "| --- | --- |", *rows])
    return (
        "# The Rust crates\n\nWhat each crate is for stands on its page below. Its types and "
        f"functions are documented by rustdoc:\n\n{table}\n\n"
        "`cargo doc --open --package saltmill` makes the same for all crates that it uses.\n"
    )
