# SPDX-License-Identifier: Apache-2.0
"""Pynqrypt's table: AES-128-CTR of 16 bytes to 16 MiB. Ten calls on the CPU, without the fastest
and the slowest, by the wall clock of this machine; on our devices cycles of the RTL before the
memory of its board, and the register accesses of the driver. Each result is compared.
"""

import hashlib
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from Crypto.Cipher import AES

from lab.experiments import bench, evp, store
from lab.experiments.bench import Jobs

NAME = "blocks"
PUBLISHED = Path(__file__).with_name("published.toml")
MODEL = (PUBLISHED, Path(__file__))
MEMORY = "pynq-z2"
CLOCKS_HZ = (100_000_000, 143_000_000, 200_000_000)
VARIANTS = ("aes-ring", "aes-pipe")
RUNS = 10
LONG = 1 << 20  # from here on one job: the next ones take as long
Say = Callable[[str], None]
Encrypt = Callable[[bytes, bytes, bytes], bytes]


class WrongResultError(ValueError):
    """A time without the right result is worth nothing."""


def published() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads(PUBLISHED.read_text())["pynqrypt"]
    return found


def pycryptodome(key: bytes, iv: bytes, text: bytes) -> bytes:
    return AES.new(key, AES.MODE_CTR, nonce=b"", initial_value=iv).encrypt(text)


SOFTWARE: dict[str, Encrypt] = {"PyCryptodome": pycryptodome, "OpenSSL": evp.aes_128_ctr}


def trimmed(seconds: list[float]) -> float:
    """The mean without the fastest and the slowest, as published."""
    return sum(sorted(seconds)[1:-1]) / (len(seconds) - 2)


def expected(inputs: dict[str, Any], size: int) -> tuple[bytes, bytes, bytes, str]:
    """Key, IV, text and the digest of the result, on which both libraries must agree."""
    key, iv = bytes.fromhex(inputs["key"]), bytes.fromhex(inputs["iv"])
    text = bytes(index % inputs["text_period"] for index in range(size))
    digests = {hashlib.sha256(encrypt(key, iv, text)).hexdigest() for encrypt in SOFTWARE.values()}
    if len(digests) != 1:
        raise WrongResultError(f"PyCryptodome and OpenSSL do not agree on {size} bytes")
    return key, iv, text, digests.pop()


def same(whose: str, digests: list[str], digest: str) -> None:
    if set(digests) != {digest}:
        raise WrongResultError(f"{whose}: the result is not that of PyCryptodome and OpenSSL")


def on_cpu(size: int) -> Iterator[dict[str, Any]]:
    own = bench.call("stream", "--algorithm", "aes-128-ctr", "--bytes", str(size), "--runs", "10")
    key, iv, text, digest = expected(own["inputs"], size)
    same("saltmill", own["sha256"], digest)
    yield {"name": "saltmill", "bytes": size, "seconds": trimmed(own["seconds"])}
    for name, encrypt in SOFTWARE.items():
        seconds, digests = [], []
        for _ in range(RUNS):
            started = time.perf_counter()
            result = encrypt(key, iv, text)
            seconds.append(time.perf_counter() - started)
            digests.append(hashlib.sha256(result).hexdigest())
        same(name, digests, digest)
        yield {"name": name, "bytes": size, "seconds": trimmed(seconds)}


def on_device(variant: str, size: int, clock_hz: int) -> dict[str, Any]:
    """One call after the other, each waited for, as published: by looking at memory, which is when
    its result is there, and by the interrupt, which comes after memory has answered."""
    jobs = 1 if size >= LONG else RUNS
    middles, accesses = {}, {}
    for poll in (True, False):
        one_by_one = Jobs(variant, MEMORY, "xor", size, jobs, 1, 1, clock_hz, poll)
        found = one_by_one.run()
        same(f"device {variant}", [found["sha256"]], expected(found["inputs"], size)[-1])
        middles[poll] = sorted(found["job_cycles"])[len(found["job_cycles"]) // 2]
        accesses[poll] = found["job_accesses"]
    return {
        "variant": variant,
        "bytes": size,
        "clock_hz": clock_hz,
        "cycles": middles[True],
        "interrupt_cycles": middles[False],
        "polled_accesses": round((accesses[True]["reads"] + accesses[True]["writes"]) / jobs, 1),
        "reads": round(accesses[False]["reads"] / jobs, 1),
        "writes": round(accesses[False]["writes"] / jobs, 1),
        "key_writes": found["key_accesses"]["writes"],
        "seconds": middles[True] / clock_hz,
    }


def run(say: Say) -> Path:
    """All of it, minutes."""
    machine, sizes = store.machine(), published()["bytes"]
    cpu, device = [], []
    for size in sizes:
        say(f"{size} bytes on the CPU")
        cpu += list(on_cpu(size))
    for variant in VARIANTS:
        for clock_hz in CLOCKS_HZ:
            for size in sizes:
                say(f"{size} bytes, {variant} at {clock_hz / 1e6:g} MHz")
                device.append(on_device(variant, size, clock_hz))
    found = {
        "sources": store.sources(VARIANTS, MODEL),
        "machine": {**machine, "openssl": evp.version()},
        "cpu": cpu,
        "device": device,
    }
    return store.save(NAME, found)
