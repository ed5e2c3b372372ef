# SPDX-License-Identifier: Apache-2.0
"""udev for a guest: Debian's program with its own libraries, in a folder of its own."""

import re
from pathlib import Path

from boards.linux import packages
from boards.linux.packages import BOOKWORM, LIBRARIES, output

LOADER = "ld-linux-x86-64.so.2"


def files() -> dict[str, Path]:
    """Names in a guest, and what is there; guest/package.sh runs it."""
    root = packages.unpacked(BOOKWORM, "udev")
    program, loader = root / "bin" / "udevadm", root / LIBRARIES / LOADER
    folders = f"{root / LIBRARIES}:{root / 'usr' / LIBRARIES}"
    listed = output(loader, "--library-path", folders, "--list", program)
    libraries = [Path(path) for path in re.findall(r"=> (/\S+)", listed)]
    found = {f"udev/lib/{path.name}": path for path in libraries}
    return {"udev/udevadm": program, f"udev/lib/{LOADER}": loader, **found}
