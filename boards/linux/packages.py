# SPDX-License-Identifier: Apache-2.0
"""Debian packages for the tests with Linux: fetched and unpacked below build/, never installed.

No root is needed. apt resolves and checks signatures as always; it gets a state, a cache and a list
of sources of its own, and the mirror from the machine's list. Programs run with the libraries that
they were built with, so that the machine may have another release of Debian.

    python -m boards.linux    # fetches everything, prints the versions
"""

import fcntl
import functools
import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from lab.cores import ROOT

BUILD = ROOT / "build" / "linux"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
LIBRARIES = "lib/x86_64-linux-gnu"  # and the same below usr
QEMU_AT_LEAST = (10, 1)  # the first with vfio-user-pci
held: list[TextIO] = []  # the lock, while this process has it


@dataclass(frozen=True)
class Archive:
    """Suites of Debian, and for which machines."""

    suites: tuple[str, ...]
    architectures: str


BOOKWORM = Archive(("bookworm",), "amd64,armhf")
TRIXIE = Archive(("trixie",), "amd64")
BACKPORTS = Archive(("trixie", "trixie-backports"), "amd64")

# Of a kernel: its archive, the compiler that it was made with, and its name in packages.
KERNELS = {
    ("6.1", "amd64"): (BOOKWORM, "12", "cloud-amd64"),
    ("6.12", "amd64"): (TRIXIE, "14", "cloud-amd64"),
    ("6.1", "armhf"): (BOOKWORM, "12", "armmp"),
}


@dataclass(frozen=True)
class Kernel:
    """A kernel as Debian ships it."""

    version: str  # a key of KERNELS, with the architecture
    architecture: str
    image: Path  # what QEMU's -kernel takes
    modules: Path  # a folder as /lib/modules/RELEASE
    release: str  # as uname -r says it


class PackagesError(Exception):
    """apt or the machine can't give what is needed."""


# ---- apt ----------------------------------------------------------------------------------------


def output(*command: str | Path, cwd: Path | None = None, **environment: str | Path) -> str:
    told = {**os.environ, "LC_ALL": "C", **{name: str(v) for name, v in environment.items()}}
    run = subprocess.run(command, cwd=cwd, env=told, capture_output=True, text=True, check=False)
    if run.returncode:
        said = (run.stderr or run.stdout).strip()
        raise PackagesError(f"{' '.join(map(str, command))} failed:\n{said}")
    return run.stdout


def mirror() -> str:
    """Where the machine gets Debian from."""
    for tool in ("apt-get", "dpkg-deb"):
        if not shutil.which(tool):
            raise PackagesError(f"{tool} is not there: the tests with Linux need Debian or its apt")
    about = ("--format", "$(SITE) $(RELEASE) $(COMPONENT)", "Created-By: Packages")
    for line in output("apt-get", "indextargets", *about).splitlines():
        site, release, component = line.split()
        if re.search(r"/debian/?$", site) and component == "main" and "-" not in release:
            return site
    raise PackagesError("apt's sources name no mirror of Debian, a URL that ends with /debian")


@functools.cache
def apt_settings(archive: Archive) -> Path:
    """Settings under which apt touches nothing of the machine's, with lists of today."""
    if not Path(KEYRING).exists():
        raise PackagesError(f"{KEYRING} is not there; it is in package debian-archive-keyring")
    root = BUILD / "apt" / archive.suites[-1]
    for folder in ("lists/partial", "archives/partial", "empty"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "status").touch()
    where = f"[signed-by={KEYRING} arch={archive.architectures}] {mirror()}"
    sources = [f"deb {where} {suite} main\n" for suite in archive.suites]
    (root / "sources.list").write_text("".join(sources))
    own = {
        "Dir::State": root,
        "Dir::State::status": root / "status",
        "Dir::Cache": root,
        "Dir::Etc::main": "-",
        "Dir::Etc::parts": root / "empty",
        "Dir::Etc::preferencesparts": root / "empty",
        "Dir::Etc::preferences": "-",
        "Dir::Etc::sourceparts": "-",
        "Dir::Etc::sourcelist": root / "sources.list",
        "APT::Architecture": "amd64",
        "APT::Install-Recommends": "false",
        "APT::Default-Release": archive.suites[-1],
        "APT::Sandbox::User": "",
    }
    lines = [f'{name} "{value}";\n' for name, value in own.items()]
    names = ", ".join(f'"{name}"' for name in archive.architectures.split(","))
    lines.append(f"APT::Architectures {{ {names.replace(',', ';')}; }};\n")
    # The way to the mirror, a proxy for example, is the machine's; its hooks are not.
    machine = output("apt-config", "dump").splitlines(keepends=True)
    lines += [
        line for line in machine if line.startswith("Acquire::") and "IndexTargets" not in line
    ]
    settings = root / "apt.conf"
    settings.write_text("".join(lines))
    output("apt-get", "update", "--error-on=any", APT_CONFIG=settings)
    return settings


@contextmanager
def alone() -> Iterator[None]:
    """One process at a time fetches and unpacks; inside itself it does nothing."""
    if held:
        yield
        return
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        held.append(lock)
        try:
            yield
        finally:
            held.clear()


