# SPDX-License-Identifier: Apache-2.0
"""What the lab's commands do, for every variant they are given."""

import json
import sys
import time
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TextIO

from lab import cores, jobs, measure, results, synth, variants
from lab.targets import TARGETS, Target
from lab.variants import Variant

ECP5 = TARGETS["ecp5"]
EXPERIMENTS = ("throughput", "blocks")


def say(text: str, *, to: TextIO | None = None) -> None:
    jobs.progress(None)
    print(text, file=to or sys.stdout, flush=True)


class UnfitError(ValueError):
    """None of the variants is one that this can be done with."""


@dataclass
class Session:
    """Does the work of a command row by row, and counts."""

    deadline_s: float
    force: bool
    started: float = field(default_factory=time.monotonic)
    done: int = 0
    skipped: int = 0
    failed: list[str] = field(default_factory=list)
    failed_before: list[str] = field(default_factory=list)

    def how(self) -> dict[str, Any]:
        return {"deadline_s": self.deadline_s, "force": self.force}

    def do(
        self, title: str, work: Callable[[], str], *, up_to_date: bool, before: str = ""
    ) -> None:
        """One row's work, unless it is done already. Its failure does not stop the others."""
        if up_to_date and not self.force:
            has_failed = before.startswith(("failed", "timed out")) or "; seed" in before
            self.skipped += not has_failed
            self.failed_before += [title] if has_failed else []
            return
        begun = time.monotonic()
        try:
            said = work()
        except (measure.RowError, jobs.JobError) as error:
            self.failed.append(title)
            say(f"error: {error}", to=sys.stderr)
            return
        self.done += 1
        say(f"{title}: {said} (took {jobs.clock(time.monotonic() - begun)})")

    def end(self, command: str) -> int:
        """Says what was done; gives the exit code."""
        parts = [f"{self.done} done", f"{self.skipped} up to date"]
        if self.failed_before:
            names = "; ".join(self.failed_before)
            parts.append(
                f"{len(self.failed_before)} failed before, tried again by --force ({names})"
            )
        if self.failed:
            parts.append(f"{len(self.failed)} failed ({'; '.join(self.failed)})")
        say(f"{command}: {', '.join(parts)}; took {jobs.clock(time.monotonic() - self.started)}")
        return int(bool(self.failed))


def synthesise(session: Session, chosen: Sequence[Variant], targets: Sequence[Target]) -> None:
    work = [(v, t) for v in chosen for t in targets if t.name in v.targets]
    if not work:
        raise UnfitError(f"not for {', '.join(t.name for t in targets)}: see `list`")
    for variant, target in sorted(work, key=lambda entry: cost(*entry)):
        row = measure.current(variant, target)
        session.do(
            f"{variant.name}, {target.name}, synthesis",
            partial(measure.synthesis, variant, target, **session.how()),
            up_to_date=row is not None,
            before=row["status"] if row and measure.has_failed(row) else "",
        )


def route(
    session: Session, chosen: Sequence[Variant], seeds: list[int], placers: Sequence[str]
) -> None:
    for variant in on_ecp5(chosen):
        row = measure.current(variant, ECP5)
        session.do(
            f"{variant.name}, ecp5, seeds {', '.join(map(str, seeds))}",
            partial(measure.placement, variant, ECP5, seeds, placers, **session.how()),
            up_to_date=measure.has_seeds(row, seeds, placers),
            before=row["status"] if row else "",
        )


def register(session: Session, chosen: Sequence[Variant], seeds: list[int]) -> None:
    for variant in on_ecp5(chosen):
        row = measure.current(variant, ECP5)
        if variant.registered:
            session.do(
                f"{variant.name} with registers, ecp5",
                partial(measure.with_registers, variant, ECP5, seeds, **session.how()),
                up_to_date=bool(row and row["registered_fmax_mhz"]),
            )


def test_netlists(session: Session, chosen: Sequence[Variant]) -> None:
    from lab import netlist  # noqa: PLC0415 (needs the simulator)

    def work(variant: Variant) -> results.NetlistTest:
        begun = time.monotonic()
        try:
            passed: Any = netlist.test(variant, deadline_s=session.deadline_s)
        except jobs.JobError as error:
            failed: results.NetlistTest = {
                "status": error.status,
                "tests": 0,
                "rtl_sha256": synth.digest(variant),
                "seconds": round(time.monotonic() - begun, 1),
            }
            results.update("ecp5", variant.name, netlist_test=failed)
            raise
        found: results.NetlistTest = passed
        return found

    of_netlist(session, with_bench(chosen, netlist.TESTS), "netlist_test", work)


