# SPDX-License-Identifier: Apache-2.0
"""What an AES-GCM core should make of a message, from PyCryptodome."""

import random
from dataclasses import dataclass, field, replace
from typing import Any

from Crypto.Cipher import AES

from rtl.aes.tb.model import MODES, SIZES, Mode, Packet
from rtl.testbench.stream import Beat, sample_bytes

ENCRYPT, DECRYPT, SEAL, OPEN = range(4)


@dataclass(frozen=True)
class Message:
    operation: int
    data: bytes
    key: bytes
    aad: bytes = b""
    iv: bytes = field(default_factory=lambda: random.randbytes(12))  # 16 if not GCM
    mode: Mode = "ctr"  # of ENCRYPT and DECRYPT
    expected: bytes = b""  # the tag, or its first bytes, that OPEN compares with
    all_bytes: int = 16  # `tag_bytes` that stands for all of them
    marks: int = 0  # tuser of the beats, bit by bit; -1 marks all

    @property
    def aead(self) -> bool:
        return self.operation in {SEAL, OPEN}

    def params_in(self, port_bits: int) -> list[Beat]:
        """The bits of param_t."""
        value = 0
        for number, width in (
            (self.operation, 2),
            (MODES.index(self.mode), 2),
            (SIZES.index(len(self.key)), 2),
            (len(self.expected) if len(self.expected) < 16 else self.all_bytes, 5),
            (int.from_bytes(self.expected, "little"), 128),
            (len(self.iv), 32),
            (len(self.aad), 32),
            (len(self.data), 32),
            (int.from_bytes(self.iv[:16], "little"), 128),
            (int.from_bytes(self.key, "little"), 256),
        ):
            value = value << width | number
        assert value < 1 << port_bits
        return [(value,)]

    def beats_in(self, width: int) -> list[Beat]:
        """The parts in beats of their own, with rubbish behind their last bytes."""
        words = []
        long_iv = self.iv if self.aead and len(self.iv) != 12 else b""
        for part in (long_iv, self.aad, self.data):
            for i in range(0, len(part), width):
                piece = part[i : i + width]
                words.append(int.from_bytes(piece + random.randbytes(width - len(piece)), "little"))
        return [(word, self.marks >> i & 1) for i, word in enumerate(words)]

    def beats_out(self, width: int) -> list[Beat]:
        """None for no data."""
        data, _ = self.result()
        before = len(self.beats_in(width)) - -(-len(data) // width)
        beats: list[Beat] = []
        for i in range(0, len(data), width):
            piece = data[i : i + width]
            partial = not self.aead and self.mode in {"ecb", "cbc"} and len(piece) < width
            user = partial << 1 | (self.marks >> (before + i // width) & 1)
            last = int(i + width >= len(data))
            beats.append((int.from_bytes(piece, "little"), (1 << len(piece)) - 1, last, user))
        return beats

    def tags_out(self, width: int) -> list[Beat]:
        """The tag, whether it matches, and whether a beat was marked; none but of GCM."""
        _, tag = self.result()
        if tag is None:
            return []
        match = self.operation != OPEN or tag.startswith(self.expected)
        marked = any(mark for _, mark in self.beats_in(width))
        return [(int.from_bytes(tag, "little"), int(match), int(marked))]

    def result(self) -> tuple[bytes, bytes | None]:
        """The data and the tag that come out."""
        if not self.aead:
            decrypt = self.operation == DECRYPT
            return Packet(self.data, self.key, self.mode, decrypt, self.iv).result(), None
        gcm = AES.new(self.key, AES.MODE_GCM, nonce=self.iv)
        gcm.update(self.aad)
        if self.operation == SEAL:
            return gcm.encrypt_and_digest(self.data)
        opened = gcm.decrypt(self.data)
        again = AES.new(self.key, AES.MODE_GCM, nonce=self.iv)
        again.update(self.aad)
        sealed, tag = again.encrypt_and_digest(opened)
        assert sealed == self.data
        return opened, tag

    def opening(self, spoilt: int | None = None, tag_bytes: int = 16) -> "Message":
        """The message that opens this one, with a bit of its tag turned."""
        sealed, tag = self.result()
        assert tag is not None
        if spoilt is not None:
            tag = (int.from_bytes(tag, "little") ^ 1 << spoilt).to_bytes(16, "little")
        return replace(self, operation=OPEN, data=sealed, expected=tag[:tag_bytes])


def message(
    operation: int, length: int, aad: int = 0, key_bytes: int = 16, **fixed: Any
) -> Message:
    """A message of these lengths, with a key of its own and data of period 251."""
    if operation == OPEN:
        marks = fixed.pop("marks", 0)
        sealed = message(SEAL, length, aad, key_bytes, **fixed)
        return replace(sealed.opening(), marks=marks)
    if operation in {ENCRYPT, DECRYPT}:
        fixed.setdefault("iv", random.randbytes(16))
    key = random.randbytes(key_bytes)
    data, text = sample_bytes(length, 7 * length), sample_bytes(aad, 5)
    return Message(operation, data, key, text, **fixed)
