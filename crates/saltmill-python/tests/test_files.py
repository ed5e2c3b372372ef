# SPDX-License-Identifier: Apache-2.0
"""Files, file objects, and parts of files."""

import io
import random
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pyrage
import pytest
import saltmill
from conftest import CHUNK, text_of

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


def test_paths_and_file_objects(
    tmp_path: Path, text_file: Path, identity: saltmill.Identity, rage: pyrage.x25519.Identity
) -> None:
    text, sealed, seen = text_file.read_bytes(), tmp_path / "sealed", []
    size = saltmill.encrypt_file(text_file, sealed, identity.recipient, progress=seen.append)
    assert size == len(text) == seen[-1]
    assert pyrage.decrypt(sealed.read_bytes(), [rage]) == text
    with pytest.raises(FileExistsError):
        saltmill.encrypt_file(text_file, sealed, identity.recipient)
    saltmill.encrypt_file(text_file, sealed, identity.recipient, replace=True, armor=True)
    assert sealed.read_bytes().startswith(b"-----BEGIN AGE")
    with io.BytesIO() as target, sealed.open("rb") as source:
        saltmill.decrypt_file(source, target, identity)
        assert target.getvalue() == text
    saltmill.decrypt_file(sealed, tmp_path / "again", [identity])
    assert (tmp_path / "again").read_bytes() == text


def test_a_failure_leaves_no_file(
    tmp_path: Path, text_file: Path, identity: saltmill.Identity
) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        saltmill.encrypt_file(tmp_path / "none", tmp_path / "sealed", identity)
    assert missing.value.filename == str(tmp_path / "none")
    sealed = tmp_path / "sealed"
    saltmill.encrypt_file(text_file, sealed, identity)
    with sealed.open("r+b") as file:
        file.seek(-5, io.SEEK_END)
        file.write(b"12345")
    with pytest.raises(saltmill.RefusedError):
        saltmill.decrypt_file(sealed, tmp_path / "again", identity)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sealed", "text"]


def test_progress_can_stop_it(tmp_path: Path, identity: saltmill.Identity) -> None:
    class Slow(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            time.sleep(0.02)
            return super().read(size)

    def stop(_: int) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        saltmill.encrypt_file(
            Slow(bytes(100 * CHUNK)), tmp_path / "stopped", identity, progress=stop
        )
    assert not any(tmp_path.iterdir())


class Failing(io.RawIOBase):
    """A file object that raises."""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        raise LookupError(f"no {size} bytes")


def test_what_a_file_object_raises_is_raised(identity: saltmill.Identity) -> None:
    with pytest.raises(LookupError, match="no "):
        saltmill.encrypt_file(Failing(), io.BytesIO(), identity)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [0, 1, CHUNK, 3 * CHUNK, 5 * CHUNK + 77])
@pytest.mark.parametrize("cache_bytes", [0, 2 * CHUNK, 1 << 20])
def test_any_part_is_read(
    tmp_path: Path,
    size: int,
    cache_bytes: int,
    rage: pyrage.x25519.Identity,
    identity: saltmill.Identity,
) -> None:
    text, path = text_of(size), tmp_path / "sealed"
    path.write_bytes(pyrage.encrypt(text, [rage.to_public()]))
    draw = random.Random(size)
    with saltmill.open(path, identities=identity, cache_bytes=cache_bytes) as file:
        assert (file.size, file.seekable(), file.readable()) == (size, True, True)
        for _ in range(30):
            start, length = draw.randint(0, size + 10), draw.choice([0, 1, 100, CHUNK, 3 * CHUNK])
            assert file.pread(length, start) == text[start : start + length]
            assert file.seek(start) == start
            assert file.read(length) == text[start : start + length]
            assert file.tell() == max(start, min(start + length, size))
        file.seek(0)
        assert io.BufferedReader(file).read() == text
    with pytest.raises(ValueError, match="closed"):
        file.read(1)


def test_only_what_is_needed_is_read(identity: saltmill.Identity) -> None:
    sealed = saltmill.encrypt(text_of(100 * CHUNK), identity)

    class Counting(io.BytesIO):
        got = 0

        def read(self, size: int | None = -1) -> bytes:
            data = super().read(size)
            self.got += len(data)
            return data

    source = Counting(sealed)
    with saltmill.open(source, identities=identity, cache_bytes=2 * CHUNK) as file:
        assert source.got < 4096 + CHUNK + 16 + 1  # a header and the last chunk
        source.got = 0
        assert file.pread(20, 50 * CHUNK - 10) == text_of(100 * CHUNK)[50 * CHUNK - 10 :][:20]
        assert source.got == 2 * (CHUNK + 16)
        file.pread(CHUNK, 50 * CHUNK)  # it is there still
        assert source.got == 2 * (CHUNK + 16)


