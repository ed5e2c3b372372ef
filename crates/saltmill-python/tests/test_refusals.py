# SPDX-License-Identifier: Apache-2.0
"""What a store refuses in the middle of a run: the error names the object and what can be done, and
no half of an object can be seen.

Answers of moto itself where it has them; those that only other servers give come from a proxy.
"""

import errno
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import saltmill
import servers
from conftest import LONG, PART, exists, text_of, uploads

pytest.importorskip("distributed")
s3fs = pytest.importorskip("s3fs")
import saltmill.dask  # noqa: E402

PARTS = 4


@pytest.fixture
def proxy(s3: dict[str, Any]) -> Iterator[servers.Proxy]:
    """In front of the server; `proxy.options` are those of a client."""
    made = servers.Proxy(int(s3["client_kwargs"]["endpoint_url"].rpartition(":")[2]))
    with made.running() as port:
        made.options = servers.options(port)  # type: ignore[attr-defined]
        yield made


@pytest.fixture
def text(tmp_path: Path) -> str:
    path = tmp_path / "text"
    path.write_bytes(text_of(PARTS * PART))
    return str(path)


def is_part(method: str, path: str) -> bool:
    return method == "PUT" and "partNumber=" in path


def after(parts: int, answer: tuple[int, str, str], *, only_parts: bool = False) -> servers.Rule:
    """From the part on that is behind so many, there is only this answer."""
    count = 0

    def rule(method: str, path: str) -> tuple[int, str, str] | None:
        nonlocal count
        count += is_part(method, path)
        applies = is_part(method, path) if only_parts else True
        return answer if count > parts and applies else None

    return rule


def encrypt(client: Any, source: str, identity: saltmill.Identity, **options: Any) -> Any:
    report = saltmill.dask.encrypt(
        source,
        "s3://bucket/out/text",
        identity,
        client=client,
        part_bytes=PART,
        in_flight=2,
        **options,
    )
    return report.files[0]


def test_credentials_that_expire(
    client: Any, proxy: Any, store: Any, text: str, identity: saltmill.Identity
) -> None:
    proxy.rule = after(2, (400, "ExpiredToken", "The provided token has expired."))
    file = encrypt(client, text, identity, target_options=proxy.options)
    assert isinstance(file.error, PermissionError)
    assert file.error.filename == "s3://bucket/out/text"
    assert "(ExpiredToken): the credentials have expired: use new ones" in str(file.error)
    assert file.tries <= PARTS  # it was not tried again
    assert not exists(store, "bucket/out/text")
    # It could not even be removed, which is told; it can be with new ones.
    assert "could not be removed" in "".join(file.error.__notes__)
    assert len(uploads(store)) == 1
    proxy.rule = lambda method, path: None  # noqa: ARG005
    saltmill.abort(file.left)
    assert uploads(store) == []


@pytest.mark.parametrize("act", ["plan", "complete"])
def test_the_reason_of_an_answer_without_a_body(
    act: str, proxy: Any, store: Any, identity: saltmill.Identity
) -> None:
    """An answer to HEAD has none."""
    store.pipe_file("bucket/in/text", text_of(100))
    url, other = "s3://bucket/in/text", "s3://bucket/out/text"
    call = {
        "recipients": identity,
        "source_options": proxy.options,
        "target_options": proxy.options,
    }
    plan = saltmill.plan(url, other, **call)
    saltmill.part(plan, 0)
    proxy.rule = lambda *_: (400, "ExpiredToken", "The provided token has expired.")
    with pytest.raises(PermissionError, match="the credentials have expired") as raised:
        saltmill.complete(plan) if act == "complete" else saltmill.plan(url, other, **call)
    assert raised.value.filename == url
    proxy.rule = lambda *_: None
    saltmill.abort(plan)


