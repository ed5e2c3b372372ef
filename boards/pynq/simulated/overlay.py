# SPDX-License-Identifier: Apache-2.0
"""An overlay's two files as Vivado would leave them: what pynq reads of them, and no more.

Vivado is not at hand, and its format is not published: the hand-off follows the files that pynq's
own tests have. The bitstream has a header and no logic, since the device is simulated.
"""

import struct
from pathlib import Path
from xml.etree import ElementTree as ET

AXI = "xilinx.com:interface:aximm:1.0"
FILL = bytes.fromhex("ffffffff") * 64


def write(folder: Path, name: str, registers: int) -> Path:
    """NAME.bit and NAME.hwh with a device at this address."""
    bitstream = folder / f"{name}.bit"
    bitstream.write_bytes(_bit(name))
    handoff = ET.ElementTree(_handoff(name, registers))
    handoff.write(folder / f"{name}.hwh", encoding="UTF-8", xml_declaration=True)
    return bitstream


def _bit(name: str) -> bytes:
    """Fields with a letter and a length, after a field of nine bytes."""
    fields = ((b"a", f"{name};Version=2025.1"), (b"b", "7z020clg400"), (b"c", "2026/01/01"))
    head = struct.pack(">H9sH", 9, bytes.fromhex("0ff00ff00ff00ff000"), 1)
    for letter, text in (*fields, (b"d", "00:00:00")):
        head += letter + struct.pack(">H", len(text) + 1) + text.encode() + b"\0"
    return head + b"e" + struct.pack(">I", len(FILL)) + FILL


def _handoff(name: str, registers: int) -> ET.Element:
    """The Zynq's processing system with the device at M_AXI_GP0, as block_design.tcl has it."""
    system = ET.Element("EDKSYSTEM", EDWVERSION="1.2", VIVADOVERSION="2025.1")
    ET.SubElement(system, "SYSTEMINFO", ARCH="zynq", DEVICE="7z020", NAME=name, PACKAGE="clg400")
    for empty in ("EXTERNALPORTS", "EXTERNALINTERFACES"):
        ET.SubElement(system, empty)
    modules = ET.SubElement(system, "MODULES")
    processor = _module(modules, "ps", "xilinx.com:ip:processing_system7:5.5", IS_PL="FALSE")
    parameters = processor.find("PARAMETERS")
    assert parameters is not None
    for clock in range(4):
        settings = {
            f"PCW_FPGA_FCLK{clock}_ENABLE": int(clock == 0),
            f"PCW_FCLK{clock}_PERIPHERAL_DIVISOR0": 10 if clock == 0 else 1,  # of 1 GHz
            f"PCW_FCLK{clock}_PERIPHERAL_DIVISOR1": 1,
            f"PCW_FCLK{clock}_PERIPHERAL_CLKSRC": "IO PLL",
        }
        for key, value in settings.items():
            ET.SubElement(parameters, "PARAMETER", NAME=key, VALUE=str(value))
    _bus(processor, "M_AXI_GP0", "MASTER")
    ET.SubElement(
        ET.SubElement(processor, "MEMORYMAP"),
        "MEMRANGE",
        ADDRESSBLOCK="reg0",
        BASEVALUE=f"0x{registers:08X}",
        HIGHVALUE=f"0x{registers + 0xFFF:08X}",
        INSTANCE="saltmill_0",
        MASTERBUSINTERFACE="M_AXI_GP0",
        MEMTYPE="REGISTER",
        SLAVEBUSINTERFACE="s_axil",
    )
    device = _module(modules, "saltmill_0", "xilinx.com:module_ref:saltmill:1.0")
    _bus(device, "s_axil", "SLAVE")
    return system


def _module(modules: ET.Element, name: str, vlnv: str, **more: str) -> ET.Element:
    _, _, kind, version = vlnv.split(":")
    module = ET.SubElement(
        modules,
        "MODULE",
        FULLNAME=f"/{name}",
        HWVERSION=version,
        INSTANCE=name,
        IPTYPE="PERIPHERAL",
        MODTYPE=kind,
        VLNV=vlnv,
    )
    for key, value in more.items():
        module.set(key, value)
    for empty in ("ADDRESSBLOCKS", "PARAMETERS", "PORTS"):
        ET.SubElement(module, empty)
    return module


def _bus(module: ET.Element, name: str, kind: str) -> None:
    found = module.find("BUSINTERFACES")
    buses = ET.SubElement(module, "BUSINTERFACES") if found is None else found
    bus = ET.SubElement(
        buses, "BUSINTERFACE", BUSNAME="control", DATAWIDTH="32", NAME=name, TYPE=kind, VLNV=AXI
    )
    ET.SubElement(bus, "PORTMAPS")
