# SPDX-License-Identifier: Apache-2.0
"""What the tests share: a text in which swapped blocks can't hide, and keys, ours and pyrage's.

pyrage is the library of rage: the files of the one must open with the other.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pyrage
import pytest
import saltmill

CHUNK = 64 << 10
LONG = bool(os.environ.get("SALTMILL_LONG"))


def text_of(size: int) -> bytes:
    return (bytes(range(251)) * (size // 251 + 1))[:size]


@pytest.fixture(scope="session")
def identity() -> saltmill.Identity:
    return saltmill.Identity.generate()


@pytest.fixture(scope="session")
def rage(identity: saltmill.Identity) -> pyrage.x25519.Identity:
    """The same identity, of pyrage."""
    return pyrage.x25519.Identity.from_str(identity.secret())


@pytest.fixture(scope="session")
def age(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The age command: that of PATH, or with SALTMILL_LONG one that Go builds."""
    if found := shutil.which("age"):
        return found
    if not LONG or not shutil.which("go"):
        pytest.skip("there is no age command")
    folder = tmp_path_factory.mktemp("age")
    call = ["go", "install", "filippo.io/age/cmd/age@v1.3.2"]
    subprocess.run(call, env={**os.environ, "GOBIN": str(folder)}, check=True)
    return str(folder / "age")


@pytest.fixture
def text_file(tmp_path: Path) -> Path:
    path = tmp_path / "text"
    path.write_bytes(text_of(5 * CHUNK + 77))
    return path
