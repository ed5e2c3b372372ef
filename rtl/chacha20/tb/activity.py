# SPDX-License-Identifier: Apache-2.0
"""chacha20: random packets without a pause, for the lab's count of toggles."""

import json
import os
import random
from pathlib import Path
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge

from rtl.chacha20.tb.model import Packet
from rtl.chacha20.tb.test_chacha20 import TB
from rtl.testbench.stream import received

PACKET = 4096


@cocotb.test()
async def random_data(dut: Any) -> None:
    """Counts from the first beat of one packet to the first of another, in the steady state."""
    tb = TB(dut)
    await tb.start()
    count = 16 if tb.cycles_per_block <= 32 else 3
    queue = [Packet(random.randbytes(PACKET)) for _ in range(1 + count + 1)]
    expected = tb.expected(queue)
    tb.send(queue)
    beats = PACKET // tb.bytes
    patience = 2 * count * PACKET // 64 * tb.cycles_per_block + 10_000
    await received(tb.sink, beats + 1, patience)
    before = int(dut.toggles.value)
    await received(tb.sink, beats * (1 + count) + 1, patience)
    toggles = int(dut.toggles.value) - before
    assert tb.sink.received == expected[: len(tb.sink.received)]
    counted = {"toggles": toggles, "bytes": count * PACKET}
    Path(os.environ["COUNTED"]).write_text(json.dumps(counted))
    await FallingEdge(dut.aclk)
