# SPDX-License-Identifier: Apache-2.0
"""md5: the suite of RFC 1321. What all hashes share is in rtl.testbench.digests."""

import hashlib
import random
import re
from typing import Any

import cocotb
import pytest

from lab.variants import Variant
from rtl.md5.tb.model import SUITE, finished
from rtl.testbench import digests
from rtl.testbench.digests import TB, Message
from rtl.testbench.runner import LONG, build, over_variants, simulate


@cocotb.test()
async def published_digests(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    await tb.run([Message(text, expected=bytes.fromhex(digest)) for text, digest in SUITE.items()])


def test_model_of_chaining_values() -> None:
    for length in range(200):
        data = random.randbytes(length)
        assert finished(data) == hashlib.md5(data).digest()


CORNERS = {f"{data_bytes}-bytes": {"DataBytes": data_bytes} for data_bytes in (4, 8, 32, 64)}


@over_variants("md5")
@pytest.mark.parametrize("module", [__name__, digests.__name__])
def test_variant(variant: Variant, module: str) -> None:
    simulate("md5", variant.top, variant.parameters, module)


@pytest.mark.parametrize("corner", CORNERS if LONG else ["8-bytes", "64-bytes"])
def test_corner(corner: str) -> None:
    simulate("md5", "md5", CORNERS[corner], digests.__name__)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"Structure": 1}, "Structure must be Serial"),
        ({"DataBytes": 2}, "DataBytes must be 4, 8, 16, 32 or 64"),
    ],
)
def test_illegal_parameters_stop_elaboration(parameters: dict[str, int], sentence: str) -> None:
    with pytest.raises(RuntimeError, match=re.escape(sentence)):
        build("md5", "md5", parameters)
