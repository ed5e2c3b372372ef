# SPDX-License-Identifier: Apache-2.0
"""gcm: random messages, sealed without a pause, for the lab's count of toggles."""

import random
from typing import Any

import cocotb

from rtl.aes_gcm.tb.model import SEAL, Message
from rtl.aes_gcm.tb.test_aes_gcm import TB
from rtl.testbench.activity import PACKET, count


@cocotb.test()
async def random_data(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    cycles = int(dut.Cycles65536.value) * PACKET // 65536  # of a message, but for its overhead
    messages = 16 if cycles <= 1000 else 3
    size = tb.key_sizes[0]
    queue = [
        Message(SEAL, random.randbytes(PACKET), random.randbytes(size)) for _ in range(messages + 2)
    ]
    tb.send(queue)
    await count(dut, tb.sink, messages, tb.bytes, 2 * messages * cycles + 20_000)
    expected = [beat for item in queue for beat in item.beats_out(tb.bytes)]
    assert tb.sink.received == expected[: len(tb.sink.received)]
