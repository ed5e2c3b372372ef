# SPDX-License-Identifier: Apache-2.0
"""Fills rows of the results: what is up to date is left alone, what fails is a row that says so."""

from statistics import median
from typing import Any

from lab import components, jobs, registered, results, synth
from lab.elaboration import ElaborationError, rate
from lab.route import Routed, route
from lab.targets import Target, area
from lab.variants import Variant

# Of a row that is begun anew; the test of the netlist and the activity have hashes of their own.
UNROUTED: dict[str, Any] = {
    "fmax_mhz": None,
    "fmax_seeds_mhz": [],
    "seeds": [],
    "mbit_s": None,
    "mbit_s_per_lut": None,
    "registered_fmax_mhz": None,
    "registered_lut": None,
    "registered_ff": None,
}
NO_AREA = dict.fromkeys(("lut", "ff", "carry", "bram", "mult"))
NO_RATE = dict.fromkeys(("cycles_per_block", "block_bytes", "latency_cycles"))


class RowError(Exception):
    """One row's work failed; the row says so, and other rows go on."""


def current(variant: Variant, target: Target) -> results.Row | None:
    """The row, if it comes from these sources and these tools."""
    row = results.load(target.name).get(variant.name)
    if row is None or row["rtl_sha256"] != synth.digest(variant):
        return None
    return row if row["tools"] == synth.tools(target) else None


def has_seeds(row: results.Row | None, seeds: list[int]) -> bool:
    return row is not None and (has_failed(row) or set(seeds) <= set(row["seeds"]))


def has_failed(row: results.Row) -> bool:
    """No netlist came of it."""
    return row["lut"] is None


def synthesis(variant: Variant, target: Target, *, deadline_s: float, force: bool) -> str:
    """Area, rate and components. Gives what to say about it."""
    common = {
        "block": variant.block,
        "parameters": variant.parameters,
        "tools": synth.tools(target),
        "rtl_sha256": synth.digest(variant),
        **UNROUTED,
    }
    failed = {**common, **NO_AREA, **NO_RATE, "components": [], "seconds": 0.0}
    try:
        cycles = rate(variant)
        netlist = synth.synthesise(variant, target, deadline_s=deadline_s, force=force)
        parts = []
        if target.routable:
            parts = components.measure(variant, target, deadline_s=deadline_s, force=force)
    except ElaborationError as error:
        results.update(target.name, variant.name, **failed, status=f"failed: {error}")
        raise RowError(str(error)) from error
    except jobs.JobError as error:
        results.update(target.name, variant.name, **failed, status=error.status)
        raise RowError(str(error)) from error
    size = area(target, netlist.cells)
    results.update(
        target.name,
        variant.name,
        **{**common, **size, **cycles},
        status="synthesised",
        components=parts,
        seconds=netlist.seconds,
    )
    return f"{size['lut']} LUT, {size['ff']} FF"


def placement(
    variant: Variant, target: Target, seeds: list[int], *, deadline_s: float, force: bool
) -> str:
    """Clock, and the area as nextpnr counts it; the row has every seed as soon as it is there."""
    if force or current(variant, target) is None:
        synthesis(variant, target, deadline_s=deadline_s, force=False)
    netlist = synth.synthesise(variant, target, deadline_s=deadline_s)
    row = results.load(target.name)[variant.name]
    wanted = sorted({*row["seeds"], *seeds})
    routed: dict[int, Routed | None] = {}
    failures: list[tuple[int, jobs.JobError]] = []
    for seed in wanted:
        title = f"{variant.name}, {target.name}, seed {seed}"
        try:
            routed[seed] = route(
                netlist.path,
                target,
                seed,
                title=title,
                deadline_s=deadline_s,
                force=force and seed in seeds,
            )
        except jobs.JobError as error:
            routed[seed] = None
            failures.append((seed, error))
        clocks = clock(row, [placed for placed in routed.values() if placed])
        results.update(
            target.name,
            variant.name,
            **clocks,
            fmax_seeds_mhz=[placed and placed.fmax_mhz for placed in routed.values()],
            seeds=list(routed),
            status=status(routed, failures),
            seconds=netlist.seconds + sum(placed.seconds for placed in routed.values() if placed),
        )
    if failures:
        raise RowError("; ".join(str(error) for _, error in failures))
    return f"{clocks['fmax_mhz']} MHz, {clocks['lut']} LUT"


def clock(row: results.Row, routed: list[Routed]) -> dict[str, Any]:
    """What depends on the placements that succeeded."""
    if not routed:
        return {"fmax_mhz": None, "mbit_s": None, "mbit_s_per_lut": None}
    first = routed[0]
    found: dict[str, Any] = {
        "lut": first.lut,
        "ff": first.ff,
        "bram": first.bram,
        "mult": first.mult,
        "fmax_mhz": round(median(placed.fmax_mhz for placed in routed), 2),
    }
    if row["cycles_per_block"] and row["block_bytes"]:
        rate = found["fmax_mhz"] * 8 * row["block_bytes"] / row["cycles_per_block"]
        found |= {"mbit_s": round(rate, 1), "mbit_s_per_lut": round(rate / first.lut, 4)}
    return found


def status(routed: dict[int, Routed | None], failures: list[tuple[int, jobs.JobError]]) -> str:
    named = "; ".join(f"seed {seed} {error.status}" for seed, error in failures)
    if not failures:
        return "placed-and-routed"
    if len(failures) < len(routed):
        return f"placed-and-routed; {named}"
    return f"{failures[0][1].status} ({named})"


def with_registers(
    variant: Variant, target: Target, seeds: list[int], *, deadline_s: float, force: bool
) -> str:
    """The same once more with a register at every port of the top module."""
    if current(variant, target) is None:
        synthesis(variant, target, deadline_s=deadline_s, force=False)
    try:
        netlist = registered.synthesise(variant, target, deadline_s=deadline_s, force=force)
        routed = [
            route(
                netlist,
                target,
                seed,
                title=f"{variant.name} with registers, {target.name}, seed {seed}",
                deadline_s=deadline_s,
                force=force,
            )
            for seed in seeds
        ]
    except jobs.JobError as error:
        raise RowError(str(error)) from error
    fmax = round(median(placed.fmax_mhz for placed in routed), 2)
    results.update(
        target.name,
        variant.name,
        registered_fmax_mhz=fmax,
        registered_lut=routed[0].lut,
        registered_ff=routed[0].ff,
    )
    return f"{fmax} MHz, {routed[0].lut} LUT"
