# SPDX-License-Identifier: Apache-2.0
"""Debian's kernels drive the RTL: through VFIO and the IOMMU, our kernel module, a device tree."""

import os
import shutil
from typing import Any

import pytest

from boards.linux import machine
from boards.linux.machine import SCENARIOS, Outcome

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


def check_shared(outcome: Outcome) -> None:
    """What guest/shared.sh does."""
    check(outcome, self_test="0", encrypt="0", encrypt_same="0", decrypt="0", decrypt_same="0")
    check(outcome, both="0", both_same="0")
    alone, together = outcome.json()
    check_shares(alone, 1)
    check_shares(together, 2)
    # The clock stands still while nobody has work for the device.
    assert alone["workers"][0]["device"]["utilisation"] > 0.9
    check(outcome, busy="3", killed="137", left_by_kill="0", after_kill="0")
    assert " is in use\n" in outcome.output
    assert "(16 known answers; " in outcome.output


@pytest.mark.parametrize("version", ["6.1", pytest.param("6.12", marks=long_only)])
def test_vfio(version: str) -> None:
    outcome = boot("vfio", version)
    check_shared(outcome)
    check(outcome, reset="0", after_reset="0", unbound="3")
    assert "is bound to no driver, not to vfio-pci" in outcome.output


@long_only
def test_reboot_in_mid_job() -> None:
    outcome = boot("reboot", "6.1")
    assert outcome.output.count("result first 0") == 1
    assert int(outcome.results["running"]) > 0
    check(outcome, second="0", encrypt="0", same="0")


@long_only
@pytest.mark.parametrize("version", ["6.1", "6.12"])
def test_uio(version: str) -> None:
    outcome = boot("uio", version)
    check_shared(outcome)
    check(outcome, names="saltmill0 saltmill1 ", unbind="0", alive="0", rmmod="0", no_module="2")
    assert outcome.results["rmmod_busy"] != "0"
    assert outcome.results["program_of_gone"] != "0"
    assert int(outcome.results["interrupts"]) > 0


@long_only
@pytest.mark.parametrize("driver", ["vfio", "uio"])
def test_conformance(driver: str) -> None:
    outcome = boot(f"{driver}_conformance", "6.1")
    check(outcome, conformance="0")
    assert f"{driver}:" in outcome.output
    assert " conforms\n" in outcome.output


@long_only
def test_device_tree() -> None:
    outcome = boot("device_tree", "6.1")
    check(outcome, name="saltmill0", compatible="saltmill,device", c_driver="0", rmmod="0")
    assert int(outcome.results["vectors"]) > 0
    # Encrypted once, few bytes are what they were by chance; twice, all are.
    assert int(outcome.results["same_after_1"]) < 600
    check(outcome, same_after_2="65536")
    assert int(outcome.results["interrupts"]) > 0
