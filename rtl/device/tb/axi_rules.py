# SPDX-License-Identifier: Apache-2.0
"""Watches the device's AXI4 port: what is offered is held until it is taken; bursts are as wide as
the port, do not cross 4 KiB, and have as many beats as they said."""

from collections import deque
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

_ADDRESS = ("addr", "id", "len", "size", "burst")
_CHANNELS = {"ar": _ADDRESS, "aw": _ADDRESS, "w": ("data", "strb", "last")}


class AxiRules:
    """Also counts what is under way, to tell when the bus is at rest.

    If the memory has a reset of its own, that stays so when the device is reset.
    """

    def __init__(self, dut: Any, *, own_reset: bool = False) -> None:
        self.dut = dut
        self.own_reset = own_reset
        self.bytes = int(dut.DataBytes.value)
        self.attributes = int(dut.AxCache.value), int(dut.AxProt.value)
        self.reads = self.writes = 0  # under way
        self._promised: deque[int] = deque()  # beats of the write bursts whose data is to come
        self._ended: deque[int] = deque()  # beats of those whose address is to come
        self._beats = 0  # of the burst that comes
        self._held: dict[str, tuple[int, ...]] = {}
        cocotb.start_soon(self._watch())

    def _signal(self, name: str) -> Any:
        return getattr(self.dut, f"m_axi_{name}").value

    async def _watch(self) -> None:
        while True:
            await FallingEdge(self.dut.aclk)
            await ReadOnly()
            if self.dut.aresetn.value == 0:
                self._beats = 0
                self._promised.clear()
                self._ended.clear()
                self._held.clear()
                if not self.own_reset:
                    self.reads = self.writes = 0
                    continue
                self.reads += int(self._moves("ar"))
                self.writes += int(self._moves("aw"))
            else:
                for channel in _CHANNELS:
                    self._channel(channel)
            self.reads -= int(self._moves("r") and self._signal("rlast") == 1)
            self.writes -= int(self._moves("b"))
            assert self.reads >= 0
            assert self.writes >= 0

    def _moves(self, channel: str) -> bool:
        return bool(self._signal(f"{channel}valid") == 1 and self._signal(f"{channel}ready") == 1)

    def _channel(self, channel: str) -> None:
        if self._signal(f"{channel}valid") != 1:
            assert channel not in self._held, f"{channel}valid fell before {channel}ready"
            return
        payload = tuple(int(self._signal(channel + name)) for name in _CHANNELS[channel])
        assert self._held.pop(channel, payload) == payload, f"{channel} changed before it was taken"
        if not self._moves(channel):
            self._held[channel] = payload
        elif channel == "w":
            self._beat(last=payload[2] == 1)
        else:
            self._burst(channel, *payload)

    def _burst(self, channel: str, address: int, _: int, length: int, size: int, kind: int) -> None:
        assert kind == 1, "a burst that is not INCR"
        assert 1 << size == self.bytes, "a burst that is narrower than the port"
        attributes = self._signal(f"{channel}cache"), self._signal(f"{channel}prot")
        assert tuple(map(int, attributes)) == self.attributes, "not AxCache or AxProt"
        start = address // self.bytes * self.bytes
        assert start % 4096 + (length + 1) * self.bytes <= 4096, "a burst that crosses 4 KiB"
        if channel == "ar":
            self.reads += 1
        else:
            self.writes += 1
            self._promised.append(length + 1)
            self._match()

    def _beat(self, *, last: bool) -> None:
        self._beats += 1
        if last:
            self._ended.append(self._beats)
            self._beats = 0
        self._match()

    def _match(self) -> None:
        """Data may come before its address."""
        while self._promised and self._ended:
            assert self._ended.popleft() == self._promised.popleft(), "last is at the wrong beat"
        if self._promised:
            assert self._beats < self._promised[0], "a burst without its last beat"
