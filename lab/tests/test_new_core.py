# SPDX-License-Identifier: Apache-2.0
"""What a new core touches: rtl/xor_constant is one, as somebody else would add it."""

import subprocess

from lab import cores

CORE = "xor_?constant"
MOST_FILES = 12
MOST_LINES = 60  # of an adapter
# What `make registers` makes, words, and this test
NOT_COUNTED = (
    ":!*.md",
    ":!*/generated/*",
    ":!crates/saltmill-device/src/registers/saltmill.rs",
    f":!lab/tests/{__name__.rpartition('.')[2]}.py",
)


def files_that_name_it(*where: str) -> set[str]:
    found = subprocess.run(
        ["git", "grep", "-lniE", CORE, "--", *where, *NOT_COUNTED],
        cwd=cores.ROOT,
        text=True,
        capture_output=True,
        check=True,
    )
    return set(found.stdout.split())


def test_a_core_is_a_folder_and_a_few_files() -> None:
    assert len(files_that_name_it("rtl/xor_constant")) >= 3
    touched = files_that_name_it("rtl/device", "crates/saltmill-device", "lab")
    assert "rtl/device/saltmill_core.sv" in touched
    assert len(touched) <= MOST_FILES, sorted(touched)


def test_an_adapter_is_small() -> None:
    adapters = sorted(cores.RTL.rglob("*_adapter.sv"))
    assert len(adapters) >= 4
    lines = {path.stem: len(path.read_text().splitlines()) for path in adapters}
    assert all(count <= MOST_LINES for count in lines.values()), lines
