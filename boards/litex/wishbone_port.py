# SPDX-License-Identifier: Apache-2.0
"""The memory port of a device on a Wishbone bus of 32 bits.

LiteX's own bridge takes five cycles for a word, and answers every access with OKAY.
"""

from pathlib import Path
from typing import Any

from litex.gen import LiteXModule
from litex.soc.interconnect import wishbone
from migen import ClockSignal, Instance, ResetSignal

from boards.litex.ports import BURSTS, channels

SOURCE = Path(__file__).with_name("wishbone_port.sv")


class WishbonePort(LiteXModule):
    """`port` is the AXI4 master of a device, 128 bits wide; `bus` a master of the SoC's bus."""

    def __init__(self, platform: Any, port: Any) -> None:
        self.bus = bus = wishbone.Interface(data_width=32, adr_width=30, addressing="word")
        self.specials += Instance(
            "wishbone_port",
            i_clk_i=ClockSignal("sys"),
            i_rst_i=ResetSignal("sys"),
            o_wb_adr_o=bus.adr,
            o_wb_dat_o=bus.dat_w,
            i_wb_dat_i=bus.dat_r,
            o_wb_sel_o=bus.sel,
            o_wb_cyc_o=bus.cyc,
            o_wb_stb_o=bus.stb,
            o_wb_we_o=bus.we,
            i_wb_ack_i=bus.ack,
            i_wb_err_i=bus.err,
            **dict(channels("s_axi", port, BURSTS, master=False)),
        )
        platform.add_source(str(SOURCE))
