# SPDX-License-Identifier: Apache-2.0
"""What the tests share: a text in which swapped blocks can't hide, and keys, ours and pyrage's.

pyrage is the library of rage: the files of the one must open with the other.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyrage
import pytest
import saltmill
import servers

CHUNK = 64 << 10
PART = 80 * CHUNK  # 5 MiB, the least of S3
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


@pytest.fixture(scope="session")
def s3() -> Iterator[dict[str, Any]]:
    """Options of a server with a bucket."""
    s3fs = pytest.importorskip("s3fs")
    with servers.moto() as port:
        options = servers.options(port)
        s3fs.S3FileSystem(**options).mkdir("bucket")
        yield options


@pytest.fixture
def store(s3: dict[str, Any]) -> Any:
    """Its file system; the bucket is empty, and nothing is under way."""
    fs = pytest.importorskip("s3fs").S3FileSystem(**s3)
    fs.invalidate_cache()  # others write, too
    for path in fs.ls("bucket"):
        fs.rm(path, recursive=True)
    for upload in uploads(fs):
        where = {name: upload[name] for name in ("Key", "UploadId")}
        fs.call_s3("abort_multipart_upload", Bucket="bucket", **where)
    return fs


@pytest.fixture(scope="session")
def client() -> Iterator[Any]:
    """Of a cluster of two processes."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def exists(fs: Any, path: str) -> bool:
    fs.invalidate_cache()
    return bool(fs.exists(path))


def uploads(fs: Any) -> list[Any]:
    """Multipart uploads that nobody has completed or aborted."""
    return list(fs.call_s3("list_multipart_uploads", Bucket="bucket").get("Uploads", []))
