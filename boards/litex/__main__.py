# SPDX-License-Identifier: Apache-2.0
"""python -m boards.litex sim|measure|bitstream|page"""

import argparse
import sys

from boards.litex import bitstream, bitstream_results, environment, results, simulation
from lab import jobs, variants

DEFAULT = ["device-aead-balanced"]


def sim(arguments: argparse.Namespace) -> bool:
    """True if every result was right."""
    good = True
    for name in arguments.variants:
        print(f"{name}, {arguments.memory}")
        found = simulation.run(name, arguments.memory, arguments.define)
        good = good and bool(found.ok) and not found.failed
    return good


def measure(arguments: argparse.Namespace) -> bool:
    for name, memory in results.MEASURED:
        if arguments.variants and name not in arguments.variants:
            continue
        print(f"{name}, {memory}")
        found = simulation.run(name, memory)
        if found.failed or not found.ok:
            return False
        results.keep(results.rows_of(name, memory, found))
    return True


def make_bitstream(arguments: argparse.Namespace) -> bool:
    """Seeds until one meets the timing."""
    board, variant = bitstream.BOARDS[arguments.board], variants.load()[arguments.variant]
    flags = arguments.flags or bitstream.PLACERS[board.name]
    for seed in arguments.seeds:
        made = bitstream.place(board, variant, seed, flags.split())
        for name, clock in made.clocks.items():
            asked, reached = clock["asked_mhz"], clock["reached_mhz"]
            print(f"seed {seed}: {name} {reached} MHz of {asked}", flush=True)
        if made.met:
            row = bitstream_results.row_of(board, variant, made, flags)
            bitstream_results.keep(row)
            print(f"bitstream: {bitstream.folder(board, variant)}, {row['bitstream_sha256']}")
            return True
    return False


def write_page(_: argparse.Namespace) -> bool:
    bitstream_results.write_page(bitstream_results.load())
    return True


def main() -> None:
    parser = argparse.ArgumentParser(prog="boards.litex", description="A LiteX SoC with a device")
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("sim", help="run the firmware on a simulated SoC; results checked")
    one.add_argument("variants", nargs="*", default=DEFAULT, help="rows of lab/variants.toml")
    one.add_argument(
        "--memory",
        choices=["bus", "shared", *simulation.DRAM],
        default="shared",
        help="memory port of the device: on the bus of 32 bits, own, or of a simulated SDRAM",
    )
    one.add_argument("--define", action="append", default=[], help="macro for the firmware")
    one.set_defaults(run=sim)
    all_of_them = commands.add_parser("measure", help="cycles, into results.json and its page")
    all_of_them.add_argument("variants", nargs="*", help="only these")
    all_of_them.set_defaults(run=measure)
    whole = commands.add_parser("bitstream", help="a SoC for a board, into bitstreams.json")
    whole.add_argument("board", choices=bitstream.BOARDS)
    whole.add_argument("variant", choices=sorted({name for _, name in bitstream_results.WANTED}))
    whole.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3], metavar="SEED")
    whole.add_argument("--flags", help="of nextpnr, instead of the placer that the board has")
    whole.set_defaults(run=make_bitstream)
    page = commands.add_parser("page", help="the bitstreams' table again: marks older sources")
    page.set_defaults(run=write_page)
    arguments = parser.parse_args()
    absent = environment.missing()
    if absent:
        names = " ".join(absent)
        environment.refuse(f"not installed: {names}\nhint: apt install {names}")
    try:
        good = arguments.run(arguments)
    except (simulation.SimulationError, jobs.JobError) as error:
        environment.refuse(str(error))
    sys.exit(not good)


if __name__ == "__main__":
    main()
