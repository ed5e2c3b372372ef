# SPDX-License-Identifier: Apache-2.0
"""Makes vectors/age.json of the age test kit, one file of many:

    go mod download -json c2sp.org/CCTV/age@v0.0.0-20251208015420-e9274a7bdbfd  # prints "Dir"
    python3 vectors/collect_age.py DIR

Each vector is what the README of the kit says of its keys, and the encrypted file, compressed and
in base64.
"""

import base64
import json
import sys
import zlib
from pathlib import Path

SOURCE = "C2SP CCTV, age test vectors: https://github.com/C2SP/CCTV/tree/main/age, {version}"
LICENCE = "0BSD, CC0-1.0 or Unlicense, to your choice"


def vector(path: Path) -> dict[str, object]:
    head, _, body = path.read_bytes().partition(b"\n\n")
    pairs = [line.split(": ", 1) for line in head.decode().splitlines()]
    keys = dict(pairs)
    file = zlib.decompress(body) if keys.get("compressed") == "zlib" else body
    return {
        "name": path.name,
        "expect": keys["expect"],
        "comment": keys.get("comment", ""),
        "identities": [value for key, value in pairs if key == "identity"],
        "passphrases": [value for key, value in pairs if key == "passphrase"],
        "armored": keys.get("armored") == "yes",
        "payload_sha256": keys.get("payload"),
        "file": base64.b64encode(zlib.compress(file, 9)).decode(),
    }


def main() -> None:
    folder = Path(sys.argv[1])
    vectors = [vector(path) for path in sorted((folder / "testdata").iterdir())]
    source = SOURCE.format(version=folder.name.rpartition("@")[2])
    found = {"source": source, "licence": LICENCE, "vectors": vectors}
    text = json.dumps(found, indent=1) + "\n"
    (Path(__file__).parent / "age.json").write_text(text)


if __name__ == "__main__":
    main()
