# SPDX-License-Identifier: Apache-2.0
"""Writes what block_design.tcl reads: the device as a Verilog module, and the list of sources.

python -m boards.pynq VARIANT FOLDER    # VARIANT: a device of lab/variants.toml
"""

import sys
from pathlib import Path

from boards import wrapper
from lab import cores, elaboration, variants

CLOCK_HZ = 100_000_000


def write(variant: variants.Variant, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{wrapper.NAME}.v").write_text(wrapper.verilog(variant, CLOCK_HZ))
    needed = set(elaboration.sources(variant))
    ordered = [path for path in cores.files(variant.block) if path in needed]
    lines = [f"read_verilog -sv {{{path}}}" for path in ordered]
    lines.append(f"read_verilog {{{(folder / f'{wrapper.NAME}.v').resolve()}}}")
    (folder / "sources.tcl").write_text("\n".join([*lines, ""]))


def main(arguments: list[str]) -> None:
    devices = {name: v for name, v in variants.load().items() if v.top == "saltmill_device"}
    if len(arguments) != 2 or arguments[0] not in devices:
        sys.exit(f"{__doc__}\ndevices: {', '.join(devices)}")
    write(devices[arguments[0]], Path(arguments[1]))


if __name__ == "__main__":
    main(sys.argv[1:])
