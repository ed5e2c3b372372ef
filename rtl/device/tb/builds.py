# SPDX-License-Identifier: Apache-2.0
"""The devices under test: every width of the memory port, every structure, with and without the
alignment unit, addresses of 32 bits and more, in as few builds as that takes."""

from lab.variants import load
from rtl.testbench.runner import LONG, simulate

# variant of the core, parameters of the device
BUILDS: dict[str, tuple[str, dict[str, int | str]]] = {
    "small-8": (
        "device-small",
        {"DataBytes": 8, "BurstBytes": 256, "KeySlots": 32, "AddressBits": 40}
        | {"AxCache": "4'b1010", "AxProt": "3'b101"},
    ),
    # Memories that are larger than their parameters say: 32 slots of keys, 64 beats to be written
    "corner-8": (
        "device-small",
        {
            "DataBytes": 8,
            "BurstBytes": 128,
            "ReadBufferBytes": 256,
            "JobDepth": 16,
            "KeySlots": 17,
        },
    ),
    "ring2-16": ("device-ring2", {}),
    "ring2-32-aligned": (
        "device-ring2",
        {"DataBytes": 32, "Alignment": 0, "KeySlots": 1, "JobDepth": 16, "MaxLog2Entries": 6},
    ),
    "pipe-64": ("device-pipe", {"AddressBits": 64}),
    "aead-16": ("device-aead-balanced", {"KeySlots": 32}),
    "aes-16": ("device-aes-ring", {"KeySlots": 16}),
    "xor-32": ("device-ring2", {"Core": 3, "DataBytes": 32}),
    "xor-8": ("device-ring2", {"Core": 3, "DataBytes": 8, "BurstBytes": 256, "AddressBits": 40}),
    "xor-64": ("device-ring2", {"Core": 3, "DataBytes": 64, "Alignment": 0}),
}


def builds(*representative: str, without: str = "none") -> list[str]:
    return [name for name in BUILDS if without not in name] if LONG else list(representative)


AES_BUILDS = ["aes-16"]
DIGEST_BUILDS = ["xor-32", "xor-64", *(["xor-8"] if LONG else [])]
AEAD_BUILDS = [name for name, (row, _) in BUILDS.items() if "aead" in row]
# Of all operations it has one: tests of its own
HOST_ADD = "hostadd-16"
HASH_BUILDS: dict[str, tuple[str, dict[str, int | str]]] = {
    "sha256-16": ("device-ring2", {"Core": 4}),
    "sha256-8": ("device-ring2", {"Core": 4, "DataBytes": 8, "BurstBytes": 256, "JobDepth": 16}),
    "sha256-64": ("device-ring2", {"Core": 4, "DataBytes": 64, "Alignment": 0, "AddressBits": 40}),
    "sha256-ring-16": ("device-ring2", {"Core": 4, "HashStructure": 1}),
    "md5-8": ("device-ring2", {"Core": 5, "DataBytes": 8, "BurstBytes": 256, "JobDepth": 16}),
    "md5-ring-32": ("device-ring2", {"Core": 5, "HashStructure": 1, "DataBytes": 32}),
}
HMAC_BUILDS: dict[str, tuple[str, dict[str, int | str]]] = {
    "hmac-16": ("device-ring2", {"Core": 6}),
    "hmac-ring-64": (
        "device-ring2",
        {"Core": 6, "HashStructure": 1, "DataBytes": 64, "KeySlots": 5},
    ),
}


def run(build: str, test_module: str) -> None:
    others = {HOST_ADD: ("device-ring2-hostadd", {}), **HASH_BUILDS, **HMAC_BUILDS}
    row, parameters = (BUILDS | others)[build]
    variant = load()[row]
    simulate(variant.block, variant.top, variant.parameters | parameters, test_module)
