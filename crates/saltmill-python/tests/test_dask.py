# SPDX-License-Identifier: Apache-2.0
"""A Dask cluster of processes, and moto's S3 server over loopback."""

import hashlib
import subprocess
from pathlib import Path
from typing import Any

import pyrage
import pytest
import saltmill
from conftest import CHUNK, PART, exists, text_of, uploads
from saltmill.fs import AgeFileSystem

pytest.importorskip("distributed")
pytest.importorskip("s3fs")
import saltmill.dask


def test_a_cluster_seals_and_opens(
    client: Any,
    s3: dict[str, Any],
    store: Any,
    identity: saltmill.Identity,
    rage: pyrage.x25519.Identity,
) -> None:
    text, other = text_of(3 * PART + 17), text_of(100)
    store.pipe_file("bucket/in/text", text)
    store.pipe_file("bucket/in/other", other)
    store.pipe_file("bucket/in/empty", b"")
    names, seen = ["text", "other", "empty"], []
    report = saltmill.dask.encrypt(
        [f"s3://bucket/in/{name}" for name in names],
        [f"s3://bucket/out/{name}" for name in names],
        identity.recipient,
        client=client,
        part_bytes=PART,
        source_options=s3,
        target_options=s3,
        progress=lambda done, total: seen.append((done, total)),
    ).check()
    assert [(file.bytes, file.parts) for file in report.files] == [(len(text), 4), (100, 1), (0, 1)]
    assert seen[-1] == (len(text) + 100, len(text) + 100)
    for name, expected in zip(names, (text, other, b""), strict=True):
        assert pyrage.decrypt(store.cat_file(f"bucket/out/{name}"), [rage]) == expected
    assert uploads(store) == []
    again = saltmill.dask.decrypt(
        [f"s3://bucket/out/{name}" for name in names],
        [f"s3://bucket/again/{name}" for name in names],
        identity,
        client=client,
        part_bytes=PART,
        source_options=s3,
        target_options=s3,
    ).check()
    assert not again.failed
    for name, expected in zip(names, (text, other, b""), strict=True):
        assert store.cat_file(f"bucket/again/{name}") == expected
    sums = saltmill.dask.sum(
        ["s3://bucket/in/text", "s3://bucket/none"], client=client, source_options=s3
    )
    assert sums.files[0].digest == hashlib.sha256(text).hexdigest()
    assert isinstance(sums.files[1].error, FileNotFoundError)

    with saltmill_open(s3, identity, "age::s3://bucket/out/text") as file:
        file.seek(2 * PART)
        assert file.read(100) == text[2 * PART :][:100]


def test_age_opens_what_a_cluster_wrote(
    client: Any,
    s3: dict[str, Any],
    store: Any,
    identity: saltmill.Identity,
    age: str,
    tmp_path: Path,
) -> None:
    text = text_of(2 * PART + 17)
    (tmp_path / "text").write_bytes(text)
    saltmill.dask.encrypt(
        str(tmp_path / "text"),
        "s3://bucket/out/text",
        identity.recipient,
        client=client,
        part_bytes=PART,
        target_options=s3,
    ).check()
    (tmp_path / "key").write_text(identity.secret())
    call = [age, "--decrypt", "--identity", tmp_path / "key"]
    sealed = store.cat_file("bucket/out/text")
    assert subprocess.run(call, input=sealed, capture_output=True, check=True).stdout == text


def saltmill_open(s3: dict[str, Any], identity: saltmill.Identity, url: str) -> Any:
    import fsspec  # noqa: PLC0415

    return fsspec.open(url, "rb", s3=s3, age={"identities": identity})


def test_an_object_that_became_shorter(store: Any, identity: saltmill.Identity) -> None:
    """S3 refuses to give a range behind the end."""
    fs = AgeFileSystem(fs=store, identities=identity, recipients=identity)
    fs.pipe_file("bucket/a", text_of(4 * CHUNK))
    with fs.open("bucket/a") as file:
        store.pipe_file("bucket/a", saltmill.encrypt(bytes(CHUNK), identity))
        file.seek(2 * CHUNK)
        with pytest.raises(saltmill.RefusedError):
            file.read(10)
    assert fs.cat_file("bucket/a", 2 * CHUNK, 3 * CHUNK) == b""
    assert fs.cat_file("bucket/a") == bytes(CHUNK)


def test_what_fails_leaves_nothing(
    client: Any, s3: dict[str, Any], store: Any, identity: saltmill.Identity
) -> None:
    store.pipe_file("bucket/in/text", text_of(2 * PART))
    sealed = bytearray(saltmill.encrypt(text_of(2 * PART), identity))
    sealed[-CHUNK] ^= 1
    store.pipe_file("bucket/in/damaged", bytes(sealed))
    both = {"source_options": s3, "target_options": s3}
    report = saltmill.dask.decrypt(
        "s3://bucket/in/damaged",
        "s3://bucket/out/damaged",
        identity,
        client=client,
        part_bytes=PART,
        **both,
    )
    assert isinstance(report.files[0].error, saltmill.RefusedError)
    with pytest.raises(ExceptionGroup, match="1 of 1 files failed"):
        report.check()
    assert not exists(store, "bucket/out/damaged")
    assert uploads(store) == []

    plan = saltmill.plan(
        "s3://bucket/in/text", "s3://bucket/out/text", recipients=identity, part_bytes=PART, **both
    )
    saltmill.part(plan, 0)
    with pytest.raises(saltmill.Error, match="1 parts are not there: 1"):
        saltmill.complete(plan)
    store.pipe_file("bucket/in/text", bytes(2 * PART))  # as long as it was
    with pytest.raises(saltmill.ChangedError):
        saltmill.part(plan, 1)
    with pytest.raises(saltmill.ChangedError):
        saltmill.complete(plan)
    saltmill.abort(plan)
    assert not exists(store, "bucket/out/text")
    assert uploads(store) == []
    with pytest.raises(ValueError, match="5 MiB"):
        saltmill.plan(
            "s3://bucket/in/text", "s3://bucket/x", recipients=identity, part_bytes=CHUNK, **both
        )
    with pytest.raises(FileExistsError):
        saltmill.plan("s3://bucket/in/text", "s3://bucket/in/damaged", recipients=identity, **both)
