# SPDX-License-Identifier: Apache-2.0
"""Debian's kernels drive the RTL: through VFIO and the IOMMU, our kernel module, a device tree."""

import os
import re
import shutil
from typing import Any

import pytest

from boards.linux import machine
from boards.linux.machine import SCENARIOS, Outcome
from boards.linux.saltmill_uio.package import version as package_version

VARIANT = "aead-balanced"

long_only = pytest.mark.skipif(not os.environ.get("SALTMILL_LONG"), reason="make test-all boots it")
pytestmark = pytest.mark.skipif(not shutil.which("apt-get"), reason="needs Debian's apt-get")


@pytest.fixture(scope="module", autouse=True)
def command() -> None:
    machine.build_command()


def boot(name: str, version: str) -> Outcome:
    outcome = machine.run(SCENARIOS[name], version, VARIANT)
    print(outcome.output, outcome.server, f"{outcome.seconds:.1f} s", sep="\n")
    return outcome


def check(outcome: Outcome, **wanted: str) -> None:
    found = {name: outcome.results.get(name) for name in wanted}
    assert found == wanted, outcome.output


def devices_of(statistics: dict[str, Any]) -> dict[str, Any]:
    """What each worker but the CPU did."""
    return {
        worker["name"]: worker for worker in statistics["workers"] if worker["device"] is not None
    }


def check_shares(statistics: dict[str, Any], devices: int) -> None:
    """All devices had a share, and interrupts arrived.

    A wait of 100 ms may end between a job's status and its interrupt, on a busy machine.
    """
    assert len(devices_of(statistics)) == devices
    for name, worker in devices_of(statistics).items():
        assert worker["failure"] is None
        assert worker["jobs"] > 0, name
        assert worker["device"]["missed_interrupts"] <= worker["device"]["jobs"] / 4, name


def check_shared(outcome: Outcome) -> list[dict[str, Any]]:
    """What guest/shared.sh does; gives the statistics of what came after it."""
    check(outcome, self_test="0", encrypt="0", encrypt_same="0", decrypt="0", decrypt_same="0")
    check(outcome, both="0", both_same="0")
    alone, together, *others = outcome.json()
    check_shares(alone, 1)
    check_shares(together, 2)
    # The clock stands still while nobody has work for the device.
    assert alone["workers"][0]["device"]["utilisation"] > 0.9
    check_kill(outcome, "")
    assert " is in use\n" in outcome.output
    assert "(16 known answers; " in outcome.output
    return others


def check_kill(outcome: Outcome, of: str) -> None:
    wanted = {"busy": "3", "killed": "137", "left_by_kill": "0", "after_kill": "0"}
    check(outcome, **{of + name: value for name, value in wanted.items()})


def check_stuck(statistics: dict[str, Any]) -> None:
    """Interrupts came without end: all is done, and they are told."""
    (worker,) = statistics["workers"]
    assert worker["failure"] is None
    assert worker["device"]["spurious_interrupts"] > 0
    assert worker["device"]["missed_interrupts"] <= worker["device"]["jobs"] / 4


@pytest.mark.parametrize("version", ["6.1", pytest.param("6.12", marks=long_only)])
def test_vfio(version: str) -> None:
    """Messages and a line; interrupts that never end, and that never come."""
    outcome = boot("vfio", version)
    stuck, cut = check_shared(outcome)
    check(outcome, reset="0", after_reset="0", stuck="0", cut="0")
    check_stuck(stuck)
    (worker,) = cut["workers"]
    assert worker["failure"] is None
    assert worker["device"]["missed_interrupts"] > 0
    assert worker["device"]["spurious_interrupts"] == 0
    check(outcome, unbound="3", behind_iommu="3")
    assert "is bound to no driver, not to vfio-pci" in outcome.output
    assert "is behind an IOMMU, which uio_pci_generic does not set up" in outcome.output


@long_only
def test_reboot_in_mid_job() -> None:
    """With VFIO, and with the module: nothing is left of what was under way."""
    outcome = boot("reboot", "6.1")
    assert outcome.output.count("result first 0") == 1
    assert int(outcome.results["running"]) == 2
    check(outcome, second="0", encrypt_vfio="0", same_vfio="0", encrypt_uio="0", same_uio="0")


@long_only
@pytest.mark.parametrize("version", ["6.1", "6.12"])
def test_uio(version: str) -> None:
    outcome = boot("uio", version)
    generic, stuck, stuck_line = check_shared(outcome)
    names = "saltmill0 saltmill1 saltmill2 saltmill3 "
    check(outcome, names=names, unbind="0", alive="0", rmmod="0", no_module="2")
    assert outcome.results["rmmod_busy"] != "0"
    assert outcome.results["program_of_gone"] != "0"
    assert int(outcome.results["interrupts"]) > 0
    check_package(outcome)
    check_generic(outcome, generic)
    check(outcome, stuck="0", stuck_line="0")
    check_stuck(stuck)
    check_stuck(stuck_line)
    check_hangs(outcome)


def check_package(outcome: Outcome) -> None:
    """What guest/package.sh does: Debian's package, its group and its udev rule."""
    check(outcome, dpkg="0", postinst="0", udevd="0", settle="0", link="uio1")
    check(outcome, dkms=f"saltmill-uio {package_version()} /usr/share/saltmill-uio-dkms  ")
    check(outcome, rights="root saltmill 660", member="0", other="3")
    assert "no permission for /dev/uio0" in outcome.output


def check_generic(outcome: Outcome, statistics: dict[str, Any]) -> None:
    """What guest/generic.sh does: uio_pci_generic, and what it refuses."""
    check(outcome, no_driver="3", no_huge_page="3", no_address="3")
    for sentence in (
        "is bound to no driver, not to uio_pci_generic",
        "there is no free huge page of 2097152 bytes",
        "this user may not know physical addresses",
    ):
        assert sentence in outcome.output
    check(outcome, generic_self_test="0", generic_encrypt="0", generic_same="0")
    check(outcome, generic_decrypt="0", generic_decrypt_same="0")
    check_shares(statistics, 1)
    check_kill(outcome, "generic_")
    assert int(outcome.results["generic_interrupts"]) > 0


def check_hangs(outcome: Outcome) -> None:
    """What guest/hangs.sh does: the module's wipe has a deadline, and says that it has passed."""
    check(outcome, hangs="3", hangs_open="3", insmod="0", running="2")
    # As its job is given up, as it is opened again, as it is removed; and as the machine goes off.
    assert outcome.output.count("it can't be wiped") == 4
    assert outcome.output.count("its memory is never used again") == 1


@long_only
@pytest.mark.parametrize("driver", ["vfio", "uio"])
def test_conformance(driver: str) -> None:
    outcome = boot(f"{driver}_conformance", "6.1")
    check(outcome, conformance="0")
    names = ["vfio:0000:"] if driver == "vfio" else ["uio:saltmill0", "uio:0000:"]
    for name in names:
        assert re.search(f"^{name}.* conforms$", outcome.output, re.MULTILINE)
    if driver == "uio":
        check(outcome, generic_conformance="0")


@long_only
def test_device_tree() -> None:
    outcome = boot("device_tree", "6.1")
    check(outcome, name="saltmill0", compatible="saltmill,device", c_driver="0", rmmod="0")
    assert int(outcome.results["vectors"]) > 0
    # Encrypted once, few bytes are what they were by chance; twice, all are.
    assert int(outcome.results["same_after_1"]) < 600
    check(outcome, same_after_2="65536")
    assert int(outcome.results["interrupts"]) > 0
