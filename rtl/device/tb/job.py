# SPDX-License-Identifier: Apache-2.0
"""A job: its descriptor, and what it should do, from PyCryptodome."""

import hmac
import random
from dataclasses import dataclass, field

from Crypto.Cipher import AES, ChaCha20, ChaCha20_Poly1305
from Crypto.Hash.Poly1305 import Poly1305_MAC

from rtl.aes.tb import model as aes
from rtl.chacha20.tb.model import rounds
from rtl.device.tb.memory import BASE, SIZE
from rtl.device.tb.registers import CODES, DESCRIPTOR, DESCRIPTOR_BYTES
from rtl.md5.tb import model as md5
from rtl.sha256.tb import model as sha256

ENTRY = DESCRIPTOR_BYTES
RING = BASE  # at most 64 KiB
SOURCE = range(BASE + (64 << 10), BASE + (256 << 10))  # never written by a job
DESTINATION = range(SOURCE.stop, BASE + SIZE)
TAGGED = ("mac", "seal", "open")
WHOLE_BLOCKS = ("ecb_encrypt", "ecb_decrypt", "cbc_encrypt", "cbc_decrypt")
NO_TAG = bytes(16)
CONSTANT = 0xA5  # of the core without a cipher
DIGEST_BYTES = 32  # of the same
HASHES = {"sha256": sha256, "md5": md5}
KEYLESS = ("digest", "digest_part")


