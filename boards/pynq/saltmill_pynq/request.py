# SPDX-License-Identifier: Apache-2.0
"""What the device is told of a job: a descriptor of 128 bytes."""

from dataclasses import dataclass

from .registers import saltmill_descriptor as layout
from .registers.saltmill_descriptor import Field, KeySize, Operation


def put(field: Field, value: int) -> int:
    if not 0 <= value < 1 << field.width:
        raise ValueError(f"{value} does not fit into {field.width} bits")
    return value << field.low


@dataclass(frozen=True)
class Request:
    """Addresses are those on the bus. What an operation does not use stays as it is here."""

    operation: Operation
    length: int
    source: int = 0
    destination: int = 0
    key_slot: int = 0
    key_size: KeySize = KeySize.KEY_128  # of AES
    nonce: bytes = b""  # 12 or 24 bytes; CTR and CBC: 16
    iv: tuple[int, int] = (0, 0)  # address and length: AES-GCM, in place of another nonce
    counter: int = 0
    aad: int = 0
    aad_length: int = 0
    tag: bytes = b""  # what open expects

    def pack(self) -> bytes:
        words = bytearray(layout.BYTES)

        def place(offset: int, data: bytes) -> None:
            words[offset : offset + len(data)] = data

        def number(offset: int, value: int, size: int = 4) -> None:
            place(offset, value.to_bytes(size, "little"))

        if len(self.nonce) not in {0, 12, 16, 24}:
            raise ValueError("a nonce has 12, 16 or 24 bytes")
        control = (
            put(layout.CONTROL__OPERATION, self.operation)
            | put(layout.CONTROL__KEY_SLOT, self.key_slot)
            | put(layout.CONTROL__KEY_SIZE, self.key_size)
            | put(layout.CONTROL__EXTENDED_NONCE, int(len(self.nonce) == 24))
        )
        number(layout.CONTROL, control)
        number(layout.LENGTH, self.length)
        number(layout.SOURCE_LOW, self.source, 8)
        number(layout.DESTINATION_LOW, self.destination, 8)
        if len(self.nonce) == 16:  # a counter block or an initialisation vector
            place(layout.COUNTER, self.nonce)
        else:
            number(layout.COUNTER, self.counter)
            place(layout.NONCE, self.nonce[-12:])
            place(layout.NONCE_FIRST, self.nonce[:-12])
        if self.iv[1]:
            number(layout.IV_BYTES, self.iv[1])
            number(layout.IV_ADDRESS_LOW, self.iv[0], 8)
        number(layout.AAD_LENGTH, self.aad_length)
        number(layout.AAD_LOW, self.aad, 8)
        place(layout.TAG, self.tag)
        return bytes(words)
