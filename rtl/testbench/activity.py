# SPDX-License-Identifier: Apache-2.0
"""For the lab's count of toggles: what a core does between two moments of its steady state."""

import json
import os
from pathlib import Path
from typing import Any

from cocotb.triggers import FallingEdge

from rtl.testbench.stream import Sink, received

PACKET = 4096  # bytes


async def count(dut: Any, sink: Sink, packets: int, width: int, patience: int) -> None:
    """Counts from the first beat of a packet to that of the one that is so many behind it.

    There is one packet more before these, and one after; `width` bytes go in a beat.
    """
    beats = PACKET // width
    await received(sink, beats + 1, patience)
    before = int(dut.toggles.value)
    await received(sink, beats * (1 + packets) + 1, patience)
    toggles = int(dut.toggles.value) - before
    counted = {"toggles": toggles, "bytes": packets * PACKET}
    Path(os.environ["COUNTED"]).write_text(json.dumps(counted))
    await FallingEdge(dut.aclk)
