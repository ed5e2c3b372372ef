# SPDX-License-Identifier: Apache-2.0
"""Fills rows of the results: what is up to date is left alone, what fails is a row that says so."""

import re
from collections.abc import Sequence
from statistics import median
from typing import Any, cast, get_type_hints

from lab import components, jobs, registered, results, synth
from lab.elaboration import ElaborationError, rate
from lab.route import Routed, route
from lab.targets import Target, area
from lab.variants import Variant

# Of a row that is begun anew; the test of the netlist and the activity have hashes of their own.
UNROUTED: dict[str, Any] = {
    "placer": None,
    "fmax_mhz": None,
    "fmax_seeds_mhz": [],
    "seeds": [],
    "other_placers": [],
    "registered_fmax_mhz": None,
    "registered_lut": None,
    "registered_ff": None,
}
PLACERS = ("heap", "static")  # of nextpnr; neither is better for all
NO_AREA = dict.fromkeys(("lut", "ff", "carry", "bram", "mult"))
NO_RATE = dict.fromkeys(("cycles_per_block", "block_bytes", "latency_cycles", "message_cycles"))


SEED_STATUS = r"seed (\d+) ([^;)]+)"  # of a failed one, in a row's status


class RowError(Exception):
    """One row's work failed; the row says so, and other rows go on."""


def current(variant: Variant, target: Target) -> results.Row | None:
    """The row, if it comes from these sources and these tools."""
    row = results.load(target.name).get(variant.name)
    if row is None or row["rtl_sha256"] != synth.digest(variant):
        return None
    return row if row["tools"] == synth.tools(target, variant) else None


def has_seeds(row: results.Row | None, seeds: list[int], placers: Sequence[str]) -> bool:
    if row is None or has_failed(row):
        return row is not None
    tried = placements(row)
    return all(placer in tried and set(seeds) <= set(tried[placer]["seeds"]) for placer in placers)


def has_failed(row: results.Row) -> bool:
    """No netlist came of it."""
    return row["lut"] is None


def synthesis(variant: Variant, target: Target, *, deadline_s: float, force: bool) -> str:
    """Area, rate and components. Gives what to say about it."""
    digest = synth.digest(variant)
    common = {
        "block": variant.block,
        "parameters": variant.parameters,
        "tools": synth.tools(target, variant),
        "rtl_sha256": digest,
        **UNROUTED,
    }
    failed = {
        **common,
        **NO_AREA,
        **NO_RATE,
        "netlist_sha256": None,
        "components": [],
        "seconds": 0.0,
    }
    try:
        cycles = rate(variant)
        netlist = synth.synthesise(variant, target, deadline_s=deadline_s, force=force)
        parts = []
        if target.routable:
            parts = components.measure(variant, target, deadline_s=deadline_s, force=force)
        unchanged(variant, digest)
    except ElaborationError as error:
        unchanged(variant, digest)
        results.update(target.name, variant.name, **failed, status=f"failed: {error}")
        raise RowError(str(error)) from error
    except jobs.JobError as error:
        unchanged(variant, digest)
        results.update(target.name, variant.name, **failed, status=error.status)
        raise RowError(str(error)) from error
    cells = area(target, netlist.cells)
    made = {
        **common,
        **cells,
        **cycles,
        "netlist_sha256": synth.netlist_digest(netlist.path) if target.routable else None,
        "status": "synthesised",
        "components": parts,
        "seconds": netlist.seconds,
    }
    kept = {} if force else of_this_netlist(results.load(target.name).get(variant.name), made)
    row = results.update(target.name, variant.name, **{**made, **kept})
    same = ", the netlist as before: what was made of it stays" if kept else ""
    return f"{row['lut']} LUT, {row['ff']} FF{same}"


def of_this_netlist(before: results.Row | None, made: dict[str, Any]) -> dict[str, Any]:
    """What was placed, tested and counted of the same netlist with the same tools."""
    old: dict[str, Any] = {**before} if before else {}
    if not old.get("netlist_sha256"):
        return {}
    if any(old[key] != made[key] for key in ("netlist_sha256", "tools")):
        return {}
    kept = {key: old[key] for key in (*UNROUTED, *NO_AREA, "status", "seconds")}
    for key in ("netlist_test", "activity"):
        if old[key] and old[key]["rtl_sha256"] == old["rtl_sha256"]:
            kept[key] = {**old[key], "rtl_sha256": made["rtl_sha256"]}
    return kept


def unchanged(variant: Variant, digest: str) -> None:
    """Waiting for a turn takes long enough to edit the sources."""
    if synth.digest(variant) != digest:
        raise synth.ChangedError(variant)


