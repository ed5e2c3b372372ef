# SPDX-License-Identifier: Apache-2.0
"""Versions agree; packages are the same bytes each time. With SALTMILL_LONG: all packages are made,
installed where nothing else is, and used."""

import os
import re
import shutil
import subprocess
import tarfile
import tomllib
import venv
from pathlib import Path

import pytest

from release import ROOT, debian, interface, version

LONG = pytest.mark.skipif(not os.environ.get("SALTMILL_LONG"), reason="SALTMILL_LONG is not set")


def run(*command: str | Path, **options: object) -> str:
    """What a command says; it must end well."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, f"{command}: {done.stderr}"
    said: str = done.stdout
    return said


def test_versions_stand_in_one_place() -> None:
    """The changelog's heading, and what the crates want of each other."""
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert re.fullmatch(rf"{re.escape(version())} \((unreleased|\d{{4}}-\d\d-\d\d)\)", headings[0])
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text())
    ours = {
        name: dependency["version"]
        for name, dependency in cargo["workspace"]["dependencies"].items()
        if isinstance(dependency, dict) and "path" in dependency
    }
    assert ours
    assert set(ours.values()) == {version()}
    for manifest in (ROOT / "crates").glob("*/Cargo.toml"):
        package = tomllib.loads(manifest.read_text())["package"]
        assert package["version"] == {"workspace": True}, manifest


def test_the_interface_changes_with_what_breaks_programs() -> None:
    assert [interface(of) for of in ("0.1.0", "0.12.3", "1.4.2")] == ["0.1", "0.12", "1"]


@pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="there is no dpkg-deb")
def test_a_package_is_the_same_bytes_each_time(tmp_path: Path) -> None:
    made = []
    for name in ("first", "second"):
        root = tmp_path / name / "root"
        (root / "usr/bin").mkdir(parents=True, mode=0o700)
        program = root / "usr/bin/nothing"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o700)
        os.utime(program, (1, 1) if name == "first" else None)
        package = debian.Package("nothing", "does nothing", "At all.", "misc", root)
        package.documents("none\n")
        made.append(package.build(tmp_path / name).read_bytes())
    assert made[0] == made[1]
    listed = run("dpkg-deb", "--contents", *(tmp_path / "first").glob("*.deb"))
    (line,) = (line for line in listed.splitlines() if line.endswith("./usr/bin/nothing"))
    assert line.startswith("-rwxr-xr-x root/root")


@pytest.fixture(scope="module")
def dist() -> Path:
    """All packages, made now."""
    run("make", "dist", cwd=ROOT)
    return ROOT / "dist"


def works(saltmill: Path, folder: Path) -> None:
    """The command encrypts, decrypts, and checks digests."""
    key, text = folder / "key", folder / "text"
    key.unlink(missing_ok=True)
    text.write_bytes(bytes(range(251)) * 1000)
    run(saltmill, "keygen", "-o", key)
    run(saltmill, "encrypt", "--force", "-i", key, "-o", folder / "sealed", text)
    run(saltmill, "decrypt", "--force", "-i", key, "-o", folder / "again", folder / "sealed")
    assert (folder / "again").read_bytes() == text.read_bytes()
    said = run(saltmill, "sum", text)
    assert said == run("sha256sum", text)


@LONG
def test_the_sums_are_right_to_everybody(dist: Path, tmp_path: Path) -> None:
    run("dpkg-deb", "--extract", *dist.glob("saltmill_*.deb"), tmp_path)
    saltmill = tmp_path / "usr/bin/saltmill"
    ours = run(saltmill, "sum", "--check", "SHA256SUMS", cwd=dist)
    assert ours == run("sha256sum", "--check", "SHA256SUMS", cwd=dist)
    names = {line.split(": ")[0] for line in ours.splitlines()}
    assert names == {path.name for path in dist.iterdir()} - {"SHA256SUMS"}
    assert len(names) == 5


def installed(dist: Path, root: Path, *names: str) -> Path:
    """A root in which dpkg has installed packages, and nothing else is."""
    state = root / "var/lib/dpkg"
    for folder in ("info", "updates", "triggers"):
        (state / folder).mkdir(parents=True)
    (state / "status").touch()
    files = [next(dist.glob(f"{name}_*.deb")) for name in names]
    command = ["dpkg", f"--root={root}", "--force-depends", "--force-not-root"]
    run("fakeroot", *command, "--install", *files)
    return root


