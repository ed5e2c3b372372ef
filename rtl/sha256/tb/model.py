# SPDX-License-Identifier: Apache-2.0
"""Published digests of SHA-256, and what hashlib does not tell: its chaining values.

For these there is the standard's text in Python, which a test compares with hashlib (OpenSSL).
"""

import re
from collections.abc import Iterator
from importlib.resources import files
from itertools import count, islice, pairwise
from struct import pack, unpack

BLOCK_BYTES = 64
INITIAL = bytes.fromhex("6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19")

# SHA-224 is SHA-256 from another H0 (FIPS 180-4, 5.3.2)
SHA224_INITIAL = bytes.fromhex("c1059ed8367cd5073070dd17f70e5939ffc00b316858151164f98fa7befa4fa4")


def _root_bits(power: int) -> Iterator[int]:
    """The first 32 bits of the fractional parts of a root of each prime: K has cube roots."""
    for number in count(2):
        if all(number % d for d in range(2, number)):
            bits = number << 32 * power
            root = round(number ** (1 / power) * 2**32)
            while root**power > bits:
                root -= 1
            while (root + 1) ** power <= bits:
                root += 1
            yield root & 0xFFFFFFFF


K = list(islice(_root_bits(3), 64))


def _rotated(x: int, *amounts: int) -> int:
    result = 0
    for n in amounts:
        result ^= x >> n | x << (32 - n) & 0xFFFFFFFF
    return result


def chained(data: bytes, value: bytes = INITIAL) -> bytes:
    """The chaining value after whole blocks (FIPS 180-4, 6.2.2)."""
    hashed = list(unpack(">8I", value))
    for block in range(0, len(data), BLOCK_BYTES):
        w = list(unpack(">16I", data[block : block + BLOCK_BYTES]))
        for t in range(16, 64):
            s0 = _rotated(w[t - 15], 7, 18) ^ w[t - 15] >> 3
            s1 = _rotated(w[t - 2], 17, 19) ^ w[t - 2] >> 10
            w.append(s1 + w[t - 7] + s0 + w[t - 16] & 0xFFFFFFFF)
        a, b, c, d, e, f, g, h = hashed
        for t in range(64):
            t1 = h + _rotated(e, 6, 11, 25) + (e & f ^ ~e & g) + K[t] + w[t]
            t2 = _rotated(a, 2, 13, 22) + (a & b ^ a & c ^ b & c)
            a, b, c, d, e, f, g, h = (t1 + t2) % 2**32, a, b, c, (d + t1) % 2**32, e, f, g
        both = zip(hashed, (a, b, c, d, e, f, g, h), strict=True)
        hashed = [(x + y) % 2**32 for x, y in both]
    return pack(">8I", *hashed)


def finished(data: bytes, value: bytes = INITIAL, before: int = 0) -> bytes:
    """The digest of a message whose last part this is, after `before` blocks."""
    bits = 8 * (BLOCK_BYTES * before + len(data))
    zeros = bytes((55 - len(data)) % BLOCK_BYTES)
    return chained(data + b"\x80" + zeros + bits.to_bytes(8, "big"), value)


def published(kind: str) -> list[tuple[bytes, bytes]]:
    """NIST's messages and digests (CAVP, SHAVS); kind is Short or Long."""
    path = files("cryptography_vectors") / "hashes" / "SHA2" / f"SHA256{kind}Msg.rsp"
    found = re.findall(r"Len = (\d+)\s+Msg = (\w+)\s+MD = (\w+)", path.read_text())
    return [
        (bytes.fromhex(text)[: int(bits) // 8], bytes.fromhex(digest))
        for bits, text, digest in found
    ]


def monte_carlo(checkpoints: int) -> list[tuple[bytes, bytes]]:
    """The seed and the digest after 1,000 turns (SHAVS, 6.4), of the first so many checkpoints."""
    path = files("cryptography_vectors") / "hashes" / "SHA2" / "SHA256Monte.rsp"
    values = re.findall(r"(?:Seed|MD) = (\w+)", path.read_text())[: checkpoints + 1]
    values = [bytes.fromhex(value) for value in values]
    return list(pairwise(values))
