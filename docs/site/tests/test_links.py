# SPDX-License-Identifier: Apache-2.0
"""Links of documents become links of the site; links that lead nowhere are found."""

from pathlib import Path, PurePosixPath

import pytest

from docs.site import ROOT, contents, sources, stage
from docs.site.check import Checker
from docs.site.links import rewritten


@pytest.mark.parametrize(
    ("markdown", "becomes"),
    [
        ("[a](b.md)", "[a](B.MD)"),
        ("[`a`](b.md#c) and ![d](e.svg)", "[`a`](B.MD#C) and ![d](E.SVG)"),
        ("[a](https://x.org/b.md) [c](#d)", "[a](https://x.org/b.md) [c](#d)"),
        ("`[a](b.md)` [c](d)", "`[a](b.md)` [c](D)"),
        ("```sh\n[a](b.md)\n```\n[c](d)", "```sh\n[a](b.md)\n```\n[c](D)"),
        ("[a]: b.md\n", "[a]: B.MD\n"),
    ],
)
def test_links_but_not_code_are_rewritten(markdown: str, becomes: str) -> None:
    assert rewritten(markdown, str.upper) == becomes


FILES = sources.tracked(ROOT)
CONTENTS = contents.load(ROOT)


def test_every_document_is_a_page_once() -> None:
    stage.complete(ROOT, CONTENTS, FILES)
    pages = list(CONTENTS.all())
    assert len({page.place for page in pages}) == len(pages) > 100


@pytest.mark.parametrize(
    ("page", "link", "becomes"),
    [
        ("README.md", "docs/choosing.md", "docs/choosing.html"),
        ("README.md", "rtl/chacha20", "rtl/chacha20/index.html"),
        ("README.md", "docs/decisions", "docs/decisions/index.html"),
        ("docs/ring.md", "pictures/ways.svg", "pictures/ways.svg"),
        ("docs/ring.md", "../rtl/sha256/README.md", "../rtl/sha256/index.html"),
        ("docs/architecture.md", "../lab/variants.toml", "../lab/variants.toml.html"),
        (
            "docs/boards/bare-metal.md",
            "../../boards/bare-metal/saltmill_driver.h",
            "../../boards/bare-metal/saltmill_driver.h.html",
        ),
        ("docs/lab.md", "../lab/results", "../lab/results/index.html"),
        (
            "rtl/socket/README.md",
            "../../docs/interfaces.md#the-core-socket",
            "../../docs/interfaces.html#the-core-socket",
        ),
    ],
)
def test_where_links_lead(page: str, link: str, becomes: str) -> None:
    source = PurePosixPath(page)
    where = stage.site(ROOT, CONTENTS, FILES)
    assert where.link(source, contents.place_of(source), link) == becomes


@pytest.mark.parametrize(
    ("fence", "becomes"),
    [
        ("```sh skip: needs root", "```sh"),
        ("   ```rust,no_run", "   ```rust"),
        ("```dts", "```text"),
        ("```", "```"),
    ],
)
def test_marks_of_examples_are_for_the_tests(fence: str, becomes: str) -> None:
    assert stage.FENCE.sub(stage.without_marks, f"a\n{fence}\nb\n") == f"a\n{becomes}\nb\n"


def test_a_link_to_nothing_is_an_error() -> None:
    where = stage.site(ROOT, CONTENTS, FILES)
    with pytest.raises(LookupError, match=r"docs/ring\.md links to none\.md"):
        where.link(PurePosixPath("docs/ring.md"), PurePosixPath("docs/ring.md"), "none.md")


GOOD = '<a href="b.html#there"></a><a href="https://x.org"></a><img src="c.svg"><p id="here">'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('<a href="#here"></a>', None),
        ('<a href="none.html"></a>', "a.html: none.html is not there"),
        ('<a href="b.html#none"></a>', "a.html: b.html#none has no such anchor"),
        ('<a href="#none"></a>', "a.html: #none has no such anchor"),
        ('<a href="#a%3Cb"></a><p id="a%3Cb"><a href="#c%3Cd"></a><p id="c&lt;d">', None),
        ('<a href="#3-5"></a><p id="3">', None),
        ('<a href="#4-5"></a><p id="3">', "a.html: #4-5 has no such anchor"),
        ('<a href="../out.html"></a>', "a.html: ../out.html leaves the site"),
        ('<img src="none.svg">', "a.html: none.svg is not there"),
        (
            '<script src="https://cdn.org/x.js"></script>',
            "a.html: https://cdn.org/x.js is loaded from a network",
        ),
        ('<link href="//fonts.org/x.css">', "a.html: //fonts.org/x.css is loaded from a network"),
    ],
)
def test_the_checker_finds_what_is_wrong(text: str, complaint: str | None, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(GOOD + text)
    (tmp_path / "b.html").write_text('<p id="there">')
    (tmp_path / "c.svg").write_text("<svg/>")
    assert list(Checker(tmp_path).complaints()) == ([complaint] if complaint else [])


def test_a_page_that_leads_on_has_the_anchors_of_the_other(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="b.html#there"></a><a href="b.html#not"></a>')
    (tmp_path / "b.html").write_text('<meta http-equiv="refresh" content="0;URL=c.html">')
    (tmp_path / "c.html").write_text('<p id="there">')
    assert list(Checker(tmp_path).complaints()) == ["a.html: b.html#not has no such anchor"]


def test_a_style_loads_nothing_from_a_network(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("@font-face { src: url('https://fonts.org/a.woff2') }")
    wrong = "a.css: https://fonts.org/a.woff2 is loaded from a network"
    assert list(Checker(tmp_path).complaints()) == [wrong]