@LONG
def test_the_command(dist: Path, tmp_path: Path) -> None:
    root = installed(dist, tmp_path / "root", "saltmill")
    works(root / "usr/bin/saltmill", tmp_path)
    assert version() in run(root / "usr/bin/saltmill", "--version")
    pages = sorted(path.name for path in (root / "usr/share/man/man1").iterdir())
    assert {"saltmill.1.gz", "saltmill-encrypt.1.gz", "saltmill-sum.1.gz"} <= set(pages)
    assert "encrypt" in run("man", "-l", root / "usr/share/man/man1/saltmill.1.gz")
    script = root / "usr/share/bash-completion/completions/saltmill"
    asked = f"source {script}; COMP_WORDS=(saltmill enc); COMP_CWORD=1; _saltmill saltmill enc ''"
    assert run("bash", "-c", asked + "; echo ${COMPREPLY[@]}").split() == ["encrypt"]
    # Nothing of this machine is in it
    assert str(ROOT).encode() not in (root / "usr/bin/saltmill").read_bytes()
    documents = {path.name for path in (root / "usr/share/doc/saltmill").iterdir()}
    assert documents == {"copyright", "changelog.gz", "crates.gz"}
    run("fakeroot", "dpkg", f"--root={root}", "--force-not-root", "--purge", "saltmill")
    assert not (root / "usr/bin/saltmill").exists()


@LONG
@pytest.mark.parametrize("static", [False, True])
def test_the_library_for_c(dist: Path, tmp_path: Path, *, static: bool) -> None:
    library = f"libsaltmill{interface(version())}"
    root = installed(dist, tmp_path / "root", library, "libsaltmill-dev")
    (pkg_config,) = (root / "usr/lib").glob("*/pkgconfig")
    found = {**os.environ, "PKG_CONFIG_PATH": str(pkg_config), "PKG_CONFIG_SYSROOT_DIR": str(root)}
    flags = ["--cflags", "--libs", *(["--static"] if static else [])]
    parts = run("pkg-config", *flags, "saltmill", env=found).split()
    if static:
        parts = ["-l:libsaltmill.a" if part == "-lsaltmill" else part for part in parts]
    examples = root / "usr/share/doc/libsaltmill-dev/examples"
    program = tmp_path / "files"
    run("cc", "-std=c11", "-o", program, examples / "files.c", *parts)
    works_here = tmp_path / "work"
    works_here.mkdir()
    command = installed(dist, tmp_path / "command", "saltmill") / "usr/bin/saltmill"
    works(command, works_here)
    places = [works_here / name for name in ("key", "text", "of-c", "again-of-c")]
    loaded = {**os.environ, "LD_LIBRARY_PATH": str(pkg_config.parent)}
    if static:
        del loaded["LD_LIBRARY_PATH"]
        for shared in pkg_config.parent.glob("*.so*"):
            shared.unlink()
    run(program, *places, env=loaded)
    opened = run(command, "decrypt", "-i", places[0], "-o", works_here / "by-command", places[2])
    assert opened == ""
    assert (works_here / "by-command").read_bytes() == places[1].read_bytes()


@LONG
def test_the_wheel(dist: Path, tmp_path: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    assert "manylinux" in wheel.name
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv/bin/python"
    run(python, "-m", "pip", "install", "--quiet", "--no-index", wheel)
    text = "i = s.Identity.generate(); assert s.decrypt(s.encrypt(b'text', i), i) == b'text'"
    said = run(python, "-c", f"import saltmill as s; {text}; print(s.__version__)")
    assert said.strip() == version()


@LONG
def test_the_sources(dist: Path, tmp_path: Path) -> None:
    """They build, without git around them."""
    (archive,) = dist.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(tmp_path, filter="data")
    sources = tmp_path / f"saltmill-{version()}"
    built = {**os.environ, "CARGO_TARGET_DIR": str(tmp_path / "target")}
    command = ["cargo", "build", "--locked", "--quiet", "--profile", "quick", "-p", "saltmill-cli"]
    run(*command, cwd=sources, env=built)
    works(tmp_path / "target/quick/saltmill", tmp_path)
