# SPDX-License-Identifier: Apache-2.0
"""The device on a SoC with external memory by LiteDRAM, at a port of the memory's own.

The SoC must have no L2 cache (`l2_size=0`): LiteX's keeps what the processor wrote, and does not
see what the device writes. The processor's own data cache writes through, and the driver
invalidates it.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from litedram.frontend.axi import LiteDRAMAXI2Native
from litex.soc.integration.soc import SoCRegion

from boards.litex.saltmill import Saltmill

REGISTERS = 0x9000_0000  # outside the cached addresses
BEATS = 32  # that the port holds, each way


def add_device(soc: Any, sources: Iterable[Path]) -> None:
    """`sources` are for LiteX's own tools; ours read them themselves."""
    soc.saltmill = Saltmill(soc.platform, "saltmill_soc", sources)
    region = SoCRegion(origin=REGISTERS, size=0x1000, cached=False)
    soc.bus.add_slave("saltmill_registers", soc.saltmill.registers, region)
    soc.irq.add("saltmill", use_loc_if_exists=True)
    memory = soc.saltmill.memory
    soc.saltmill_memory = LiteDRAMAXI2Native(
        axi=memory,
        port=soc.sdram.crossbar.get_port(data_width=memory.data_width),
        w_buffer_depth=BEATS,
        r_buffer_depth=BEATS,
        base_address=soc.bus.regions["main_ram"].origin,
    )
