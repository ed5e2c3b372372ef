# SPDX-License-Identifier: Apache-2.0
"""Where parts are read from, and where they are put together."""

from __future__ import annotations

import os
import secrets
import shutil
from pathlib import Path
from typing import Any, Protocol

from ._refusals import named
from ._saltmill import Error

# What tells one state of an object from another, by the names that file systems have for it.
_VERSIONS = (
    "ETag",
    "etag",
    "VersionId",
    "version_id",
    "generation",
    "contentHash",
    "content_md5",
)
# Another text may have the same date: what has only that is refused.
_DATES = ("mtime", "LastModified", "last_modified", "created")


Pinned = tuple[tuple[str, str], ...]


class ChangedError(Error):
    """The source is not what it was when the plan was made.

    Nothing of it was sealed: two texts would have been sealed with the same nonces. It is told by
    size and ETag or version; of a local file by size, inode, and times of change. They do not show
    what is written through a mapped page, or on storage with times of whole seconds within the
    same one: a source must not be written to while a plan is under way.
    """


def changed(url: str) -> ChangedError:
    return ChangedError(f"{url} has changed since the plan was made: make a new plan")


def is_local(url: str) -> bool:
    return "://" not in url and "::" not in url


def fs_of(url: str, options: dict[str, Any]) -> tuple[Any, str]:
    import fsspec  # noqa: PLC0415 -- local files do without it

    fs, path = fsspec.core.url_to_fs(url, **options)
    return fs, path


def _is_s3(url: str) -> bool:
    return url.partition("://")[0] in ("s3", "s3a")


def pin(url: str, options: dict[str, Any], *, dates_do: bool = False) -> Pinned:
    """What tells that a source has not changed, looked up now and not in a cache.

    `dates_do`: a date is enough, since nothing is sealed.

    Raises `FileNotFoundError`; `Error` if no version is known, but its size and dates.
    """
    if is_local(url) or url.partition("://")[0] in ("file", "local"):
        stat = os.stat(url if is_local(url) else fs_of(url, options)[1])  # noqa: PTH116 -- text
        times = {"mtime": stat.st_mtime_ns, "ctime": stat.st_ctime_ns, "inode": stat.st_ino}
        return tuple((k, str(v)) for k, v in {"size": stat.st_size, **times}.items())
    if _is_s3(url):
        from ._s3 import S3Object  # noqa: PLC0415 -- it needs this module

        return S3Object(url, options).pin()
    fs, path = fs_of(url, options)
    fs.invalidate_cache(path)
    fs.invalidate_cache(fs._parent(path))
    with named(url):
        info = fs.info(path)
    known = [name for name in (*_VERSIONS, *_DATES) if info.get(name) is not None]
    enough = known if dates_do else set(known).intersection(_VERSIONS)
    if not enough or info.get("size") is None:
        raise Error(f"{url}: its storage has no ETag or version that tells whether it changes")
    found = [(name, str(info[name])) for name in known]
    return (("size", str(info["size"])), *found)


def read(url: str, options: dict[str, Any], start: int, stop: int) -> bytes:
    """Bytes of a source."""
    if start == stop:
        return b""
    if is_local(url):
        with open(url, "rb", buffering=0) as file:  # noqa: PTH123 -- a path that came as text
            file.seek(start)
            parts, left = [], stop - start
            while left and (part := file.read(left)):
                parts.append(part)
                left -= len(part)
            return parts[0] if len(parts) == 1 else b"".join(parts)
    fs, path = fs_of(url, options)
    with named(url):
        # By name: s3fs has another parameter second.
        return bytes(fs.cat_file(path, start=start, end=stop))


def read_pinned(url: str, options: dict[str, Any], pinned: Pinned, start: int, stop: int) -> bytes:
    """Bytes of a source that is what it was when it was pinned. Raises `ChangedError`."""
    if _is_s3(url) and start < stop:
        from ._s3 import S3Object  # noqa: PLC0415 -- it needs this module

        return S3Object(url, options).read(pinned, start, stop)
    # What was read between two looks that are alike is the source.
    check_pinned(url, options, pinned)
    data = read(url, options, start, stop)
    check_pinned(url, options, pinned)
    if len(data) != stop - start:
        raise changed(url)
    return data


def check_pinned(url: str, options: dict[str, Any], pinned: Pinned) -> None:
    if pin(url, options) != pinned:
        raise changed(url)


class Store(Protocol):
    """Where a target is put together from parts."""

    most_parts: int

    def check(self, parts: int, sizes: list[int]) -> None:
        """Refuses what it can't take."""

    def begin(self, size: int, *, overwrite: bool) -> str:
        """A target that nobody sees yet; gives its name until then."""

    def put(self, upload: str, number: int, offset: int, data: bytes) -> str:
        """Writes a part, perhaps again."""

    def complete(self, upload: str, sizes: dict[int, int], *, overwrite: bool) -> None:
        """Gives the target its name, if all parts are there."""

    def abort(self, upload: str) -> None:
        """Removes what there is."""


class LocalStore:
    """A file in a folder of its own beside the target, and a mark for each part that is in it."""

    most_parts = 1_000_000

    def __init__(self, path: str) -> None:
        self.path = Path(path)

    def check(self, parts: int, sizes: list[int]) -> None:  # noqa: ARG002
        if parts > self.most_parts:
            raise ValueError(f"{parts} parts are more than {self.most_parts}")

    def begin(self, size: int, *, overwrite: bool) -> str:
        if not overwrite and self.path.exists():
            raise FileExistsError(f"{self.path} exists")
        upload = f".{self.path.name}.saltmill-{secrets.token_hex(8)}"
        folder = self.path.parent / upload
        folder.mkdir()
        with (folder / "data").open("wb") as file:
            file.truncate(size)
        return upload

    def put(self, upload: str, number: int, offset: int, data: bytes) -> str:
        folder = self.path.parent / upload
        with named(str(self.path)):
            file = os.open(folder / "data", os.O_WRONLY | getattr(os, "O_CLOEXEC", 0))
            try:
                view = memoryview(data)
                while view:
                    written = os.pwrite(file, view, offset)
                    view, offset = view[written:], offset + written
            finally:
                os.close(file)
            (folder / str(number)).touch()
        return ""

    def complete(self, upload: str, sizes: dict[int, int], *, overwrite: bool) -> None:
        folder = self.path.parent / upload
        there = {name.name for name in folder.iterdir()}
        check_missing(str(self.path), [n for n in sizes if str(n) not in there])
        data = folder / "data"
        if data.stat().st_size != sum(sizes.values()):
            raise Error(f"{self.path}: what was written has another size")
        if overwrite:
            data.replace(self.path)
        else:
            self.path.hardlink_to(data)
        shutil.rmtree(folder)

    def abort(self, upload: str) -> None:
        shutil.rmtree(self.path.parent / upload, ignore_errors=True)


def check_missing(target: str, missing: list[int]) -> None:
    if missing:
        some = ", ".join(map(str, missing[:5])) + (", ..." if len(missing) > 5 else "")
        raise Error(f"{target}: {len(missing)} parts are not there: {some}")


def store_of(url: str, options: dict[str, Any]) -> Store:
    """The store of a target. Raises `ValueError` for one that has no parts."""
    if is_local(url):
        return LocalStore(url)
    protocol = url.partition("://")[0]
    if protocol == "file":
        return LocalStore(fs_of(url, options)[1])
    if _is_s3(url):
        from ._s3 import S3Store  # noqa: PLC0415 -- it needs this module

        return S3Store(url, options)
    raise ValueError(f"{protocol}: a target in parts is a local file or an object of S3")
