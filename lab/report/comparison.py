# SPDX-License-Identifier: Apache-2.0
"""ChaCha20 beside AES, AES and hashes beside published systems: docs/comparison.md and the page."""

import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from lab import cores
from lab.report import hashes
from lab.report.choosing import latency, markdown
from lab.report.entries import OWN, Entry, labels, outdated
from lab.report.tables import DASH, megahertz, number

DOCUMENT = cores.ROOT / "docs" / "comparison.md"
TITLES = {
    "pairs": "ChaCha20 beside AES",
    "structures": "The structures of the SME library",
    "sha256": "SHA-256 of one message and of many, Mbit/s",
    "md5": "MD5 of one message and of many, Mbit/s",
    "steps": "The steps of Pynqrypt",
}

# What is alike, of both algorithms
PAIRS = {
    "least area": ("chacha20-tiny", "aes128-small"),
    "ring": ("chacha20-ring2", "aes128-ring", "aes128-ring-ram"),
    "pipeline": ("chacha20-pipe", "aes128-pipe", "aes128-pipe-ram"),
    "authenticated, ring": ("aead-balanced", "aes-gcm-ring"),
    "authenticated, 16 bytes per cycle": ("aead-fast", "aes128-gcm-pipe"),
}
# Published rows and ours that are built like them
STRUCTURES = (
    ("SME AES-128, naive", ""),
    ("SME AES-128, T-box", ""),
    ("SME AES-128, 4 stages", ""),
    ("SME AES-128, 11 stages", "aes128-pipe-1"),
    ("SME AES-128, 22 stages", "aes128-pipe-2"),
    ("", "aes128-pipe"),
    ("SME AES-128, block RAM, 11", "aes128-pipe-ram"),
    ("SME ChaCha20, 11 stages", "chacha20-ring4"),
    ("SME ChaCha20, 22 stages", "chacha20-pipe"),
)
# From and to which published row, what is like it here, between which of our rows
STEPS = (
    ("Pynqrypt 1", "Pynqrypt 4", "nothing: hardware is unrolled or it is not written", "", ""),
    ("Pynqrypt 4", "Pynqrypt 5", "nothing: a bus has no bytes to take apart", "", ""),
    ("Pynqrypt 5", "Pynqrypt 6", "nothing: an order of bytes is wires", "", ""),
    ("Pynqrypt 6", "Pynqrypt 7", "16 S-boxes instead of 4", "aes128-small", "aes128-ring"),
    (
        "Pynqrypt 7",
        "Pynqrypt 8",
        "tables that hold MixColumns' products",
        "aes128-ring",
        "aes128-ring-ram",
    ),
    ("Pynqrypt 8", "Pynqrypt 9", "all rounds laid out", "aes128-ring-ram", "aes128-pipe-ram"),
    (
        "Pynqrypt 9",
        "Pynqrypt 9, 200 MHz",
        "the clock: more registers in a round",
        "aes128-pipe-1",
        "aes128-pipe",
    ),
)

Table = tuple[list[str], list[list[str]]]


def ratio(after: float | None, before: float | None) -> str:
    return number(after / before, 2) if after and before else DASH


def pairs(ecp5: Mapping[str, Entry]) -> Table:
    head = ["", "core", "LUT", "FF", "block RAM", "mult", "MHz", "Mbit/s", "Mbit/s per LUT"]
    head += ["toggles per byte", "latency", "cycles for a message of 64 B"]
    rows = []
    for what, names in PAIRS.items():
        for entry in (ecp5[name] for name in names if name in ecp5):
            values = [number(v) for v in (entry.lut, entry.ff, entry.bram, entry.mult)]
            values += [megahertz(entry.fmax_mhz), number(entry.mbit_s)]
            values += [number(entry.mbit_s_per_lut), number(entry.toggles_per_byte)]
            message = number(entry.message_cycles[0]) if entry.message_cycles else ""
            cells = [value or DASH for value in (*values, latency(entry), message)]
            rows.append([what, entry.label, *cells])
    return head, rows


def structures(
    ecp5: Mapping[str, Entry], xc7: Mapping[str, Entry], theirs: Mapping[str, Entry]
) -> Table:
    head = ["theirs", "LUT6", "FF", "MHz", "Mbit/s", "ours", "LUT6", "FF", "MHz", "Mbit/s"]
    rows = []
    for name, own in STRUCTURES:
        them, us, placed = theirs.get(name), xc7.get(own), ecp5.get(own)
        cells = [them.name if them else DASH]
        for entry in (them, us):
            cells += [number(entry.lut), number(entry.ff)] if entry else ["", ""]
            clocked = entry if entry is them else placed
            cells += [megahertz(clocked.fmax_mhz), number(clocked.mbit_s)] if clocked else ["", ""]
            if entry is them:
                cells.append(labels(e for e in (us, placed) if e).get(own, DASH) if own else DASH)
        rows.append([cell or DASH for cell in cells])
    return head, rows


