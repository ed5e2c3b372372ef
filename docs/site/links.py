# SPDX-License-Identifier: Apache-2.0
"""Links of Markdown pages, made to fit the site.

In the repository a link leads to a file or a folder. On the site it leads to the page that is made
from it: of a document, a folder, or a source.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from posixpath import normpath, relpath

CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$|(`+)(?!`).*?(?<!`)\2(?!`)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(\]\()([^)\s]+)((?:\s+\"[^\"]*\")?\))|(^\[[^\]]+\]:\s+)(\S+)()$", re.MULTILINE)
ELSEWHERE = re.compile(r"[a-z][a-z+.-]*:|#|//", re.IGNORECASE)


def texts(markdown: str) -> Iterator[tuple[bool, str]]:
    """The pieces of a text, and whether each is text: code has no links."""
    end = 0
    for code in CODE.finditer(markdown):
        yield True, markdown[end : code.start()]
        yield False, code.group()
        end = code.end()
    yield True, markdown[end:]


def rewritten(markdown: str, change: Callable[[str], str]) -> str:
    """The same with the target of each link changed. A link's text may have code in it."""

    def changed(found: re.Match[str]) -> str:
        before, target, after = found.group(1, 2, 3) if found.group(1) else found.group(4, 5, 6)
        return f"{before}{target if ELSEWHERE.match(target) else change(target)}{after}"

    return "".join(
        LINK.sub(changed, piece) if is_text else piece for is_text, piece in texts(markdown)
    )


class Site:
    """Where the files and folders of the repository are on the site."""

    def __init__(
        self,
        pages: dict[PurePosixPath, PurePosixPath],
        copied: set[PurePosixPath],
        sources: dict[PurePosixPath, PurePosixPath],
    ) -> None:
        self.pages = pages  # of documents, and of folders that have one
        self.copied = copied  # pictures
        self.sources = sources  # of all other files and folders

    def place(self, path: PurePosixPath) -> PurePosixPath | None:
        if path in self.copied:
            return path
        return self.pages.get(path) or self.sources.get(path)

    def link(self, source: PurePosixPath, place: PurePosixPath, target: str) -> str:
        """What a link in `source` becomes on the page at `place`."""
        path, _, anchor = target.partition("#")
        found = self.place(PurePosixPath(normpath(source.parent / path)))
        if found is None:
            raise LookupError(f"{source} links to {target}, which is not there")
        return relpath(found, place.parent) + (f"#{anchor}" if anchor else "")
