# SPDX-License-Identifier: Apache-2.0
"""hmac_sha256: random messages with keys and without a pause, for the lab's count of toggles."""

import random
from typing import Any

import cocotb

from rtl.hash.tb.activity import count_messages, messages_of
from rtl.hash.tb.test_hash import Message
from rtl.hmac_sha256.tb.test_hmac_sha256 import TB, keyed


@cocotb.test()
async def random_data(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    places = max(int(dut.LatencyRange.value), 1)
    queue: list[Message] = [keyed(data, random.randbytes(32)) for data in messages_of(places)]
    await count_messages(tb, queue, places)
    await tb.finish(queue)
