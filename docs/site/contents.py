# SPDX-License-Identifier: Apache-2.0
"""Which pages the site has, in which order: contents.toml, with its patterns filled in."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

CONTENTS = Path(__file__).with_name("contents.toml")
PATTERN = re.compile(r"[*?[]")


class ContentsError(Exception):
    """contents.toml and the repository do not fit."""


@dataclass
class Page:
    """A page, by the path of its Markdown in the site's source."""

    place: PurePosixPath
    title: str
    source: Path | None = None  # a file of the repository; none: it is made
    lists: bool = False  # it lists the pages below
    below: list["Page"] = field(default_factory=list)

    @property
    def html(self) -> PurePosixPath:
        return self.place.with_suffix(".html")

    def all(self) -> Iterator["Page"]:
        yield self
        for page in self.below:
            yield from page.all()


@dataclass
class Contents:
    front: Page
    parts: list[tuple[str, list[Page]]]

    def all(self) -> Iterator[Page]:
        yield self.front
        for _, pages in self.parts:
            for page in pages:
                yield from page.all()


def place_of(path: PurePosixPath) -> PurePosixPath:
    """A README is what its folder shows."""
    return path.with_name("index.md") if path.name == "README.md" else path


def title_of(text: str) -> str | None:
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    return found.group(1).strip() if found else None


def names(entries: list[dict[str, Any]]) -> Iterator[str]:
    """Files that are named in full, here or below."""
    for entry in entries:
        if not PATTERN.search(entry.get("page", "*")):
            yield entry["page"]
        yield from names(entry.get("below", []))


class Reader:
    """A file is one page: patterns leave out what is named, and what a pattern before has taken."""

    def __init__(self, root: Path, named: set[str]) -> None:
        self.root = root
        self.named = named
        self.taken: set[str] = set()

    def files(self, name: str) -> list[str]:
        if name in self.named:
            if not (self.root / name).is_file():
                raise ContentsError(f"contents.toml names {name}, which is not there")
            found = [name]
        else:
            paths = (path.relative_to(self.root).as_posix() for path in self.root.glob(name))
            found = sorted(set(paths) - self.named - self.taken)
        self.taken |= set(found)
        return found

    def page(self, name: str) -> Page:
        title = title_of((self.root / name).read_text())
        if title is None:
            raise ContentsError(f"{name} has no first heading")
        return Page(place_of(PurePosixPath(name)), title, self.root / name)

    def entry(self, entry: dict[str, Any]) -> Iterator[Page]:
        if "made" in entry:
            yield Page(PurePosixPath(entry["made"]), entry["title"])
        elif "file" in entry:
            path = PurePosixPath(entry["file"])
            if (self.root / path).is_file():
                place = path.with_name(f"{path.name}.md")
                yield Page(place, entry["title"], self.root / path)
        elif "folder" in entry:
            yield Page(PurePosixPath(entry["folder"]) / "index.md", entry["title"], lists=True)
        else:
            yield from map(self.page, self.files(entry["page"]))

    def pages(self, entries: list[dict[str, Any]]) -> Iterator[Page]:
        for entry in entries:
            for page in self.entry(entry):
                page.below += self.pages(entry.get("below", []))
                yield page


def load(root: Path, text: str | None = None) -> Contents:
    """Every Markdown file is a page, or named among those that are none."""
    said = tomllib.loads(CONTENTS.read_text() if text is None else text)
    named = {said["front"]}.union(*(names(part["pages"]) for part in said["part"]))
    reader = Reader(root, named)
    front = reader.page(*reader.files(said["front"]))
    parts = [(part["title"], list(reader.pages(part["pages"]))) for part in said["part"]]
    return Contents(front, parts)


def left_out(root: Path) -> set[PurePosixPath]:
    """Markdown that is no page by intent."""
    patterns = tomllib.loads(CONTENTS.read_text())["left-out"]["patterns"]
    found = (path for pattern in patterns for path in root.glob(pattern))
    return {PurePosixPath(path.relative_to(root).as_posix()) for path in found}
