# SPDX-License-Identifier: Apache-2.0
"""Every link and anchor of the built site leads somewhere, and nothing is loaded from a network."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {
    ("script", "src"),
    ("img", "src"),
    ("iframe", "src"),
    ("link", "href"),
    ("object", "data"),
}
LINKS = {("a", "href"), *LOADED}
IN_STYLES = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")


@dataclass
class Seen(HTMLParser):
    """Anchors and links of a page."""

    anchors: set[str] = field(default_factory=set)
    links: list[tuple[str, bool]] = field(default_factory=list)  # and whether it is loaded

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name == "id" or (tag, name) == ("a", "name"):
                self.anchors.add(value)
            if (tag, name) in LINKS and not value.startswith("data:"):
                self.links.append((value, (tag, name) in LOADED))


def read(path: Path) -> Seen:
    seen = Seen()
    seen.feed(path.read_text())
    return seen


class Checker:
    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.pages: dict[Path, Seen] = {}

    def page(self, path: Path) -> Seen:
        if path not in self.pages:
            self.pages[path] = read(path)
        return self.pages[path]

    def complaint(self, path: Path, link: str, *, loaded: bool) -> str | None:
        """What is wrong with a link of a page."""
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            return "is loaded from a network" if loaded else None
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.is_relative_to(self.root):
            return "leaves the site"
        if not target.is_file():
            return "is not there"
        anchor = unquote(parts.fragment)
        if anchor and target.suffix == ".html" and anchor not in self.page(target).anchors:
            return "has no such anchor"
        return None

    def of_page(self, path: Path) -> Iterator[str]:
        for link, loaded in self.page(path).links:
            if wrong := self.complaint(path, link, loaded=loaded):
                yield f"{path.relative_to(self.root)}: {link} {wrong}"

    def of_style(self, path: Path) -> Iterator[str]:
        for found in IN_STYLES.finditer(path.read_text()):
            link = found.group(1) or found.group(2)
            if link.startswith("data:"):
                continue
            if wrong := self.complaint(path, link, loaded=True):
                yield f"{path.relative_to(self.root)}: {link} {wrong}"

    def complaints(self) -> Iterator[str]:
        for path in sorted(self.root.rglob("*.html")):
            yield from self.of_page(path)
        for path in sorted(self.root.rglob("*.css")):
            yield from self.of_style(path)
