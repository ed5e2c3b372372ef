# SPDX-License-Identifier: Apache-2.0
"""SoCs for boards: those of litex-boards, with the device at external memory. Runs in LiteX's
environment:

python boards/litex/board_soc.py FOLDER BOARD CLOCK_HZ

This writes Verilog and constraints, with LiteX's BIOS in the ROM: it sets the memory up and loads
programs by the serial port. bitstream.py does the rest.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from litex.soc.integration.builder import Builder
from litex_boards.platforms.gsd_orangecrab import feather_serial
from litex_boards.targets import gsd_orangecrab, radiona_ulx3s

from boards.litex.external_memory import add_device

NAME = "soc"  # of the top module and of files
PROCESSOR = {
    "cpu_type": "vexriscv",
    "cpu_variant": "standard",
    "integrated_rom_size": 64 << 10,
    "integrated_sram_size": 8 << 10,
    "timer_uptime": True,
    "l2_size": 0,  # see external_memory.py
}


class Ulx3s(radiona_ulx3s.BaseSoC):
    """SDRAM of 16 bits at the SoC's clock; 32 MiB of it on boards that have more, too."""

    def __init__(self, clock_hz: float) -> None:
        super().__init__(
            device="LFE5U-85F",
            revision="2.0",
            sys_clk_freq=clock_hz,
            with_led_chaser=False,
            **PROCESSOR,
        )


class OrangeCrab(gsd_orangecrab.BaseSoC):
    """DDR3 of 16 bits, 512 MiB; two transfers of both edges in a cycle of the SoC's clock."""

    def __init__(self, clock_hz: float) -> None:
        super().__init__(
            device="85F",
            revision="0.2",
            sys_clk_freq=clock_hz,
            sdram_device="MT41K256M16",
            with_led_chaser=False,
            **PROCESSOR,
        )

    def add_uart(self, name: str, uart_name: str, **settings: Any) -> None:
        """At the pins of the Feather: the board's own choice, USB, needs a core that LiteX has
        not.
        """
        assert uart_name == "usb_acm"
        self.platform.add_extension(feather_serial)
        super().add_uart(name, "serial", **settings)


BOARDS: dict[str, Any] = {"ulx3s": Ulx3s, "orangecrab": OrangeCrab}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("board", choices=BOARDS)
    parser.add_argument("clock_hz", type=float)
    arguments = parser.parse_args()
    soc = BOARDS[arguments.board](arguments.clock_hz)
    add_device(soc, [])
    Builder(soc, output_dir=str(arguments.folder)).build(run=False, build_name=NAME)
    sources = [str(Path(source[0]).resolve()) for source in soc.platform.sources]
    (arguments.folder / "sources.json").write_text(json.dumps(sources))


if __name__ == "__main__":
    main()
