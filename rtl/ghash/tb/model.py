# SPDX-License-Identifier: Apache-2.0
"""GHASH, bit by bit as SP 800-38D, 6.3 and 6.4 have it: its oracle is GCM, in rtl/aes_gcm."""

REDUCTION = 0xE1 << 120


def product(x: int, y: int) -> int:
    """Of two blocks as numbers whose highest bit is bit 0 of the standard."""
    result = 0
    for i in range(128):
        if x >> (127 - i) & 1:
            result ^= y
        y = y >> 1 ^ (REDUCTION if y & 1 else 0)
    return result


def ghash(key: bytes, data: bytes) -> bytes:
    total = 0
    for i in range(0, len(data), 16):
        block = int.from_bytes(data[i : i + 16], "big")
        total = product(total ^ block, int.from_bytes(key, "big"))
    return total.to_bytes(16, "big")
