# SPDX-License-Identifier: Apache-2.0
"""What a ChaCha20-Poly1305 core should make of a message, from PyCryptodome."""

import json
import random
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from Crypto.Cipher import ChaCha20, ChaCha20_Poly1305
from Crypto.Hash.Poly1305 import Poly1305_MAC

from rtl.testbench.stream import Beat, sample_bytes, to_beats

VECTORS = Path(__file__).parents[3] / "vectors" / "chacha20_poly1305.json"
CIPHER, MAC, SEAL, OPEN = range(4)


@dataclass(frozen=True)
class Message:
    operation: int
    data: bytes
    aad: bytes = b""
    key: bytes = field(default_factory=lambda: random.randbytes(32))
    nonce: bytes = field(default_factory=lambda: random.randbytes(12))  # 24: XChaCha20
    counter: int = 0
    expected: bytes = bytes(16)  # the tag that Open compares with
    marks: int = 0  # tuser of the beats, bit by bit; -1 marks all

    @property
    def extended(self) -> bool:
        return len(self.nonce) == 24

    def param(self) -> Beat:
        """The bits of param_t."""
        value = 0
        for number, width in (
            (self.operation, 2),
            (self.extended, 1),
            (int.from_bytes(self.expected, "little"), 128),
            (len(self.aad), 32),
            (len(self.data), 32),
            (self.counter, 32),
            (int.from_bytes(self.nonce.rjust(24, b"\0"), "little"), 192),
            (int.from_bytes(self.key, "little"), 256),
        ):
            value = value << width | number
        return (value,)

    def params_in(self, port_bits: int) -> list[Beat]:
        """The param in one beat, or in the words of a port of 32 bits."""
        return self.param_words() if port_bits == 32 else [self.param()]

    def param_words(self) -> list[Beat]:
        """The same for a core with a param port of 32 bits: what this message needs."""
        tail = self.nonce[:16] if self.extended else b""
        if self.operation == CIPHER:
            tail += self.counter.to_bytes(4, "little")
        if self.operation != MAC:
            tail += self.nonce[len(self.nonce) // 24 * 16 :]
        if self.operation == OPEN:
            tail += self.expected
        text = self.key + tail
        words = [self.extended << 2 | self.operation, len(self.aad), len(self.data)]
        words += [int.from_bytes(text[i : i + 4], "little") for i in range(0, len(text), 4)]
        return [(word,) for word in words]

    def beats_in(self, width: int) -> list[Beat]:
        """The parts in beats of their own, with rubbish behind their last bytes."""
        words = []
        for part in (self.aad, self.data):
            for i in range(0, len(part), width):
                piece = part[i : i + width]
                words.append(int.from_bytes(piece + random.randbytes(width - len(piece)), "little"))
        return [(word, self.marks >> i & 1) for i, word in enumerate(words)]

    def beats_out(self, width: int) -> list[Beat]:
        """None for no data."""
        data, _ = self.result()
        if not data:
            return []
        marks = self.marks >> -(-len(self.aad) // width)
        return [
            (word, keep, last, marks >> i & 1)
            for i, (word, keep, last, _) in enumerate(to_beats(data, width))
        ]

    def tags_out(self, width: int) -> list[Beat]:
        """The tag, whether it matches, and whether a beat was marked; none for CIPHER."""
        _, tag = self.result()
        if tag is None:
            return []
        match = self.operation != OPEN or tag == self.expected
        marked = any(mark for _, mark in self.beats_in(width))
        return [(int.from_bytes(tag, "little"), int(match), int(marked))]

    def result(self) -> tuple[bytes, bytes | None]:
        """The data and the tag that come out."""
        if self.operation == MAC:
            return b"", Poly1305_MAC(self.key[:16], self.key[16:], self.data).digest()
        if self.operation == CIPHER:
            stream = ChaCha20.new(key=self.key, nonce=self.nonce)
            stream.seek(64 * self.counter)
            return stream.encrypt(self.data), None
        aead = ChaCha20_Poly1305.new(key=self.key, nonce=self.nonce)
        aead.update(self.aad)
        if self.operation == SEAL:
            data, tag = aead.encrypt_and_digest(self.data)
            return data, tag
        opened = aead.decrypt(self.data)
        again = ChaCha20_Poly1305.new(key=self.key, nonce=self.nonce)
        again.update(self.aad)
        sealed, tag = again.encrypt_and_digest(opened)
        assert sealed == self.data
        return opened, tag

    def opening(self, spoilt: int | None = None) -> "Message":
        """The message that opens this one; with a bit of its tag turned."""
        sealed, tag = self.result()
        assert tag is not None
        if spoilt is not None:
            tag = (int.from_bytes(tag, "little") ^ 1 << spoilt).to_bytes(16, "little")
        return Message(OPEN, sealed, self.aad, self.key, self.nonce, expected=tag)


def message(operation: int, length: int, aad: int = 0, **fixed: Any) -> Message:
    """A message of these lengths, with a key of its own and data of period 251."""
    if operation == OPEN:
        marks = fixed.pop("marks", 0)
        return replace(message(SEAL, length, aad, **fixed).opening(), marks=marks)
    return Message(operation, sample_bytes(length, 7 * length), sample_bytes(aad, 5), **fixed)


def vectors() -> tuple[list[tuple[Message, Message]], list[Message]]:
    """Those with a nonce of 12 or 24 bytes: (seals, opens) if valid; the others only open."""
    valid, invalid = [], []
    for row in json.loads(VECTORS.read_text())["vectors"]:
        names = ("key", "nonce", "aad", "plaintext", "ciphertext", "tag")
        key, nonce, aad, clear, sealed, tag = (bytes.fromhex(row[name]) for name in names)
        if len(nonce) != (24 if row["extended"] else 12):
            assert not row["valid"]
            continue
        opens = Message(OPEN, sealed, aad, key, nonce, expected=tag)
        if row["valid"]:
            seals = Message(SEAL, clear, aad, key, nonce)
            assert seals.result() == (sealed, tag)
            assert opens.result() == (clear, tag)
            valid.append((seals, opens))
        else:
            assert opens.result()[1] != tag
            invalid.append(opens)
    return valid, invalid