def dependency(archive: Archive, name: str) -> str:
    """`a > b`: what package a depends on and begins with b; names of kernels have their version."""
    package, *steps = name.split(" > ")
    for step in steps:
        about = ("show", "--no-all-versions", package)
        shown = output("apt-cache", *about, APT_CONFIG=apt_settings(archive))
        begin, colon, architecture = step.partition(":")
        depends = re.search(r"^Depends: (.*)", shown, re.MULTILINE)
        found = re.search(rf"(?:^|[ ,])({begin}[\w.+-]*)", depends[1]) if depends else None
        if not found:
            raise PackagesError(f"package {package} does not depend on a {begin}")
        package = found[1] + colon + architecture
    return package


def download(archive: Archive, names: list[str], into: Path, *, depends: bool) -> None:
    settings = apt_settings(archive)
    if depends:
        options = ("--yes", "--download-only", "-o", f"Dir::Cache::archives={into}")
        output("apt-get", "install", *options, *names, APT_CONFIG=settings)
    else:
        output("apt-get", "download", *names, cwd=into, APT_CONFIG=settings)


def unpacked(archive: Archive, *names: str, depends: bool = True) -> Path:
    """A folder with the packages in it, and with all that they depend on; fetched once."""
    asked = hashlib.sha256(repr((archive, names, depends)).encode()).hexdigest()[:12]
    folder = BUILD / f"{names[0].split(' ')[0].replace(':', '-')}-{asked}"
    with alone():
        if folder.exists():
            return folder
        partial = folder.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        debs = partial / "debs"
        (debs / "partial").mkdir(parents=True)
        wanted = [dependency(archive, name) for name in names]
        download(archive, wanted, debs, depends=depends)
        versions = []
        for deb in sorted(debs.glob("*.deb")):
            output("dpkg-deb", "--extract", deb, partial)
            versions.append(output("dpkg-deb", "--show", deb).replace("\t", " "))
        shutil.rmtree(debs)
        (partial / "versions").write_text("".join(versions))
        partial.rename(folder)
    return folder


# ---- what tests need ----------------------------------------------------------------------------


def wrapped(root: Path, program: str, *first: str, **environment: Path) -> Path:
    """A program below an unpacked root, made to run with the root's libraries; once."""
    path, real = root / program, root / f"{program}.real"
    with alone():
        if real.exists():
            return path
        target = path.resolve()
        folders = [root / place / LIBRARIES.rpartition("/")[2] for place in ("usr/lib", "lib")]
        libraries = [folder for folder in folders if folder.exists()]
        loader = next(f for f in (x / "ld-linux-x86-64.so.2" for x in libraries) if f.exists())
        paths = ":".join(map(str, libraries))
        lines = ["#!/bin/sh"]
        lines += [f"export {name}='{value}'" for name, value in environment.items()]
        options = " ".join(f"'{word}'" for word in first)
        start = f"'{loader}' --library-path '{paths}' --argv0 '{path}' '{real}'"
        lines += [f'exec {start} {options} "$@"', ""]
        script = path.with_suffix(".script")
        script.write_text("\n".join(lines))
        script.chmod(0o755)
        shutil.copy2(target, real)
        script.rename(path)
    return path


def qemu(machine: str = "x86_64") -> Path:
    """QEMU for a machine: x86_64 or arm. At least 10.1."""
    root = unpacked(BACKPORTS, "qemu-system-x86", "qemu-system-arm", "device-tree-compiler")
    version = re.search(r"^qemu-system-x86 (?:\d+:)?(\d+)\.(\d+)", versions(root), re.MULTILINE)
    if not version or (int(version[1]), int(version[2])) < QEMU_AT_LEAST:
        raise PackagesError(f"QEMU 10.1 or newer is needed; the mirror has:\n{versions(root)}")
    data = [word for place in ("qemu", "seabios") for word in ("-L", f"{root}/usr/share/{place}")]
    modules = root / "usr" / LIBRARIES / "qemu"
    return wrapped(root, f"usr/bin/qemu-system-{machine}", *data, QEMU_MODULE_DIR=modules)


def kernel_root(version: str, architecture: str) -> Path:
    """A kernel and what its modules are built with: together, so that they are of one version."""
    archive, _, flavour = KERNELS[version, architecture]
    image = f"linux-image-{flavour}:{architecture} > linux-image-{version}:{architecture}"
    first = f"linux-headers-{flavour}:{architecture} > linux-headers-{version}:{architecture}"
    kbuild = f"{first} > linux-kbuild-"
    libraries = ("libc6", f"{kbuild} > libelf1", "zlib1g", "libzstd1")
    common = f"{first} > linux-headers-"
    return unpacked(archive, image, first, common, kbuild, *libraries, depends=False)


def kernel(version: str, architecture: str) -> Kernel:
    """Debian's kernel, for example ("6.1", "amd64"); KERNELS has them all."""
    root = kernel_root(version, architecture)
    (image,) = (root / "boot").glob("vmlinuz-*")
    release = image.name.removeprefix("vmlinuz-")
    places = (root / place / "modules" / release for place in ("lib", "usr/lib"))
    modules = next(place for place in places if place.exists())
    return Kernel(version, architecture, image, modules, release)


def busybox(architecture: str) -> Path:
    """A static busybox for amd64 or armhf."""
    root = unpacked(BOOKWORM, f"busybox-static:{architecture}", depends=False)
    return root / "bin" / "busybox"


def device_tree_tool(name: str) -> Path:
    """One of dtc, fdtget, fdtput."""
    return wrapped(qemu().parents[2], f"usr/bin/{name}")


def versions(root: Path) -> str:
    return (root / "versions").read_text()
