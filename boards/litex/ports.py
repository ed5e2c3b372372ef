# SPDX-License-Identifier: Apache-2.0
"""AXI interfaces of LiteX as ports of an instance."""

from collections.abc import Iterator, Mapping
from typing import Any

Fields = Mapping[str, tuple[str, ...]]

# Of each channel the fields that LiteX and our modules have, besides valid and ready.
LITE: Fields = {
    "aw": ("addr", "prot"),
    "w": ("data", "strb"),
    "b": ("resp",),
    "ar": ("addr", "prot"),
    "r": ("data", "resp"),
}
FULL: Fields = {
    "aw": ("addr", "id", "len", "size", "burst", "lock", "cache", "prot", "qos"),
    "w": ("data", "strb", "last"),
    "b": ("resp", "id"),
    "ar": ("addr", "id", "len", "size", "burst", "lock", "cache", "prot", "qos"),
    "r": ("data", "resp", "id", "last"),
}

# Bursts of ours are all of whole beats and increasing addresses.
NOT_USED = ("size", "burst", "lock", "cache", "prot", "qos")
BURSTS: Fields = {
    name: tuple(field for field in of_channel if field not in NOT_USED)
    for name, of_channel in FULL.items()
}


def channels(
    prefix: str, interface: Any, fields: Fields, *, master: bool
) -> Iterator[tuple[str, Any]]:
    """The instance is the interface's master or its slave."""
    for name, of_channel in fields.items():
        channel = getattr(interface, name)
        outward = (name in ("aw", "w", "ar")) == master
        there, back = ("o", "i") if outward else ("i", "o")
        yield f"{there}_{prefix}_{name}valid", channel.valid
        yield f"{back}_{prefix}_{name}ready", channel.ready
        for field in of_channel:
            yield f"{there}_{prefix}_{name}{field}", getattr(channel, field)
