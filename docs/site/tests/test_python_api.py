# SPDX-License-Identifier: Apache-2.0
"""What a user imports from the Python package is found where it is defined."""

import ast

import pytest

from docs.site import ROOT, python_api

FOLDER = ROOT / "crates" / "saltmill-python" / "python" / python_api.PACKAGE
TOP = ast.parse((FOLDER / "__init__.py").read_text())


@pytest.mark.parametrize("name", python_api.public(TOP))
def test_a_public_name_is_defined(name: str) -> None:
    """In Python, also if it is imported only when it is used, or in the stubs of what is not."""
    origin = python_api.home(FOLDER, name)
    ending = ".pyi" if origin == python_api.COMPILED else ".py"
    text = "\n".join(python_api.entry(name, python_api.Module(FOLDER / f"{origin}{ending}")))
    assert text.startswith(f"### {name}\n```python\n")
