# SPDX-License-Identifier: Apache-2.0
"""Block RAM that the processor has on its bus, and a device at a wide port of its own."""

from pathlib import Path
from typing import Any

from litex.gen import LiteXModule
from litex.soc.interconnect import wishbone
from migen import ClockSignal, Instance, ResetSignal

from boards.litex.ports import BURSTS, channels

SOURCE = Path(__file__).with_name("shared_memory.sv")


class SharedMemory(LiteXModule):
    """`port` is the AXI4 master of a device, 128 bits wide; `bytes_` a power of two."""

    def __init__(self, platform: Any, port: Any, bytes_: int) -> None:
        self.bus = bus = wishbone.Interface(data_width=32, adr_width=30, addressing="word")
        self.comb += bus.err.eq(0)
        self.specials += Instance(
            "shared_memory",
            p_Bytes=bytes_,
            i_clk_i=ClockSignal("sys"),
            i_rst_i=ResetSignal("sys"),
            i_wb_adr_i=bus.adr,
            i_wb_dat_i=bus.dat_w,
            o_wb_dat_o=bus.dat_r,
            i_wb_sel_i=bus.sel,
            i_wb_cyc_i=bus.cyc,
            i_wb_stb_i=bus.stb,
            i_wb_we_i=bus.we,
            o_wb_ack_o=bus.ack,
            **dict(channels("s_axi", port, BURSTS, master=False)),
        )
        platform.add_source(str(SOURCE))
