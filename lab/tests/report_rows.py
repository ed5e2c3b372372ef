# SPDX-License-Identifier: Apache-2.0
"""Rows for the tests of the report: placed, unplaced, failed, timed out and never run."""

import tomllib

from lab import results, targets, variants
from lab.report import entries, page

TABLE = """
[tiny]
block = "chacha20"
top = "chacha20"
parameters = { FinalAdd = 1 }
targets = ["ecp5", "xc7", "cyclonev"]
purpose = "The least"
[ring]
block = "chacha20"
top = "chacha20"
parameters = { FinalAdd = 1 }
targets = ["ecp5", "xc7", "cyclonev"]
purpose = "In between"
[ring-hostadd]
block = "chacha20"
top = "chacha20"
parameters = { FinalAdd = 0 }
targets = ["ecp5"]
purpose = "Leaves the addition to the host"
[pipe]
block = "chacha20"
top = "chacha20"
parameters = { FinalAdd = 1 }
targets = ["ecp5"]
purpose = "One block per cycle"
[beaten]
block = "chacha20"
top = "chacha20"
parameters = { FinalAdd = 1 }
targets = ["ecp5"]
purpose = "Larger and slower than others"
[ghash-late]
block = "ghash"
top = "ghash"
targets = ["ecp5"]
parameters = {}
purpose = 'Timed out </script><b class="evil">& "more", so</b>'
[device-ring]
block = "device"
top = "saltmill_device"
core = "ring"
targets = ["ecp5", "xc7"]
purpose = "A whole device"
"""
# lut, ff, cycles, clocks of three seeds; no clocks: synthesised
ECP5: dict[str, tuple[int, int, int, list[float | None]]] = {
    "tiny": (760, 900, 350, [140.0, 131.5, 138.0]),
    "ring": (3600, 5700, 10, [172.0, 168.4, 165.0]),
    "ring-hostadd": (3100, 5600, 10, [175.0, None, 171.0]),
    "pipe": (23900, 45000, 1, [160.0, 166.0, 158.3]),
    "beaten": (5000, 6000, 20, [150.0, 150.0, 150.0]),
    "device-ring": (11970, 10322, 10, []),
}


def median(clocks: list[float | None]) -> float | None:
    known = sorted(clock for clock in clocks if clock is not None)
    return known[len(known) // 2] if known else None


def row(variant: variants.Variant) -> results.Row:
    lut, ff, cycles, clocks = ECP5[variant.name]
    clock = median(clocks)
    rate = clock * 512 / cycles if clock else None
    made = results.empty(variant)
    made.update(
        {
            "lut": lut,
            "ff": ff,
            "carry": lut // 8,
            "bram": 2,
            "mult": 0,
            "status": "placed-and-routed" if clocks else "synthesised",
            "seeds": [1, 2, 3][: len(clocks)],
            "fmax_seeds_mhz": clocks,
            "fmax_mhz": clock,
            "cycles_per_block": cycles,
            "block_bytes": 64,
            "latency_cycles": 90,
            "message_cycles": [30, 250, 10250],
            "mbit_s": rate,
            "mbit_s_per_lut": rate / lut if rate else None,
            "components": [{"component": "rounds", "lut": lut // 2, "ff": ff // 3}],
        }
    )
    return made


def rows(table: dict[str, variants.Variant]) -> dict[str, dict[str, results.Row]]:
    """On xc7 the ring alone was run, on Cyclone V nothing."""
    on_ecp5 = {name: row(table[name]) for name in ECP5}
    ring = on_ecp5["ring"]
    ring["registered_fmax_mhz"], ring["registered_lut"], ring["registered_ff"] = 160.0, 3700, 6900
    for name, toggles in (("tiny", 900.0), ("ring", 1350.0)):
        on_ecp5[name]["activity"] = {
            "toggles_per_byte": toggles,
            "nets": 1000,
            "bytes": 4096,
            "rtl_sha256": "",
        }
    late = results.empty(table["ghash-late"])
    late["status"] = "timed out after 90 min"
    unplaced = results.empty(table["ring"])
    unplaced.update({"lut": 2400, "ff": 5700, "status": "synthesised"})
    unplaced.update({"cycles_per_block": 10, "block_bytes": 64})
    return {"ecp5": {**on_ecp5, "ghash-late": late}, "xc7": {"ring": unplaced}}


def collected(*, run: bool = True) -> tuple[list[entries.Entry], list[entries.Breakdown]]:
    table = variants.parse(tomllib.loads(TABLE))
    labels = {name: target.label for name, target in targets.TARGETS.items()}
    text = entries.PUBLISHED.read_text()
    digests = {"beaten": "newer", "ring": "", "tiny": ""}
    return entries.collect(table, labels, rows(table) if run else {}, text, digests)


def html(plotly: str = "", *, run: bool = True) -> str:
    found, breakdowns = collected(run=run)
    return page.render(found, breakdowns, entries.sources(entries.PUBLISHED.read_text()), plotly)