def test_credentials_that_are_revoked(
    s3: dict[str, Any], store: Any, text: str, identity: saltmill.Identity
) -> None:
    """moto looks at the key of each request, as AWS does."""
    boto3 = pytest.importorskip("boto3")
    where = s3["client_kwargs"]
    iam = boto3.client(
        "iam", aws_access_key_id=s3["key"], aws_secret_access_key=s3["secret"], **where
    )
    iam.create_user(UserName="worker")
    policy = '{"Version": "2012-10-17", "Statement": [%s]}'
    allowed = '{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}'
    iam.put_user_policy(UserName="worker", PolicyName="all", PolicyDocument=policy % allowed)
    key = iam.create_access_key(UserName="worker")["AccessKey"]
    mine = {"key": key["AccessKeyId"], "secret": key["SecretAccessKey"], "client_kwargs": where}

    def checks(after: str) -> None:
        """From so many requests on moto looks at keys."""
        address = f"{where['endpoint_url']}/moto-api/reset-auth"
        text = {"Content-Type": "text/plain"}
        urllib.request.urlopen(urllib.request.Request(address, after.encode(), text)).close()

    plan = saltmill.plan(
        text, "s3://bucket/out/text", recipients=identity, part_bytes=PART, target_options=mine
    )
    try:
        checks("0")
        saltmill.part(plan, 0)
        checks("inf")
        iam.delete_access_key(UserName="worker", AccessKeyId=mine["key"])
        checks("0")
        for refused in (lambda: saltmill.part(plan, 1), lambda: saltmill.abort(plan)):
            with pytest.raises(PermissionError, match="does not know these credentials") as raised:
                refused()
            assert raised.value.filename == "s3://bucket/out/text"
    finally:
        checks("inf")
    saltmill.abort(plan)
    assert not exists(store, "bucket/out/text")
    assert uploads(store) == []


def test_a_full_server(
    client: Any, proxy: Any, store: Any, text: str, identity: saltmill.Identity
) -> None:
    answer = (507, "XMinioStorageFull", "Storage backend has reached its minimum free disk")
    proxy.rule = after(2, answer, only_parts=True)
    file = encrypt(client, text, identity, target_options=proxy.options)
    assert isinstance(file.error, OSError)
    assert file.error.errno == errno.ENOSPC
    assert file.error.filename == "s3://bucket/out/text"
    assert "the store is full: make room" in str(file.error)
    assert file.tries <= PARTS
    assert not exists(store, "bucket/out/text")
    assert uploads(store) == []


def test_a_source_that_changes_on_the_way(
    client: Any, s3: dict[str, Any], store: Any, identity: saltmill.Identity
) -> None:
    store.pipe_file("bucket/in/text", text_of(PARTS * PART))

    def replaced(done: int, total: int) -> None:  # noqa: ARG001
        store.pipe_file("bucket/in/text", bytes(PARTS * PART))  # as long as it was

    both = {"source_options": s3, "target_options": s3}
    file = encrypt(client, "s3://bucket/in/text", identity, progress=replaced, **both)
    assert isinstance(file.error, saltmill.ChangedError)
    assert "s3://bucket/in/text has changed since the plan was made" in str(file.error)
    assert file.tries <= PARTS
    assert not exists(store, "bucket/out/text")
    assert uploads(store) == []


def test_a_store_that_does_not_know_if_match(
    proxy: Any, store: Any, identity: saltmill.Identity
) -> None:
    store.pipe_file("bucket/in/text", text_of(1000))
    proxy.drop.add("if-match")
    both = {"source_options": proxy.options, "target_options": proxy.options}
    plan = saltmill.plan("s3://bucket/in/text", "s3://bucket/out/a", recipients=identity, **both)
    saltmill.part(plan, 0)
    store.pipe_file("bucket/in/text", bytes(1000))
    with pytest.raises(saltmill.ChangedError):
        saltmill.part(plan, 0)
    saltmill.abort(plan)


def test_a_part_is_two_requests(proxy: Any, store: Any, identity: saltmill.Identity) -> None:
    """The model of many machines counts on it."""
    store.pipe_file("bucket/in/text", text_of(2 * PART))
    both = {"source_options": proxy.options, "target_options": proxy.options}
    url = "s3://bucket/in/text"
    call = {"recipients": identity, "part_bytes": PART, **both}
    plan = saltmill.plan(url, "s3://bucket/out/text", **call)
    proxy.seen.clear()
    saltmill.part(plan, 1)
    assert [method for method, _ in proxy.seen] == ["GET", "PUT"]
    saltmill.part(plan, 0)
    proxy.seen.clear()
    saltmill.complete(plan)
    methods = [method for method, _ in proxy.seen]
    assert methods == ["HEAD", "HEAD", "GET", "POST"]  # source, target, parts


