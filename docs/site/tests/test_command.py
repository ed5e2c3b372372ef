# SPDX-License-Identifier: Apache-2.0
"""The help of the command as a page."""

from pathlib import Path

import pytest

from docs.site import command

HELP = """Encrypt files

Usage: saltmill encrypt [OPTIONS] [IN]...

Arguments:
  [IN]...
          Input files [default: -, standard input]

Options:
  -r, --recipient <RECIPIENT>
          Encrypt to `this`

          More of it
          Possible values:
          - one:   the <first>
          - other: the second

      --json
          Print JSON

  -h, --help     Print help

Examples:
  What it is for:
    saltmill encrypt a
    saltmill encrypt b

To know.

Exit codes:
  0    success
  130  interrupted
"""


@pytest.fixture
def made(tmp_path: Path) -> str:
    script = tmp_path / "saltmill"
    (tmp_path / "help").write_text(HELP)
    script.write_text(f"#!/bin/sh\ncat {tmp_path}/help\n")
    script.chmod(0o755)
    return "\n\n".join(command.chapter(script, "encrypt"))


def test_options_have_anchors(made: str) -> None:
    for name in ("recipient", "json", "help", "in"):
        assert f'<dt id="saltmill-encrypt-{name}">' in made


def test_words_of_options(made: str) -> None:
    assert "<p>Encrypt to <code>this</code></p><p>More of it\nPossible values:</p>" in made
    assert "<li>one:   the &lt;first&gt;</li><li>other: the second</li>" in made
    assert "<code>-h, --help</code></dt><dd><p>Print help</p></dd>" in made


def test_examples_and_exit_codes(made: str) -> None:
    assert "What it is for:\n\n```sh\nsaltmill encrypt a\nsaltmill encrypt b\n```\n" in made
    assert "| 0 | success |\n| 130 | interrupted |" in made


def test_a_line_that_is_not_understood_is_an_error() -> None:
    with pytest.raises(command.HelpError):
        list(command.items(["  ?what is this"]))
