# SPDX-License-Identifier: Apache-2.0
"""Memory behind the device's AXI4 port, with windows that answer with a bus error.

The port is cocotbext-axi's slave, which checks the 4 KiB rule and `last`.
"""

import importlib
from enum import IntEnum
from typing import Any

axi: Any = importlib.import_module("cocotbext.axi")  # has no types

BASE = 0x4000_0000
SIZE = 512 << 10
HIGH = 0x12_0000_0000  # is added to all addresses where the port has more than 32 bits of them


class Response(IntEnum):
    OKAY = 0
    SLVERR = 2
    DECERR = 3


class BusError(Exception):
    pass


class Memory:
    """`target` of an AxiSlave. All addresses here are those on the bus, less `high`."""

    def __init__(self, address_bits: int = 32) -> None:
        self.high = HIGH if address_bits > 32 else 0
        self.bytes = bytearray(SIZE)
        self.read_error = range(0)
        self.write_error = range(0)
        self.response = Response.SLVERR
        self.reads: list[range] = []  # what was read, beat by beat
        self.writes: list[range] = []

    def _offset(self, address: int, length: int, error: range) -> int:
        offset = address - BASE
        if address < error.stop and error.start < address + length:
            raise BusError
        if not 0 <= offset <= SIZE - length:
            raise BusError
        return offset

    async def read(self, address: int, length: int) -> bytes:
        address -= self.high
        self.reads.append(range(address, address + length))
        offset = self._offset(address, length, self.read_error)
        return bytes(self.bytes[offset : offset + length])

    async def write(self, address: int, data: bytes) -> None:
        address -= self.high
        self.writes.append(range(address, address + len(data)))
        offset = self._offset(address, len(data), self.write_error)
        self.bytes[offset : offset + len(data)] = data

    def view(self, address: int, length: int) -> bytes:
        return bytes(self.bytes[address - BASE : address - BASE + length])

    def put(self, address: int, data: bytes) -> None:
        self.bytes[address - BASE : address - BASE + len(data)] = data


def attach(dut: Any, memory: Memory, *, own_reset: bool) -> Any:
    """A memory port; a bus error is answered with `memory.response`, which may be DECERR too.

    With a reset of its own it goes on when the device is reset, and gives what it owes.
    """
    bus = axi.AxiBus.from_prefix(dut, "m_axi")
    reset = None if own_reset else dut.aresetn
    slave = axi.AxiSlave(bus, dut.aclk, reset, memory, reset_active_level=False)
    for channel, response in (
        (slave.read_if.r_channel, "rresp"),
        (slave.write_if.b_channel, "bresp"),
    ):
        _choose_error(channel, response, memory)
    return slave


def _choose_error(channel: Any, response: str, memory: Memory) -> None:
    send = channel.send

    async def answer(transaction: Any) -> None:
        if getattr(transaction, response) == Response.SLVERR:
            setattr(transaction, response, memory.response)
        await send(transaction)

    channel.send = answer