def placement(
    variant: Variant,
    target: Target,
    seeds: list[int],
    placers: Sequence[str],
    *,
    deadline_s: float,
    force: bool,
) -> str:
    """Clock, and the area as nextpnr counts it. Every seed is in the row as soon as it ends.

    The row's figures are those of the placer with the better median; the others' stand beside them.
    """
    if current(variant, target) is None:
        synthesis(variant, target, deadline_s=deadline_s, force=False)
    row = results.load(target.name)[variant.name]
    netlist = synth.synthesise(variant, target, deadline_s=deadline_s).path
    unchanged(variant, row["rtl_sha256"])
    errors: list[str] = []
    tried = {placer: placements(row).get(placer, unplaced(row, placer)) for placer in placers}
    todo = [
        (placer, seed)
        for placer in placers
        for seed in seeds
        if force or seed not in tried[placer]["seeds"]
    ]
    for placer, seed in todo:
        title = f"{variant.name}, {target.name}, placer {placer}, seed {seed}"
        of_placer = tried[placer]
        clocks = dict(zip(of_placer["seeds"], of_placer["fmax_seeds_mhz"], strict=True))
        failed = {int(seed): words for seed, words in re.findall(SEED_STATUS, of_placer["status"])}
        try:
            routed = route(
                netlist,
                target,
                seed,
                flags=flags(variant, placer),
                title=title,
                deadline_s=deadline_s,
                force=force,
            )
        except jobs.JobError as error:
            errors.append(str(error))
            clocks[seed] = None
            failed[seed] = re.sub("[()]", "", error.status).replace(";", ",")
            changed = {}
        else:
            clocks[seed] = routed.fmax_mhz
            failed.pop(seed, None)
            changed = size(routed)
            row["seconds"] += routed.seconds
        of_placer.update({**changed, **summary(clocks, failed)})  # type: ignore[typeddict-item]
        fields = best({**placements(row), placer: of_placer})
        row = results.update(target.name, variant.name, **fields, seconds=row["seconds"])
    if errors:
        raise RowError("; ".join(errors))
    return f"{row['fmax_mhz']} MHz, {row['lut']} LUT, placer {row['placer']}"


def flags(variant: Variant, placer: str) -> str:
    """Of nextpnr, whose own choice is the first placer."""
    chosen = "" if placer == PLACERS[0] else f"--placer {placer}"
    return " ".join(filter(None, [variant.route, chosen]))


def placements(row: results.Row) -> dict[str, results.Placements]:
    """By placer, the row's own among them."""
    found = [*row["other_placers"]]
    if row["placer"]:
        found = [part(row, row["placer"]), *found]
    return {entry["placer"]: entry for entry in found}


def part(row: results.Row, placer: str) -> results.Placements:
    names = get_type_hints(results.Placements).keys() - {"placer"}
    found: Any = {name: cast(Any, row)[name] for name in names} | {"placer": placer}
    return cast(results.Placements, found)


def unplaced(row: results.Row, placer: str) -> results.Placements:
    nothing: Any = {"fmax_mhz": None, "fmax_seeds_mhz": [], "seeds": [], "status": "synthesised"}
    return {**part(row, placer), **nothing}


def best(tried: dict[str, results.Placements]) -> dict[str, Any]:
    """The row's fields: the better median, the first placer's if they are equal."""
    order = sorted(tried.values(), key=lambda entry: PLACERS.index(entry["placer"]))
    first, *others = sorted(order, key=lambda entry: -(entry["fmax_mhz"] or 0))
    return {**first, "other_placers": others}


def size(routed: Routed) -> dict[str, Any]:
    return {"lut": routed.lut, "ff": routed.ff, "bram": routed.bram, "mult": routed.mult}


def summary(clocks: dict[int, float | None], failed: dict[int, str]) -> dict[str, Any]:
    """What follows from the clocks of the seeds that have been tried."""
    seeds = sorted(clocks)
    good = [clock for clock in clocks.values() if clock]
    words = "; ".join(f"seed {seed} {failed[seed]}" for seed in sorted(failed))
    status = "; ".join(filter(None, ["placed-and-routed", words]))
    return {
        "seeds": seeds,
        "fmax_seeds_mhz": [clocks[seed] for seed in seeds],
        "fmax_mhz": round(median(good), 2) if good else None,
        "status": status if good else f"{failed[seeds[0]]} ({words})",
    }


def with_registers(
    variant: Variant, target: Target, seeds: list[int], *, deadline_s: float, force: bool
) -> str:
    """The same once more with a register at every port of the top module."""
    if current(variant, target) is None:
        synthesis(variant, target, deadline_s=deadline_s, force=False)
    row = results.load(target.name)[variant.name]
    digest = row["rtl_sha256"]
    try:
        netlist = registered.synthesise(variant, target, deadline_s=deadline_s, force=force)
        unchanged(variant, digest)
        routed = [
            route(
                netlist,
                target,
                seed,
                flags=flags(variant, row["placer"] or PLACERS[0]),
                title=f"{variant.name} with registers, {target.name}, seed {seed}",
                deadline_s=deadline_s,
                force=force,
            )
            for seed in seeds
        ]
    except jobs.JobError as error:
        raise RowError(str(error)) from error
    row = results.update(
        target.name,
        variant.name,
        registered_fmax_mhz=round(median(placed.fmax_mhz for placed in routed), 2),
        registered_lut=routed[0].lut,
        registered_ff=routed[0].ff,
    )
    return f"{row['registered_fmax_mhz']} MHz, {row['registered_lut']} LUT"
