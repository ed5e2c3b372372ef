# SPDX-License-Identifier: Apache-2.0
"""The command and libsaltmill, built for any processor of the architecture."""

import os
from pathlib import Path

from release import ROOT, epoch, output, run


def environment() -> dict[str, str]:
    """Folders of this machine are not in what is built, and neither is the time."""
    home = os.environ.get("CARGO_HOME", str(Path.home() / ".cargo"))
    sysroot = output("rustc", "--print", "sysroot")
    moved = {str(ROOT): "/saltmill", home: "/cargo", sysroot: "/rust"}
    rust = " ".join(f"--remap-path-prefix={old}={new}" for old, new in moved.items())
    c = " ".join(f"-ffile-prefix-map={old}={new}" for old, new in moved.items())
    return {
        **os.environ,
        "RUSTFLAGS": rust,
        "CFLAGS": c,
        "CARGO_TARGET_DIR": str(target()),
        "SOURCE_DATE_EPOCH": str(epoch()),
    }


def target() -> Path:
    """Of its own: other flags would make all others build everything anew."""
    return ROOT / "target" / "dist"


def build() -> Path:
    """Builds both; gives the folder that they are in."""
    locked = ["--release", "--locked"]
    command = ["cargo", "build", *locked, "--package", "saltmill-cli"]
    # Without the library for Rust, all of it is optimised at once.
    library = ["cargo", "rustc", *locked, "--package", "saltmill-c", "--lib"]
    library += ["--crate-type", "cdylib,staticlib"]
    for call in (command, library):
        run(*call, env=environment())
    return target() / "release"
