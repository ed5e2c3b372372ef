# SPDX-License-Identifier: Apache-2.0
"""Bytes to bytes, both ways against pyrage."""

import array
import threading
import time

import numpy as np
import pyrage
import pytest
import saltmill
from conftest import CHUNK, text_of

LENGTHS = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 4 * CHUNK, 20 * CHUNK + 7]


@pytest.mark.parametrize("size", LENGTHS)
def test_pyrage_opens_ours_and_we_open_its(
    size: int, identity: saltmill.Identity, rage: pyrage.x25519.Identity
) -> None:
    text = text_of(size)
    for armor in (False, True):
        sealed = saltmill.encrypt(text, identity.recipient, armor=armor)
        assert pyrage.decrypt(sealed, [rage]) == text
        theirs = pyrage.encrypt(text, [rage.to_public()], armored=armor)
        assert saltmill.decrypt(theirs, identity) == text


@pytest.mark.parametrize("engine", [None, saltmill.Engine(1), saltmill.Engine(3)])
def test_any_buffer_is_read_where_it_is(
    engine: saltmill.Engine | None, identity: saltmill.Identity
) -> None:
    numbers = np.arange(300_000, dtype=np.float64).reshape(100, 3000)
    buffers = [numbers, array.array("i", range(99)), bytearray(b"abc"), memoryview(b"")]
    for buffer in buffers:
        sealed = saltmill.encrypt(buffer, [identity], engine=engine)
        text = saltmill.decrypt(bytearray(sealed), [identity], engine=engine)
        assert text == memoryview(buffer).tobytes()
    for kind in (np.dtype(complex), np.dtype(">i4"), np.dtype([("a", ">i4"), ("b", "f8")])):
        array_of = np.frombuffer(text_of(6 * kind.itemsize), kind).reshape(2, 3)
        sealed = saltmill.encrypt(array_of, [identity], engine=engine)
        assert saltmill.decrypt(sealed, [identity]) == array_of.tobytes()
    for apart in (numbers[:, ::2], numbers.T):
        with pytest.raises((BufferError, TypeError)):
            saltmill.encrypt(apart, identity)
    with pytest.raises(TypeError):
        saltmill.encrypt("a text", identity)  # type: ignore[arg-type]


def test_every_change_is_refused(identity: saltmill.Identity) -> None:
    sealed = saltmill.encrypt(text_of(2 * CHUNK + 5), identity)
    front = len(sealed) - (2 * CHUNK + 5 + 3 * 16)
    for place, chunk in ((front, 0), (front + CHUNK + 16, 1), (len(sealed) - 1, 2)):
        changed = bytearray(sealed)
        changed[place] ^= 1
        with pytest.raises(saltmill.RefusedError) as refused:
            saltmill.decrypt(changed, identity)
        assert refused.value.chunk == chunk
        assert refused.value.offset == front + chunk * (CHUNK + 16)
    for cut in (sealed[:-21], sealed[: front + CHUNK + 16], sealed[:front], sealed[: front + 15]):
        with pytest.raises(saltmill.RefusedError):
            saltmill.decrypt(cut, identity)
    with pytest.raises(saltmill.FormatError) as truncated:
        saltmill.decrypt(sealed[: front - 1], identity)
    assert truncated.value.kind == "truncated"


def test_errors_are_those_of_the_library(identity: saltmill.Identity) -> None:
    other = saltmill.Identity.generate()
    with pytest.raises(saltmill.IdentityError, match="none of the identities") as error:
        saltmill.decrypt(saltmill.encrypt(b"", identity), [other])
    assert error.value.kind == "no_match"
    with pytest.raises(saltmill.FormatError) as no_age:
        saltmill.decrypt(b"some other file", identity)
    assert no_age.value.kind == "not_age"
    changed = saltmill.encrypt(b"", identity).replace(b"\n--- ", b"\n---  ")
    with pytest.raises(saltmill.FormatError) as malformed:
        saltmill.decrypt(changed, identity)
    assert malformed.value.kind == "malformed"
    with pytest.raises(saltmill.RecipientError):
        saltmill.encrypt(b"", [])
    with pytest.raises(saltmill.RecipientError):
        saltmill.encrypt(b"", [identity, saltmill.Passphrase("x")])
    assert issubclass(saltmill.RefusedError, saltmill.Error)


