# SPDX-License-Identifier: Apache-2.0
"""Encrypts a file on the simulated device, on the CPU and with openssl; compares; decrypts it back.

python -m demo [FILE]; without one, a program of 15 MiB: the Verilator that built the device.
"""

import json
import os
import secrets
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from demo import MIB, ROOT, SALTMILL, openssl, same

FOLDER = ROOT / "build" / "demo"
A_REAL_FILE = "build/venv/lib/python3*/site-packages/verilator/bin/verilator_bin"


def seconds(command: list[str]) -> float:
    started = time.monotonic()
    subprocess.run(command, check=True)
    return time.monotonic() - started


class Demo:
    def __init__(self, plain: Path) -> None:
        FOLDER.mkdir(parents=True, exist_ok=True)
        self.plain = plain
        self.key, self.nonce, self.counter = secrets.token_bytes(32), secrets.token_bytes(12), 1
        self.key_file = FOLDER / "secret.key"
        self.key_file.unlink(missing_ok=True)
        with os.fdopen(os.open(self.key_file, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
            file.write(self.key)

    def saltmill(self, source: Path, destination: Path, *engine: str) -> dict[str, Any]:
        """Runs the command and gives its statistics."""
        statistics = destination.with_suffix(".json")
        command = [str(SALTMILL), "cipher", "--key-file", str(self.key_file), "--force", *engine]
        command += ["--nonce", self.nonce.hex(), "--counter", str(self.counter)]
        command += ["--progress", "never", "--stats", str(statistics)]
        seconds([*command, "-o", str(destination), str(source)])
        result: dict[str, Any] = json.loads(statistics.read_text())
        return result

    def run(self) -> list[tuple[str, str, str]]:
        """What, figure, and what kind of figure it is. An output that differs ends the demo."""
        device, cpu, ssl, back = (FOLDER / name for name in ("device", "cpu", "openssl", "back"))
        print(f"file      {self.plain.name}, {self.plain.stat().st_size} bytes")
        print("encrypt   on the simulated device ...", flush=True)
        on_device = self.saltmill(self.plain, device, "--engine", "sim")
        print("encrypt   on the CPU ...", flush=True)
        on_cpu = self.saltmill(self.plain, cpu, "--engine", "cpu")
        print("encrypt   with openssl ...", flush=True)
        command = openssl(self.key, self.nonce, self.counter, self.plain, ssl)
        ssl_seconds = seconds(command)
        print("decrypt   on the simulated device, what openssl encrypted ...", flush=True)
        self.saltmill(ssl, back, "--engine", "sim")

        for one, other in ((device, cpu), (device, ssl), (back, self.plain)):
            if not same(one, other):
                sys.exit(f"error: {one.name} and {other.name} differ")
            print(f"cmp       {one.name} and {other.name}: identical")
        if device.read_bytes() == self.plain.read_bytes():
            sys.exit("error: nothing was encrypted")
        return table(on_device, on_cpu, self.plain.stat().st_size / MIB / ssl_seconds)


def table(
    on_device: dict[str, Any], on_cpu: dict[str, Any], ssl_mib: float
) -> list[tuple[str, str, str]]:
    device = on_device["workers"][0]["device"]
    shape = f"{device['structure']}, {device['unroll']} rounds, {device['stages']} stages"
    clock = device["clock_hz"] / 1e6
    stalls = ("stalled_input", "stalled_output")
    shares = {name: 100 * device[name] / device["cycles"] for name in stalls}
    return [
        (
            "device",
            f"{device['algorithm']}, {shape}, {8 * device['data_bytes']}-bit memory port",
            "",
        ),
        ("bytes", f"{device['bytes']}", "simulated"),
        ("device cycles", f"{device['cycles']}", "simulated"),
        ("cycles per block", f"{device['cycles_per_block']:.3f}", "simulated"),
        ("  of the core alone", f"{device['core_cycles_per_block']}", "by its formula"),
        ("utilisation of the core", f"{100 * device['utilisation']:.1f} %", "simulated"),
        ("core waited for input", f"{device[stalls[0]]} ({shares[stalls[0]]:.1f} %)", "simulated"),
        ("core waited for output", f"{device[stalls[1]]} ({shares[stalls[1]]:.1f} %)", "simulated"),
        (f"device at {clock:g} MHz", f"{device['mib_per_second_at_clock']:.1f} MiB/s", "simulated"),
        ("CPU engine", f"{on_cpu['mib_per_second']:.0f} MiB/s", "measured, wall clock"),
        ("openssl, whole command", f"{ssl_mib:.0f} MiB/s", "measured, wall clock"),
    ]


def main() -> None:
    plain = Path(sys.argv[1]) if len(sys.argv) > 1 else next(ROOT.glob(A_REAL_FILE))
    rows = Demo(plain).run()
    print()
    for what, figure, kind in rows:
        print(f"{what:26}{figure:48}{kind}")


if __name__ == "__main__":
    main()
