# SPDX-License-Identifier: Apache-2.0
"""Area by component, from a synthesis that keeps the upper levels of the hierarchy.

Nothing is optimised across modules there, so the sum differs from the flat netlist's.
"""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab import jobs, synth
from lab.results import Component
from lab.targets import Target, area
from lab.variants import Variant

# Modules more than three levels below the top, by the instance's path: of a pipeline there are
# hundreds, and with each of them apart Yosys takes many times as long.
DEEPER = "=*.u_*.u_*.u_*.u_*"


@dataclass(frozen=True)
class Part:
    """An instance and all that is in it."""

    module: str
    own: Counter[str]  # cells
    children: list["Part"]

    def cells(self) -> Counter[str]:
        return sum((child.cells() for child in self.children), self.own)


def tree(modules: dict[str, Any], name: str) -> Part:
    counted = synth.cells(modules, name)
    inside = [kind for kind in counted if is_ours(modules, kind)]
    children = [tree(modules, kind) for kind in inside for _ in range(counted[kind])]
    own = Counter({kind: count for kind, count in counted.items() if kind not in inside})
    return Part(name.partition("$")[0], own, children)  # read_slang adds the instance's path


def is_ours(modules: dict[str, Any], kind: str) -> bool:
    """Not a primitive of the family, which the netlist has as a module without content."""
    return kind in modules and not int(modules[kind]["attributes"].get("blackbox", "0"), 2)


def split(whole: Part, target: Target) -> list[Component]:
    """The parts of a design, by module; one with more than half of the LUTs is split in its turn.

    What such a module has beside its parts goes by its own name.
    """
    half = area(target, whole.cells())["lut"] / 2
    found: dict[str, Counter[str]] = {}

    def add(part: Part) -> None:
        is_split = part is whole or area(target, part.cells())["lut"] > half
        found.setdefault(part.module, Counter()).update(part.own if is_split else part.cells())
        if is_split:
            for child in part.children:
                add(child)

    add(whole)
    sizes = [(name, area(target, cells)) for name, cells in found.items()]
    return [
        {"component": name, "lut": int(size["lut"]), "ff": int(size["ff"])}
        for name, size in sorted(sizes, key=lambda entry: -entry[1]["lut"])
        if size["lut"] or size["ff"]
    ]


def measure(
    variant: Variant, target: Target, *, deadline_s: float = jobs.DEADLINE_S, force: bool = False
) -> list[Component]:
    netlist: Path = synth.folder(variant, target) / "components.json"
    title = f"{variant.name}, {target.name}, components"
    flow = "; ".join(
        [
            synth.read(variant, options="--keep-hierarchy"),
            "setattr -mod -set keep_hierarchy 1 =*",
            f"setattr -mod -unset keep_hierarchy {DEEPER}",
            f"{synth.command(variant, target)} -top {variant.top} {synth.UNNAMED}",
            synth.BLACKBOX,
            "write_json",
        ]
    )
    synth.yosys(variant, flow, netlist, title=title, deadline_s=deadline_s, force=force)
    return split(tree(synth.load(netlist), variant.top), target)
