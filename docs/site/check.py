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
OPTIONAL = "trait.impl"  # rustdoc asks for these scripts also where it has made none
IN_STYLES = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")


@dataclass
class Seen(HTMLParser):
    """Anchors and links of a page."""

    anchors: set[str] = field(default_factory=set)
    links: list[tuple[str, bool]] = field(default_factory=list)  # and whether it is loaded
    refresh: str | None = None  # the page that a browser goes on to

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "meta" and ("http-equiv", "refresh") in attrs:
            self.refresh = re.sub(
                r"^\d+; *url=", "", dict(attrs)["content"] or "", flags=re.IGNORECASE
            )
            self.links.append((self.refresh, False))
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
            return None if OPTIONAL in target.parts else "is not there"
        # A browser looks for the anchor as it stands, then decoded; rustdoc has ranges of lines.
        anchor = re.sub(r"^(\d+)-\d+$", r"\1", parts.fragment)
        if anchor and not {anchor, unquote(anchor)} & self.anchors(target):
            return "has no such anchor"
        return None

    def anchors(self, path: Path) -> set[str]:
        """Of a page, or of the one that it leads to at once."""
        if path.suffix != ".html":
            return set()
        seen = self.page(path)
        if seen.refresh is None:
            return seen.anchors
        return self.anchors((path.parent / seen.refresh).resolve())

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
