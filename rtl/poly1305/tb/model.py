# SPDX-License-Identifier: Apache-2.0
"""What a Poly1305 core should make of a message, from PyCryptodome."""

import json
import random
from dataclasses import dataclass, field
from pathlib import Path

from Crypto.Hash.Poly1305 import Poly1305_MAC

from rtl.testbench.stream import sample_bytes

VECTORS = Path(__file__).parents[3] / "vectors" / "poly1305.json"
PRIME = (1 << 130) - 5


@dataclass(frozen=True)
class Message:
    data: bytes
    key: bytes = field(default_factory=lambda: random.randbytes(32))

    @property
    def blocks(self) -> int:
        """What a core makes of it: an empty message takes as long as one block."""
        return max(1, (len(self.data) + 15) // 16)

    def tag(self) -> bytes:
        return Poly1305_MAC(self.key[:16], self.key[16:], self.data).digest()


def messages(lengths: list[int]) -> list[Message]:
    """A message of each length, with keys of their own and data of period 251."""
    return [Message(sample_bytes(length, 7 * length)) for length in lengths]


def vectors() -> list[tuple[Message, bytes]]:
    rows = json.loads(VECTORS.read_text())["vectors"]
    return [
        (
            Message(bytes.fromhex(row["message"]), bytes.fromhex(row["key"])),
            bytes.fromhex(row["tag"]),
        )
        for row in rows
    ]


def edges() -> list[Message]:
    """Sums near 2^130 - 5, limbs of ones, the largest r, tags that wrap."""
    ones = b"\xff" * 16
    largest = bytes.fromhex("ffffff0ffcffff0ffcffff0ffcffff0f")
    queue = []
    # With r = 1 the sum is the sum of the blocks, each at least 2^128: four come near 2^130, eight
    # near 2^131, and so on
    for blocks in (3, 4, 7, 8, 12, 40):
        rest = -blocks * (1 << 128) % PRIME
        for near in range(-7, 8):
            value = (rest + near) % PRIME
            words = [min(value // blocks, (1 << 128) - 1)] * (blocks - 1)
            words.append(value - sum(words))
            if 0 <= words[-1] < 1 << 128:
                data = b"".join(word.to_bytes(16, "little") for word in words)
                r = b"\x01".ljust(16, b"\0")
                queue += [Message(data, r + s) for s in (bytes(16), ones)]
    for r in (ones, largest, b"\x02".ljust(16, b"\0"), bytes(16), b"\xfc".rjust(16, b"\0")):
        for blocks in (1, 2, 3, 4, 5, 8, 9, 17, 40):
            for s in (bytes(16), ones):
                queue.append(Message(ones * blocks, r + s))
                queue.append(Message(bytes(16 * blocks), r + s))
    return queue
