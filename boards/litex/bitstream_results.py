# SPDX-License-Identifier: Apache-2.0
"""bitstreams.json: SoCs for boards whose timing was met, and the table of docs/boards/ecp5-soc.md
that is made from it. Bitstreams themselves are not kept.
"""

import json
from typing import Any, TypedDict

from boards.litex import bitstream, environment
from boards.litex.bitstream import BOARDS, Board, Clock, Made
from lab import cores, files, results, synth, variants

FILE = environment.HERE / "bitstreams.json"
PAGE = cores.ROOT / "docs" / "boards" / "ecp5-soc.md"
BEGIN, END = "<!-- from boards/litex/bitstreams.json -->\n", "<!-- end of bitstreams -->\n"
WANTED = [
    (board, variant) for board in BOARDS for variant in ("device-ring2", "device-aead-balanced")
]


class Row(TypedDict):
    board: str
    fpga: str
    memory: str
    variant: str
    clock_mhz: float  # of the SoC
    clocks: dict[str, Clock]  # as nextpnr names them
    lut: int
    ff: int
    bram: int
    mult: int
    seed: int
    flags: str  # of nextpnr, apart from the part's
    seconds: float
    bitstream_sha256: str
    rtl_sha256: str  # of the device, as in the lab's rows
    soc_sha256: str  # of what is around it
    tools: dict[str, str]


class File(TypedDict):
    rows: list[Row]


def row_of(board: Board, variant: variants.Variant, made: Made, flags: str) -> Row:
    if made.bitstream_sha256 is None:
        raise ValueError(f"{board.label}, {variant.name}: the timing was not met")
    return Row(
        board=board.name,
        fpga=board.fpga,
        memory=board.memory,
        variant=variant.name,
        clock_mhz=board.clock_hz / 1e6,
        clocks=made.clocks,
        lut=made.lut,
        ff=made.ff,
        bram=made.bram,
        mult=made.mult,
        seed=made.seed,
        flags=flags,
        seconds=made.seconds,
        bitstream_sha256=made.bitstream_sha256,
        rtl_sha256=synth.digest(variant),
        soc_sha256=bitstream.soc_sha256(board),
        tools=bitstream.tools(),
    )


def load() -> list[Row]:
    """The rows; a file that does not keep to the schema is an error."""
    document: Any = json.loads(FILE.read_text()) if FILE.exists() else {"rows": []}
    results.check(document, File, FILE.name)
    rows: list[Row] = document["rows"]
    return rows


def current(row: Row) -> bool:
    """It comes from today's sources."""
    board, variant = BOARDS[row["board"]], variants.load()[row["variant"]]
    digests = (synth.digest(variant), bitstream.soc_sha256(board))
    return (row["rtl_sha256"], row["soc_sha256"]) == digests


def keep(new: Row) -> None:
    """In place of an older row of the same SoC."""
    key = (new["board"], new["variant"])
    rows = [row for row in load() if (row["board"], row["variant"]) != key] + [new]
    rows.sort(key=lambda row: WANTED.index((row["board"], row["variant"])))
    files.write(FILE, json.dumps({"rows": rows}, indent=1) + "\n")
    write_page(rows)


def write_page(rows: list[Row]) -> None:
    PAGE.write_text(page(PAGE.read_text(), rows))


def table(rows: list[Row]) -> str:
    heads = (
        "board, memory; device; SoC, MHz; clocks, MHz: reached, of asked; LUT; FF; block RAM; "
        "multipliers; seed; bitstream, SHA-256"
    ).split("; ")
    lines = [f"| {' | '.join(heads)} |", "| --- " * len(heads) + "|"]
    for row in rows:
        mark = "" if current(row) else " †"
        cells = [
            f"{BOARDS[row['board']].label}, {row['memory']}{mark}",
            f"`{row['variant']}`",
            f"{row['clock_mhz']:g}",
            ", ".join(
                f"{clock['reached_mhz']:.1f} of {clock['asked_mhz']:g}"
                for clock in sorted(row["clocks"].values(), key=lambda clock: -clock["asked_mhz"])
            ),
            f"{row['lut']:,}",
            f"{row['ff']:,}",
            str(row["bram"]),
            str(row["mult"]),
            str(row["seed"]),
            f"`{row['bitstream_sha256'][:16]}…`",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    if not all(map(current, rows)):
        lines += ["", "† of older sources"]
    return "\n".join(lines) + "\n"


def page(text: str, rows: list[Row]) -> str:
    """The page with the table between its two marks."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"{PAGE.name} has no place for the table of bitstreams")
    return before + BEGIN + table(rows) + END + after