def test_an_answer_that_is_lost(
    proxy: Any, store: Any, text: str, identity: saltmill.Identity
) -> None:
    """It is asked for again, and the upload is complete by then."""
    call = {"recipients": identity, "part_bytes": PART, "target_options": proxy.options}
    plan = saltmill.plan(text, "s3://bucket/out/text", **call)
    for number in range(plan.parts):
        saltmill.part(plan, number)
    proxy.lost.add("POST")
    proxy.seen.clear()
    saltmill.complete(plan)
    assert [method for method, _ in proxy.seen].count("POST") == 2
    assert store.size("bucket/out/text") == plan.output_bytes


@pytest.mark.usefixtures("store")
def test_an_upload_that_is_gone(proxy: Any, text: str, identity: saltmill.Identity) -> None:
    target = "s3://bucket/out/text"
    call = {"recipients": identity, "part_bytes": PART, "target_options": proxy.options}
    plan = saltmill.plan(text, target, **call)
    saltmill.abort(plan)
    saltmill.abort(plan)
    # moto fails when such a part comes.
    gone = (404, "NoSuchUpload", "The specified upload does not exist")
    proxy.rule = lambda method, path: gone if is_part(method, path) else None
    for refused in (lambda: saltmill.part(plan, 1), lambda: saltmill.complete(plan)):
        with pytest.raises(FileNotFoundError, match="the upload is gone") as raised:
            refused()
        assert raised.value.filename == target


FULL = """
import sys, saltmill
identity = saltmill.Identity.generate()
plan = saltmill.plan(sys.argv[1], sys.argv[2], recipients=identity, part_bytes=5 << 20)
saltmill.part(plan, 0)
try:
    saltmill.part(plan, 1)
except OSError as error:
    print(error)
saltmill.abort(plan)
"""


@pytest.fixture
def small(tmp_path: Path) -> list[str]:
    """How a program is called that has a file system of 8 MiB in a folder."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = f'mount -t tmpfs -o size=8m none "{folder}" && exec "$@"'
    call = ["unshare", "--map-root-user", "--mount", "sh", "-c", mount, "sh"]
    if not shutil.which("unshare") or subprocess.run([*call, "true"], check=False).returncode:
        pytest.skip("there are no name spaces of mounts")
    return call


def test_a_full_disk(small: list[str], text: str, tmp_path: Path) -> None:
    target = tmp_path / "small/sealed"
    call = [*small, sys.executable, "-c", FULL, text, str(target)]
    done = subprocess.run(call, capture_output=True, text=True, check=True)
    said = "No space left on device: the store is full: make room there, or use another one"
    assert done.stdout == f"[Errno {errno.ENOSPC}] {said}: '{target}'\n"


@pytest.mark.skipif(not LONG, reason="long: SALTMILL_LONG=1; it builds a server")
def test_a_server_whose_disk_is_full(
    small: list[str], tmp_path: Path, text: str, client: Any, identity: saltmill.Identity
) -> None:
    """versitygw, on a file system of 8 MiB."""
    program = servers.built_versitygw(Path(__file__).parents[3] / "build/python/bin")
    if program is None:
        pytest.skip("there is no versitygw, and no Go")
    folder, port = tmp_path / "small", servers.free_port()
    inside = 'mkdir "$0/data" "$0/meta" && exec "$@"'
    call = [*small, "sh", "-c", inside, str(folder), *servers.versitygw(program, folder, port)]
    with servers.started(call, port):
        mine = servers.options(port)
        store = s3fs.S3FileSystem(**mine)
        store.mkdir("bucket")
        file = encrypt(client, text, identity, target_options=mine)
        assert isinstance(file.error, OSError)
        assert file.error.errno == errno.ENOSPC
        assert file.error.filename == "s3://bucket/out/text"
        assert not exists(store, "bucket/out/text")
        assert uploads(store) == []
