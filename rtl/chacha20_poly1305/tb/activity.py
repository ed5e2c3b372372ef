# SPDX-License-Identifier: Apache-2.0
"""aead: random messages, sealed without a pause, for the lab's count of toggles."""

import random
from typing import Any

import cocotb

from rtl.chacha20_poly1305.tb.model import SEAL, Message
from rtl.testbench.activity import PACKET, count
from rtl.testbench.messages import Bench


@cocotb.test()
async def random_data(dut: Any) -> None:
    tb = Bench[Message](dut)
    await tb.start()
    cycles = int(dut.Cycles65536.value) * PACKET // 65536  # of a message, but for its overhead
    messages = 16 if cycles <= 1000 else 3
    queue = [Message(SEAL, random.randbytes(PACKET)) for _ in range(messages + 2)]
    tb.send(queue)
    await count(dut, tb.sink, messages, tb.bytes, 2 * messages * cycles + 20_000)
    expected = [beat for item in queue for beat in item.beats_out(tb.bytes)]
    assert tb.sink.received == expected[: len(tb.sink.received)]
