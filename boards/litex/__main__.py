# SPDX-License-Identifier: Apache-2.0
"""python -m boards.litex sim|measure"""

import argparse
import sys

from boards.litex import environment, results, simulation

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


def main() -> None:
    parser = argparse.ArgumentParser(prog="boards.litex", description="A LiteX SoC with a device")
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("sim", help="run the firmware on a simulated SoC; results checked")
    one.add_argument("variants", nargs="*", default=DEFAULT, help="rows of lab/variants.toml")
    one.add_argument(
        "--memory",
        choices=["bus", "shared"],
        default="shared",
        help="memory port of the device: on the bus of 32 bits, or of its own",
    )
    one.add_argument("--define", action="append", default=[], help="macro for the firmware")
    one.set_defaults(run=sim)
    all_of_them = commands.add_parser("measure", help="cycles, into results.json and its page")
    all_of_them.add_argument("variants", nargs="*", help="only these")
    all_of_them.set_defaults(run=measure)
    arguments = parser.parse_args()
    absent = environment.missing()
    if absent:
        names = " ".join(absent)
        environment.refuse(f"not installed: {names}\nhint: apt install {names}")
    try:
        good = arguments.run(arguments)
    except simulation.SimulationError as error:
        environment.refuse(str(error))
    sys.exit(not good)


if __name__ == "__main__":
    main()
