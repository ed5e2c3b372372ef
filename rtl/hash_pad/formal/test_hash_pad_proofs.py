# SPDX-License-Identifier: Apache-2.0
"""Padding, for messages of any length."""

import pytest

from rtl.testbench.proof import prove


@pytest.mark.parametrize("big_endian", [0, 1])
def test_every_byte_is_that_of_the_standard(big_endian: int) -> None:
    prove("hash_pad", "hash_pad_formal", {"BigEndian": big_endian}, depth=2)


def test_harness_reaches_what_it_is_about() -> None:
    prove("hash_pad", "hash_pad_formal", {}, mode="cover", depth=36)
