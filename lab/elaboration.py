# SPDX-License-Identifier: Apache-2.0
"""What the constants of a module are once its parameters are known, as slang elaborates it."""

import functools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyslang import Bag, DiagnosticEngine, SVInt, ast, driver, syntax

from lab import cores, variants
from lab.variants import Variant

MESSAGES = (64, 1500, 65536)  # bytes, of the messages whose cycles are shown


class ElaborationError(Exception):
    """One sentence: what the parameters or the sources are refused for."""


def sentence(messages: str) -> str:
    """The first $fatal of ours in the outermost file that has one, by its own words: what else is
    wrong follows from it. Otherwise the first error.
    """
    ours = re.findall(
        r"^(.*?):\d+:\d+: error: \$fatal encountered: \"?(.*?)\"?$", messages, re.MULTILINE
    )
    if ours:
        return str(next(words for path, words in ours if path == ours[-1][0]))
    found = re.search(r"error: (.*)", messages)
    return found[1] if found else messages.strip().partition("\n")[0]


@dataclass(frozen=True)
class Port:
    name: str
    is_input: bool
    width: int


def elaborate(variant: Variant) -> ast.InstanceSymbol:
    """The top module with the variant's parameters."""
    tool = driver.Driver()
    tool.addStandardArgs()
    command = [
        "slang --relax-enum-conversions --top",
        variant.top,
        *(f"-G{name}={value}" for name, value in variant.parameters.items()),
        *(f'"{path}"' for path in cores.files(variant.block)),
    ]
    if not (tool.parseCommandLine(" ".join(command)) and tool.processOptions()):
        raise ElaborationError(f"{variant.name}: slang does not take its parameters")
    tool.parseAllSources()
    compilation = tool.createCompilation()
    errors = [found for found in compilation.getAllDiagnostics() if found.isError()]
    if errors:
        messages = DiagnosticEngine.reportAll(tool.sourceManager, errors)
        raise ElaborationError(f"{variant.name}: {sentence(messages)}")
    top: ast.InstanceSymbol = compilation.getRoot().topInstances[0]
    # slang passes over these in silence
    unknown = variant.parameters.keys() - {parameter.name for parameter in top.body.parameters}
    if unknown:
        names = ", ".join(sorted(unknown))
        raise ElaborationError(f"{variant.name}: {variant.top} has no parameter {names}")
    return top


def sources(variant: Variant) -> list[Path]:
    """The files that the variant is made of: its modules', and those of the packages they name.
    What else is in its block, and in those below, has no part in its figures.
    """
    texts = tuple((path, path.read_text()) for path in cores.files(variant.block))
    return list(made_of(variant.top, tuple(sorted(variant.parameters.items())), texts))


PACKAGE = re.compile(r"\b\w+_pkg\b")


@functools.lru_cache(maxsize=256)
def made_of(
    top: str, parameters: tuple[tuple[str, int], ...], texts: tuple[tuple[Path, str], ...]
) -> list[Path]:
    """As `sources`; without slang's messages, which take it as long again."""
    options = ast.CompilationOptions()
    options.flags |= ast.CompilationFlags.RelaxEnumConversions
    options.topModules = {top}
    options.paramOverrides = [f"{name}={value}" for name, value in parameters]
    compilation = ast.Compilation(Bag([options]))
    for path, text in texts:
        compilation.addSyntaxTree(parsed(path, text))
    names = {top}

    def visit(symbol: object) -> bool:
        if isinstance(symbol, ast.InstanceSymbol):
            names.add(symbol.definition.name)
        return True

    for instance in compilation.getRoot().topInstances:  # not the root: that has what nothing uses
        instance.visit(visit)
    by_name = {path.stem: (path, text) for path, text in texts}
    waiting = sorted(names & by_name.keys())
    while waiting:
        packages = set(PACKAGE.findall(by_name[waiting.pop()][1])) & by_name.keys()
        waiting += sorted(packages - names)
        names |= packages
    return sorted(by_name[name][0] for name in names & by_name.keys())


@functools.lru_cache(maxsize=256)
def parsed(path: Path, text: str) -> syntax.SyntaxTree:
    return syntax.SyntaxTree.fromText(text, name=str(path))  # a path names one text for good


def constants(variant: Variant) -> dict[str, int]:
    """Parameters and localparams of the top module that are numbers (and enums), by name."""
    return {
        member.name: int(member.value.value)
        for member in elaborate(variant).body
        if isinstance(member, ast.ParameterSymbol) and isinstance(member.value.value, SVInt)
    }


def ports(variant: Variant) -> list[Port]:
    return [
        Port(port.name, port.direction == ast.ArgumentDirection.In, port.type.bitWidth)
        for port in elaborate(variant).body.portList
        if isinstance(port, ast.PortSymbol)
    ]


def rate(variant: Variant) -> dict[str, Any]:
    """Cycles per block and message, bytes of a block, latency. Of a device, only what its core does
    in long jobs.
    """
    elaborate(variant)
    core = variant
    if variant.core:
        core = variants.load()[variant.core]
    block = elaborate(core).body.lookupName("BlockBytes")  # of the core's package
    found = block.value.value if isinstance(block, ast.ParameterSymbol) else None
    values = constants(core)
    messages = [values.get(f"Cycles{size}") for size in MESSAGES]
    return {
        "cycles_per_block": values.get("CyclesPerBlock"),
        "block_bytes": int(found) if isinstance(found, SVInt) else None,
        "latency_cycles": None if variant.core else values.get("Latency"),
        "message_cycles": None if variant.core or None in messages else messages,
    }
