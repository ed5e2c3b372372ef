# SPDX-License-Identifier: Apache-2.0
"""The types that are promised, by mypy; every name has a docstring."""

import inspect
import os
import subprocess
import sys
from pathlib import Path

import saltmill
import sample

HERE = Path(__file__).parent
WRONG = """import saltmill
saltmill.encrypt("text", saltmill.Identity.generate())
saltmill.open("file", "wb", identities=saltmill.Identity.generate())
"""


def mypy(path: Path) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, path]
    return subprocess.run(call, capture_output=True, text=True, check=False)


def test_the_sample_is_typed_and_runs(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(WRONG)
    call = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache"]
    good = subprocess.run([*call, HERE / "sample.py"], capture_output=True, text=True, check=False)
    assert good.returncode == 0, good.stdout
    bad = subprocess.run(
        [*call, tmp_path / "wrong.py"], capture_output=True, text=True, check=False
    )
    assert "Found 2 errors" in bad.stdout, bad.stdout
    assert sample.there_and_back(tmp_path) == b"text"


def test_every_name_says_what_it_is() -> None:
    for name in saltmill.__all__:
        thing = getattr(saltmill, name)
        if inspect.isclass(thing) or inspect.isroutine(thing):
            assert (thing.__doc__ or "").strip(), name
    stub = (Path(saltmill.__file__).parent / "_saltmill.pyi").read_text()
    for name in dir(saltmill._saltmill):
        assert name.startswith("__") or name in stub, name


def test_what_is_not_used_is_not_imported() -> None:
    """Whole files and bytes need the extension alone; all names are there nevertheless."""
    program = """import sys
before = set(sys.modules)
import saltmill
print(*sorted(set(sys.modules) - before))
saltmill.decrypt(saltmill.encrypt(b"text", i := saltmill.Identity.generate()), i)
print(set(saltmill.__all__) <= set(dir(saltmill)), "saltmill._files" in sys.modules)
from saltmill import *
print(Plan is saltmill.Plan, open is saltmill.open, hasattr(saltmill, "nothing"))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    said = "saltmill saltmill._saltmill\nTrue False\nTrue True False\n"
    assert done.stdout == said, done.stderr
