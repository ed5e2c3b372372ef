# SPDX-License-Identifier: Apache-2.0
"""What the lab's commands do, for every variant they are given."""

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TextIO

from lab import cores, jobs, measure, results, synth, variants
from lab.targets import TARGETS, Target
from lab.variants import Variant

ECP5 = TARGETS["ecp5"]


def say(text: str, *, to: TextIO | None = None) -> None:
    jobs.progress(None)
    print(text, file=to or sys.stdout, flush=True)


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
        raise ValueError(f"not for {', '.join(t.name for t in targets)}: see `list`")
    for variant, target in sorted(work, key=lambda entry: cost(*entry)):
        row = measure.current(variant, target)
        session.do(
            f"{variant.name}, {target.name}, synthesis",
            partial(measure.synthesis, variant, target, **session.how()),
            up_to_date=row is not None,
            before=row["status"] if row and measure.has_failed(row) else "",
        )


def route(session: Session, chosen: Sequence[Variant], seeds: list[int]) -> None:
    for variant in on_ecp5(chosen):
        row = measure.current(variant, ECP5)
        session.do(
            f"{variant.name}, ecp5, seeds {', '.join(map(str, seeds))}",
            partial(measure.placement, variant, ECP5, seeds, **session.how()),
            up_to_date=measure.has_seeds(row, seeds),
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

    of_netlist(session, chosen, "netlist_test", netlist.test)


def measure_activity(session: Session, chosen: Sequence[Variant]) -> None:
    from lab import activity  # noqa: PLC0415

    of_netlist(session, chosen, "activity", activity.measure)


def of_netlist(
    session: Session,
    chosen: Sequence[Variant],
    field_: str,
    work: Callable[[Variant], Any],
) -> None:
    """Figures that have a hash of their own in the row."""

    def fill(variant: Variant) -> str:
        row = measure.current(variant, ECP5)
        if row is None:
            measure.synthesis(variant, ECP5, deadline_s=session.deadline_s, force=False)
        elif measure.has_failed(row):
            raise measure.RowError(f"{variant.name}: there is no netlist: {row['status']}")
        found = work(variant)
        results.update("ecp5", variant.name, **{field_: found})
        return ", ".join(f"{key} {value}" for key, value in found.items() if key != "rtl_sha256")

    for variant in on_ecp5(chosen):
        row = results.load("ecp5").get(variant.name)
        entry: Any = row and row[field_]  # type: ignore[literal-required]
        session.do(
            f"{variant.name}, {field_.replace('_', ' ')}",
            partial(fill, variant),
            up_to_date=bool(entry) and entry["rtl_sha256"] == synth.digest(variant),
        )


def everything(session: Session, chosen: Sequence[Variant], seeds: list[int]) -> None:
    """All of a small variant before any of a large one, once their sizes are known."""
    synthesise(session, chosen, list(TARGETS.values()))
    for variant in on_ecp5(chosen):
        route(session, [variant], seeds)
        register(session, [variant], seeds)
        test_netlists(session, [variant])
        measure_activity(session, [variant])
    report()


def report() -> int:
    from lab import report as page  # noqa: PLC0415 (needs plotly)

    path = page.build()
    say(f"report: {path.relative_to(cores.ROOT) if path.is_absolute() else path}")
    return 0


def on_ecp5(chosen: Sequence[Variant]) -> list[Variant]:
    found = [variant for variant in chosen if "ecp5" in variant.targets]
    if not found:
        raise ValueError("not for ecp5: see `list`")
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
