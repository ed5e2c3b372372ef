# SPDX-License-Identifier: Apache-2.0
"""The driver against pycryptodome and Python's hashes, on simulated devices."""

import asyncio
import hashlib
import hmac
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from Crypto.Cipher import AES, ChaCha20, ChaCha20_Poly1305
from saltmill_pynq import JobError, Span, TagMismatchError
from saltmill_pynq.registers.saltmill_descriptor import JobStatus, Operation

KEY = bytes(range(32))
LENGTHS = (0, 1, 15, 16, 17, 63, 64, 65, 4095, 4096, 4097, 10_001)


def text(length: int) -> bytes:
    return bytes(n % 251 for n in range(length))


def test_chacha20_poly1305_of_any_length(saltmill: Any) -> None:
    device = saltmill("aead-balanced")
    device.set_key(3, KEY)
    for length in LENGTHS:
        nonce, aad = length.to_bytes(12, "little"), text(length % 37)
        cipher = ChaCha20_Poly1305.new(key=KEY, nonce=nonce)
        cipher.update(aad)
        expected, tag = cipher.encrypt_and_digest(text(length))
        sealed, made = device.seal(text(length), nonce, aad, slot=3)
        assert (bytes(sealed), made) == (expected, tag)
        assert bytes(device.open(sealed, nonce, tag, aad, slot=3)) == text(length)
        with pytest.raises(TagMismatchError):
            device.open(sealed, nonce, bytes(16), aad, slot=3)


def test_arrays_keep_their_shape_and_type(saltmill: Any) -> None:
    device = saltmill("aead-balanced")
    device.set_key(0, KEY)
    image = np.arange(3 * 5 * 7, dtype=np.uint16).reshape(3, 5, 7)[:, ::2]
    nonce = bytes(24)
    sealed, tag = device.seal(image, nonce)
    assert (sealed.shape, sealed.dtype) == (image.shape, image.dtype)
    cipher = ChaCha20_Poly1305.new(key=KEY, nonce=nonce)
    assert (sealed.tobytes(), tag) == cipher.encrypt_and_digest(image.tobytes())
    assert (device.open(sealed, nonce, tag) == image).all()


def test_spans_of_buffers_at_any_byte(saltmill: Any) -> None:
    device = saltmill("aead-balanced")
    device.set_key(0, KEY)
    buffer, result = device.allocate(4096), device.allocate(4096)
    for start, length, to in ((0, 100, 0), (1, 99, 3), (63, 1, 64), (7, 2000, 1001)):
        buffer[:] = np.frombuffer(text(4096), np.uint8)
        result[:] = 0xA5
        out = Span(result, to, to + length)
        cipher = ChaCha20.new(key=KEY, nonce=bytes(12))
        expected = cipher.encrypt(bytes(buffer[start : start + length]))
        made = device.xor_stream(Span(buffer, start, start + length), bytes(12), out=out)
        assert bytes(made) == expected
        around = bytes(result[:to]) + bytes(result[to + length :])
        assert set(around) == {0xA5}


def test_many_jobs_are_under_way(saltmill: Any) -> None:
    device = saltmill("aead-balanced")
    device.set_key(0, KEY)
    start = {n: text(100 + n) for n in range(200)}
    jobs = {
        n: device.start(Operation.XOR_STREAM, data, nonce=n.to_bytes(12, "big"))
        for n, data in start.items()
    }
    for n, job in reversed(jobs.items()):
        cipher = ChaCha20.new(key=KEY, nonce=n.to_bytes(12, "big"))
        assert bytes(job.wait()) == cipher.encrypt(start[n])


def test_the_example_of_the_page(saltmill: Any) -> None:
    """That of README.md which runs."""
    page = (Path(__file__).parents[1] / "README.md").read_text()
    (example,) = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    parts = [(text(length), length.to_bytes(12, "little")) for length in LENGTHS]
    names = {"device": saltmill("aead-balanced"), "Operation": Operation, "parts": parts}
    names["device"].set_key(0, KEY)
    exec(example, names)
    for (part, nonce), (sealed, tag) in zip(parts, names["sealed"], strict=True):
        cipher = ChaCha20_Poly1305.new(key=KEY, nonce=nonce)
        assert (bytes(sealed), tag) == cipher.encrypt_and_digest(part)


