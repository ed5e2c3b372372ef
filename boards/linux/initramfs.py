# SPDX-License-Identifier: Apache-2.0
"""A guest's first files: busybox, modules of its kernel, the saltmill command, and what it does."""

import lzma
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from boards.linux.packages import Kernel, busybox, output

GUEST = Path(__file__).parent / "guest"


def in_order(kernel: Kernel, names: Iterable[str]) -> list[Path]:
    """Files of these modules and of what they need, in the order in which they can be loaded."""
    files = {path.name.split(".")[0].replace("-", "_"): path for path in modules_of(kernel)}
    order: list[Path] = []

    def add(name: str) -> None:
        path = files.get(name.replace("-", "_"))  # none: it is built in
        if path and path not in order:
            needs = re.search(rb"\0depends=([^\0]*)\0", uncompressed(path))
            for needed in needs[1].decode().split(",") if needs else []:
                add(needed)
            order.append(path)

    for name in names:
        add(name)
    return order


def modules_of(kernel: Kernel) -> Iterable[Path]:
    return kernel.modules.rglob("*.ko*")


def libraries(program: Path) -> list[Path]:
    """The shared libraries that a program of this machine is linked with, and their loader."""
    return [Path(path) for path in re.findall(r"(/\S+)(?= \(0x)", output("ldd", program))]


def uncompressed(module: Path) -> bytes:
    data = module.read_bytes()
    return lzma.decompress(data) if module.suffix == ".xz" else data


def build(
    kernel: Kernel,
    into: Path,
    *,
    script: str,
    modules: Iterable[str] = (),
    programs: Iterable[Path] = (),
    files: Mapping[str, Path] | None = None,
) -> None:
    """Writes an initramfs in which `guest/SCRIPT.sh` is run, and then the machine is off.

    Programs are of this machine, and come with their libraries; files get names in the guest.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in ("bin", "dev", "proc", "sys", "tmp", "modules"):
            (root / name).mkdir()
        shutil.copy(busybox(kernel.architecture), root / "bin" / "busybox")
        (root / "bin" / "sh").symlink_to("busybox")
        for source, name in ((GUEST / "init.sh", "init"), (GUEST / f"{script}.sh", "script")):
            shutil.copy(source, root / name)
            (root / name).chmod(0o755)
        for number, path in enumerate(in_order(kernel, modules)):
            name = path.name.removesuffix(".xz")
            (root / "modules" / f"{number:02}-{name}").write_bytes(uncompressed(path))
        for program in programs:
            shutil.copy(program, root / "bin")
            for library in libraries(program):
                there = root / library.relative_to("/")
                there.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(library, there)
        for name, path in (files or {}).items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, root / name)
        archive = (busybox("amd64"), "cpio", "-o", "-H", "newc")
        names = "".join(f"{path.relative_to(root)}\n" for path in sorted(root.rglob("*")))
        with into.open("wb") as file:
            subprocess.run(
                archive,
                cwd=root,
                input=names.encode(),
                stdout=file,
                stderr=subprocess.PIPE,
                check=True,
            )
