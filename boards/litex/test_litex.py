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


@pytest.mark.usefixtures("tools")
@pytest.mark.parametrize("memory", simulation.MEMORY_PORTS if LONG else ["bus"])
def test_the_soc_elaborates_and_its_firmware_compiles(memory: str, tmp_path: Path) -> None:
    """What takes seconds of a SoC: all but its simulation."""
    if not environment.installed(environment.REQUIREMENTS):
        pytest.skip("LiteX is not installed: python -m boards.litex sim does that")
    simulation.generate("device-small", memory, tmp_path)
    script = (tmp_path / "gateware" / "build_sim.sh").read_text()
    sources = [word for word in script.split() if word.endswith((".v", ".sv"))]
    assert str(environment.HERE / f"{simulation.MEMORY_PORTS[memory]}.sv") in sources
    command = ["--lint-only", "-Wno-fatal", "-Wno-lint", "-Wno-TIMESCALEMOD", "--top-module", "sim"]
    tool = environment.VERILATOR / "verilator"
    subprocess.run([tool, *command, *sources], cwd=tmp_path / "gateware", check=True)
    assert 10_000 < 4 * len(firmware.compile_for(tmp_path)) < 128 << 10


long = pytest.mark.skipif(not LONG, reason="SALTMILL_LONG is not set: building a SoC takes minutes")
MESSAGES = {"seal 64 KiB", "tag", "ciphertext", "open", "opened text", "forgery"}


@long
@pytest.mark.usefixtures("tools")
@pytest.mark.parametrize(
    ("name", "memory", "works", "vectors"),
    [
        ("device-aead-balanced", "shared", {*MESSAGES, "chacha20"}, 40),
        ("device-aes-ring", "shared", {*MESSAGES, "aes128-ctr"}, 30),
        ("device-ring2", "bus", {"chacha20"}, 10),
        ("device-sha256-ring", "shared", {"sha256"}, 10),
    ],
)
def test_jobs_through_the_soc(name: str, memory: str, works: set[str], vectors: int) -> None:
    """Published vectors, messages of 64 KiB whose tag and text are the host's and the processor's,
    streams, digests, the interrupt.
    """
    found = simulation.run(name, memory)
    assert not found.failed
    assert {"probe", "self-test", "interrupt", *works} == set(found.ok)
    assert found.vectors >= vectors


@long
@pytest.mark.usefixtures("tools")
def test_a_cache_that_is_not_invalidated_shows() -> None:
    found = simulation.run("device-aead-balanced", "shared", ["WITHOUT_INVALIDATION"])
    assert found.failed
