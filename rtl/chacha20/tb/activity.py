# SPDX-License-Identifier: Apache-2.0
"""chacha20: random packets without a pause, for the lab's count of toggles."""

import random
from typing import Any

import cocotb

from rtl.chacha20.tb.model import Packet
from rtl.chacha20.tb.test_chacha20 import TB
from rtl.testbench.activity import PACKET, count


@cocotb.test()
async def random_data(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    packets = 16 if tb.cycles_per_block <= 32 else 3
    queue = [Packet(random.randbytes(PACKET)) for _ in range(packets + 2)]
    tb.send(queue)
    patience = 2 * packets * PACKET // 64 * tb.cycles_per_block + 10_000
    await count(dut, tb.sink, packets, tb.bytes, patience)
    assert tb.sink.received == tb.expected(queue)[: len(tb.sink.received)]
