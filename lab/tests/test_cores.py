# SPDX-License-Identifier: Apache-2.0
"""File lists and variants are what the sources say. Their order: test_fusesoc.py."""

import pytest

from lab import cores, variants

BLOCKS = sorted({variant.block for variant in variants.load().values()} | {"stream"})
ROWS = {
    "a-core": {"block": "a", "top": "a", "parameters": {"N": 1, "M": 2}, "targets": ["ecp5"]},
    "b-one": {"block": "b", "top": "b", "core": "a-core", "parameters": {"M": 3}, "targets": []},
}


@pytest.mark.parametrize("block", BLOCKS)
def test_every_source_is_listed(block: str) -> None:
    present = {
        path
        for path in (cores.RTL / block).glob("**/*.sv")
        if path.parent.name not in ("formal", "tb")
    }
    listed = {path for path in cores.files(block) if path.is_relative_to(cores.RTL / block)}
    assert present == listed


def test_a_row_has_its_own_parameters_not_those_of_its_core() -> None:
    rows = {name: {**row, "purpose": ""} for name, row in ROWS.items()}
    one = variants.parse(rows)["b-one"]
    assert (one.parameters, one.core) == ({"M": 3}, "a-core")


def test_a_row_with_an_unknown_core_is_refused() -> None:
    row = {"block": "b", "top": "b", "core": "missing", "targets": [], "purpose": ""}
    with pytest.raises(ValueError, match=r"\[b-one\] names the core missing"):
        variants.parse({"b-one": row})


def test_a_row_with_an_unknown_key_is_refused() -> None:
    row = {"block": "b", "top": "b", "targets": [], "purpose": "", "parameter": {}}
    with pytest.raises(ValueError, match=r"\[b-one\]: unknown key parameter$"):
        variants.parse({"b-one": row})


def test_a_row_without_a_key_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\[b-one\]: no purpose, no targets$"):
        variants.parse({"b-one": {"block": "b", "top": "b"}})
