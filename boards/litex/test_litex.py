# SPDX-License-Identifier: Apache-2.0
"""The SoC: what it is made of, and with SALTMILL_LONG the SoC itself in a simulation."""

import ctypes
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from Crypto.Cipher import AES, ChaCha20
from Crypto.Hash import SHA256

from boards.litex import environment, firmware, results, simulation, wrapper
from lab import variants

LONG = bool(os.environ.get("SALTMILL_LONG"))
KEY, NONCE = bytes(range(32)), bytes(range(100, 116))
LENGTHS = (0, 1, 55, 56, 63, 64, 65, 119, 120, 1000)


@pytest.fixture(scope="module")
def ciphers(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The firmware's own ciphers, on this machine."""
    library = tmp_path_factory.mktemp("ciphers") / "ciphers.so"
    source = firmware.SOURCES / "ciphers.c"
    command = f"cc -shared -fPIC -O2 -std=gnu11 -Wall -Wextra -Werror {source} -o {library}"
    subprocess.run(command.split(), check=True)
    return ctypes.CDLL(str(library))


def message(length: int) -> bytes:
    return bytes(i % 251 for i in range(length))


def result(length: int, call: Callable[[ctypes.Array[ctypes.c_char]], None]) -> bytes:
    made = ctypes.create_string_buffer(length + 1)
    call(made)
    return made.raw[:length]


@pytest.mark.parametrize("length", LENGTHS)
def test_what_the_processor_computes_is_right(ciphers: ctypes.CDLL, length: int) -> None:
    text, size = message(length), ctypes.c_size_t(length)
    expected = ChaCha20.new(key=KEY, nonce=NONCE[:12]).encrypt(text)
    assert expected == result(
        length, lambda to: ciphers.chacha20_xor(KEY, NONCE[:12], 0, text, to, size)
    )
    counter = bytes([*NONCE[:12], 0xFF, 0xFF, 0xFF, 0xFE])  # carries past 32 bits
    expected = AES.new(KEY[:16], AES.MODE_CTR, nonce=b"", initial_value=counter).encrypt(text)
    assert expected == result(
        length, lambda to: ciphers.aes128_ctr_xor(KEY[:16], counter, text, to, size)
    )
    digest = result(32, lambda to: ciphers.sha256(text, size, to))
    assert digest == SHA256.new(text).digest()


def test_the_page_shows_the_results() -> None:
    rows = results.load()
    assert {(row["variant"], row["memory"]) for row in rows} == set(results.MEASURED)
    text = results.PAGE.read_text()
    assert results.page(text, rows) == text


def test_the_wrapper_is_one_that_elaborates(tmp_path: Path) -> None:
    """Its parameters are a row's; slang takes it, as a module without parameters."""
    variant = variants.load()["device-small"]
    files = wrapper.write(variant, 50_000_000, tmp_path)
    command = ["--lint-only", "-Wno-fatal", "-Wno-lint", "--top-module", wrapper.TOP]
    tool = environment.VERILATOR / "verilator"
    subprocess.run([str(tool), *command, *map(str, files)], check=True)
    assert ".ClockHz(50000000)" in files[-1].read_text()


@pytest.fixture(scope="module")
def tools() -> None:
    absent = environment.missing()
    if absent:
        pytest.skip(f"not installed: {' '.join(absent)}")


@pytest.mark.skipif(not LONG, reason="SALTMILL_LONG is not set: building a SoC takes minutes")
@pytest.mark.usefixtures("tools")
def test_messages_through_the_soc() -> None:
    found = simulation.run("device-aead-balanced", "shared")
    assert not found.failed
    wanted = {"probe", "self-test", "seal 64 KiB", "tag", "ciphertext", "open", "opened text"}
    assert wanted | {"forgery", "chacha20", "interrupt"} <= set(found.ok)
    assert found.vectors >= 40


@pytest.mark.skipif(not LONG, reason="SALTMILL_LONG is not set: building a SoC takes minutes")
@pytest.mark.usefixtures("tools")
def test_digests_through_the_soc() -> None:
    found = simulation.run("device-sha256-ring", "shared")
    assert not found.failed
    assert {"probe", "self-test", "sha256", "interrupt"} <= set(found.ok)
    assert found.vectors >= 10


@pytest.mark.skipif(not LONG, reason="SALTMILL_LONG is not set: building a SoC takes minutes")
@pytest.mark.usefixtures("tools")
def test_a_cache_that_is_not_invalidated_shows() -> None:
    found = simulation.run("device-aead-balanced", "shared", ["WITHOUT_INVALIDATION"])
    assert found.failed
