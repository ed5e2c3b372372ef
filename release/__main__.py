# SPDX-License-Identifier: Apache-2.0
"""Makes all packages of this version in dist/, and a manifest of them by our own `sum`.

python -m release MATURIN
"""

import gzip
import os
import shutil
import sys
import tempfile
from pathlib import Path

from release import ROOT, cargo, debian, epoch, licences, output, run, version

DIST = ROOT / "dist"
MANIFEST = "SHA256SUMS"


def source(out: Path) -> Path:
    """The last commit, the same bytes each time."""
    name = f"saltmill-{version()}"
    tar = run("git", "archive", "--format=tar", f"--prefix={name}/", "HEAD")
    path = out / f"{name}.tar.gz"
    path.write_bytes(gzip.compress(tar, 9, mtime=0))
    return path


def wheel(maturin: str, out: Path) -> Path:
    """The Python package, for the oldest C library that it runs with."""
    manifest = ROOT / "crates/saltmill-python/Cargo.toml"
    command = [maturin, "build", "--quiet", "--locked", "--release", "--strip", "--out", str(out)]
    run(*command, "--manifest-path", manifest, env=cargo.environment())
    (path,) = out.glob("*.whl")
    return path


def debs(built: Path, out: Path) -> list[Path]:
    """The command, and libsaltmill."""
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as name:
        folder = Path(name)
        packages = [debian.command(built, folder / "command")]
        packages += debian.c_library(built, folder / "c_library")
        for package in packages:
            crate = "saltmill-cli" if package.name == "saltmill" else "saltmill-c"
            package.documents(licences.text(crate))
        return [package.build(out) for package in packages]


def sums(saltmill: Path, files: list[Path], out: Path) -> None:
    """In the form that `sha256sum --check` reads, too."""
    made = run(saltmill, "sum", *sorted(file.name for file in files), cwd=out)
    (out / MANIFEST).write_bytes(made)


def main() -> None:
    (maturin,) = sys.argv[1:]
    if output("git", "status", "--porcelain", "--untracked-files=no"):
        print("warning: there are changes that are not committed: the source archive lacks them")
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    (ROOT / "build").mkdir(exist_ok=True)
    os.environ["SOURCE_DATE_EPOCH"] = str(epoch())
    built = cargo.build()
    files = [source(DIST), *debs(built, DIST), wheel(str(Path(maturin).resolve()), DIST)]
    sums(built / "saltmill", files, DIST)
    for file in [*files, DIST / MANIFEST]:
        print(f"{file.stat().st_size:>10}  {file.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
