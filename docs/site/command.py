# SPDX-License-Identifier: Apache-2.0
"""The command's reference: its help, as the command prints it, with an anchor for each option."""

import re
import subprocess
from collections.abc import Iterator
from html import escape
from itertools import groupby
from pathlib import Path

HEADING = re.compile(r"^(Usage|Commands|Arguments|Options|Examples|Exit codes):(?: (.*))?$")
ITEM = re.compile(r"^ {2,6}([-<\[a-z]\S*(?: \S+)*)(?: {2,}(.*))?$")
TERMS = 8  # columns: what begins further to the right is about the term above


class HelpError(Exception):
    """The help has a line that is not understood."""


def help_of(command: Path, *names: str) -> str:
    call = [str(command), *names, "--help"]
    return subprocess.run(call, check=True, capture_output=True, text=True).stdout


def sections(text: str) -> Iterator[tuple[str, list[str]]]:
    """What is under each heading; what comes first is under none."""
    title, lines = "", list[str]()
    for line in text.splitlines():
        if found := HEADING.match(line):
            yield title, lines
            title, lines = found.group(1), [found.group(2)] if found.group(2) else []
        else:
            lines.append(line)
    yield title, lines


def items(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Terms, and the lines about each."""
    term, about = None, list[str]()
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if not line.strip() or indent >= TERMS:
            about.append(line.strip())
            continue
        if term is not None:
            yield term, about
        found = ITEM.match(line)
        if found is None:
            raise HelpError(f"not understood: {line!r}")
        term, about = found.group(1), [found.group(2) or ""]
    if term is not None:
        yield term, about


def paragraphs(lines: list[str]) -> str:
    """Text as HTML: an empty line ends a paragraph, and `- ` begins a line of a list."""
    made: list[str] = []
    for block in "\n".join(lines).strip().split("\n\n"):
        words = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(block))
        head, *points = re.split(r"^- ", words, flags=re.MULTILINE)
        made += [f"<p>{head.strip()}</p>"] if head.strip() else []
        made += (
            [f"<ul>{''.join(f'<li>{one.strip()}</li>' for one in points)}</ul>"] if points else []
        )
    return "".join(made)


def option(prefix: str, term: str, about: list[str]) -> str:
    named = re.findall(r"--?[\w-]+", term) or [term.strip("<>[].")]
    anchor = f"{prefix}-{named[-1].lstrip('-').lower()}"
    return f'<dt id="{anchor}"><code>{escape(term)}</code></dt><dd>{paragraphs(about)}</dd>'


def examples(lines: list[str]) -> Iterator[str]:
    """Lines that are indented by four spaces are commands, by two what they are for."""
    for is_code, group in groupby(lines, lambda line: line.startswith("    ")):
        if is_code:
            yield "```sh\n" + "\n".join(line[4:] for line in group) + "\n```"
        else:
            yield "\n".join(f"\n{line.strip()}" if line[:2] == "  " else line for line in group)


def described(title: str, lines: list[str], prefix: str) -> str:
    match title:
        case "":
            return "\n".join(lines).strip()
        case "Usage":
            return "```text\n" + "\n".join(line.strip() for line in lines if line.strip()) + "\n```"
        case "Examples":
            return "\n\n".join(examples(lines))
        case "Exit codes":
            rows = (re.match(r"^ {2}(\d+) +(.+)$", line) for line in lines if line.strip())
            return "".join(f"\n| {row.group(1)} | {row.group(2)} |" for row in rows if row)
        case _:
            made = "\n".join(option(prefix, *item) for item in items(lines))
            return f'<dl class="options">\n{made}\n</dl>'


def commands(lines: list[str]) -> list[str]:
    return [term for term, _ in items(lines) if term != "help"]


def listed(lines: list[str], prefix: str) -> str:
    rows = [
        f"| [`{term}`](#{prefix}-{term}) | {' '.join(about).strip()} |"
        for term, about in items(lines)
        if term != "help"
    ]
    return "\n".join(["| command | |", "| --- | --- |", *rows])


def chapter(command: Path, *names: str) -> Iterator[str]:
    """A command and those below it."""
    prefix = "-".join(["saltmill", *names])
    below: list[str] = []
    if names:
        yield f"{'#' * (len(names) + 1)} saltmill {' '.join(names)}"
    for title, lines in sections(help_of(command, *names)):
        if title == "Commands":
            below = commands(lines)
            yield listed(lines, prefix)
        elif title == "Exit codes":
            codes = described(title, lines, prefix)
            yield f"| exit code | |\n| --- | --- |{codes}"
        else:
            yield f"**{title}**" if title else ""
            yield described(title, lines, prefix)
    for name in below:
        yield from chapter(command, *names, name)


def page(command: Path) -> str:
    text = "\n\n".join(piece for piece in chapter(command) if piece)
    return f"# The command\n\nWhat `saltmill COMMAND --help` prints.\n\n{text}\n"
