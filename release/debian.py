# SPDX-License-Identifier: Apache-2.0
"""Packages for Debian and what is made of it, by dpkg-deb: the same bytes each time."""

import gzip
import os
import shutil
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from release import MAINTAINER, ROOT, epoch, interface, output, run, version

COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: saltmill

Files: *
Copyright: The Saltmill authors
License: Apache-2.0
Comment: Crates that are linked into it, and their licences, are listed in crates.gz.

License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.
"""


@dataclass
class Package:
    """A package: what it says of itself, and the folder that has its files."""

    name: str
    summary: str
    text: str
    section: str
    root: Path
    depends: list[str] = field(default_factory=list)
    binaries: list[Path] = field(default_factory=list)  # whose shared libraries it needs

    def documents(self, licences: str) -> None:
        folder = self.root / "usr/share/doc" / self.name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "copyright").write_text(COPYRIGHT)
        compress(folder / "crates.gz", licences)
        compress(folder / "changelog.gz", changelog(self.name))

    def build(self, out: Path) -> Path:
        """Writes the package into a folder."""
        architecture = output("dpkg", "--print-architecture")
        path = out / f"{self.name}_{version()}_{architecture}.deb"
        control = self.root / "DEBIAN"
        control.mkdir(exist_ok=True)
        (control / "control").write_text(self.control(architecture))
        time = epoch()
        for file in [*self.root.rglob("*"), self.root]:
            if not file.is_symlink():
                program = file.is_dir() or file.stat().st_mode & 0o100
                file.chmod(0o755 if program else 0o644)
            os.utime(file, (time, time), follow_symlinks=False)
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(time)}
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build"]
        run(*command, self.root, path, env=environment)
        return path

    def control(self, architecture: str) -> str:
        files = [file for file in self.root.rglob("*") if file.is_file() and not file.is_symlink()]
        kibibytes = sum((file.stat().st_size + 1023) // 1024 for file in files)
        lines = {
            "Package": self.name,
            "Version": version(),
            "Architecture": architecture,
            "Maintainer": MAINTAINER,
            "Installed-Size": str(kibibytes),
            "Depends": ", ".join([*self.libraries(), *self.depends]),
            "Section": self.section,
            "Priority": "optional",
            "Description": "\n ".join([self.summary, *self.text.splitlines()]),
        }
        return "".join(f"{name}: {value}\n" for name, value in lines.items() if value)

    def libraries(self) -> list[str]:
        """Packages of the shared libraries that the binaries need."""
        if not self.binaries:
            return []
        with tempfile.TemporaryDirectory() as folder:
            control = Path(folder) / "debian/control"
            control.parent.mkdir()
            control.write_text(f"Source: {self.name}\n\nPackage: {self.name}\nArchitecture: any\n")
            command = ["dpkg-shlibdeps", "--warnings=0", "-O"]
            said = run(*command, *self.binaries, cwd=Path(folder)).decode()
        found = said.strip().removeprefix("shlibs:Depends=")
        return [one.strip() for one in found.split(",")]


def compress(path: Path, text: str) -> None:
    """Without a name and a time, as Debian demands."""
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def changelog(name: str) -> str:
    """In Debian's form: one entry, of this version."""
    when = datetime.fromtimestamp(epoch(), UTC).strftime("%a, %d %b %Y %H:%M:%S +0000")
    head = f"{name} ({version()}) unstable; urgency=medium"
    entry = "  * CHANGELOG.md of the sources says what has changed."
    return f"{head}\n\n{entry}\n\n -- {MAINTAINER}  {when}\n"


def command(built: Path, root: Path) -> Package:
    """The command, its manual and its completions."""
    binary = root / "usr/bin/saltmill"
    binary.parent.mkdir(parents=True)
    shutil.copy2(built / "saltmill", binary)
    run("strip", "--strip-unneeded", binary)
    manual = root / "usr/share/man/man1"
    run(binary, "man", "--out-dir", manual)
    for page in sorted(manual.iterdir()):
        compress(page.with_name(page.name + ".gz"), page.read_text())
        page.unlink()
    for shell, path in {
        "bash": "bash-completion/completions/saltmill",
        "zsh": "zsh/vendor-completions/_saltmill",
        "fish": "fish/vendor_completions.d/saltmill.fish",
    }.items():
        script = root / "usr/share" / path
        script.parent.mkdir(parents=True)
        script.write_text(output(binary, "completions", shell) + "\n")
    return Package(
        name="saltmill",
        summary="encrypts files in the age format, on CPUs and crypto devices",
        text="Encrypts and decrypts files and pipes with all processors of a machine, and with\n"
        "streaming crypto devices. It also computes and checks digests as sha256sum does.",
        section="utils",
        root=root,
        binaries=[binary],
    )


def c_library(built: Path, root: Path) -> tuple[Package, Package]:
    """libsaltmill: what programs need that were built with it, and what they are built with."""
    multiarch = output("dpkg-architecture", "-qDEB_HOST_MULTIARCH")
    libdir = f"lib/{multiarch}"
    shared_root, dev = root / "run", root / "dev"
    install = ROOT / "crates/saltmill-c/install.sh"
    run(install, built, "/usr", libdir, env={**os.environ, "DESTDIR": str(dev)})
    shared = f"libsaltmill.so.{version()}"
    short = f"libsaltmill.so.{interface(version())}"
    run("strip", "--strip-unneeded", dev / "usr" / libdir / shared)
    run("strip", "--strip-debug", dev / "usr" / libdir / "libsaltmill.a")
    (shared_root / "usr" / libdir).mkdir(parents=True)
    for name in (shared, short):
        shutil.move(dev / "usr" / libdir / name, shared_root / "usr" / libdir / name)
    examples = dev / "usr/share/doc/libsaltmill-dev/examples"
    examples.mkdir(parents=True)
    for example in sorted((ROOT / "crates/saltmill-c/examples").glob("*.c")):
        shutil.copy(example, examples)
    name = f"libsaltmill{interface(version())}"
    summary = "files of the age format, digests, ciphers, crypto devices"
    runtime = Package(
        name=name,
        summary=f"{summary}: library",
        text="What programs need that are linked with libsaltmill.",
        section="libs",
        root=shared_root,
        binaries=[shared_root / "usr" / libdir / shared],
    )
    trigger = shared_root / "DEBIAN/triggers"
    trigger.parent.mkdir()
    trigger.write_text("activate-noawait ldconfig\n")
    development = Package(
        name="libsaltmill-dev",
        summary=f"{summary}: header",
        text="Header, static library, pkg-config file and examples of libsaltmill.",
        section="libdevel",
        root=dev,
        depends=[f"{name} (= {version()})"],
    )
    return runtime, development
