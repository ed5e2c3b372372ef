# SPDX-License-Identifier: Apache-2.0
"""What `make demo` runs on the finished command."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent
SALTMILL = ROOT / "target" / "demo" / "saltmill"
MIB = 1 << 20


def openssl(key: bytes, nonce: bytes, counter: int, source: Path, destination: Path) -> list[str]:
    """The command that gives the same bytes; its IV is the little-endian counter and the nonce."""
    iv = counter.to_bytes(4, "little") + nonce
    command = ["openssl", "enc", "-chacha20", "-K", key.hex(), "-iv", iv.hex()]
    return [*command, "-in", str(source), "-out", str(destination)]


def same(one: Path, other: Path) -> bool:
    return subprocess.run(["cmp", one, other], check=False).returncode == 0
