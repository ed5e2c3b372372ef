# SPDX-License-Identifier: Apache-2.0
"""The simulated SoC: VexRiscv with caches, memory, a Saltmill device. Runs in LiteX's environment:

python boards/litex/soc.py FOLDER MEMORY SOURCE...

MEMORY is `bus`, with the device's memory port on the SoC's bus of 32 bits, or `shared`, where main
memory has a second port for it. This writes Verilog, the script that builds it, and headers for the
firmware; simulation.py does the rest.
"""

import argparse
from pathlib import Path

from litex.build.generic_platform import Pins, Subsignal
from litex.build.io import CRG
from litex.build.sim import SimPlatform
from litex.build.sim.config import SimConfig
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore

from boards.litex.saltmill import Saltmill
from boards.litex.shared_memory import SharedMemory
from boards.litex.wishbone_port import WishbonePort

CLOCK_HZ = 1_000_000  # of the simulated seconds; results are in cycles
ROM_BYTES = 128 << 10
RAM_BYTES = 512 << 10
REGISTERS = 0x9000_0000  # outside the cached addresses

STREAM = ("valid", 1), ("ready", 1), ("data", 8)
IO = [
    ("sys_clk", 0, Pins(1)),
    ("sys_rst", 0, Pins(1)),
    (
        "serial",
        0,
        *(Subsignal(f"source_{name}", Pins(width)) for name, width in STREAM),
        *(Subsignal(f"sink_{name}", Pins(width)) for name, width in STREAM),
    ),
]


class Soc(SoCCore):
    """Without LiteX's BIOS: the firmware is in the ROM, loaded when the simulation starts."""

    def __init__(self, sources: list[Path], *, shared: bool) -> None:
        platform = SimPlatform("SIM", IO)
        super().__init__(
            platform,
            clk_freq=CLOCK_HZ,
            cpu_type="vexriscv",
            cpu_variant="standard",
            ident="Saltmill",
            uart_name="sim",
            timer_uptime=True,
            integrated_rom_size=ROM_BYTES,
            integrated_sram_size=0x1000,
            integrated_main_ram_size=0 if shared else RAM_BYTES,
        )
        self.crg = CRG(platform.request("sys_clk"))
        self.saltmill = Saltmill(platform, "saltmill_soc", sources)
        region = SoCRegion(origin=REGISTERS, size=0x1000, cached=False)
        self.bus.add_slave("saltmill_registers", self.saltmill.registers, region)
        if shared:
            self.memory = SharedMemory(platform, self.saltmill.memory, RAM_BYTES)
            region = SoCRegion(origin=self.mem_map["main_ram"], size=RAM_BYTES, mode="rwx")
            self.bus.add_slave("main_ram", self.memory.bus, region)
        else:
            self.port = WishbonePort(platform, self.saltmill.memory)
            self.bus.add_master("saltmill", self.port.bus)
        self.irq.add("saltmill", use_loc_if_exists=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("memory", choices=["bus", "shared"])
    parser.add_argument("sources", type=Path, nargs="+")
    arguments = parser.parse_args()
    config = SimConfig()
    config.add_clocker("sys_clk", freq_hz=CLOCK_HZ)
    config.add_module("serial2console", "serial")
    sources = [path.resolve() for path in arguments.sources]
    builder = Builder(
        Soc(sources, shared=arguments.memory == "shared"),
        output_dir=str(arguments.folder),
        compile_software=False,
    )
    builder.build(sim_config=config, run=False, interactive=False, opt_level="O1", jobs=2)


if __name__ == "__main__":
    main()