def test_kinds_of_keys(rage: pyrage.x25519.Identity) -> None:
    hybrid = saltmill.Identity.generate(post_quantum=True)
    assert str(hybrid.recipient).startswith("age1pq1")
    again = saltmill.Identity(hybrid.secret())
    assert saltmill.decrypt(saltmill.encrypt(b"a", hybrid.recipient), again) == b"a"
    quick = saltmill.Passphrase("a word", work_factor=5)
    assert pyrage.passphrase.decrypt(saltmill.encrypt(b"b", quick), "a word") == b"b"
    with pytest.raises(saltmill.IdentityError) as wrong:
        saltmill.decrypt(saltmill.encrypt(b"b", quick), saltmill.Passphrase("another"))
    assert wrong.value.kind == "unwrap"
    weak = saltmill.Passphrase("a word", max_work_factor=4)
    with pytest.raises(saltmill.IdentityError) as slow:
        saltmill.decrypt(saltmill.encrypt(b"b", quick), weak)
    assert slow.value.kind == "excessive_work"
    ours = saltmill.Recipient(str(rage.to_public()))
    assert pyrage.decrypt(saltmill.encrypt(b"c", ours), [rage]) == b"c"


def test_secrets_are_not_shown_or_pickled() -> None:
    import pickle  # noqa: PLC0415

    for identity in (
        saltmill.Identity.generate(),
        saltmill.Identity.generate(post_quantum=True),
    ):
        secret = identity.secret()
        shown = repr(identity) + str(identity) + repr(vars(type(identity)))
        assert secret not in shown
        assert str(identity.recipient) in shown
        with pytest.raises(TypeError):
            pickle.dumps(identity)
        for wrong in (secret[:-1], secret + "\n" + secret, "nonsense"):
            with pytest.raises(saltmill.IdentityError) as error:
                saltmill.Identity(wrong)
            assert secret[20:40] not in str(error.value)
        with pytest.raises(saltmill.RecipientError) as mistaken:
            saltmill.Recipient(secret)
        assert secret[20:40] not in str(mistaken.value)
        for text in (
            f"# created: today\n# public key: {identity.recipient}\n{secret}\n",
            f"{identity.recipient}\n{secret}",
            secret.lower(),
            f"-----BEGIN OPENSSH PRIVATE KEY-----\n{secret}\n-----END OPENSSH PRIVATE KEY-----\n",
            f"-----BEGIN OPENSSH PRIVATE KEY----- {secret}",
        ):
            with pytest.raises(saltmill.RecipientError) as mistaken:
                saltmill.Recipient(text)
            assert secret[20:40].lower() not in str(mistaken.value).lower()
    with pytest.raises(saltmill.RecipientError, match="age1nonsense"):
        saltmill.Recipient("age1nonsense")
    assert "word" not in repr(saltmill.Passphrase("a word"))
    recipient = saltmill.Identity.generate().recipient
    assert pickle.loads(pickle.dumps(recipient)) == recipient


def test_work_factors() -> None:
    for wrong in (-1, 0, 23, 64, 300):
        with pytest.raises(ValueError, match="1 to 22"):
            saltmill.Passphrase("a word", work_factor=wrong)
    passphrase = saltmill.Passphrase("a word", work_factor=1)
    for armor in (False, True):
        assert (
            pyrage.passphrase.decrypt(saltmill.encrypt(b"text", passphrase, armor=armor), "a word")
            == b"text"
        )


def test_what_is_not_known_of_an_error_is_none() -> None:
    with pytest.raises(saltmill.RefusedError) as refused:
        saltmill.AesGcm(bytes(16)).decrypt(bytes(12), bytes(16))
    assert (refused.value.chunk, refused.value.offset) == (None, None)
    with pytest.raises(saltmill.IdentityError) as identity:
        saltmill.Identity("nonsense")
    assert identity.value.kind is None
    with pytest.raises(saltmill.CounterError) as counter:
        saltmill.ChaCha20(bytes(32), bytes(12), counter=0xFFFF_FFFF).apply(bytes(65))
    assert counter.value.longest == 64


def test_other_threads_run_meanwhile(identity: saltmill.Identity) -> None:
    text, engine, counted = bytes(200 << 20), saltmill.Engine(1), 0
    worker = threading.Thread(
        target=saltmill.encrypt, args=(text, identity), kwargs={"engine": engine}
    )
    worker.start()
    while worker.is_alive():
        counted += 1
        time.sleep(0.001)
    # A thread that kept the interpreter would have let this one count once or twice.
    assert counted > 10


@pytest.mark.parametrize("armor", [False, True])
def test_other_threads_run_while_a_passphrase_is_worked_on(*, armor: bool) -> None:
    passphrase, counted = saltmill.Passphrase("a word", work_factor=17), 0
    worker = threading.Thread(
        target=saltmill.encrypt, args=(b"text", passphrase), kwargs={"armor": armor}
    )
    worker.start()
    while worker.is_alive():
        counted += 1
        time.sleep(0.001)
    assert counted > 10
