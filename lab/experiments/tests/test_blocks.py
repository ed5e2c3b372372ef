# SPDX-License-Identifier: Apache-2.0
"""Pynqrypt's table: what is compared, and what the results must show."""

from typing import Any

import pytest

from lab.experiments import blocks, evp, store

INPUTS = {"key": bytes(range(16)).hex(), "iv": "f0" + 30 * "0", "text_period": 251}


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    loaded = store.load(blocks.NAME)
    assert loaded is not None, "python -m lab experiment blocks"
    return loaded


def test_both_libraries_give_what_sp_800_38a_has() -> None:
    """F.5.1, CTR-AES128.Encrypt, the first block."""
    key = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
    iv = bytes.fromhex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
    text = bytes.fromhex("6bc1bee22e409f96e93d7e117393172a")
    for encrypt in blocks.SOFTWARE.values():
        assert encrypt(key, iv, text).hex() == "874d6191b620e3261bef6864990db6ce"


def test_a_library_that_does_not_agree_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks.expected(INPUTS, 1000)
    monkeypatch.setitem(blocks.SOFTWARE, "OpenSSL", lambda key, iv, text: key + iv + text)
    with pytest.raises(blocks.WrongResultError, match="do not agree on 1000 bytes"):
        blocks.expected(INPUTS, 1000)


def test_a_wrong_result_of_any_run_is_seen() -> None:
    digest = blocks.expected(INPUTS, 16)[-1]
    blocks.same("it", [digest] * 3, digest)
    with pytest.raises(blocks.WrongResultError, match="it: the result is not that of"):
        blocks.same("it", [digest, "0" * 64, digest], digest)


def test_openssl_takes_keys_of_128_bits_only() -> None:
    with pytest.raises(evp.OpenSslError, match="takes no key of 15"):
        evp.aes_128_ctr(bytes(15), bytes(16), b"text")


def test_the_mean_leaves_out_the_fastest_and_the_slowest() -> None:
    assert blocks.trimmed([9.0, 1.0, 2.0, 3.0, 100.0, 4.0]) == pytest.approx((9 + 2 + 3 + 4) / 4)


def test_16_mib_is_at_least_2_2_times_as_fast_at_200_mhz(found: dict[str, Any]) -> None:
    theirs = next(row for row in blocks.published()["rows"] if row["name"] == "9, 200 MHz")
    size, clock = blocks.published()["bytes"][-1], blocks.CLOCKS_HZ[-1]
    for run in found["device"]:
        if (run["bytes"], run["clock_hz"]) == (size, clock):
            assert theirs["ms"][-1] / 1e3 / run["seconds"] >= 2.2, run


def test_16_bytes_take_fewer_than_400_cycles_at_any_clock(found: dict[str, Any]) -> None:
    """From the call to the result in memory, where the driver looks; the interrupt comes later."""
    runs = [run for run in found["device"] if run["bytes"] == 16]
    assert len(runs) == len(blocks.VARIANTS) * len(blocks.CLOCKS_HZ)
    for run in runs:
        assert run["cycles"] < 400, run
        assert run["cycles"] < run["interrupt_cycles"], run
        assert run["polled_accesses"] == 1
        assert run["reads"] + run["writes"] == 2
