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
    between = (beats + 1, beats * (1 + packets) + 1)
    await counted(dut, sink, between, packets * PACKET, patience)


async def counted(dut: Any, sink: Sink, beats: tuple[int, int], moved: int, patience: int) -> None:
    """Counts from one beat of the results to another; so many bytes are worked on meanwhile."""
    await received(sink, beats[0], patience)
    before = int(dut.toggles.value)
    await received(sink, beats[1], patience)
    toggles = int(dut.toggles.value) - before
    Path(os.environ["COUNTED"]).write_text(json.dumps({"toggles": toggles, "bytes": moved}))
    await FallingEdge(dut.aclk)
