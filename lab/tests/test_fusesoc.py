# SPDX-License-Identifier: Apache-2.0
"""The cores as FuseSoC sees them: list, order of files, lint, simulation; its page of the docs."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from lab import cores, elaboration, variants
from lab.report import interfaces
from lab.tests.fusesoc import assert_files, call, fusesoc, set_up, tools
from rtl.testbench.runner import long_only

PAGE = cores.ROOT / "docs" / "fusesoc.md"
CORES = sorted(path.parent.name for path in cores.RTL.glob("*/*.core"))
LINTS = [
    (core, target)
    for core in CORES
    for target in cores.read(core)["targets"]
    if target.startswith("lint")
]


def test_lists_every_core() -> None:
    assert re.findall(r"^saltmill:rtl:(\w+):", fusesoc("core", "list"), re.MULTILINE) == CORES


BLOCKS = [
    "chacha20",
    "poly1305",
    "chacha20_poly1305",
    "aes",
    "aes_cbc",
    "ghash",
    "aes_gcm",
    "device",
]
PARTS = [
    name for name in CORES if name not in [*BLOCKS, "projects", "socket"]
]  # without vendors' projects


@pytest.mark.parametrize("block", BLOCKS + PARTS)
def test_files_are_those_of_the_lab(block: str, tmp_path: Path) -> None:
    folder = set_up(block, "vivado" if block in BLOCKS else "lint", tmp_path)
    (description,) = folder.glob("*.eda.yml")
    files = yaml.safe_load(description.read_text())["files"]
    sources = [entry["name"] for entry in files if entry["file_type"] == "systemVerilogSource"]
    found = {path.name: path for path in cores.files(block)}
    assert_files([Path(name).name for name in sources], block)
    for name in sources:
        assert (folder / name).read_bytes() == found[Path(name).name].read_bytes()


@pytest.mark.parametrize(
    "name", ["chacha20-ring2", "poly1305-balanced", "aead-balanced", "device-ring2"]
)
def test_parameters_are_those_of_the_module_with_the_defaults_of_a_variant(name: str) -> None:
    variant = variants.load()[name]
    parameters = cores.read(variant.block)["parameters"]
    module = elaboration.elaborate(variant).body.parameters
    assert parameters.keys() == {entry.name for entry in module if not entry.isLocalParam}
    defaults = {key: entry["default"] for key, entry in parameters.items() if "default" in entry}
    declared = interfaces.read(variant.block, variant.top).parameters
    follows = {line.name for line in declared if "Structure" in line.value}
    assert defaults.keys() >= variant.parameters.keys() - follows
    assert defaults.items() <= elaboration.constants(variant).items()


@pytest.mark.parametrize(("block", "target"), LINTS)
def test_lint(block: str, target: str, tmp_path: Path) -> None:
    fusesoc("run", "--target", target, "--build-root", tmp_path, f"saltmill:rtl:{block}")


def test_lint_takes_the_parameters(tmp_path: Path) -> None:
    lint = "run", "--target", "lint", "--build-root", tmp_path, "saltmill:rtl:chacha20"
    refused = call(*lint, "--Unroll", "3")
    assert refused.returncode == 1
    assert "Unroll must divide 20" in refused.stdout


def test_lint_finds_a_fault(tmp_path: Path) -> None:
    clone = copy(tmp_path)
    spill = clone / "rtl" / "stream" / "stream_spill.sv"
    spill.write_text(spill.read_text().replace("endmodule", "  logic unread;\nendmodule"))
    refused = call("run", "--target", "lint_spill", "saltmill:rtl:stream", folder=clone)
    assert refused.returncode == 1
    assert "UNUSEDSIGNAL" in refused.stdout


def copy(folder: Path) -> Path:
    """What a fresh clone has of what FuseSoC and the page need, with the tools."""
    clone = folder / "clone"
    for name in ("docs", "lab", "rtl", "vectors"):
        hidden = shutil.ignore_patterns("__pycache__", "results")
        shutil.copytree(cores.ROOT / name, clone / name, ignore=hidden)
    shutil.copy(cores.ROOT / "fusesoc.conf", clone)
    (clone / "build").mkdir()
    (clone / "build" / "venv").symlink_to(cores.ROOT / "build" / "venv")
    return clone


def contents(clone: Path) -> set[Path]:
    """All files but those below build/."""
    return {path for path in clone.rglob("*") if clone / "build" not in path.parents}


def commands() -> list[str]:
    """Of the page, in its order."""
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return "".join(blocks).replace("\\\n", " ").splitlines()


@long_only  # in `make test`: lists, files, lints
def test_commands_of_the_page(tmp_path: Path) -> None:
    """They run one after the other, with an empty home and nothing installed but build/venv.

    Among them is the simulation of ChaCha20; it is built once and must be able to fail.
    """
    assert sum(line.startswith("fusesoc ") for line in commands()) >= 8
    clone, home = copy(tmp_path), tmp_path / "home"
    home.mkdir()
    before = contents(clone)
    result = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(commands())],
        cwd=clone,
        env={"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert result.returncode == 0, result.stdout[-4000:]
    assert list(home.iterdir()) == []
    assert contents(clone) == before
    assert " FAIL=0 " in result.stdout
    assert_sim_fails_when_a_test_fails_or_none_runs(clone)


def assert_sim_fails_when_a_test_fails_or_none_runs(clone: Path) -> None:
    sim = "run", "--target", "sim", "saltmill:rtl:chacha20"
    ours = "rtl.testbench.fusesoc_sim"
    failing = call(*sim, "--cocotb_module", f"{ours},rtl.stream.tb.test_stream_width", folder=clone)
    assert (failing.returncode, " PASS=0 " in failing.stdout) == (1, True)
    missing = call(*sim, "--cocotb_module", f"{ours},rtl.stream.tb.test_nothing", folder=clone)
    assert (missing.returncode, "ModuleNotFoundError" in missing.stdout) == (1, True)
    environment = {name: value for name, value in tools().items() if name != "GPI_USERS"}
    without = call(*sim, folder=clone, environment=environment)
    assert (without.returncode, "GPI_USERS is not set" in without.stdout) == (1, True)