def test_a_file_that_was_cut_is_not_opened(tmp_path: Path, identity: saltmill.Identity) -> None:
    sealed = saltmill.encrypt(text_of(3 * CHUNK), identity)
    for cut in (1, CHUNK + 16):
        (tmp_path / "cut").write_bytes(sealed[:-cut])
        with pytest.raises(saltmill.RefusedError):
            saltmill.open(tmp_path / "cut", identities=identity)


def test_written_piece_by_piece(
    tmp_path: Path, identity: saltmill.Identity, rage: pyrage.x25519.Identity
) -> None:
    text, path = text_of(40 * CHUNK + 3), tmp_path / "sealed"
    with saltmill.open(path, "xb", recipients=identity) as file:
        for start in range(0, len(text), 100_001):
            file.write(text[start : start + 100_001])
        assert not path.exists()
    assert pyrage.decrypt(path.read_bytes(), [rage]) == text
    with pytest.raises(FileExistsError):
        saltmill.open(path, "xb", recipients=identity)
    with pytest.raises(KeyError), saltmill.open(path, "wb", recipients=identity) as file:  # noqa: PT012 -- the block is what fails
        file.write(b"half")
        raise KeyError
    assert pyrage.decrypt(path.read_bytes(), [rage]) == text
    forgotten = saltmill.open(tmp_path / "other", "wb", recipients=identity)
    forgotten.write(b"half")
    del forgotten
    assert [path.name for path in tmp_path.iterdir()] == ["sealed"]
    memory = io.BytesIO()
    with saltmill.open(memory, "wb", recipients=identity):
        pass
    assert saltmill.decrypt(memory.getvalue(), identity) == b""


def test_a_write_that_fails_leaves_no_file_that_opens(identity: saltmill.Identity) -> None:
    class FailsOnce(io.BytesIO):
        calls = 0

        def write(self, data: "ReadableBuffer") -> int:
            self.calls += 1
            if self.calls == 2:
                raise ConnectionResetError
            return super().write(data)

    target = FailsOnce()
    file = saltmill.open(target, "wb", recipients=identity)
    with pytest.raises(ConnectionResetError):
        file.write(text_of(2 << 20))
    with pytest.raises(OSError, match="earlier write"):
        file.write(b"more")
    with pytest.raises(OSError, match="earlier write"):
        file.close()
    assert file.closed
    with pytest.raises(saltmill.RefusedError):
        saltmill.decrypt(target.getvalue(), identity)


class Raw(io.RawIOBase):
    """A raw file object: what `write` gives is said by a number, or by nothing."""

    def __init__(self, takes: int | None, says: int | None) -> None:
        super().__init__()
        self.got, self.takes, self.says = bytearray(), takes, says

    def writable(self) -> bool:
        return True

    def write(self, data: "ReadableBuffer") -> int | None:
        self.got += memoryview(data)[: self.takes]
        return self.says


def test_raw_file_objects(identity: saltmill.Identity) -> None:
    text = text_of(20_000)

    class Seven(Raw):
        def write(self, data: "ReadableBuffer") -> int:
            self.got += memoryview(data)[:7]
            return min(7, memoryview(data).nbytes)

    for whole in (False, True):
        target = Seven(7, 7)
        if whole:
            saltmill.encrypt_file(io.BytesIO(text), target, identity)  # type: ignore[arg-type]
        else:
            with saltmill.open(target, "wb", recipients=identity) as file:  # type: ignore[call-overload]
                file.write(text)
        assert saltmill.decrypt(target.got, identity) == text
    for says, error in ((None, BlockingIOError), (1 << 30, (OSError, BufferError))):
        with pytest.raises(error):
            saltmill.encrypt_file(io.BytesIO(text), Raw(None, says), identity)  # type: ignore[arg-type]
        with pytest.raises(error):
            saltmill.open(Raw(None, says), "wb", recipients=identity)  # type: ignore[call-overload]
