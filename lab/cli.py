# SPDX-License-Identifier: Apache-2.0
"""The command line of the lab: what it accepts, and what it says when something is wrong."""

import argparse
import difflib
import errno
import fnmatch
import re
import signal
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError
from types import FrameType
from typing import NoReturn, TypeVar

from lab import commands, jobs, measure, variants
from lab.targets import TARGETS

Named = TypeVar("Named")

EXAMPLES = """examples:
  python -m lab list
  python -m lab synth chacha20-small --target ecp5
  python -m lab route chacha20-ring2 --seeds 1,2,3
  python -m lab all 'chacha20-*'     # everything that is stale, of some variants
Results are in lab/results/, what they came from in build/lab/; docs/lab.md has more."""


OF_VARIANTS = ("synth", "route", "netlist-test", "activity", "all")


class UsageError(Exception):
    """The command line names what is not there."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code: 1 after a failure, 2 for a wrong command line, 130 when interrupted."""
    options = parser().parse_args(arguments)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
    try:
        return run(options)
    except UsageError as error:
        return complain(str(error), 2)
    except KeyboardInterrupt:
        return complain("interrupted; what was finished is kept: the same command goes on", 130)
    except PackageNotFoundError as error:
        return complain(f"{error.name} is not installed: `make setup` does it", 1)
    except OSError as error:
        return complain(explain(error), 1)
    except (ValueError, jobs.JobError) as error:
        return complain(str(error), 1)


def end(number: int, frame: FrameType | None) -> NoReturn:
    del frame
    raise SystemExit(128 + number)


def complain(sentence: str, code: int) -> int:
    commands.say(f"error: {sentence}", to=sys.stderr)
    return code


def explain(error: OSError) -> str:
    if error.errno == errno.ENOSPC:
        return "the disk is full; results and seeds that were finished before are kept"
    return f"{error.filename}: {error.strerror}" if error.filename else str(error)


def run(options: argparse.Namespace) -> int:
    if options.command not in OF_VARIANTS:
        return without_variants(options)
    session = commands.Session(deadline_s=options.deadline * 60, force=options.force)
    chosen = choose("variant", options.variant, variants.load())
    if options.no_lock:
        jobs.without_turns()
    match options.command:
        case "synth":
            targets = choose("target", options.target or ["all"], TARGETS)
            commands.synthesise(session, chosen, targets)
        case "route":
            commands.route(session, chosen, options.seeds, options.placers or measure.PLACERS)
            if options.registered:
                commands.register(session, chosen, options.seeds)
        case "netlist-test":
            commands.test_netlists(session, chosen)
        case "activity":
            commands.measure_activity(session, chosen)
        case "all":
            commands.everything(session, chosen, options.seeds)
    return session.end(options.command)


def without_variants(options: argparse.Namespace) -> int:
    match options.command:
        case "list":
            return commands.show_list(as_json=options.json)
        case "experiment":
            return commands.experiment(options.name)
    return commands.report()


def choose(kind: str, names: Sequence[str], table: dict[str, Named]) -> list[Named]:
    """The entries of a table by name or pattern; `all` is every one of them."""
    found: dict[str, Named] = {}
    for name in names:
        fitting = fnmatch.filter(table, "*" if name == "all" else name)
        found |= {entry: table[entry] for entry in fitting}
        if not fitting:
            near = difflib.get_close_matches(name, table, n=3) or list(table)
            raise UsageError(
                f"there is no {kind} {name}; there is {', '.join(near)}"
                + (" (`list` shows all)" if kind == "variant" else "")
            )
    return list(found.values())


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="python -m lab",
        description="Measures the variants of lab/variants.toml with open tools.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    subcommands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    entry = subcommands.add_parser("list", help="variants, targets, and what is up to date")
    entry.add_argument("--json", action="store_true", help="for programs")
    subcommands.add_parser(
        "report", help="build/lab/report.html, docs/choosing.md and comparison.md"
    )

    help_ = "a published experiment again, with `saltmill bench`: measured, simulated, modelled"
    entry = subcommands.add_parser("experiment", help=help_, description=help_)
    entry.add_argument("name", choices=commands.EXPERIMENTS, metavar="NAME", help="%(choices)s")

    entry = job(subcommands, "synth", "cells of variants: synthesised")
    entry.add_argument("--target", nargs="+", metavar="TARGET", help=" ".join(TARGETS))
    entry = job(subcommands, "route", "clock of variants on ecp5: placed-and-routed")
    add_seeds(entry)
    help_ = "of these placers only (heap static); the row has the better median of all tried"
    entry.add_argument("--placers", nargs="+", choices=measure.PLACERS, help=help_)
    help_ = "also those marked in the table, with a register at every port"
    entry.add_argument("--registered", action="store_true", help=help_)
    job(subcommands, "netlist-test", "a block's own tests on its ecp5 netlist")
    job(subcommands, "activity", "toggles per byte of an ecp5 netlist: modelled")
    entry = job(subcommands, "all", "all of these and the report, cheap before expensive", "*")
    add_seeds(entry)
    return top


def add_seeds(entry: argparse.ArgumentParser) -> None:
    help_ = "of the placements (1,2,3)"
    entry.add_argument("--seeds", type=numbers, default=[1, 2, 3], metavar="N,N,…", help=help_)


def job(
    subcommands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    summary: str,
    count: str = "+",
) -> argparse.ArgumentParser:
    """A command that runs tools. What is up to date is not done again."""
    entry = subcommands.add_parser(name, help=summary, description=summary)
    help_ = "a row of lab/variants.toml, a pattern as 'chacha20-*', or all"
    entry.add_argument("variant", nargs=count, metavar="VARIANT", default=["all"], help=help_)
    entry.add_argument(
        "--deadline",
        type=positive,
        default=jobs.DEADLINE_S / 60,
        metavar="MINUTES",
        help="of each run of a tool (%(default)g)",
    )
    entry.add_argument("--force", action="store_true", help="also what is up to date")
    help_ = "don't wait for other jobs: needs the memory and time of both"
    entry.add_argument("--no-lock", action="store_true", help=help_)
    return entry


def numbers(text: str) -> list[int]:
    if not re.fullmatch(r"[1-9]\d{0,8}(,[1-9]\d{0,8})*", text):
        raise argparse.ArgumentTypeError(f"{text} is not a list of numbers from 1, as 1,2,3")
    return sorted({int(part) for part in text.split(",")})


def positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text} is not a number of minutes")
    return value
