# SPDX-License-Identifier: Apache-2.0
"""sha256: NIST's digests and chains, and SHA-224. What hashes share: rtl.testbench.digests."""

import hashlib
import random
import re
from typing import Any

import cocotb
import pytest

from lab.variants import Variant
from rtl.sha256.tb.model import SHA224_INITIAL, finished, monte_carlo, published
from rtl.testbench import digests
from rtl.testbench.digests import TB, Message
from rtl.testbench.runner import LONG, build, over_variants, simulate


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


def test_model_of_chaining_values() -> None:
    for length in range(200):
        data = random.randbytes(length)
        assert finished(data) == hashlib.sha256(data).digest()


CORNERS = {f"{data_bytes}-bytes": {"DataBytes": data_bytes} for data_bytes in (4, 8, 32, 64)}


@over_variants("sha256")
@pytest.mark.parametrize("module", [__name__, digests.__name__])
def test_variant(variant: Variant, module: str) -> None:
    simulate("sha256", variant.top, variant.parameters, module)


@pytest.mark.parametrize("corner", CORNERS if LONG else ["8-bytes", "64-bytes"])
def test_corner(corner: str) -> None:
    simulate("sha256", "sha256", CORNERS[corner], digests.__name__)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"Structure": 1}, "Structure must be Serial"),
        ({"DataBytes": 2}, "DataBytes must be 4, 8, 16, 32 or 64"),
    ],
)
def test_illegal_parameters_stop_elaboration(parameters: dict[str, int], sentence: str) -> None:
    with pytest.raises(RuntimeError, match=re.escape(sentence)):
        build("sha256", "sha256", parameters)
