# SPDX-License-Identifier: Apache-2.0
"""Measures the kernels on the first GPU of this machine: `python -m lab.gpu.measure`.

Needs CUDA's nvcc and OpenSSL's library, and no package of Python. Every result is compared with
OpenSSL. Data are on the card, or go there and back over the bus in pieces that overlap.
"""

import argparse
import ctypes
import hashlib
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from lab.experiments import evp

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent.parent
SOURCES = (FOLDER / "blocks.h", FOLDER / "ciphers.cu")
OUTPUT = ROOT / "lab" / "results" / "experiments" / "gpu.json"
LIBRARY = ROOT / "build" / "gpu" / "libciphers.so"
SIZES = (256 << 10, 16 << 20, 256 << 20, 1 << 30)
RUNS = 20
SUSTAINED_S = 4.0  # while the card tells its power
KEY, IV = bytes(range(32)), bytes(range(0xF0, 0x100))
COUNTER = bytes(4)  # of ChaCha20: it does not wrap
CIPHERS: dict[str, tuple[int, bytes, bytes, Callable[[bytes, bytes, bytes], bytes]]] = {
    "AES-128-CTR": (0, KEY[:16], IV, evp.aes_128_ctr),
    "ChaCha20": (1, KEY, COUNTER + IV[4:], evp.chacha20),
}


class GpuError(RuntimeError):
    """No GPU, no compiler, or a wrong result."""


def built() -> ctypes.CDLL:
    LIBRARY.parent.mkdir(parents=True, exist_ok=True)
    command = ["nvcc", "-O3", "-std=c++17", "-arch=native", "--shared", "-Xcompiler", "-fPIC"]
    subprocess.run([*command, "-o", LIBRARY, FOLDER / "ciphers.cu"], check=True)
    found = ctypes.CDLL(str(LIBRARY))
    found.saltmill_gpu.restype = ctypes.c_char_p
    return found


def card(library: ctypes.CDLL) -> str:
    name = ctypes.create_string_buffer(256)
    if not library.saltmill_gpu_name(name, ctypes.c_size_t(len(name))):
        raise GpuError("there is no GPU")
    return name.value.decode()


def encrypt(
    library: ctypes.CDLL, cipher: str, text: bytes, card_runs: int, bus_runs: int
) -> tuple[bytes, list[float], list[float]]:
    """The result, and milliseconds on the card and over the bus."""
    number, key, iv, _ = CIPHERS[cipher]
    result = ctypes.create_string_buffer(len(text))
    on_card, over_bus = (ctypes.c_float * card_runs)(), (ctypes.c_float * bus_runs)()
    why = library.saltmill_gpu(
        number,
        key,
        iv,
        text,
        result,
        ctypes.c_size_t(len(text)),
        card_runs,
        on_card,
        bus_runs,
        over_bus,
    )
    if why:
        raise GpuError(f"{cipher}: {why.decode()}")
    return result.raw, list(on_card), list(over_bus)


def text_of(size: int) -> bytes:
    """With a period that is no power of two: blocks that change places are seen."""
    period = bytes(range(251))
    return (period * (size // len(period) + 1))[:size]


def query(fields: str) -> list[str]:
    command = ["nvidia-smi", f"--query-gpu={fields}", "--format=csv,noheader,nounits", "--id=0"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [field.strip() for field in done.stdout.split(",")]


def watts(library: ctypes.CDLL, cipher: str, text: bytes, kernel_ms: float) -> float | None:
    """What the card draws while one kernel follows another; None if it does not tell."""
    runs = max(1, round(SUSTAINED_S * 1e3 / kernel_ms))
    worker = threading.Thread(target=encrypt, args=(library, cipher, text, runs, 1))
    told: list[tuple[float, float]] = []
    worker.start()
    while worker.is_alive():
        power, use = query("power.draw,utilization.gpu")
        try:
            told.append((float(power), float(use)))
        except ValueError:
            worker.join()
            return None
    busy = [power for power, use in told if use >= 90]
    return median(busy) if busy else None


def measured(library: ctypes.CDLL, cipher: str, size: int) -> dict[str, Any]:
    text = text_of(size)
    result, on_card, over_bus = encrypt(library, cipher, text, RUNS, RUNS)
    _, key, iv, openssl = CIPHERS[cipher]
    if result != openssl(key, iv, text):
        raise GpuError(f"{cipher} of {size} bytes: the result is not OpenSSL's")
    row: dict[str, Any] = {"cipher": cipher, "bytes": size}
    for name, times in (("card", on_card), ("bus", over_bus)):
        row[f"{name}_ms"] = round(median(times), 5)
        row[f"{name}_gbit_s"] = round(8 * size / median(times) / 1e6, 2)
    if size == SIZES[-1]:
        row["card_watts"] = watts(library, cipher, text, median(on_card))
    return row


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m lab.gpu.measure", description=__doc__)
    parser.add_argument("--output", type=Path, default=OUTPUT, help="%(default)s")
    options = parser.parse_args(arguments)
    library = built()
    driver, idle = query("driver_version,power.draw")
    rows: list[dict[str, Any]] = []
    found = {
        "label": "measured",
        "card": card(library),
        "driver": driver,
        "idle_watts": float(idle),
        "openssl": evp.version(),
        "sources": {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in SOURCES},
        "rows": rows,
    }
    for cipher in CIPHERS:
        for size in SIZES:
            rows.append(measured(library, cipher, size))
            print(rows[-1], file=sys.stderr, flush=True)
    options.output.write_text(json.dumps(found, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
