# SPDX-License-Identifier: Apache-2.0
"""Builds the kernel module for one of Debian's kernels, once for each state of its sources."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from boards.linux import packages
from boards.linux.compilers import headers
from boards.linux.packages import Kernel, PackagesError
from boards.linux.saltmill_uio.package import stage


class ModuleError(Exception):
    """The compiler or kbuild has something to say."""


def make(sources: Path, kernel: Kernel, *arguments: str) -> str:
    """Runs kbuild on sources; gives what it says. Warnings are errors."""
    tree = headers(kernel.version, kernel.architecture)
    if not tree.folder.name.endswith(kernel.release):
        raise PackagesError(f"{tree.folder} is not of kernel {kernel.release}")
    command = ["make", "-C", str(tree.folder), f"M={sources}", "W=1", *tree.arguments, *arguments]
    told = {**os.environ, "PATH": tree.compiler.path, "LC_ALL": "C"}
    # Of a make that runs this one: its flags are not for kbuild.
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        told.pop(name, None)
    run = subprocess.run(command, env=told, capture_output=True, text=True, check=False)
    if run.returncode or run.stderr:
        raise ModuleError(f"{' '.join(command)}\n{run.stdout}{run.stderr}")
    return run.stdout


def module(kernel: Kernel) -> Path:
    """saltmill_uio.ko for this kernel."""
    with tempfile.TemporaryDirectory() as folder:
        sources = Path(folder) / "saltmill_uio"
        stage(sources)
        state = hashlib.sha256()
        for path in sorted(path for path in sources.rglob("*") if path.is_file()):
            state.update(path.read_bytes())
        made = packages.BUILD / "saltmill_uio" / f"{kernel.release}-{state.hexdigest()[:12]}.ko"
        if not made.exists():
            make(sources, kernel, "modules")
            made.parent.mkdir(parents=True, exist_ok=True)
            partial = made.with_suffix(f".{os.getpid()}")
            shutil.copy(sources / "saltmill_uio.ko", partial)
            partial.rename(made)
    return made
