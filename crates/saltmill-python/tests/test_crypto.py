# SPDX-License-Identifier: Apache-2.0
"""Digests against hashlib, ciphers against pyca/cryptography."""

import hashlib
import hmac
import threading
from pathlib import Path

import numpy as np
import pytest
import saltmill
from conftest import CHUNK, text_of
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305 as TheirChaCha

KEY, NONCE = bytes(range(32)), bytes(range(100, 112))
THEIRS = [name for name in saltmill.algorithms if name in hashlib.algorithms_available]


@pytest.mark.parametrize("name", THEIRS)
def test_digests(name: str, tmp_path: Path) -> None:
    text = text_of(300_000)
    expected = hashlib.new(name, text).digest()
    hasher = saltmill.Hash(name)
    for start in range(0, len(text), 77_777):
        hasher.update(memoryview(text)[start : start + 77_777])
    assert hasher.digest() == expected == hasher.digest()
    assert hasher.hexdigest() == expected.hex()
    assert hasher.digest_size == len(expected)
    with pytest.raises(ValueError, match="given"):
        hasher.update(b"more")
    (tmp_path / "text").write_bytes(text)
    found, missing = saltmill.hash_files([tmp_path / "text", tmp_path / "none"], [name])
    assert isinstance(found, dict)
    assert found[name] == expected
    assert isinstance(missing, FileNotFoundError)


def test_keyed_and_unknown() -> None:
    expected = hmac.digest(KEY, b"abc", "sha256")
    assert saltmill.Hash("hmac-sha256", b"abc", key=KEY).digest() == expected
    assert len(THEIRS) == 6
    for name, key in (("hmac-sha256", None), ("sha256", KEY), ("crc32", None)):
        with pytest.raises(ValueError, match=r"key|no hash"):
            saltmill.Hash(name, key=key)
    # The BLAKE3 team's test vector of no input.
    assert saltmill.Hash("blake3").hexdigest().startswith("af1349b9f5f9a1a6a0404dea36dcc949")


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 100_000])
def test_streams(size: int) -> None:
    text = text_of(size)
    counter = (7).to_bytes(4, "little") + NONCE
    theirs = Cipher(algorithms.ChaCha20(KEY, counter), None).encryptor()
    ours = saltmill.ChaCha20(KEY, NONCE, counter=7)
    expected = theirs.update(text)
    assert ours.apply(text) == expected
    assert ours.apply(bytearray(text[64:]), offset=64) == expected[64:]
    for length in (16, 24, 32):
        iv = b"\xff" * 16
        theirs = Cipher(algorithms.AES(KEY[:length]), modes.CTR(iv)).encryptor()
        expected = theirs.update(text)
        stream = saltmill.AesCtr(KEY[:length], iv)
        assert stream.apply(np.frombuffer(text, np.uint8)) == expected
        assert stream.apply(text[16:], offset=16) == expected[16:]


@pytest.mark.parametrize("size", [0, 1, 64, CHUNK + 1])
@pytest.mark.parametrize("aad", [b"", b"additional data"])
def test_messages(size: int, aad: bytes) -> None:
    text = text_of(size)
    pairs = [(saltmill.ChaCha20Poly1305(KEY), TheirChaCha(KEY))]
    gcm = [(saltmill.AesGcm(KEY[:length]), AESGCM(KEY[:length])) for length in (16, 24, 32)]
    for ours, theirs in [*pairs, *gcm]:
        sealed = theirs.encrypt(NONCE, text, aad)
        assert ours.encrypt(NONCE, memoryview(text), aad) == sealed
        assert ours.decrypt(NONCE, bytearray(sealed), aad) == text
        for wrong in (sealed[:-1] + bytes([sealed[-1] ^ 1]), sealed[:15]):
            with pytest.raises(saltmill.RefusedError):
                ours.decrypt(NONCE, wrong, aad)
        with pytest.raises(saltmill.RefusedError):
            ours.decrypt(NONCE, sealed, aad + b"x")


def test_wrong_lengths() -> None:
    wrong = [
        lambda: saltmill.ChaCha20(KEY[1:], NONCE),
        lambda: saltmill.ChaCha20(KEY, NONCE[1:]),
        lambda: saltmill.AesGcm(KEY[:20]),
        lambda: saltmill.AesCtr(KEY, NONCE),
        lambda: saltmill.ChaCha20(KEY, NONCE).apply(b"abc", offset=3),
    ]
    for call in wrong:
        with pytest.raises(ValueError, match=r"bytes|multiple"):
            call()
    with pytest.raises(saltmill.CounterError):
        saltmill.ChaCha20(KEY, NONCE, counter=0xFFFF_FFFF).apply(bytes(65))


def test_a_hash_is_updated_by_threads() -> None:
    hasher, pieces = saltmill.Hash("sha256"), [bytes([7]) * 100_000] * 8
    threads = [threading.Thread(target=hasher.update, args=(piece,)) for piece in pieces]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert hasher.digest() == hashlib.sha256(b"".join(pieces)).digest()
