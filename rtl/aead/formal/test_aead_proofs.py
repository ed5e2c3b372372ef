# SPDX-License-Identifier: Apache-2.0
"""Proofs about tags: when they come out, and what is said of them."""

import pytest

from rtl.testbench.proof import prove


@pytest.mark.parametrize("interval", [1, 2, 4, 23])
def test_no_tag_before_the_last_block(interval: int) -> None:
    parameters = {"Interval": interval}
    prove("aead", "chacha20_poly1305_tags_formal", parameters, depth=2)


@pytest.mark.parametrize("tags", [1, 2])
def test_a_tag_matches_only_if_all_its_bits_do(tags: int) -> None:
    prove("aead", "chacha20_poly1305_back_formal", {"Tags": tags}, depth=2)
