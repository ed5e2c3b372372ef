# SPDX-License-Identifier: Apache-2.0
"""FpgaCha's ten rows: here by the wall clock, on its board by the model, and our devices there."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from lab.experiments import store, throughput
from lab.experiments.board import MIB
from lab.experiments.plots import Value, bars
from lab.report.choosing import markdown
from lab.report.experiment_words import Filled, percent, processor, stale
from lab.report.tables import number

LIMITS = {"processors": "the processors", "memory": "the memory", "devices": "the devices"}
WITHIN = 0.15
TWICE = 2.0
AS_MANY = {1: "1", 2: "2", 4: "3"}  # devices and the number of a published row


def fpgacha() -> Filled:
    found = store.load(throughput.NAME)
    if found is None:
        return {}, {}
    given, task = throughput.published(), found["wall"]["task_bytes"]
    clock = found["cycles"][0]["clock_hz"]
    alone = found["cycles"][0]["steady_cycles"] / clock
    overhead = found["model"]["overhead_us_per_task"]
    d1 = next(row["mib_s"] for row in given["rows"] if row["name"] == "D1")
    fills = {
        "wall_words": f"{processor(found['machine'])}; ciphers of {found['wall']['software']}; "
        f"{found['wall']['bytes'] // MIB} MiB in tasks of {task // 1024} KiB, files in memory, "
        "median of five runs. Our stub worker also reads the file into its buffer, and our "
        "software worker encrypts in it: these rows are about our engine, not about their board.",
        "wall": wall(found),
        "device": f"device-{throughput.PUBLISHED_DEVICE}",
        "memory": number(found["model"]["memory_mb_s"]),
        "rows": rows(found),
        "overhead": number(overhead),
        "devices": str(found["cycles"][-1]["devices"]),
        "device_ms": f"{alone * 1e3:.2f}",
        "d1_ms": f"{task / (d1 * MIB) * 1e3:.2f}",
        "line_ns": number(overhead * 1e3 / (task / 32)),
        "fitted_words": fitted_words(found),
        "ours_words": ours_words(found),
        "ours": ours(found),
        "bottleneck": bottleneck(found),
        "stale": stale(found, throughput.MODEL),
    }
    return fills, {"fpgacha-rows": rows_picture(found), "fpgacha-ours": ours_picture(found)}


def wall(found: Mapping[str, Any]) -> str:
    published = {row["name"]: row["mib_s"] for row in throughput.published()["rows"]}
    head = ["row", "worker", "sink", "seconds", "MiB/s", "theirs (published), MiB/s"]
    return markdown(
        head,
        [
            [
                row["name"],
                f"{row['worker']} x{row['workers']}",
                row["sink"],
                f"{median(row['seconds']):.3f}",
                number(row["mib_per_second"]),
                number(published[row["name"]]),
            ]
            for row in found["wall"]["rows"]
        ],
    )


def rows(found: Mapping[str, Any]) -> str:
    head = ["row", "published, MiB/s", "from A and B1", "error", "and D1", "error", "limit"]
    body = []
    for row in found["rows"]:
        strict, fitted = row["strict"], row["fitted"]
        used = row["name"] in ("A", "B1")
        body.append(
            [
                row["name"],
                number(row["published_mib_s"]),
                number(strict["mib_s"]),
                "used" if used else percent(strict["error"]),
                number(fitted["mib_s"]),
                "used" if used or row["name"] == "D1" else percent(fitted["error"]),
                LIMITS[fitted["limit"]],
            ]
        )
    return markdown(head, body)


def predicted(found: Mapping[str, Any], model: str, known: Sequence[str]) -> dict[str, float]:
    """Errors of the rows that a model was not calibrated with."""
    return {row["name"]: row[model]["error"] for row in found["rows"] if row["name"] not in known}


def fitted_words(found: Mapping[str, Any]) -> str:
    errors = predicted(found, "fitted", ("A", "B1", "D1"))
    worst = max(errors, key=lambda name: abs(errors[name]))
    off = [name for name, error in errors.items() if abs(error) > WITHIN]
    words = f"the others are off by {percent(errors[worst])} at most ({worst})."
    return words if not off else f"{words} More than 15 %: {', '.join(off)}."


def of_setup(found: Mapping[str, Any], name: str, clock: str) -> dict[int, dict[str, Any]]:
    """By the number of devices."""
    return {r["devices"]: r for r in found["ours"] if (r["name"], r["clock"]) == (name, clock)}


def ours(found: Mapping[str, Any]) -> str:
    head = ["what", "variant", "MHz", *(f"x{count}" for count in range(1, 5))]
    head += ["x1 alone", "limit of x1", "limit of x4"]
    body = []
    for setup in throughput.SETUPS:
        for clock in ("published", "own"):
            runs = of_setup(found, setup.name, clock)
            if not runs:
                continue
            body.append(
                [
                    f"{setup.name}: {setup.words}",
                    f"`{setup.variant}`",
                    f"{runs[1]['clock_hz'] / 1e6:.1f}",
                    *(number(runs[count]["mib_s"]) for count in range(1, 5)),
                    number(runs[1]["devices_alone_mib_s"]),
                    LIMITS[runs[1]["limit"]],
                    LIMITS[runs[4]["limit"]],
                ]
            )
    return "MiB/s of the whole system.\n\n" + markdown(head, body)


def ratios(found: Mapping[str, Any], letter: str, setup: str) -> list[tuple[str, float, str]]:
    """Ours over the published row with as many devices, at their clock, and what limits ours."""
    published = {row["name"]: row["mib_s"] for row in throughput.published()["rows"]}
    runs = of_setup(found, setup, "published")
    return [
        (letter + index, runs[count]["mib_s"] / published[letter + index], runs[count]["limit"])
        for count, index in AS_MANY.items()
    ]


def ours_words(found: Mapping[str, Any]) -> str:
    lines_of = []
    for setup in throughput.SETUPS:
        letter = setup.name[0]
        told = [
            f"{name} {ratio:.2f} times"
            + ("" if ratio >= TWICE else f" (the limit is {LIMITS[limit]})")
            for name, ratio, limit in ratios(found, letter, setup.name)
        ]
        lines_of.append(f"- {setup.name}, `{setup.variant}`: {', '.join(told)}.")
    return "Over their rows with as many devices, at the same 50 MHz:\n\n" + "\n".join(lines_of)


def bottleneck(found: Mapping[str, Any]) -> str:
    names = ("E, keystream", "E, XOR, copied", "E, XOR in place")
    key, copied, place = (of_setup(found, name, "published") for name in names)
    return (
        f"With a file that the CPU XORs, in {LIMITS[key[4]['limit']]}: {number(key[4]['mib_s'])} "
        "MiB/s with four devices. The CPU's own four transfers of each byte are the larger part: "
        "row A alone has 212.6. XOR in hardware does not help as long as files are copied to where "
        f"the device can reach them ({number(copied[4]['mib_s'])}). With data in place the limit "
        f"is {LIMITS[place[1]['limit']]} with one device ({number(place[1]['mib_s'])}) and "
        f"{LIMITS[place[4]['limit']]} with four ({number(place[4]['mib_s'])})."
    )


def rows_picture(found: Mapping[str, Any]) -> str:
    groups = []
    for row in found["rows"]:
        values = [Value(row["published_mib_s"], "published")]
        values.append(Value(row["fitted"]["mib_s"], "modelled", percent(row["fitted"]["error"])))
        groups.append((row["name"], values))
    return bars("FpgaCha's rows, MiB/s: as published, and by the model", groups)


def ours_picture(found: Mapping[str, Any]) -> str:
    groups = [
        (f"theirs, {row['name']}", [Value(row["published_mib_s"], "published")])
        for row in found["rows"]
        if row["name"] in ("D3", "E2")
    ]
    for setup in throughput.SETUPS:
        runs = of_setup(found, setup.name, "published")
        values = [Value(runs[count]["mib_s"], "modelled", f"x{count}") for count in (1, 2, 4)]
        groups.append((setup.name, values))
    return bars("Our devices on FpgaCha's board at 50 MHz, MiB/s", groups)