def measure_activity(session: Session, chosen: Sequence[Variant]) -> None:
    from lab import activity  # noqa: PLC0415

    def work(variant: Variant) -> Any:
        return activity.measure(variant, deadline_s=session.deadline_s)

    of_netlist(session, with_bench(chosen, activity.BENCHES), "activity", work)


def with_bench(chosen: Sequence[Variant], benches: Container[str]) -> list[Variant]:
    """Those whose block has tests or data for a netlist."""
    found = [variant for variant in on_ecp5(chosen) if variant.block in benches]
    if not found:
        raise UnfitError(f"no netlist of {', '.join({v.block for v in chosen})} can be run yet")
    return found


def of_netlist(
    session: Session, chosen: Sequence[Variant], name: str, work: Callable[[Variant], Any]
) -> None:
    """Figures that have a hash of their own in the row."""

    def fill(variant: Variant) -> str:
        row = measure.current(variant, ECP5)
        if row is None:
            measure.synthesis(variant, ECP5, deadline_s=session.deadline_s, force=False)
        elif measure.has_failed(row):
            raise measure.RowError(f"{variant.name}: there is no netlist: {row['status']}")
        digest = synth.digest(variant)
        found = work(variant)
        measure.unchanged(variant, digest)
        results.update("ecp5", variant.name, **{name: found})
        return ", ".join(f"{key} {value}" for key, value in found.items() if key != "rtl_sha256")

    for variant in chosen:
        row: Any = results.load("ecp5").get(variant.name) or {}
        entry = row.get(name) or {}
        session.do(
            f"{variant.name}, {name.replace('_', ' ')}",
            partial(fill, variant),
            up_to_date=entry.get("rtl_sha256") == synth.digest(variant),
            before=entry.get("status", ""),
        )


def everything(session: Session, chosen: Sequence[Variant], seeds: list[int]) -> None:
    """All of a small variant before any of a large one, once their sizes are known."""
    synthesise(session, chosen, list(TARGETS.values()))
    for variant in on_ecp5(chosen):
        route(session, [variant], seeds, measure.PLACERS)
        register(session, [variant], seeds)
        with suppress(UnfitError):
            test_netlists(session, [variant])
        with suppress(UnfitError):
            measure_activity(session, [variant])
    report()


def report() -> int:
    from lab import report as page  # noqa: PLC0415 (needs plotly)

    path = page.build()
    say(f"report: {path.relative_to(cores.ROOT) if path.is_absolute() else path}")
    return 0


def experiment(name: str) -> int:
    """Runs one, and keeps what it found."""
    from lab.experiments import blocks, throughput  # noqa: PLC0415 (blocks needs PyCryptodome)

    begun = time.monotonic()
    found = {module.NAME: module for module in (throughput, blocks)}[name]
    path = found.run(jobs.progress)
    took = jobs.clock(time.monotonic() - begun)
    say(f"{name}: {path.relative_to(cores.ROOT) if path.is_absolute() else path} (took {took})")
    return 0


def on_ecp5(chosen: Sequence[Variant]) -> list[Variant]:
    found = [variant for variant in chosen if "ecp5" in variant.targets]
    if not found:
        raise UnfitError("not for ecp5: see `list`")
    return sorted(found, key=lambda variant: cost(variant, ECP5))


def cost(variant: Variant, target: Target) -> float:
    """LUTs, if any are known: what is large takes long."""
    row = results.load(target.name).get(variant.name)
    return (row and row["lut"]) or float("inf")


# ---- list --------------------------------------------------------------------------------------


def state(variant: Variant, target: Target) -> str:
    row = results.load(target.name).get(variant.name)
    if row is None:
        return "missing"
    return row["status"] if measure.current(variant, target) else "stale"


def show_list(*, as_json: bool) -> int:
    table = variants.load().values()
    states = [{name: state(row, TARGETS[name]) for name in row.targets} for row in table]
    if as_json:
        pairs = zip(table, states, strict=True)
        rows = [{"variant": v.name, "purpose": v.purpose, "targets": s} for v, s in pairs]
        say(json.dumps(rows, indent=2))
        return 0
    for variant, of_target in zip(table, states, strict=True):
        say(f"{variant.name}: {variant.purpose}")
        for name, is_ in of_target.items():
            say(f"    {name:<9} {is_}")
    return 0