def test_a_long_stream_is_cut(on_board: Any) -> None:
    device = on_board("aead-balanced")
    device.set_key(0, KEY)
    data = text((1 << 20) + 77)
    cipher = ChaCha20.new(key=KEY, nonce=bytes(12))
    cipher.seek(64 * 5)
    assert bytes(device.xor_stream(data, bytes(12), counter=5)) == cipher.encrypt(data)


def test_an_interrupt_ends_the_wait(on_board: Any) -> None:
    device = on_board("aead-balanced")
    device.set_key(0, KEY)

    async def two() -> list[Any]:
        jobs = [device.start(Operation.KEYSTREAM, bytes(50_000), nonce=bytes(12)) for _ in "ab"]
        return [await job for job in jobs]

    first, second = asyncio.run(two())
    assert (
        bytes(first)
        == bytes(second)
        == ChaCha20.new(key=KEY, nonce=bytes(12)).encrypt(bytes(50_000))
    )
    assert device.irq_o.count > 0


def test_errors_are_told_and_the_ring_goes_on(saltmill: Any) -> None:
    device = saltmill("aead-balanced")
    with pytest.raises(JobError) as told:
        device.xor_stream(b"no key", bytes(12), slot=1)
    assert told.value.status is JobStatus.BAD_KEY_SLOT
    device.set_key(1, KEY)
    expected = ChaCha20.new(key=KEY, nonce=bytes(12)).encrypt(b"now one")
    assert bytes(device.xor_stream(b"now one", bytes(12), slot=1)) == expected
    with pytest.raises(ValueError, match="no key of 16 bytes"):
        device.set_key(1, bytes(16))
    with pytest.raises(ValueError, match="no digest"):
        device.digest(b"")
    device.wipe()
    with pytest.raises(JobError, match="bad_key_slot"):
        device.xor_stream(b"wiped", bytes(12), slot=1)


def test_a_forged_message_is_not_left_in_memory(saltmill: Any) -> None:
    device = saltmill("aead-balanced")
    device.set_key(0, KEY)
    sealed, _ = device.seal(text(500), bytes(12))
    buffer = device.allocate(500)
    with pytest.raises(TagMismatchError):
        device.open(sealed, bytes(12), bytes(16), out=buffer)
    buffer.invalidate()
    assert not buffer.any()


def test_poly1305_uses_up_its_key(saltmill: Any) -> None:
    """RFC 8439, 2.5.2."""
    device = saltmill("aead-balanced")
    key = "85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b"
    message = b"Cryptographic Forum Research Group"
    tag = device.mac(message, bytes.fromhex(key))
    assert tag.hex() == "a8061dc1305136c6c22b8baf0c0127a9"
    with pytest.raises(JobError, match="bad_key_slot"):
        device.start(Operation.MAC, message).wait()


@pytest.mark.parametrize("size", [16, 24, 32])
def test_aes(saltmill: Any, size: int) -> None:
    device = saltmill("aes-ring")
    key, block = text(size), b"\xff" * 16
    device.set_key(2, key)
    for length in (0, 1, 16, 33, 5000):
        ctr = AES.new(key, AES.MODE_CTR, nonce=b"", initial_value=block)
        assert bytes(device.xor_stream(text(length), block, slot=2)) == ctr.encrypt(text(length))
        for nonce in (bytes(12), b"eight by", text(16), text(24), text(61)):
            gcm = AES.new(key, AES.MODE_GCM, nonce=nonce)
            gcm.update(b"aad")
            sealed, tag = device.seal(text(length), nonce, b"aad", slot=2)
            assert (bytes(sealed), tag) == gcm.encrypt_and_digest(text(length))
            assert bytes(device.open(sealed, nonce, tag, b"aad", slot=2)) == text(length)
    cbc = AES.new(key, AES.MODE_CBC, iv=block).encrypt(text(160))
    job = device.start(Operation.CBC_ENCRYPT, text(160), nonce=block, slot=2)
    assert bytes(job.wait()) == cbc
    job = device.start(Operation.ECB_DECRYPT, cbc, slot=2)
    assert bytes(job.wait()) == AES.new(key, AES.MODE_ECB).decrypt(cbc)


def test_digests(saltmill: Any) -> None:
    device = saltmill("sha256-ring")
    jobs = {n: device.start(Operation.DIGEST, text(n)) for n in LENGTHS}
    for length, job in jobs.items():
        assert bytes(job.wait()) == hashlib.sha256(text(length)).digest()
    if Operation.HMAC in device.operations:
        device.set_key(0, KEY)
        assert device.hmac(text(100)) == hmac.digest(KEY, text(100), "sha256")
