# SPDX-License-Identifier: Apache-2.0
"""The simulated SoC of soc.py with LiteDRAM's model of an SDRAM instead of block RAM, connected as
on boards. Runs in LiteX's environment:

python boards/litex/dram_soc.py FOLDER WIDTH SOURCE...

WIDTH are the memory's bits: 16 as on a ULX3S; 128 is what LiteDRAM makes of an OrangeCrab's DDR3.
"""

import argparse
from pathlib import Path

from litedram.modules import MT48LC4M16
from litedram.phy.model import SDRAMPHYModel
from litex.build.io import CRG
from litex.build.sim import SimPlatform
from litex.build.sim.config import SimConfig
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc_core import SoCCore

from boards.litex import soc
from boards.litex.external_memory import add_device

MEMORY_HZ = 100e6  # what its times are turned into cycles for


class DramSoc(SoCCore):
    """The firmware is in the ROM; the model needs no initialisation."""

    def __init__(self, sources: list[Path], width: int) -> None:
        super().__init__(
            SimPlatform("SIM", soc.IO),
            clk_freq=soc.CLOCK_HZ,
            cpu_type="vexriscv",
            cpu_variant="standard",
            ident="Saltmill",
            uart_name="sim",
            timer_uptime=True,
            integrated_rom_size=soc.ROM_BYTES,
            integrated_sram_size=0x1000,
        )
        self.crg = CRG(self.platform.request("sys_clk"))
        module = MT48LC4M16(MEMORY_HZ, "1:1")  # a small one
        self.sdrphy = SDRAMPHYModel(module, data_width=width, clk_freq=MEMORY_HZ)
        self.add_sdram("sdram", phy=self.sdrphy, module=module, l2_cache_size=0)
        add_device(self, sources)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("width", type=int)
    parser.add_argument("sources", type=Path, nargs="+")
    arguments = parser.parse_args()
    config = SimConfig()
    config.add_clocker("sys_clk", freq_hz=soc.CLOCK_HZ)
    config.add_module("serial2console", "serial")
    sources = [path.resolve() for path in arguments.sources]
    made = DramSoc(sources, arguments.width)
    builder = Builder(made, output_dir=str(arguments.folder), compile_software=False)
    builder.build(sim_config=config, run=False, interactive=False, opt_level="O1", jobs=2)


if __name__ == "__main__":
    main()