@dataclass
class Job:
    length: int
    source: int = SOURCE.start
    destination: int = DESTINATION.start
    operation: str | int = "xor_stream"
    key_slot: int = 0
    nonce: bytes = field(default_factory=lambda: random.randbytes(12))  # 24: extended
    counter: int = 0
    interrupt: bool = False
    aad: int = SOURCE.start
    aad_length: int = 0
    tag: bytes | None = None  # that open expects; None: the right one
    one_time_key: bytes = field(default_factory=lambda: random.randbytes(32))  # of mac
    expected: str = "ok"  # its status
    final_add: bool = True  # by the device
    cipher: bool = True  # if not, XOR with a constant, or:
    hash: str = ""  # an algorithm as hashlib has it
    words: dict[int, int] = field(default_factory=dict)  # others of the descriptor, by offset
    # AES
    key_bytes: int = 0  # 0: no AES
    short_counter: bool = False
    tag_bytes: int = 0
    iv: int = SOURCE.start
    iv_length: int = 0  # of an initialisation vector in memory

    def descriptor(self, high: int = 0) -> bytes:
        """`high` is added to all addresses."""
        operation = self.operation
        control = DESCRIPTOR["control"].pack(
            operation=operation if isinstance(operation, int) else CODES[operation],
            key_slot=self.key_slot,
            interrupt=int(self.interrupt),
            extended_nonce=int(len(self.nonce) == 24),
            key_size=aes.SIZES.index(self.key_bytes) if self.key_bytes else 0,
            tag_bytes=self.tag_bytes,
            short_counter=int(self.short_counter),
        )
        image = bytearray(ENTRY)

        def put(name: str, value: int | bytes, width: int = 4) -> None:
            place = DESCRIPTOR[name].address
            data = value if isinstance(value, bytes) else value.to_bytes(width, "little")
            image[place : place + width] = data

        put("control", control)
        put("length", self.length)
        put("source_low", self.source + high, 8)
        put("destination_low", self.destination + high, 8)
        put("counter", self.counter)
        put("nonce", self.nonce[-12:], 12)
        first = self.nonce[:-12].ljust(12, b"\0")
        if self.iv_length:
            first = self.iv_length.to_bytes(4, "little") + (self.iv + high).to_bytes(8, "little")
        put("nonce_first", first, 12)
        put("aad_length", self.aad_length)
        put("aad_low", self.aad + high, 8)
        put("tag", self.tag or NO_TAG, 16)
        for place, word in self.words.items():
            image[place : place + 4] = word.to_bytes(4, "little")
        return bytes(image)

    @property
    def result_bytes(self) -> int:
        """What it writes to the destination."""
        digest = len(HASHES[self.hash].INITIAL) if self.hash else DIGEST_BYTES
        if self.operation in (*KEYLESS, "hmac", "hmac_part"):
            return digest
        return 0 if self.operation == "mac" else self.length

    def result(
        self, key: bytes, data: bytes, aad: bytes = b"", iv: bytes = b""
    ) -> tuple[bytes, bytes]:
        """What it writes to the destination, and the tag."""
        if self.key_bytes:
            return self._result_of_aes(key, data, aad, iv)
        if self.hash:
            return self._result_of_hash(key, data, iv), NO_TAG
        if self.operation == "mac":
            return b"", Poly1305_MAC(key[:16], key[16:], data).digest()
        if self.operation == "seal":
            return self._sealed(key, data, aad)
        if self.operation == "open":
            clear = ChaCha20_Poly1305.new(key=key, nonce=self.nonce).decrypt(data)
            sealed, tag = self._sealed(key, clear, aad)
            assert sealed == data
            return clear, tag
        return self._result_of_cipher(key, data), NO_TAG

    def _result_of_cipher(self, key: bytes, data: bytes) -> bytes:
        if self.operation == "digest":
            return digest(data)
        if not self.cipher:
            return bytes(byte ^ CONSTANT for byte in data)
        if not self.final_add:
            blocks = range(self.counter, self.counter + (len(data) + 63) // 64)
            return b"".join(rounds(key, self.nonce, n) for n in blocks)[: len(data)]
        cipher = ChaCha20.new(key=key, nonce=self.nonce)
        cipher.seek(64 * self.counter)
        return cipher.encrypt(data if self.operation == "xor_stream" else bytes(len(data)))

    def _result_of_hash(self, key: bytes, data: bytes, value: bytes) -> bytes:
        model = HASHES[self.hash]
        before = self.counter | int.from_bytes(self.nonce[:3], "little") % (1 << 23) << 32
        if self.operation == "hmac" and not value:
            return hmac.digest(key, data, self.hash)
        if self.operation == "hmac_part":
            data = padded_key(key, 0x36) + data
        value = value or model.INITIAL
        result: bytes
        if self.operation in ("digest_part", "hmac_part"):
            result = model.chained(data, value)
        else:
            result = model.finished(data, value, before)
        if self.operation == "hmac":
            result = model.finished(padded_key(key, 0x5C) + result)
        return result

    def _result_of_aes(self, key: bytes, data: bytes, aad: bytes, iv: bytes) -> tuple[bytes, bytes]:
        if self.operation in ("seal", "open"):
            nonce = iv or self.nonce
            clear = data
            if self.operation == "open":
                clear = AES.new(key, AES.MODE_GCM, nonce=nonce).decrypt(data)
            gcm = AES.new(key, AES.MODE_GCM, nonce=nonce)
            gcm.update(aad)
            sealed, tag = gcm.encrypt_and_digest(clear)
            return (sealed, tag) if self.operation == "seal" else (clear, tag)
        block = self.counter.to_bytes(4, "little") + self.nonce
        mode: aes.Mode = "ctr32" if self.short_counter else "ctr"
        if self.operation in WHOLE_BLOCKS:
            mode = "ecb" if str(self.operation).startswith("ecb") else "cbc"
        if self.operation == "keystream":
            data = bytes(len(data))
        decrypt = str(self.operation).endswith("_decrypt")
        return aes.Packet(data, key, mode, decrypt, block).result(), NO_TAG

    def _sealed(self, key: bytes, clear: bytes, aad: bytes) -> tuple[bytes, bytes]:
        aead = ChaCha20_Poly1305.new(key=key, nonce=self.nonce)
        aead.update(aad)
        return aead.encrypt_and_digest(clear)


def padded_key(key: bytes, pad: int) -> bytes:
    """The block in front of a message (RFC 2104, 2)."""
    return bytes(byte ^ pad for byte in key.ljust(64, b"\0"))


def digest(data: bytes) -> bytes:
    """Of the core without a cipher."""
    result = bytearray([CONSTANT] * DIGEST_BYTES)
    for place, byte in enumerate(data):
        result[place % DIGEST_BYTES] ^= byte
    return bytes(result)


def words_of(name: str) -> range:
    """Offsets of a field's words in the descriptor."""
    start = DESCRIPTOR[name].address
    later = (register.address for register in DESCRIPTOR.values() if register.address > start)
    return range(start, min(later, default=ENTRY), 4)


def flipped(tag: bytes, bit: int) -> bytes:
    return (int.from_bytes(tag, "little") ^ 1 << bit).to_bytes(16, "little")
