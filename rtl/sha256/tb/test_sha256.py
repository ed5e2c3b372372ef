# SPDX-License-Identifier: Apache-2.0
"""sha256: NIST's digests and chains, and SHA-224. What hashes share: rtl.hash.tb.test_hash."""

import hashlib
import random
from typing import Any

import cocotb

from lab.variants import Variant
from rtl.hash.tb.test_hash import TB, Message
from rtl.sha256.tb.model import SHA224_INITIAL, monte_carlo, published
from rtl.testbench.runner import LONG, over_variants, simulate_variant


def sha224(data: bytes) -> Message:
    return Message(data, SHA224_INITIAL, expected=hashlib.sha224(data).digest())


@cocotb.test()
@cocotb.parametrize(kind=["Short", "Long"])
async def published_digests(dut: Any, kind: str) -> None:
    tb = TB(dut)
    await tb.start()
    known = published(kind)
    assert len(known) == {"Short": 65, "Long": 64}[kind]
    if kind == "Long" and not LONG:
        known = known[:12]
    queue = [Message(text, expected=digest) for text, digest in known]
    await tb.run(queue)


@cocotb.test()
async def monte_carlo_chain(dut: Any) -> None:
    """In `make test` the first turns of the first chain, by hashlib, and not NIST's checkpoint."""
    tb = TB(dut)
    await tb.start()
    for seed, checkpoint in monte_carlo(2 if LONG else 1):
        last = [seed] * 3
        for _ in range(1000 if LONG else 30):
            message = Message(b"".join(last))
            last = [*last[1:], await tb.value_after(message)]
            assert last[2] == hashlib.sha256(message.data).digest()
        assert not LONG or last[2] == checkpoint


@cocotb.test()
async def other_initial_value(dut: Any) -> None:
    """SHA-224, between messages that begin as usual."""
    tb = TB(dut)
    await tb.start()
    tb.source.idle = random.choice([0.0, 0.4])
    texts = [random.randbytes(length) for length in (0, 3, 55, 56, 64, 1000)]
    await tb.run([make(text) for text in texts for make in (sha224, Message)])


@over_variants("sha256", top="sha256")
def test_variant(variant: Variant) -> None:
    simulate_variant(variant, __name__)
