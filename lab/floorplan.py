# SPDX-License-Identifier: Apache-2.0
"""Gives the multipliers of a netlist that has many places of their own on an ECP5-85.

nextpnr fills the row that is nearest to the design from end to end before it takes the next:
products that are added then lie 40 columns or 7 ns apart, and the router can hardly end. In the
order of their names, which is that of the columns of a product, in rows above each other at one
side of the device, what adds products is among them, and all else that a design has on the other
side (decision 37). A netlist of few multipliers is left to nextpnr.
"""

import re
from typing import Any

KIND = "MULT18X18D"
ROWS = (10, 34, 58)  # of tiles with multipliers in an LFE5U-85F
# Groups of two slices, around the tiles of the clocks
GROUPS = (4, 13, 22, 31, 40, 49, 58, 69, 78, 87, 96, 105, 114)
IN_GROUP = ((0, "MULT18_0"), (1, "MULT18_1"), (4, "MULT18_4"), (5, "MULT18_5"))
MOST = 22  # in a row, as long as there are rows
IN_ROW = tuple((group + x, name) for group in GROUPS for x, name in IN_GROUP)


def place(modules: dict[str, Any]) -> bool:
    """Writes places into the netlist, if it needs them and there is room."""
    cells = {
        name: cell
        for module in modules.values()
        for name, cell in module["cells"].items()
        if cell["type"] == KIND
    }
    if not MOST < len(cells) <= len(IN_ROW) * len(ROWS):
        return False
    width = -(-len(cells) // min(len(ROWS), -(-len(cells) // MOST)))
    start = len(IN_ROW) - width
    for index, name in enumerate(sorted(cells, key=natural)):
        row, step = divmod(index, width)
        # There and back: neighbours by name stay neighbours at the ends of rows.
        x, bel = IN_ROW[start + (width - 1 - step if row % 2 else step)]
        cells[name].setdefault("attributes", {})["BEL"] = f"X{x}/Y{ROWS[row]}/{bel}"
    return True


def natural(name: str) -> list[tuple[int, str]]:
    """Numbers in names in their order."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name)]
