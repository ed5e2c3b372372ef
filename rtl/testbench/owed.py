# SPDX-License-Identifier: Apache-2.0
"""Write bursts that a module leaves unfinished in a reset of its own, and who ends them."""

from collections import deque
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly


class OwedWrites:
    """Counts the beats that the memory behind m_axi was promised and has not had."""

    def __init__(self, dut: Any, clock: Any) -> None:
        self.dut, self.clock = dut, clock
        self.left: deque[int] = deque()  # beats of each burst
        self.early = 0  # beats whose address has not come
        cocotb.start_soon(self._watch())

    def _moves(self, channel: str) -> bool:
        valid = getattr(self.dut, f"m_axi_{channel}valid").value
        return bool(valid == 1 and getattr(self.dut, f"m_axi_{channel}ready").value == 1)

    async def _watch(self) -> None:
        while True:
            await FallingEdge(self.clock)
            await ReadOnly()
            if self._moves("aw"):
                self.left.append(int(self.dut.m_axi_awlen.value) + 1)
            self.early += int(self._moves("w"))
            while self.left and self.early:
                self.left[0] -= 1
                self.early -= 1
                if self.left[0] == 0:
                    self.left.popleft()

    def end(self, slave: Any) -> None:
        """Gives cocotbext-axi's slave what it waits for, without strobes, and takes from it what
        has no address: as an interconnect does that is told of the reset."""
        channel = slave.write_if.w_channel
        beats = [channel.queue.get_nowait() for _ in range(channel.queue.qsize())]
        for beat in beats[: len(beats) - self.early]:
            channel.queue.put_nowait(beat)
        for length in self.left:
            for number in range(length):
                last = int(number == length - 1)
                beat = channel._transaction_obj(wdata=0, wstrb=0, wlast=last)
                channel.queue.put_nowait(beat)
        self.left.clear()
        self.early = 0
