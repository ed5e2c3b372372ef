# SPDX-License-Identifier: Apache-2.0
"""Pieces of the memory that a simulated device reaches."""

PAGE = 4096


class Heap:
    """First fit, in pages; `sizes` holds what was asked for, by start."""

    def __init__(self, size: int) -> None:
        self.sizes: dict[int, int] = {}
        self._size = size

    def take(self, size: int) -> int:
        start = 0
        for taken in sorted(self.sizes):
            if start + size <= taken:
                break
            start = taken + -(-max(self.sizes[taken], 1) // PAGE) * PAGE
        if start + size > self._size:
            raise MemoryError(f"no {size} bytes are left for the device")
        self.sizes[start] = size
        return start

    def give(self, start: int) -> None:
        del self.sizes[start]
