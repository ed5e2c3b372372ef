# SPDX-License-Identifier: Apache-2.0
"""The module builds without warnings, its package is complete; sparse and checkpatch are silent."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from boards.linux import compilers, packages
from boards.linux.packages import BOOKWORM, KERNELS, kernel
from boards.linux.saltmill_uio.build import ModuleError, make, module
from boards.linux.saltmill_uio.package import HERE, package, version

# The first time, hundreds of megabytes are fetched; one kernel is for every run.
EVERY = [key for key in KERNELS if key == ("6.1", "amd64") or os.environ.get("SALTMILL_LONG")]
needs_apt = pytest.mark.skipif(not shutil.which("apt-get"), reason="needs Debian's apt-get")
thorough = pytest.mark.skipif(not os.environ.get("SALTMILL_LONG"), reason="with SALTMILL_LONG")


@pytest.fixture(scope="module")
def unpacked_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("package")
    packages.output("dpkg-deb", "--raw-extract", package(folder), folder / "root")
    return folder / "root"


@pytest.fixture
def sources(unpacked_package: Path, tmp_path: Path) -> Path:
    """What DKMS builds."""
    return Path(
        shutil.copytree(
            unpacked_package / "usr/src" / f"saltmill-uio-{version()}", tmp_path / "sources"
        )
    )


@needs_apt
@pytest.mark.parametrize("key", EVERY, ids="-".join)
def test_the_module_builds_and_knows_its_devices(key: tuple[str, str]) -> None:
    made = module(kernel(*key)).read_bytes()
    for known in (b"pci:v00001209d00000001", b"of:N*T*Csaltmill,device", b"Dual MIT/GPL"):
        assert known in made
    assert f"vermagic={kernel(*key).release} ".encode() in made


@needs_apt
@thorough
@pytest.mark.parametrize("key", EVERY, ids="-".join)
def test_the_package_builds_and_sparse_is_silent(key: tuple[str, str], sources: Path) -> None:
    make(sources, kernel(*key), "C=2", f"CHECK={compilers.sparse()}", "modules")
    assert (sources / "saltmill_uio.ko").exists()


@needs_apt
@thorough
@pytest.mark.parametrize(
    ("line", "said"),
    [("unused", "unused"), ("*(int *)saltmill->registers = 0", "address space")],
)
def test_a_warning_is_an_error(sources: Path, line: str, said: str) -> None:
    file = sources / "device.c"
    declared = f"static int {line};" if line == "unused" else ""
    begin = "static int saltmill_quiet(struct saltmill *saltmill)\n{\n\tu32 status;\n\tint ret;\n"
    assert begin in file.read_text()
    file.write_text(file.read_text().replace(begin, f"{declared}{begin}\n\t{line};\n"))
    with pytest.raises(ModuleError, match=said):
        make(sources, kernel("6.1", "amd64"), "C=2", f"CHECK={compilers.sparse()}", "modules")


@needs_apt
@thorough
def test_dkms_builds_the_package(unpacked_package: Path, tmp_path: Path) -> None:
    """DKMS itself, with folders of its own; it wants root for more than that."""
    program = packages.unpacked(BOOKWORM, "dkms", depends=False) / "usr" / "sbin" / "dkms"
    tree = compilers.headers("6.1", "amd64")
    release = kernel("6.1", "amd64").release
    (tmp_path / "dkms").mkdir()
    trees = ("--dkmstree", tmp_path / "dkms", "--sourcetree", unpacked_package / "usr" / "src")
    common = ("-m", "saltmill-uio", "-v", version(), *trees)
    packages.output(program, "add", *common)
    of_kernel = ("-k", release, "--kernelsourcedir", tree.folder, "--arch", "x86_64")
    packages.output(program, "build", *common, *of_kernel, PATH=tree.compiler.path)
    assert len(list((tmp_path / "dkms").rglob("module/saltmill_uio.ko"))) == 1


@needs_apt
@thorough
def test_checkpatch_is_silent() -> None:
    files = list((HERE / "module").rglob("*.[ch]"))
    options = ("--no-tree", "--strict", "--terse", "--file")
    packages.output("perl", compilers.checkpatch(), *options, *files)


def test_the_package_is_complete(unpacked_package: Path) -> None:
    found = {
        str(path.relative_to(unpacked_package)): oct(path.stat().st_mode & 0o777)
        for path in unpacked_package.rglob("*")
        if path.is_file()
    }
    source = f"usr/src/saltmill-uio-{version()}"
    for name in ("dkms.conf", "Kbuild", "device.c", "saltmill.h", "freestanding/stdint.h"):
        assert found[f"{source}/{name}"] == "0o644"
    assert found["usr/lib/udev/rules.d/60-saltmill.rules"] == "0o644"
    assert found["DEBIAN/postinst"] == found["DEBIAN/prerm"] == "0o755"
    for path in (unpacked_package / "DEBIAN").iterdir():
        assert "@" not in path.read_text()
    for script in ("postinst", "prerm"):
        subprocess.run(["sh", "-n", unpacked_package / "DEBIAN" / script], check=True)
