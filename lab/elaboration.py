# SPDX-License-Identifier: Apache-2.0
"""What the constants of a module are once its parameters are known, as slang elaborates it."""

import re

from pyslang import DiagnosticEngine, SVInt, ast, driver

from lab import cores
from lab.variants import Variant


class ElaborationError(Exception):
    """One sentence: what the parameters or the sources are refused for."""


def sentence(messages: str) -> str:
    """The first error among slang's messages, a $fatal of ours by its own words."""
    found = re.search(r"error: (.*)", messages)
    text = found[1] if found else messages.strip().partition("\n")[0]
    return text.removeprefix("$fatal encountered: ").strip('"')


def constants(variant: Variant) -> dict[str, int]:
    """Parameters and localparams of the top module that are numbers (and enums), by name."""
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
    (top,) = compilation.getRoot().topInstances
    values = {
        member.name: int(member.value.value)
        for member in top.body
        if isinstance(member, ast.ParameterSymbol) and isinstance(member.value.value, SVInt)
    }
    unknown = variant.parameters.keys() - values.keys()  # slang passes over these in silence
    if unknown:
        names = ", ".join(sorted(unknown))
        raise ElaborationError(f"{variant.name}: {variant.top} has no parameter {names}")
    return values
