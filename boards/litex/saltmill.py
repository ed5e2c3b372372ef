# SPDX-License-Identifier: Apache-2.0
"""The device as a LiteX module: registers, memory port, interrupt.

    self.saltmill = Saltmill(platform, "saltmill_soc", sources)
    self.bus.add_slave("saltmill", self.saltmill.registers, SoCRegion(size=0x1000, cached=False))
    self.bus.add_master("saltmill", self.saltmill.memory)
    self.irq.add("saltmill", use_loc_if_exists=True)

Instead of the bus, `self.saltmill.memory` may have a memory with a port of its own: `SharedMemory`,
or LiteDRAM's crossbar. The device runs in the clock domain "sys". Firmware drives it with
boards/bare-metal.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from litex.gen import LiteXModule
from litex.soc.interconnect import axi
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel
from migen import ClockSignal, Instance, ResetSignal

from boards.litex.ports import FULL, LITE, channels


class Saltmill(LiteXModule):
    """One device. `top` is a module with its ports and no parameters, `sources` are its files."""

    def __init__(
        self, platform: Any, top: str, sources: Iterable[Path], data_bytes: int = 16
    ) -> None:
        self.registers = axi.AXILiteInterface(data_width=32, address_width=32)
        self.memory = axi.AXIInterface(data_width=8 * data_bytes, address_width=32, id_width=1)

        self.ev = EventManager()
        self.ev.done = EventSourceLevel(description="INTERRUPT_STATUS of the device")
        self.ev.finalize()

        self.specials += Instance(
            top,
            i_aclk=ClockSignal("sys"),
            i_aresetn=~ResetSignal("sys"),
            o_irq_o=self.ev.done.trigger,
            **dict(channels("s_axil", self.registers, LITE, master=False)),
            **dict(channels("m_axi", self.memory, FULL, master=True)),
        )
        for path in sources:
            platform.add_source(str(path))
