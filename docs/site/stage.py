# SPDX-License-Identifier: Apache-2.0
"""The site's source, as mdBook takes it: pages at the paths of the repository, and their list."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from posixpath import relpath

from docs.site import contents, sources
from docs.site.contents import Contents, ContentsError, Page
from docs.site.links import Site, rewritten

PICTURES = {".svg", ".png"}
FENCE = re.compile(r"^( *```)([a-z]+).*$", re.MULTILINE)
WITHOUT_COLOURS = {"dts", "systemverilog"}  # languages that mdBook does not know
SITE = Path(__file__).parent


def site(root: Path, found: Contents, files: list[PurePosixPath]) -> Site:
    pages: dict[PurePosixPath, PurePosixPath] = {}
    for page in found.all():
        if page.source is not None:
            pages[PurePosixPath(page.source.relative_to(root).as_posix())] = page.html
        if page.place.name == "index.md":
            pages[page.place.parent] = page.html
    copied = {path for path in files if path.suffix in PICTURES}
    return Site(pages, copied, sources.places(files))


def summary(found: Contents) -> Iterator[str]:
    """What mdBook makes the list of pages from."""

    def entries(pages: list[Page], depth: int) -> Iterator[str]:
        for page in pages:
            yield f"{'  ' * depth}- [{page.title}](<{page.place}>)"
            yield from entries(page.below, depth + 1)

    yield f"# Summary\n\n[{found.front.title}](<{found.front.place}>)"
    for title, pages in found.parts:
        yield f"\n# {title}\n"
        yield from entries(pages, 0)


def first_sentence(page: Page) -> str:
    """Nothing, if a page does not begin with words."""
    if page.source is None:
        return ""
    paragraph = page.source.read_text().partition("\n# ")[2].split("\n\n")[1:2]
    text = re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", " ".join("".join(paragraph).split()))
    sentence = re.match(r"[A-Z].*?(?<! [A-Z])\.(?= |$)|[A-Z].*$", text)  # not behind an initial
    return f": {sentence.group().rstrip('.:')}." if sentence else ""


def list_of(page: Page) -> str:
    """A page that lists those below it; with a sentence about each, if each has one."""
    sentences = [first_sentence(one) for one in page.below]
    lines = [f"# {page.title}\n"]
    for one, sentence in zip(page.below, sentences, strict=True):
        link = relpath(one.html, page.place.parent)
        lines.append(f"- [{one.title}]({link}){sentence if all(sentences) else ''}")
    return "\n".join(lines) + "\n"


def of_source(page: Page, source: Path) -> str:
    """A source as a page, for what is read as a reference."""
    return f"# {page.title}\n\n```{source.suffix[1:]}\n{source.read_text()}```\n"


def complete(root: Path, found: Contents, files: list[PurePosixPath]) -> None:
    """Every document is on the site, or left out by intent."""
    have = {page.source for page in found.all()}
    forgotten = [
        str(path)
        for path in files
        if path.suffix == ".md" and root / path not in have and path not in contents.left_out(root)
    ]
    if forgotten:
        raise ContentsError(f"contents.toml does not have {', '.join(forgotten)}")


def without_marks(fence: re.Match[str]) -> str:
    """What is behind the language of an example is for the tests."""
    start, language = fence.groups()
    return f"{start}{'text' if language in WITHOUT_COLOURS else language}"


def pages(
    root: Path, found: Contents, where: Site, made: dict[str, str]
) -> Iterator[tuple[Page, str]]:
    """The text of each page. All links that lead nowhere are told at once."""
    dead: list[str] = []

    def of_document(page: Page, document: Path) -> str:
        path = PurePosixPath(document.relative_to(root).as_posix())

        def change(link: str) -> str:
            try:
                return where.link(path, page.place, link)
            except LookupError as error:
                dead.append(str(error))
                return link

        return FENCE.sub(without_marks, rewritten(document.read_text(), change))

    for page in found.all():
        if page.source is None:
            yield page, list_of(page) if page.lists else made[str(page.place)]
        elif page.source.suffix == ".md":
            yield page, of_document(page, page.source)
        else:
            yield page, of_source(page, page.source)
    if dead:
        raise ContentsError("\n".join(dead))


def stage(root: Path, target: Path, made: dict[str, str]) -> None:
    """Writes it all to `target`. `made`: the text of pages that are made."""
    files, found = sources.tracked(root), contents.load(root)
    complete(root, found, files)
    where = site(root, found, files)
    shutil.rmtree(target, ignore_errors=True)
    for page, text in pages(root, found, where, made):
        sources.put(target, page.place, text)
    for path in where.copied:
        (target / path.parent).mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / path, target / path)
    sources.write(root, files, target, where.pages | {path: path for path in where.copied})
    shutil.copyfile(SITE / sources.STYLE, target / sources.STYLE)
    sources.put(target, PurePosixPath("SUMMARY.md"), "\n".join(summary(found)) + "\n")
