# SPDX-License-Identifier: Apache-2.0
"""md5: the suite of RFC 1321. What all hashes share is in rtl.hash.tb.test_hash."""

from typing import Any

import cocotb

from lab.variants import Variant
from rtl.hash.tb.test_hash import TB, Message
from rtl.md5.tb.model import SUITE
from rtl.testbench.runner import over_variants, simulate_variant


@cocotb.test()
async def published_digests(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    await tb.run([Message(text, expected=bytes.fromhex(digest)) for text, digest in SUITE.items()])


@over_variants("md5", top="md5")
def test_variant(variant: Variant) -> None:
    simulate_variant(variant, __name__)
