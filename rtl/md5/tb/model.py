# SPDX-License-Identifier: Apache-2.0
"""The published digests of MD5, and what hashlib does not tell: its chaining values.

For these there is the text of RFC 1321 in Python, which a test compares with hashlib (OpenSSL).
"""

import math
from struct import pack, unpack

BLOCK_BYTES = 64
INITIAL = bytes.fromhex("0123456789abcdeffedcba9876543210")
MASK = 0xFFFFFFFF

# RFC 1321, A.5
SUITE = {
    b"": "d41d8cd98f00b204e9800998ecf8427e",
    b"a": "0cc175b9c0f1b6a831c399e269772661",
    b"abc": "900150983cd24fb0d6963f7d28e17f72",
    b"message digest": "f96b697d7cb7938d525a2f31aaf161d0",
    b"abcdefghijklmnopqrstuvwxyz": "c3fcd3d76192e4007dfb496cca67e13b",
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789": (
        "d174ab98d277d9f5a5611c2c9f419d9f"
    ),
    b"1234567890" * 8: "57edf4a22be3c955ac49da2e2107b67a",
}

T = [int(abs(math.sin(i + 1)) * 2**32) for i in range(64)]
ROTATIONS = [(7, 12, 17, 22), (5, 9, 14, 20), (4, 11, 16, 23), (6, 10, 15, 21)]


def _step(i: int, b: int, c: int, d: int) -> tuple[int, int]:
    """The function of a step, and which word it takes."""
    match i // 16:
        case 0:
            return b & c | ~b & d, i
        case 1:
            return b & d | c & ~d, (5 * i + 1) % 16
        case 2:
            return b ^ c ^ d, (3 * i + 5) % 16
        case _:
            return c ^ (b | ~d & MASK), 7 * i % 16


def chained(data: bytes, value: bytes = INITIAL) -> bytes:
    """The chaining value after whole blocks (3.4)."""
    a, b, c, d = unpack("<4I", value)
    for block in range(0, len(data), BLOCK_BYTES):
        words = unpack("<16I", data[block : block + BLOCK_BYTES])
        before = a, b, c, d
        for i in range(64):
            mixed, word = _step(i, b, c, d)
            total = a + mixed + words[word] + T[i] & MASK
            n = ROTATIONS[i // 16][i % 4]
            a, b, c, d = d, b + (total << n | total >> (32 - n)) & MASK, b, c
        a, b, c, d = (x + y & MASK for x, y in zip(before, (a, b, c, d), strict=True))
    return pack("<4I", a, b, c, d)


def finished(data: bytes, value: bytes = INITIAL, before: int = 0) -> bytes:
    """The digest of a message whose last part this is, after `before` blocks."""
    bits = 8 * (BLOCK_BYTES * before + len(data))
    zeros = bytes((55 - len(data)) % BLOCK_BYTES)
    return chained(data + b"\x80" + zeros + bits.to_bytes(8, "little"), value)
