# SPDX-License-Identifier: Apache-2.0
"""What a caller with `mypy --strict` writes; test_types.py has it checked, and run."""

from pathlib import Path
from typing import assert_type

import saltmill


def there_and_back(folder: Path) -> bytes:
    """Bytes, files, parts, digests and messages, each with the type that it should have."""
    identity = saltmill.Identity.generate()
    sealed = assert_type(saltmill.encrypt(b"text", [identity.recipient]), bytes)
    (folder / "text.age").write_bytes(sealed)
    with saltmill.open(folder / "text.age", identities=identity) as file:
        assert_type(file, saltmill.SealedFile)
        text = assert_type(file.pread(4, 0), bytes)
    with saltmill.open(folder / "again.age", "wb", recipients=identity.recipient) as target:
        assert_type(target, saltmill.SealingFile)
        target.write(memoryview(text))
    plan = saltmill.plan(folder / "again.age", folder / "again", identities=identity)
    for number in range(plan.parts):
        assert_type(saltmill.part(plan, number), saltmill.Part)
    saltmill.complete(plan)
    for found in saltmill.hash_files([folder / "again"], ["sha256"]):
        if isinstance(found, Exception):
            raise found
        assert_type(found["sha256"], bytes)
    try:
        saltmill.decrypt(sealed[:-1], identity)
    except saltmill.RefusedError as error:
        assert_type(error.chunk, int | None)
    message = saltmill.ChaCha20Poly1305(bytes(32)).encrypt(bytes(12), text, b"data")
    assert_type(message, bytes)
    return (folder / "again").read_bytes()
