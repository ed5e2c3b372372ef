# SPDX-License-Identifier: Apache-2.0
"""The cores' own tests on their netlists; and what these tests would find."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lab import cores, jobs, netlist, synth, variants
from lab.targets import TARGETS
from rtl.testbench.runner import LONG

# The others take too long for every change: `python -m lab netlist-test` keeps their results.
TINY = variants.load()["chacha20-tiny"]
TESTED = (TINY.name, *(("chacha20-small", "aes128-small") if LONG else ()))


@pytest.fixture(autouse=True)
def own_netlists(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests keep theirs from run to run, and don't wait for a long job of the lab."""
    monkeypatch.setattr(synth, "BUILD", Path("build/lab-tests/netlists"))
    monkeypatch.setattr(jobs, "LOCK", cores.ROOT / "build/lab-tests/lock")


def netlist_of(variant: variants.Variant) -> Path:
    return synth.synthesise(variant, TARGETS["ecp5"]).path


@pytest.mark.parametrize("name", TESTED)
def test_a_core_works_as_a_netlist(name: str) -> None:
    variant = variants.load()[name]
    assert netlist.simulate(variant, netlist_of(variant)) >= 20


def test_a_device_gets_all_tests_that_are_for_its_core() -> None:
    """Two have tests of their own only: the final addition left to the host, and hashes."""
    folder = cores.RTL / "device" / "tb"
    every = {path.stem.removeprefix("test_") for path in folder.glob("test_*.py")}
    of_one_core = {"host_add", "aead", "aes", "digest", "hash", "hmac"}
    every -= {"control", "counters", "interrupts", "same_cycle"}  # of saltmill_control alone
    for variant in variants.of_block("device"):
        named = {name for name in ("aead", "aes") if name in variant.name}
        alone = {"host_add"} if "hostadd" in variant.name else set()
        hashes = {4: {"hash"}, 5: {"hash"}, 6: {"hmac"}}
        alone |= hashes.get(variant.parameters["Core"], set())
        tests = alone or every - of_one_core | named
        expected = {f"rtl.device.tb.test_{name}" for name in tests}
        assert set(netlist.tests_of(variant)) == expected, variant.name


def spoilt(path: Path, spoil: Callable[[netlist.Json], None]) -> Path:
    """A copy of a netlist with a fault, relative to the project."""
    document = json.loads((cores.ROOT / path).read_text())
    spoil(document["modules"][TINY.top])
    copy = path.with_name(f"spoilt-{spoil.__name__}.json")
    (cores.ROOT / copy).write_text(json.dumps(document))
    return copy


def flip_one_bit_of_a_lut(module: netlist.Json) -> None:
    """Of the first one in front of a register of the quarter round."""
    data = {
        cell["connections"]["DI"][0]
        for name, cell in module["cells"].items()
        if cell["type"] == "TRELLIS_FF" and "stage_q" in name
    }
    lut = next(
        cell
        for cell in module["cells"].values()
        if cell["type"] == "LUT4" and cell["connections"]["Z"][0] in data
    )
    table = int(lut["parameters"]["INIT"], 2)
    lut["parameters"]["INIT"] = f"{table ^ 1:016b}"


def keep_bits_in_a_wipe(module: netlist.Json) -> None:
    """A flip-flop of the data that each clock edge sets, and a RAM's bit that is written as 1."""
    cells = module["cells"].items()
    register = next(c for n, c in cells if c["type"] == "TRELLIS_FF" and ".word_q" in n)
    register["parameters"] |= {"REGSET": "SET", "SRMODE": "LSR_OVER_CE", "LSRMUX": "LSR"}
    register["connections"]["LSR"] = ["1"]
    memory = next(c for _, c in cells if c["type"] == "TRELLIS_DPR16X4")
    memory["connections"]["DI"][0] = module["ports"]["aresetn"]["bits"][0]


def test_a_wrong_lut_is_found(capfd: pytest.CaptureFixture[str]) -> None:
    path = spoilt(netlist_of(TINY), flip_one_bit_of_a_lut)
    with pytest.raises(SystemExit):
        netlist.simulate(TINY, path, "vectors_of_the_standard")
    assert "assert self.sink.received == expected" in capfd.readouterr().out


def test_bits_that_survive_a_wipe_are_found(capfd: pytest.CaptureFixture[str]) -> None:
    path = spoilt(netlist_of(TINY), keep_bits_in_a_wipe)
    with pytest.raises(SystemExit):
        netlist.simulate(TINY, path, "wipe_in_flight")
    found = re.search(r"AssertionError: assert (\[.+\]) == \[\]", capfd.readouterr().out)
    assert found
    assert "__word_q" in found[1]
    assert "___memory__wire_q" in found[1]


def test_nearly_all_flip_flops_are_looked_at_for_secrets() -> None:
    """What is left out are flags and states."""
    module = synth.load(netlist_of(TINY))[TINY.top]
    declared = [line.split(" = ") for line in netlist.registers(module)]
    wide = [bits for _, bits in declared if bits.count(",") >= 31]
    all_ = [cell for cell in module["cells"].values() if cell["type"] == "TRELLIS_FF"]
    seen = "".join(wide).count("u_netlist.")
    assert len(all_) - 260 < seen < len(all_)
