# SPDX-License-Identifier: Apache-2.0
"""aes: random packets in CTR without a pause, for the lab's count of toggles."""

import random
from typing import Any

import cocotb

from rtl.aes.tb.model import BLOCK, Packet
from rtl.aes.tb.test_aes import TB
from rtl.testbench.activity import PACKET, count


@cocotb.test()
async def random_data(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    packets = 3 if tb.serial else 16
    size = tb.sizes[0]
    queue = [
        Packet(random.randbytes(PACKET), random.randbytes(size), "ctr") for _ in range(packets + 2)
    ]
    tb.send(queue)
    patience = 2 * packets * PACKET // BLOCK * tb.cycles_per_block + 10_000
    await count(dut, tb.sink, packets, tb.bytes, patience)
    assert tb.sink.received == tb.expected(queue)[: len(tb.sink.received)]
