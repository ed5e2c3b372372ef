# SPDX-License-Identifier: Apache-2.0
"""What builds programs and modules for a kernel: Debian's own compiler of that kernel, its headers.

Everything is unpacked below build/ (packages.py); the machine gives make, perl and a shell.
"""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from boards.linux import packages
from boards.linux.packages import BACKPORTS, BOOKWORM, KERNELS, unpacked, wrapped

TRIPLETS = {"amd64": "x86_64-linux-gnu", "armhf": "arm-linux-gnueabihf"}


@dataclass(frozen=True)
class Compiler:
    """GCC with binutils."""

    folder: Path  # to be put before PATH; holds TRIPLET-gcc and so on, and for amd64 also gcc
    triplet: str
    release: str  # "12"

    @property
    def gcc(self) -> Path:
        return self.folder / f"{self.triplet}-gcc-{self.release}"

    @property
    def path(self) -> str:
        """PATH with this compiler before the machine's."""
        return f"{self.folder}:{os.environ['PATH']}"


@dataclass(frozen=True)
class Headers:
    """What a kernel's modules are built with: `make -C folder M=... ARGUMENTS`."""

    folder: Path
    arguments: tuple[str, ...]
    compiler: Compiler


def is_program(path: Path) -> bool:
    if path.is_symlink() or not path.is_file() or path.suffix in {".so", ".real"}:
        return False
    if not os.access(path, os.X_OK):
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def compiler(version: str, architecture: str) -> Compiler:
    """The compiler that a kernel of KERNELS was made with; also for programs (link them static)."""
    archive, release, _ = KERNELS[version, architecture]
    triplet = TRIPLETS[architecture]
    native = architecture == "amd64"
    suffix = "" if native else f"-{triplet}"
    library = "libc6-dev" if native else f"libc6-dev-{architecture}-cross"
    root = unpacked(archive, f"gcc-{release}{suffix}", library)
    folder = root / "tools"
    made = Compiler(folder, triplet, release)
    with packages.alone():
        if folder.exists():
            return made
        inner = [
            path
            for place in ("lib", "libexec")
            for path in (root / "usr" / place).glob(f"gcc*/{triplet}/{release}/*")
        ]
        outer = list((root / "usr" / "bin").glob(f"{triplet}-*"))
        for path in filter(is_program, inner + outer):
            wrapped(root, str(path.relative_to(root)))
        partial = folder.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir()
        for path in outer:
            (partial / path.name).symlink_to(path)
            if native:
                (partial / path.name.removeprefix(f"{triplet}-")).symlink_to(path)
        partial.rename(folder)
    return made


def headers(version: str, architecture: str) -> Headers:
    """What Debian builds modules with for a kernel of KERNELS."""
    root = packages.kernel_root(version, architecture)
    sources = root / "usr" / "src"
    (folder,) = sources.glob(f"linux-headers-*-{KERNELS[version, architecture][2]}")
    (shared,) = sources.glob("linux-headers-*-common")
    with packages.alone():
        for path in filter(is_program, (root / "usr" / "lib").glob("linux-kbuild-*/**/*")):
            wrapped(root, str(path.relative_to(root)))
        (folder / "Makefile").write_text(f"include {shared}/Makefile\n")
    triplet = TRIPLETS[architecture]
    arguments = [f"DEB_HOST_ARCH={architecture}", f"DEB_HOST_GNU_TYPE={triplet}"]
    # Types of a module for debuggers need a program more, and nothing here reads them.
    arguments += ["DEB_BUILD_ARCH=amd64", "CONFIG_DEBUG_INFO_BTF_MODULES="]
    if architecture != "amd64":
        arguments.append(f"MODPOST={foreign_modpost(version, architecture)}")
    return Headers(folder, tuple(arguments), compiler(version, architecture))


def foreign_modpost(version: str, architecture: str) -> Path:
    """modpost of a 32-bit machine, emulated: the one for 64 bits has other sizes of device tables.

    It stops with "sizeof(struct of_device_id)=200 is not a modulo of the size of section".
    """
    archive = KERNELS[version, architecture][0]
    names = (f"linux-kbuild-{version}:{architecture}", f"libc6:{architecture}")
    root = unpacked(archive, *names, depends=False)
    emulator = unpacked(BACKPORTS, "qemu-user", depends=False) / "usr" / "bin" / "qemu-arm"
    (program,) = root.glob("usr/lib/linux-kbuild-*/scripts/mod/modpost.real-lsb-32")
    script = root / "modpost"
    with packages.alone():
        if not script.exists():
            partial = root / "modpost.partial"
            partial.write_text(f"#!/bin/sh\nexec '{emulator}' -L '{root}' '{program}' \"$@\"\n")
            partial.chmod(0o755)
            partial.rename(script)
    return script


def sparse() -> Path:
    """The kernel's static checker: the CHECK of kbuild."""
    return unpacked(BOOKWORM, "sparse", depends=False) / "usr" / "bin" / "sparse"


def checkpatch() -> Path:
    """The kernel's style checker, with the lists that it reads; it is in the whole source only."""
    root = unpacked(BOOKWORM, "linux-source-6.1", depends=False)
    folder = root / "scripts"
    with packages.alone():
        for archive in (root / "usr" / "src").glob("linux-source-*.tar.xz"):
            names = ("checkpatch.pl", "spelling.txt", "const_structs.checkpatch")
            wanted = [f"{archive.name.removesuffix('.tar.xz')}/scripts/{name}" for name in names]
            options = ("--extract", "--strip-components=1", f"--directory={root}")
            packages.output("tar", *options, f"--file={archive}", *wanted)
            archive.unlink()
    return folder / "checkpatch.pl"