def steps(ecp5: Mapping[str, Entry], theirs: Mapping[str, Entry]) -> Table:
    head = ["their step", "there", "here", "from", "to", "rate", "rate per LUT"]
    rows = []
    for first, second, like, start, end in STEPS:
        gain = ratio(theirs[second].mbit_s, theirs[first].mbit_s)
        what = f"{second.removeprefix('Pynqrypt ')}: {theirs[second].contains.partition(',')[0]}"
        if second.endswith("MHz"):
            what = second.removeprefix("Pynqrypt ")
        before, after = ecp5.get(start), ecp5.get(end)
        cells = [what, gain, like, *(e.label if e else DASH for e in (before, after))]
        if before and after:
            cells.append(ratio(after.mbit_s, before.mbit_s))
            cells.append(ratio(after.mbit_s_per_lut, before.mbit_s_per_lut))
        else:
            cells += [DASH, DASH]
        rows.append(cells)
    return head, rows


def verdict(ecp5: Mapping[str, Entry]) -> str:
    """Each of the pairs in a sentence, from the figures."""
    lines = []
    for what, names in PAIRS.items():
        chacha, *others = (ecp5[name] for name in names)
        for aes in others:
            if not (chacha.mbit_s and aes.mbit_s):
                continue
            activity = ratio(chacha.toggles_per_byte, aes.toggles_per_byte)
            lines.append(
                f"- **{what}, {chacha.label} to {aes.label}:** "
                f"{ratio(chacha.lut, aes.lut)} times the LUTs, "
                f"{ratio(chacha.mbit_s, aes.mbit_s)} times the rate, "
                f"{ratio(chacha.mbit_s_per_lut, aes.mbit_s_per_lut)} times the rate per LUT"
                + (f", {activity} times the toggles per byte." if activity != DASH else ".")
            )
    return "\n".join(lines)


def tables(entries: Sequence[Entry]) -> dict[str, Table]:
    own = [entry for entry in entries if entry.origin == OWN]
    ecp5 = {entry.name: entry for entry in own if entry.family == "ecp5"}
    xc7 = {entry.name: entry for entry in own if entry.family == "xc7"}
    theirs = {entry.name: entry for entry in entries if entry.origin != OWN}
    return {
        "pairs": pairs(ecp5),
        "structures": structures(ecp5, xc7, theirs),
        "sha256": hashes.table(ecp5, theirs, "SHA-256"),
        "md5": hashes.table(ecp5, theirs, "MD5"),
        "steps": steps(ecp5, theirs),
    }


def html(entries: Sequence[Entry]) -> str:
    """The same tables for the page."""

    def cell(text: str) -> str:
        return re.sub("`([^`]*)`", r"<code>\1</code>", escape(text))

    def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        heads = "".join(f"<th scope=col>{escape(text)}</th>" for text in head)
        body = "".join(f"<tr>{''.join(f'<td>{cell(c)}</td>' for c in row)}</tr>" for row in rows)
        return (
            f'<div class="scroll" tabindex="0" role="region" aria-label="{title}">'
            f"<table><caption>{title}</caption>"
            f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
        )

    return "\n".join(table(TITLES[name], *found) for name, found in tables(entries).items())


def text(entries: Sequence[Entry]) -> str:
    own = [entry for entry in entries if entry.origin == OWN]
    ecp5 = {entry.name: entry for entry in own if entry.family == "ecp5"}
    named = {name for names in PAIRS.values() for name in names}
    without = sorted(name for name in named if not ecp5[name].mbit_s)
    names = ", ".join(f"`{name}`" for name in without)
    fills = {name: markdown(head, rows) for name, (head, rows) in tables(entries).items()}
    fills["verdict"] = verdict(ecp5)
    fills["pending"] = f"\nNot placed, so without clock and rate: {names}.\n" if without else ""
    fills["pending"] += outdated(own)
    template = Path(__file__).with_name("comparison.md").read_text()
    for name, value in fills.items():
        template = template.replace(f"{{{{{name}}}}}", value)
    return template
