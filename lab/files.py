# SPDX-License-Identifier: Apache-2.0
"""Files that are written whole or not at all: what was there before stays until then."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "w") as output:
            output.write(text)
            output.flush()
            os.fsync(output.fileno())
        temporary.chmod(0o644)
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def complete(root: Path, path: Path) -> Iterator[Path]:
    """A name for a tool to write to, relative as `path` is; the file gets its own name at the end.

    Nothing is left if the tool fails.
    """
    aside = path.with_name(f".{os.getpid()}-{path.name}")
    (root / path.parent).mkdir(parents=True, exist_ok=True)
    try:
        yield aside
        (root / aside).replace(root / path)
    finally:
        (root / aside).unlink(missing_ok=True)
