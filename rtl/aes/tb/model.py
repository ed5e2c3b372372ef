# SPDX-License-Identifier: Apache-2.0
"""What an AES core should do with a packet, from PyCryptodome."""

import random
from dataclasses import dataclass, field
from typing import Any, Literal

from Crypto.Cipher import AES

from rtl.testbench.stream import Beat, sample_bytes

Mode = Literal["ecb", "cbc", "ctr", "ctr32"]
MODES: tuple[Mode, ...] = ("ecb", "cbc", "ctr", "ctr32")  # in the order of mode_e
SIZES = (16, 24, 32)  # of keys, in the order of key_sizes_e
BLOCK = 16


@dataclass(frozen=True)
class Packet:
    data: bytes
    key: bytes
    mode: Mode = "ctr"
    decrypt: bool = False
    iv: bytes = field(default_factory=lambda: random.randbytes(BLOCK))

    def param(self) -> Beat:
        iv, key = (int.from_bytes(x, "little") for x in (self.iv, self.key))
        size, mode = SIZES.index(len(self.key)), MODES.index(self.mode)
        return (self.decrypt << 388 | mode << 386 | size << 384 | iv << 256 | key,)

    def param_words(self) -> list[Beat]:
        """The same for a port of 32 bits: mode and size, IV, the last word first, key."""
        first = MODES.index(self.mode) << 2 | SIZES.index(len(self.key))
        words = [int.from_bytes(self.iv[i : i + 4], "little") for i in (12, 8, 4, 0)]
        words += [int.from_bytes(self.key[i : i + 4], "little") for i in range(0, len(self.key), 4)]
        return [(first,), *((word,) for word in words)]

    @property
    def counts(self) -> bool:
        return self.mode in {"ctr", "ctr32"}

    def result(self) -> bytes:
        """The data out; what is not a whole block of ECB or CBC is zeros."""
        whole = len(self.data) if self.counts else len(self.data) // BLOCK * BLOCK
        data = self.data[:whole]
        match self.mode:
            case "ecb":
                cipher: Any = AES.new(self.key, AES.MODE_ECB)
            case "cbc":
                cipher = AES.new(self.key, AES.MODE_CBC, self.iv)
            case "ctr":
                start = int.from_bytes(self.iv, "big")
                cipher = AES.new(self.key, AES.MODE_CTR, nonce=b"", initial_value=start)
            case "ctr32":
                return counter_32(self.key, self.iv, self.data)
        done: bytes = cipher.decrypt(data) if self.decrypt else cipher.encrypt(data)
        return done.ljust(len(self.data), b"\0")


def counter_32(key: bytes, iv: bytes, data: bytes) -> bytes:
    """CTR with a counter in the last 32 bits (inc32 of SP 800-38D, 6.2), from the cipher alone."""
    ecb = AES.new(key, AES.MODE_ECB)
    first = int.from_bytes(iv[12:], "big")
    count = (len(data) + BLOCK - 1) // BLOCK
    blocks = (iv[:12] + ((first + i) % (1 << 32)).to_bytes(4, "big") for i in range(count))
    stream = ecb.encrypt(b"".join(blocks))
    return bytes(a ^ b for a, b in zip(data, stream, strict=False))


def packets(lengths: list[int], key_bytes: int, **fixed: Any) -> list[Packet]:
    """A packet of each length, with keys of their own and data of period 251."""
    return [
        Packet(sample_bytes(length, 7 * length), random.randbytes(key_bytes), **fixed)
        for length in lengths
    ]
