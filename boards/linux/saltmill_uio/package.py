# SPDX-License-Identifier: Apache-2.0
"""Makes saltmill-uio-dkms_VERSION_all.deb: the kernel module's sources for DKMS, and a udev rule.

Needs Python and dpkg-deb, nothing else:

    python3 boards/linux/saltmill_uio/package.py FOLDER
"""

import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
PROJECT = HERE.parents[2]
REGISTERS = PROJECT / "rtl" / "device" / "generated" / "saltmill.h"


def version() -> str:
    manifest = tomllib.loads((PROJECT / "Cargo.toml").read_text())
    return str(manifest["workspace"]["package"]["version"])


def stage(folder: Path) -> None:
    """The module's sources, complete: with the header of the registers."""
    shutil.copytree(HERE / "module", folder)
    shutil.copy(REGISTERS, folder)


def place(name: str, target: Path, mode: int = 0o644) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text((HERE / "debian" / name).read_text().replace("@VERSION@", version()))
    target.chmod(mode)


def tree(root: Path) -> None:
    """What the package installs, and its control files."""
    sources = root / "usr" / "src" / f"saltmill-uio-{version()}"
    sources.parent.mkdir(parents=True)
    stage(sources)
    place("dkms.conf", sources / "dkms.conf")
    place("60-saltmill.rules", root / "usr/lib/udev/rules.d/60-saltmill.rules")
    documents = root / "usr/share/doc/saltmill-uio-dkms"
    place("copyright", documents / "copyright")
    shutil.copy(HERE / "README.md", documents)
    place("control", root / "DEBIAN" / "control")
    for script in ("postinst", "prerm"):
        place(script, root / "DEBIAN" / script, 0o755)
    root.chmod(0o755)


def package(folder: Path) -> Path:
    """Makes the package; gives its path."""
    deb = folder / f"saltmill-uio-dkms_{version()}_all.deb"
    with tempfile.TemporaryDirectory() as root:
        tree(Path(root))
        build = ("dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, str(deb))
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    return deb


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(package(Path(sys.argv[1])))
