# SPDX-License-Identifier: Apache-2.0
"""Hashes of one message and of many: ours and those of the SME library, for docs/comparison.md.

Cycles are a model, which the benches of the hash cores compare with the RTL.
"""

import re
from collections.abc import Mapping

from lab.report.entries import Entry
from lab.report.tables import DASH, megahertz, number
from lab.variants import Variant, load

BLOCK_BYTES = 64
COUNTS = (1, 8, 64, 1000)
LENGTHS = {"64 B": 64, "1 KiB": 1 << 10, "1 MiB": 1 << 20}
PIPE_PLACES, PIPE_LATENCY = 131, 150
RING_BLOCK_IN, RING_LATENCY = 16, 40
SERIAL_BLOCK, SERIAL_MESSAGE = 65, 15
CORES = {
    "SHA-256": ("sha256-serial", "sha256-ring2", "sha256-ring", "sha256-pipe"),
    "MD5": ("md5-serial", "md5-ring", "md5-pipe"),
}
LONG = re.compile(r"one long message: (\d+) Mbit/s")


def blocks(length: int) -> int:
    """With the padding (FIPS 180-4, 5.1.1)."""
    return (length + 8) // BLOCK_BYTES + 1


def cycles(parameters: Mapping[str, int], count: int, length: int, *, pipe: bool = False) -> int:
    """From the first param or beat to the last digest, for messages of one length that all wait.

    A ring and a pipeline have a message in each place, and take the next one when one ends. Words
    of a ring's messages come in one message after the other; those of messages that are longer
    than its buffers come in parts of that size, in turn.
    """
    of_each = blocks(length)
    if pipe:
        return -(-count // PIPE_PLACES) * PIPE_PLACES * of_each + PIPE_LATENCY
    if parameters["Structure"] == 0:
        return count * (SERIAL_BLOCK * of_each + SERIAL_MESSAGE)
    unroll = parameters.get("Unroll", 4)
    places = 3 * unroll + 1
    sets, others = divmod(count - 1, places)
    in_buffer = min(of_each, parameters["Depth"])
    comes_in = others * in_buffer * RING_BLOCK_IN
    return (sets + 1) * of_each * places * 64 // unroll + comes_in + RING_LATENCY


def rate(entry: Entry, variant: Variant, count: int, length: int) -> str:
    if entry.fmax_mhz is None:
        return DASH
    pipe = variant.top.endswith("_pipe")
    taken = cycles(variant.parameters, count, length, pipe=pipe)
    return number(8 * count * length * entry.fmax_mhz / taken)


def published(entry: Entry) -> list[str]:
    """Many short messages, and a long one; those with stages take no message of 64 bytes."""
    slow = LONG.search(entry.contains)
    return [number(entry.mbit_s), number(float(slow[1]) if slow else entry.mbit_s)]


def table(
    ecp5: Mapping[str, Entry], theirs: Mapping[str, Entry], algorithm: str
) -> tuple[list[str], list[list[str]]]:
    head = ["core", "MHz", "best", "one long"]
    head += [f"{count:,} x {name}" for name in LENGTHS for count in COUNTS]
    known = load()
    rows = []
    for name in (name for name in CORES[algorithm] if name in ecp5):
        entry, variant = ecp5[name], known[name]
        long = rate(entry, variant, 1, LENGTHS["1 MiB"])
        cells = [entry.label, megahertz(entry.fmax_mhz), number(entry.mbit_s), long]
        for length in LENGTHS.values():
            cells += [rate(entry, variant, count, length) for count in COUNTS]
        rows.append([cell or DASH for cell in cells])
    for entry in theirs.values():
        if entry.name.startswith(f"SME {algorithm},"):
            cells = [entry.name, megahertz(entry.fmax_mhz), *published(entry)]
            rows.append(cells + [DASH] * (len(head) - len(cells)))
    return head, rows
