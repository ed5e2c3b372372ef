# SPDX-License-Identifier: Apache-2.0
"""What a ChaCha20 core should do with a packet, from PyCryptodome and, for what libraries don't
offer, from the text of RFC 8439."""

import json
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from Crypto.Cipher import ChaCha20

from rtl.testbench.stream import Beat, sample_bytes

VECTORS = Path(__file__).parents[3] / "vectors" / "chacha20.json"
BLOCKS = 1 << 32  # that a counter can number


@dataclass(frozen=True)
class Packet:
    data: bytes
    key: bytes = field(default_factory=lambda: random.randbytes(32))
    nonce: bytes = field(default_factory=lambda: random.randbytes(12))
    counter: int = field(default_factory=lambda: random.randrange(BLOCKS // 2))
    param_blocks: int | None = None  # what the param says, if not the truth
    hchacha: bool = False  # without the final addition

    @property
    def blocks(self) -> int:
        return (len(self.data) + 63) // 64 if self.param_blocks is None else self.param_blocks

    def param(self) -> Beat:
        key, nonce = (int.from_bytes(x, "little") for x in (self.key, self.nonce))
        packet = self.hchacha << 411 | self.blocks << 384 | self.counter << 352
        return (packet | nonce << 256 | key,)

    def param_words(self) -> list[Beat]:
        """The same for a port of 32 bits: blocks, key, counter, nonce."""
        raw = self.key + self.counter.to_bytes(4, "little") + self.nonce
        words = [int.from_bytes(raw[i : i + 4], "little") for i in range(0, len(raw), 4)]
        return [(word,) for word in (self.hchacha << 31 | self.blocks, *words)]

    def keyed(self) -> int:
        """Bytes that there is keystream for."""
        return min(len(self.data), 64 * self.blocks, 64 * (BLOCKS - self.counter))

    def result(self, *, final_add: bool) -> bytes:
        """The data out: zeros where the keystream ends."""
        count = self.keyed()
        if not final_add or self.hchacha:
            stream = b"".join(
                rounds(self.key, self.nonce, self.counter + i) for i in range((count + 63) // 64)
            )
            mixed = bytes(a ^ b for a, b in zip(self.data[:count], stream, strict=False))
        else:
            cipher = ChaCha20.new(key=self.key, nonce=self.nonce)
            cipher.seek(64 * self.counter)
            mixed = cipher.encrypt(self.data[:count])
        return mixed.ljust(len(self.data), b"\0")


def packets(lengths: list[int], **fixed: Any) -> list[Packet]:
    """A packet of each length, with keys of their own and data of period 251."""
    return [Packet(sample_bytes(length, 7 * length), **fixed) for length in lengths]


def vectors() -> list[tuple[Packet, bytes]]:
    rows = json.loads(VECTORS.read_text())["vectors"]
    return [
        (
            Packet(
                bytes.fromhex(row["plaintext"]),
                bytes.fromhex(row["key"]),
                bytes.fromhex(row["nonce"]),
                row["counter"],
            ),
            bytes.fromhex(row["ciphertext"]),
        )
        for row in rows
    ]


def rounds(key: bytes, nonce: bytes, counter: int) -> bytes:
    """The state after the 20 rounds, before the addition (RFC 8439, 2.3)."""
    raw = b"expand 32-byte k" + key + counter.to_bytes(4, "little") + nonce
    s = [int.from_bytes(raw[i : i + 4], "little") for i in range(0, 64, 4)]
    columns = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)]
    diagonals = [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
    for _ in range(10):
        for a, b, c, d in columns + diagonals:
            for x, y, z, left in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                s[x] = (s[x] + s[y]) & 0xFFFFFFFF
                mix = s[z] ^ s[x]
                s[z] = (mix << left | mix >> (32 - left)) & 0xFFFFFFFF
    return b"".join(word.to_bytes(4, "little") for word in s)
