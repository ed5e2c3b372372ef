# SPDX-License-Identifier: Apache-2.0
"""The kernels' blocks, built by a host compiler, beside OpenSSL: there may be no GPU here."""

import ctypes
import shutil
import subprocess
from pathlib import Path

import pytest

from lab.experiments import evp
from lab.gpu import measure

FLAGS = "-O2 -std=c++17 -Wall -Wextra -Werror -Wno-unknown-pragmas -shared -fPIC".split()


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    library = tmp_path_factory.mktemp("gpu") / "libhost.so"
    subprocess.run(["c++", *FLAGS, "-o", library, measure.FOLDER / "host.cpp"], check=True)
    return ctypes.CDLL(str(library))


@pytest.mark.parametrize("counter", ["00" * 16, "ff" * 16, "00" * 8 + "ff" * 8, "0" * 31 + "1"])
def test_aes_is_that_of_openssl(host: ctypes.CDLL, counter: str) -> None:
    key, iv, blocks = measure.KEY[:16], bytes.fromhex(counter), 300
    found = ctypes.create_string_buffer(16 * blocks)
    host.saltmill_aes_128_ctr(key, iv, ctypes.c_uint64(blocks), found)
    assert found.raw == evp.aes_128_ctr(key, iv, bytes(16 * blocks))


@pytest.mark.parametrize("counter", [0, 1, 0xFFFF_0000])
def test_chacha20_is_that_of_openssl(host: ctypes.CDLL, counter: int) -> None:
    key, nonce, blocks = measure.KEY, measure.IV[4:], 300
    found = ctypes.create_string_buffer(64 * blocks)
    host.saltmill_chacha20(key, nonce, ctypes.c_uint32(counter), ctypes.c_uint64(blocks), found)
    iv = counter.to_bytes(4, "little") + nonce
    assert found.raw == evp.chacha20(key, iv, bytes(64 * blocks))


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs CUDA and a GPU")
def test_the_gpu_is_that_of_openssl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "SIZES", (64, 256 << 10, (16 << 20) + 64))
    monkeypatch.setattr(measure, "watts", lambda *_: None)
    assert measure.main(["--output", str(tmp_path / "gpu.json")]) == 0
