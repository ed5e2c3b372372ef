# SPDX-License-Identifier: Apache-2.0
"""docs/interfaces.md: parameters, ports, types and an instance of each core, from the RTL's own
text; slang says how wide the types are.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from lab import cores
from lab.report import waveforms
from lab.report.packages import fields, structs, type_named

DOCUMENT = cores.ROOT / "docs" / "interfaces.md"
BLOCKS = (
    "chacha20",
    "poly1305",
    "chacha20_poly1305",
    "aes",
    "aes_cbc",
    "ghash",
    "aes_gcm",
    "sha256",
    "md5",
    "hmac_sha256",
    "dma",
    "device",
)
# Modules that can be used alone, besides the top of each block
OTHERS = {
    "chacha20_poly1305": ("chacha20_poly1305_small",),
    "sha256": ("sha256_pipe",),
    "md5": ("md5_pipe",),
    "stream": (
        "stream_register",
        "stream_spill",
        "stream_fifo",
        "stream_offer",
        "stream_buffer",
        "stream_width",
        "stream_credit",
        "stream_count",
        "stream_aside",
        "wiped_ram",
        "flag_copies",
    ),
}
MAIN = {block: cores.read(block)["targets"]["default"]["toplevel"] for block in BLOCKS}
TOPS = [
    (block, top)
    for block in (*BLOCKS, "stream")
    for top in (*([MAIN[block]] if block in MAIN else []), *OTHERS.get(block, ()))
]
# Of parameters that have no default
EXAMPLES = {
    "Width": "32",
    "Depth": "16",
    "InBytes": "4",
    "OutBytes": "16",
    "Max": "16",
    "Copies": "4",
}
EXAMPLES["Start"] = EXAMPLES["Max"]

HEADER = r"^module {top}\b(.*?)(?:#\(\n(.*?)^\) )?\(\n(.*?)^\);"
PARAMETER = r"(?:parameter )?(?P<type>.+?) +(?P<name>\w+)(?: += (?P<value>.+))?"
PORT = r"(?P<direction>input|output) +(?P<type>[\w:]+) *(?P<width>(?:\[[^\]]+\] *)*)(?P<name>\w+)"


@dataclass(frozen=True)
class Line:
    """A parameter or port as it is declared, and what its comment says."""

    name: str
    type: str
    value: str  # a parameter's default
    direction: str  # of a port
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


def read(block: str, top: str) -> Interface:
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
        [line for line in lines(parameters or "", PARAMETER) if "localparam" not in line.type],
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
            parts.get("value") or "",
            parts.get("direction", ""),
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
        f"    .{line.name:{width}}({line.value or EXAMPLES[line.name]})"
        for line in interface.parameters
        if not (line.value and re.search(rf"\b({names})\b", line.value))
    ]
    ports = [f"    .{line.name:{width}}({line.name})" for line in interface.ports]
    name = interface.top.removeprefix("saltmill_")
    chosen = ["#(", ",\n".join(parameters), ") "] if parameters else [""]
    head = f"{interface.top} " + "\n".join(chosen) + f"u_{name} ("
    return "\n".join([head, ",\n".join(ports), ");"])


def table(of: list[Line], heads: list[str], cells: list[str]) -> list[str]:
    made = [f"| {' | '.join(heads)} |", f"| {' | '.join(['---'] * len(heads))} |"]
    for line in of:
        if line.title:
            made.append(f"| | {'| ' * (len(heads) - 2)}*{line.title.replace('|', '&#124;')}* |")
        fields = [filled(cell, line).replace("|", "&#124;") for cell in cells]
        made.append(f"| {' | '.join(fields)} |")
    return made


def filled(cell: str, line: Line) -> str:
    """Empty where there is nothing between the quotes."""
    return cell.format(line=line).replace("``", "")


def with_width(block: str, line: Line, imports: list[str]) -> Line:
    """A port of a type from a package also says how many bits that is."""
    found = type_named(block, line.type, imports) if line.type != "logic" else None
    return replace(line, width=f"{found[0].bitWidth}, {line.width}") if found else line


# ---- page ----------------------------------------------------------------------------------------


def picture(top: str) -> list[str]:
    """The waveform, if there is one, and what it shows."""
    recording = waveforms.FOLDER / f"{top}.json"
    if not recording.exists():
        return []
    made = json.loads(recording.read_text())
    shown, foot = made["head"]["text"], made["foot"]["text"]
    of = f" Row `{shown}` of the lab." if shown != top else ""
    return [f"![Waveform of {top}](waveforms/{top}.svg)", "", f"*{foot}{of}*", ""]


def socket() -> list[str]:
    """The types of the core socket."""
    package = "saltmill_socket_pkg"
    made = ["## The core socket", "", "What the device and a core tell each other: one `job_t` per"]
    made[-1] += " job, one `record_t` per tag; `facts_t` is what the device knows of its core. More"
    made[-1] += " in [rtl/socket](../rtl/socket/README.md)."
    made.append("")
    for name in structs("socket", package):
        made += fields("socket", name, package)
    return made


def section(interface: Interface) -> list[str]:
    named = ", ".join(f"`{name}`" for name in interface.imports)
    ports = [with_width(interface.block, line, interface.imports) for line in interface.ports]
    param = [line for line in ports if line.name == "param_i" and line.width != "32"]
    kinds = ["param_t" if line.type == "logic" else line.type for line in param]
    found = type_named(interface.block, kinds[0], interface.imports) if kinds else None
    return [
        f"## {interface.top}",
        "",
        interface.summary,
        "",
        f"More in [rtl/{interface.block}](../rtl/{interface.block}/README.md)."
        + (f" Types are from {named}." if named else ""),
        "",
        *picture(interface.top),
        *(parameter_table(interface.parameters) if interface.parameters else []),
        *table(
            ports,
            ["port", "direction", "bits", "what"],
            ["`{line.name}`", "{line.direction}", "{line.width}", "{line.comment}"],
        ),
        "",
        *(param_tables(interface, kinds[0], found[1]) if found else []),
        "```systemverilog",
        instance(interface),
        "```",
        "",
    ]


def param_tables(interface: Interface, name: str, package: str) -> list[str]:
    """Of a param, and of the `param_t` that it may have in it."""
    name = name.rpartition("::")[2]
    made = fields(interface.block, name, package)
    inner = type_named(interface.block, "param_t", interface.imports)
    if name != "param_t" and inner:
        made += fields(interface.block, "param_t", inner[1])
    return made


def parameter_table(parameters: list[Line]) -> list[str]:
    cells = ["`{line.name}`", "{line.type}", "`{line.value}`", "{line.comment}"]
    return [*table(parameters, ["parameter", "type", "default", "what"], cells), ""]


def text() -> str:
    template = Path(__file__).with_name("interfaces.md").read_text()
    found = [line for block, top in TOPS for line in section(read(block, top))]
    first = found.index("## stream_register")
    found[first:first] = socket()
    heads = [line.removeprefix("## ") for line in found if line.startswith("## ")]
    index = ", ".join(f"[{head}](#{head.lower().replace(' ', '-')})" for head in heads)
    page = template.replace("{{index}}\n", f"{index}.\n")
    return page.replace("{{cores}}\n", "\n".join(found).rstrip() + "\n")
