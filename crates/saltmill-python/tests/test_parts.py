# SPDX-License-Identifier: Apache-2.0
"""One local file in parts."""

import pickle
import random
import subprocess
from pathlib import Path

import fsspec
import pyrage
import pytest
import saltmill
from conftest import CHUNK, text_of


@pytest.mark.parametrize("size", [0, 1, CHUNK, 6 * CHUNK, 7 * CHUNK + 1])
def test_in_any_order_and_more_than_once(
    tmp_path: Path, size: int, identity: saltmill.Identity, rage: pyrage.x25519.Identity
) -> None:
    text, source, sealed = text_of(size), tmp_path / "text", tmp_path / "sealed"
    source.write_bytes(text)
    plan = saltmill.plan(source, sealed, recipients=identity, part_bytes=2 * CHUNK)
    assert (plan.parts, plan.input_bytes) == (max(1, -(-size // (2 * CHUNK))), size)
    numbers = list(range(plan.parts)) * 2
    random.Random(size).shuffle(numbers)
    written = pickle.dumps(plan)
    for number in numbers[: plan.parts]:
        saltmill.part(pickle.loads(written), number)
    if set(numbers[: plan.parts]) != set(range(plan.parts)):
        with pytest.raises(saltmill.Error, match="parts are not there"):
            saltmill.complete(plan)
    for number in numbers[plan.parts :]:
        saltmill.part(plan, number)
    assert not sealed.exists()
    saltmill.complete(pickle.loads(written))
    assert pyrage.decrypt(sealed.read_bytes(), [rage]) == text
    assert len(sealed.read_bytes()) == plan.output_bytes

    opening = saltmill.plan(sealed, tmp_path / "again", identities=identity, part_bytes=CHUNK)
    for number in reversed(range(opening.parts)):
        saltmill.part(opening, number)
    saltmill.complete(opening)
    assert (tmp_path / "again").read_bytes() == text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again", "sealed", "text"]


def test_age_opens_what_was_put_together(
    tmp_path: Path, text_file: Path, identity: saltmill.Identity, age: str
) -> None:
    plan = saltmill.plan(text_file, tmp_path / "sealed", recipients=identity, part_bytes=CHUNK)
    for number in range(plan.parts):
        saltmill.part(plan, number)
    saltmill.complete(plan)
    (tmp_path / "key").write_text(identity.secret())
    call = [age, "--decrypt", "--identity", tmp_path / "key", tmp_path / "sealed"]
    assert subprocess.run(call, capture_output=True, check=True).stdout == text_file.read_bytes()


def test_the_same_part_is_the_same_bytes(
    tmp_path: Path, text_file: Path, identity: saltmill.Identity
) -> None:
    plan = saltmill.plan(text_file, tmp_path / "sealed", recipients=identity, part_bytes=CHUNK)
    data = tmp_path / plan.upload / "data"
    saltmill.part(plan, 2)
    first = data.read_bytes()
    saltmill.part(plan, 2)
    assert data.read_bytes() == first
    with pytest.raises(IndexError):
        saltmill.part(plan, plan.parts)
    saltmill.abort(plan)
    assert [path.name for path in tmp_path.iterdir()] == ["text"]


def test_a_source_that_changed_is_refused(
    tmp_path: Path, text_file: Path, identity: saltmill.Identity
) -> None:
    text, sealed = text_file.read_bytes(), tmp_path / "sealed"
    plan = saltmill.plan(text_file, sealed, recipients=identity, part_bytes=CHUNK)
    for number in range(plan.parts):
        saltmill.part(plan, number)
    text_file.write_bytes(text[::-1])  # as long as it was
    before = (tmp_path / plan.upload / "data").read_bytes()
    with pytest.raises(saltmill.ChangedError):
        saltmill.part(plan, 1)
    with pytest.raises(saltmill.ChangedError):
        saltmill.complete(plan)
    assert (tmp_path / plan.upload / "data").read_bytes() == before
    assert not sealed.exists()
    saltmill.abort(plan)


def test_a_change_while_it_is_read_is_refused(
    tmp_path: Path, text_file: Path, identity: saltmill.Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    from saltmill import _stores  # noqa: PLC0415

    plan = saltmill.plan(text_file, tmp_path / "sealed", recipients=identity, part_bytes=CHUNK)
    read = _stores.read

    def changes(url: str, options: dict[str, object], start: int, stop: int) -> bytes:
        data = read(url, options, start, stop)
        text_file.write_bytes(bytes(text_file.stat().st_size))
        return data

    monkeypatch.setattr(_stores, "read", changes)
    with pytest.raises(saltmill.ChangedError):
        saltmill.part(plan, 0)
    assert not any((tmp_path / plan.upload / "data").read_bytes())


def test_workers_get_no_identity_and_nothing_is_shown(
    tmp_path: Path, text_file: Path, identity: saltmill.Identity
) -> None:
    sealed = tmp_path / "sealed"
    saltmill.encrypt_file(text_file, sealed, identity)
    plan = saltmill.plan(
        sealed, tmp_path / "out", identities=identity, source_options={}, target_options={}
    )
    written = pickle.dumps(plan)
    assert identity.secret().encode() not in written
    key = plan._core.to_bytes()[48:80]
    assert key in written
    for shown in (repr(plan), str(plan), repr(plan._core)):
        assert key.hex() not in shown
        assert repr(key)[2:-1] not in shown
    saltmill.abort(plan)


def test_chunks_that_there_are_not(identity: saltmill.Identity) -> None:
    sealed = saltmill.encrypt(text_of(2 * CHUNK), identity)
    payload = saltmill._saltmill.Payload(sealed, len(sealed), identity)
    for first, stop in ((0, 0), (1, 0), (2, 2), (1, 3), (5, 6)):
        with pytest.raises(IndexError):
            payload.open(first, stop, b"")


def test_what_is_not_accepted(tmp_path: Path, text_file: Path, identity: saltmill.Identity) -> None:
    sealed = tmp_path / "sealed"
    sealed.write_bytes(b"is there")
    with pytest.raises(FileExistsError):
        saltmill.plan(text_file, sealed, recipients=identity)
    with pytest.raises(FileNotFoundError):
        saltmill.plan(tmp_path / "none", tmp_path / "out", recipients=identity)
    with pytest.raises(ValueError, match="recipients"):
        saltmill.plan(text_file, tmp_path / "out")
    with pytest.raises(ValueError, match="local file or an object"):
        saltmill.plan(text_file, "memory://out", recipients=identity)
    fsspec.filesystem("memory").pipe_file("/dated", b"its file system has a date, and no version")
    with pytest.raises(saltmill.Error, match="no ETag or version"):
        saltmill.plan("memory://dated", tmp_path / "out", recipients=identity)
    saltmill.abort(saltmill.plan(f"file://{text_file}", tmp_path / "out", recipients=identity))
    with pytest.raises(saltmill.FormatError):
        saltmill.plan(text_file, tmp_path / "out", identities=identity)
    plan = saltmill.plan(text_file, sealed, recipients=identity, overwrite=True)
    saltmill.part(plan, 0)
    assert sealed.read_bytes() == b"is there"
    saltmill.complete(plan)
    assert saltmill.decrypt(sealed.read_bytes(), identity) == text_file.read_bytes()
