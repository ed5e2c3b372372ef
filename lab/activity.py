# SPDX-License-Identifier: Apache-2.0
"""Toggles per byte of a synthesised netlist under random data, to rank variants by switching.

Modelled, and relative: the Verilated ECP5 netlist, without delays, so without glitches, and every
net counts the same, whatever it drives. Once in a cycle, before the clock edge, all nets but the
clock are compared with what they were a cycle earlier. What goes on inside the cells is not
counted: a RAM is its pins.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from lab import cores, elaboration, jobs, netlist, synth, variants
from lab.targets import TARGETS
from lab.variants import Variant
from rtl.testbench import runner

LABEL = "modelled, relative: zero-delay toggles, no glitches, no capacitance"

# cocotb test modules that put random data through a block and write down what was counted
BENCHES = {
    block: f"rtl.{block}.tb.activity"
    for block in ("chacha20", "chacha20_poly1305", "aes", "aes_gcm", "hmac_sha256")
}
BENCHES |= dict.fromkeys(("sha256", "md5"), "rtl.hash.tb.activity")
WORD = 64  # nets that are compared at once


def clock(module: netlist.Json) -> int:
    """The net that all flip-flops have as their clock."""
    cells = module["cells"].values()
    (found,) = {c["connections"]["CLK"][0] for c in cells if c["type"] == "TRELLIS_FF"}
    return int(found)


def nets(module: netlist.Json) -> list[str]:
    """Every net that something drives, once, as the wrapper sees it; without the clock."""
    driven = [
        net
        for cell in module["cells"].values()
        for pin, direction in cell["port_directions"].items()
        if direction == "output"
        for net in cell["connections"].get(pin, [])
    ]
    for port in module["ports"].values():
        if port["direction"] == "input":
            driven += port["bits"]
    wires = netlist.wires(module)
    return [wires[net][0].inside() for net in sorted(set(driven) - {clock(module)})]


def counter(module: netlist.Json) -> Iterator[str]:
    """The wrapper's body that counts."""
    names = nets(module)
    pieces = [names[start : start + WORD] for start in range(0, len(names), WORD)]
    edge = netlist.wires(module)[clock(module)][0].inside()
    yield "  longint toggles /*verilator public_flat_rd*/ = 0;"
    for number, piece in enumerate(pieces):
        span = f"[{len(piece) - 1}:0]"
        yield f"  wire {span} now_{number} = {{{', '.join(piece)}}};"
        yield f"  reg {span} before_{number};"
    yield f"  always @(posedge {edge}) begin"
    for number in range(len(pieces)):
        yield f"    toggles = toggles + 64'($countones(now_{number} ^ before_{number}));"
        yield f"    before_{number} <= now_{number};"
    yield "  end"


def count(top: str, path: Path, values: Mapping[str, int], bench: str) -> netlist.Json:
    """What a bench counted on a netlist, and the number of nets."""
    module = synth.load(path)[top]
    builder, folder = netlist.compiled(top, path, values, [*counter(module)])
    with TemporaryDirectory() as name:
        result = Path(name) / "counted.json"
        environment = {"COUNTED": str(result)}
        runner.run_tests(builder, folder, top, bench, environment=environment, seed=1)
        counted: netlist.Json = json.loads(result.read_text())
    return {**counted, "nets": len(nets(module))}


def measure(variant: Variant, *, deadline_s: float = jobs.DEADLINE_S) -> netlist.Json:
    """For the variant's row. As one job: a failure is a JobError."""
    if variant.block not in BENCHES:
        reason = f"no bench puts random data through {variant.block}"
        raise jobs.JobError(f"{variant.name}: {reason}", f"failed: {reason}")
    path = synth.synthesise(variant, TARGETS["ecp5"], deadline_s=deadline_s).path
    result = path.with_name("activity.json")
    jobs.run(
        [sys.executable, "-m", "lab.activity", variant.name, path, result],
        log=path.with_name("activity.log"),
        deadline_s=deadline_s,
        title=f"{variant.name}, activity",
    )
    counted = json.loads((cores.ROOT / result).read_text())
    return {
        "toggles_per_byte": round(counted["toggles"] / counted["bytes"], 1),
        "nets": counted["nets"],
        "bytes": counted["bytes"],
        "rtl_sha256": synth.digest(variant),
    }


def main() -> None:
    """The child of `measure`."""
    name, path, result = sys.argv[1:]
    variant = variants.load()[name]
    values = elaboration.constants(variant)
    counted = count(variant.top, Path(path), values, BENCHES[variant.block])
    (cores.ROOT / result).write_text(json.dumps(counted))


if __name__ == "__main__":
    main()
