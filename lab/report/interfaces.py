# SPDX-License-Identifier: Apache-2.0
"""docs/interfaces.md: parameters, ports and an instance of each core, from the RTL's own text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lab import cores

DOCUMENT = cores.ROOT / "docs" / "interfaces.md"
BLOCKS = ("chacha20", "poly1305", "aead", "aes", "cbc", "ghash", "gcm", "dma", "device")

HEADER = r"^module {top}\n(.*?)^#\(\n(.*?)^\) \(\n(.*?)^\);"
PARAMETER = r"(?:parameter )?(?P<type>.+?) +(?P<name>\w+) += (?P<value>.+)"
PORT = r"(?P<way>input|output) +(?P<type>[\w:]+) *(?P<width>(?:\[[^\]]+\] *)*)(?P<name>\w+)"


@dataclass(frozen=True)
class Line:
    """A parameter or port as it is declared, and what its comment says."""

    name: str
    type: str
    value: str  # a parameter's default
    way: str  # a port's direction
    width: str
    comment: str
    title: str  # comment above the lines from here on, if one begins


@dataclass(frozen=True)
class Interface:
    block: str
    top: str
    imports: list[str]
    summary: str
    parameters: list[Line]
    ports: list[Line]


def read(block: str) -> Interface:
    top = cores.read(block)["targets"]["default"]["toplevel"]
    path = next(path for path in cores.own_files(block) if path.stem == top)
    text = path.read_text()
    found = re.search(HEADER.format(top=top), text, re.MULTILINE | re.DOTALL)
    if not found:
        raise ValueError(f"{path}: the header of {top} is not laid out as all others")
    imports, parameters, ports = found.groups()
    return Interface(
        block,
        top,
        re.findall(r"import (\w+)::\*;", imports),
        summary(text),
        [line for line in lines(parameters, PARAMETER) if "localparam" not in line.type],
        list(lines(ports, PORT)),
    )


def summary(text: str) -> str:
    """The file's first comment, to its first empty line."""
    words = []
    for line in text.splitlines()[1:]:
        if not line.startswith("// "):
            break
        words.append(line.removeprefix("// "))
    return " ".join(words)


def lines(text: str, pattern: str) -> Iterator[Line]:
    title: list[str] = []
    # A default or a condition may take several lines.
    for line in re.sub(r"[ \n]+(?=[+\-?:)])|(?<=\()\s+", " ", text).splitlines():
        code, _, comment = line.strip().partition("//")
        if not code:
            title.append(comment.strip())
            continue
        declared = re.fullmatch(pattern, code.strip().rstrip(","))
        if not declared:
            raise ValueError(f"{line.strip()!r} is not laid out as all others")
        parts = declared.groupdict()
        yield Line(
            parts["name"],
            parts["type"].strip(),
            parts.get("value", ""),
            parts.get("way", ""),
            bits(parts.get("width", ""), parts["type"]),
            comment.strip(),
            " ".join(title),
        )
        title = []


def bits(dimensions: str, kind: str) -> str:
    """`8*DataBytes` of `[8*DataBytes-1:0]`, 32 of `[31:0]`; a type by its name."""
    if kind != "logic":
        return f"`{kind}`"
    widths = []
    for high, low in re.findall(r"\[ *(.+?):(\w+)\]", dimensions):
        if high.isdigit() and low.isdigit():
            widths.append(str(int(high) - int(low) + 1))
        elif high.endswith("-1") and low == "0":
            widths.append(f"`{high.removesuffix('-1')}`")
        else:
            widths.append(f"`{high}:{low}`" if low != "0" else f"`{high}+1`")
    return " x ".join(widths) or "1"


def instance(interface: Interface) -> str:
    """Of the defaults, with wires named as the ports. What follows from other parameters stays."""
    names = "|".join(line.name for line in interface.parameters)
    width = max(len(line.name) for line in (*interface.parameters, *interface.ports))
    parameters = [
        f"    .{line.name:{width}}({line.value})"
        for line in interface.parameters
        if line.value and not re.search(rf"\b({names})\b", line.value)
    ]
    ports = [f"    .{line.name:{width}}({line.name})" for line in interface.ports]
    name = interface.top.removeprefix("saltmill_")
    return "\n".join(
        [
            f"{interface.top} #(",
            ",\n".join(parameters),
            f") u_{name} (",
            ",\n".join(ports),
            ");",
        ]
    )


def table(of: list[Line], heads: list[str], cells: list[str]) -> list[str]:
    made = [f"| {' | '.join(heads)} |", f"| {' | '.join(['---'] * len(heads))} |"]
    for line in of:
        if line.title:
            made.append(f"| | {'| ' * (len(heads) - 2)}*{line.title.replace('|', '&#124;')}* |")
        fields = [cell.format(line=line).replace("|", "&#124;") for cell in cells]
        made.append(f"| {' | '.join(fields)} |")
    return made


def section(interface: Interface) -> list[str]:
    packages = ", ".join(f"`{name}`" for name in interface.imports)
    return [
        f"## {interface.top}",
        "",
        interface.summary,
        "",
        f"More in [rtl/{interface.block}](../rtl/{interface.block}/README.md)."
        + (f" Types are from {packages}." if packages else ""),
        "",
        *table(
            interface.parameters,
            ["parameter", "type", "default", "what"],
            ["`{line.name}`", "{line.type}", "`{line.value}`", "{line.comment}"],
        ),
        "",
        *table(
            interface.ports,
            ["port", "direction", "bits", "what"],
            ["`{line.name}`", "{line.way}", "{line.width}", "{line.comment}"],
        ),
        "",
        "```systemverilog",
        instance(interface),
        "```",
        "",
    ]


def text() -> str:
    template = Path(__file__).with_name("interfaces.md").read_text()
    found = [line for block in BLOCKS for line in section(read(block))]
    return template.replace("{{cores}}\n", "\n".join(found).rstrip() + "\n")
