# SPDX-License-Identifier: Apache-2.0
"""The file system for fsspec, over local files and over memory, whose requests are counted."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pyrage
import pytest
import saltmill
from conftest import CHUNK, text_of
from fsspec.implementations.memory import MemoryFileSystem
from saltmill.fs import AgeFileSystem

SEALED = CHUNK + 16


class Counting(MemoryFileSystem):
    """Counts requests and their bytes."""

    protocol = "counting"
    cachable = False
    store: dict[str, Any] = {}  # noqa: RUF012 -- as in its base
    pseudo_dirs = [""]  # noqa: RUF012

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.requests: list[int] = []

    def cat_file(
        self, path: str, start: int | None = None, end: int | None = None, **kwargs: Any
    ) -> bytes:
        data = super().cat_file(path, start, end, **kwargs)
        self.requests.append(len(data))
        return data


@pytest.fixture
def below() -> Iterator[Counting]:
    yield Counting()
    Counting.store.clear()


@pytest.fixture
def fs(below: Counting, identity: saltmill.Identity) -> AgeFileSystem:
    return AgeFileSystem(
        fs=below, identities=identity, recipients=identity.recipient, cache_bytes=4 * CHUNK
    )


def test_only_the_chunks_needed_are_asked_for(fs: AgeFileSystem, below: Counting) -> None:
    text = text_of(100 * CHUNK + 5)
    fs.pipe_file("/a/big", text)
    below.requests.clear()
    with fs.open("/a/big") as file:
        assert below.requests == [4096, 5 + 16]  # the header, and the last chunk
        assert file.size == len(text)
        below.requests.clear()
        file.seek(50 * CHUNK - 10)
        assert file.read(20) == text[50 * CHUNK - 10 :][:20]
        assert below.requests == [2 * SEALED]
        assert file.read(100) == text[50 * CHUNK + 10 :][:100]
        assert below.requests == [2 * SEALED]  # the chunk is kept
        file.seek(-3, 2)
        assert file.read() == text[-3:]
        assert below.requests == [2 * SEALED]  # the last one is known
        file.seek(0)
        assert file.read() == text
        assert len(file._chunks) <= fs.cache_chunks
    below.requests.clear()
    found = fs.cat_ranges(["/a/big"] * 4, [0, CHUNK, None, -4], [10, CHUNK + 1, 1, None])
    assert found == [text[:10], text[CHUNK : CHUNK + 1], text[:1], text[-4:]]
    assert below.requests == [SEALED] * 3


def test_a_small_file_is_one_request(fs: AgeFileSystem, below: Counting) -> None:
    fs.pipe_file("/small", b"a small text")
    below.requests.clear()
    assert fs.cat_file("/small") == b"a small text"
    assert len(below.requests) == 1
    assert fs.cat_file("/small", 2, 7) == b"small"
    assert len(below.requests) == 1
    fs.pipe_file("/empty", b"")
    assert fs.cat_file("/empty") == b""


def test_folders_and_sizes(fs: AgeFileSystem, below: Counting) -> None:
    for name, size in (("/d/a", 10), ("/d/e/b", CHUNK), ("/d/e/c", 0)):
        fs.pipe_file(name, text_of(size))
    assert [(root, dirs, files) for root, dirs, files in fs.walk("/d")] == [
        ("/d", ["e"], ["a"]),
        ("/d/e", [], ["b", "c"]),
    ]
    assert fs.info("/d/e/b")["size"] == CHUNK
    assert fs.info("/d/e/b")["sealed_size"] == below.info("/d/e/b")["size"]
    assert fs.find("/d") == ["/d/a", "/d/e/b", "/d/e/c"]
    assert fs.exists("/d/a")
    assert not fs.exists("/d/none")
    fs.cp_file("/d/a", "/d/f")
    fs.rm("/d/a")
    assert fs.cat_file("/d/f") == text_of(10)
    with pytest.raises(FileNotFoundError):
        fs.open("/d/a")


def test_a_file_that_was_replaced_is_found_out(
    fs: AgeFileSystem, below: Counting, identity: saltmill.Identity
) -> None:
    first, second = text_of(4 * CHUNK), bytes(4 * CHUNK)
    fs.pipe_file("/a", first)
    assert fs.cat_file("/a", 0, 5) == first[:5]
    below.pipe_file("/a", saltmill.encrypt(second, identity))  # by somebody else
    assert fs.cat_file("/a", 0, 5) == second[:5]
    damaged = bytearray(saltmill.encrypt(second, identity))
    damaged[-2 * SEALED] ^= 1
    below.pipe_file("/a", bytes(damaged))
    with pytest.raises(saltmill.RefusedError):
        fs.cat_file("/a", 0, 3 * CHUNK)
    found = fs.cat_ranges(["/a", "/a"], [0, 2 * CHUNK], [5, 2 * CHUNK + 5])
    assert found[0] == second[:5]
    assert isinstance(found[1], saltmill.RefusedError)
    below.pipe_file("/a", bytes(damaged[:-SEALED]))  # cut at a chunk
    fs.invalidate_cache("/a")
    with pytest.raises(saltmill.RefusedError):
        fs.open("/a")


def test_written_through(
    fs: AgeFileSystem,
    below: Counting,
    tmp_path: Path,
    identity: saltmill.Identity,
    rage: pyrage.x25519.Identity,
) -> None:
    text = text_of(3_000_000)
    with fs.open("/out", "wb") as file:
        file.write(text)
    assert pyrage.decrypt(below.cat_file("/out"), [rage]) == text
    local = AgeFileSystem(recipients=identity.recipient)
    with pytest.raises(KeyError), local.open(tmp_path / "half", "wb") as file:  # noqa: PT012 -- the block is what fails
        file.write(text)
        raise KeyError
    assert not any(tmp_path.iterdir())
    with fs.open("/words", "w") as words:
        words.write("a line\n")
    with fs.open("/words", "r") as words:
        assert words.read() == "a line\n"


def test_chained_urls(
    tmp_path: Path, identity: saltmill.Identity, rage: pyrage.x25519.Identity
) -> None:
    (tmp_path / "key.txt").write_text(f"# of a test\n{identity.secret()}\n")
    (tmp_path / "text.age").write_bytes(pyrage.encrypt(b"some text", [rage.to_public()]))
    options = {"age": {"identities": str(tmp_path / "key.txt")}}
    for url in (f"age::file://{tmp_path}/text.age", f"age::{tmp_path}/text.age"):
        with fsspec.open(url, "rb", **options) as file:
            assert file.read() == b"some text"
    for protocol in ("age", "saltmill"):
        fs = fsspec.filesystem(protocol, identities=[tmp_path / "key.txt"])
        assert fs.cat_file(f"{protocol}://{tmp_path}/text.age") == b"some text"
        assert identity.secret() not in repr(fs) + repr(fs.storage_options)
    with fsspec.open(f"age::{tmp_path}/out", "wb", age={"recipients": identity.recipient}) as file:
        file.write(b"more")
    assert pyrage.decrypt((tmp_path / "out").read_bytes(), [rage]) == b"more"
    with pytest.raises(ValueError, match="no identities"):
        fsspec.open(f"age::{tmp_path}/out", "rb", age={"recipients": identity.recipient}).open()


def test_each_passphrase_has_a_file_system_of_its_own(tmp_path: Path) -> None:
    systems = []
    for word in ("one", "two"):
        passphrase = saltmill.Passphrase(word, work_factor=1)
        systems.append(fsspec.filesystem("age", recipients=passphrase))
        systems[-1].pipe_file(f"{tmp_path}/{word}", b"text")
        assert saltmill.decrypt((tmp_path / word).read_bytes(), passphrase) == b"text"
    assert systems[0] != systems[1]


def test_a_file_that_must_be_new(tmp_path: Path, identity: saltmill.Identity) -> None:
    local = AgeFileSystem(recipients=identity, identities=identity)
    with pytest.raises(KeyError), local.open(tmp_path / "new", "xb") as file:  # noqa: PT012 -- the block is what fails
        file.write(b"half")
        raise KeyError
    assert not any(tmp_path.iterdir())
    with local.open(tmp_path / "new", "xb") as file:
        file.write(b"first")
    with pytest.raises(FileExistsError):
        local.open(tmp_path / "new", "xb")
    assert local.cat_file(tmp_path / "new") == b"first"
    with pytest.raises(ValueError, match="no recipients"):
        AgeFileSystem(identities=identity).open(tmp_path / "other", "wb")
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


@pytest.mark.parametrize("size", [0, CHUNK, 4 * CHUNK, 9 * CHUNK])
def test_an_open_file_that_was_replaced_is_refused(
    fs: AgeFileSystem, below: Counting, identity: saltmill.Identity, size: int
) -> None:
    text = text_of(4 * CHUNK)
    fs.pipe_file("/a", text)
    with fs.open("/a") as file:
        assert file.read(5) == text[:5]
        below.pipe_file("/a", saltmill.encrypt(bytes(size), identity))  # by somebody else
        assert file.read(5) == text[5:10]  # that chunk is kept
        file.seek(CHUNK)
        with pytest.raises(saltmill.RefusedError):
            file.read(10)
        file.seek(-3, 2)
        assert file.read(CHUNK) == text[-3:]


@pytest.mark.parametrize("cache_chunks", [1, 4])
def test_any_part_of_an_open_file(
    below: Counting, identity: saltmill.Identity, cache_chunks: int
) -> None:
    """Parts of chunks, whole chunks and runs of them, kept or not, in any order."""
    text = text_of(9 * CHUNK + 77)
    fs = AgeFileSystem(
        fs=below, identities=identity, recipients=identity, cache_bytes=cache_chunks * CHUNK
    )
    fs.pipe_file("/a", text)
    draw = random.Random(cache_chunks)
    with fs.open("/a") as file:
        for _ in range(200):
            start = draw.choice([draw.randrange(len(text)), draw.randrange(10) * CHUNK])
            size = draw.choice([0, 1, 100, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 4 * CHUNK + 9])
            file.seek(start)
            assert file.read(size) == text[start : start + size], (start, size)
            assert len(file._chunks) <= cache_chunks
