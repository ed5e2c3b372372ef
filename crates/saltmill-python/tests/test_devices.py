# SPDX-License-Identifier: Apache-2.0
"""Simulated devices, where the build has them (feature `sim`), against other libraries."""

import asyncio
import hashlib
import os
import subprocess
import sys
from concurrent.futures import CancelledError

import pytest
import saltmill
from conftest import text_of
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

KEY, NONCE = bytes(range(32)), bytes(range(100, 112))
THERE = saltmill.devices()


def device(name: str, dma_bytes: int = 64 << 10) -> saltmill.Device:
    if name not in THERE:
        if os.environ.get("SALTMILL_PYTHON_SIM") and name == "sim:ring2":
            pytest.fail(f"{name} is not in {THERE}")
        pytest.skip(f"the build has no {name}")
    return saltmill.Device(name, dma_bytes=dma_bytes)


def chacha20(text: bytes, counter: int) -> bytes:
    theirs = Cipher(algorithms.ChaCha20(KEY, counter.to_bytes(4, "little") + NONCE), None)
    return theirs.encryptor().update(text)


def test_streams_of_any_length() -> None:
    with device("sim:ring2") as ring:
        assert ring.description["algorithm"] == "chacha20"
        ring.set_key(1, KEY)
        sizes = [0, 1, 63, 64, 65, 5000, 40_000]  # the last one is cut into pieces
        made = [
            ring.submit("xor_stream", text_of(size), slot=1, nonce=NONCE, counter=7)
            for size in sizes
        ]
        for size, future in zip(sizes, made, strict=True):
            assert future.result(60) == chacha20(text_of(size), 7), size
        counters = ring.counters()
        assert counters["bytes"] == sum(sizes)
        assert (counters["cycles"] or 0) > 0
        assert counters["simulated_cycles"]


def test_awaited_side_by_side() -> None:
    async def both(ring: saltmill.Device) -> list[bytes]:
        calls = [ring.arun("xor_stream", text_of(n), nonce=NONCE, counter=n) for n in (100, 200)]
        return await asyncio.gather(*calls)

    with device("sim:ring2") as ring:
        ring.set_key(0, KEY)
        expected = [chacha20(text_of(n), n) for n in (100, 200)]
        assert asyncio.run(both(ring)) == expected


def test_a_future_that_nobody_keeps() -> None:
    """Its job is done, and harms none of the others."""
    with device("sim:ring2") as ring:
        ring.set_key(0, KEY)
        text = text_of(20_000)
        for _ in range(4):
            ring.submit("xor_stream", text, nonce=NONCE)
        assert ring.run("xor_stream", text, nonce=NONCE, counter=5) == chacha20(text, 5)
        assert ring.counters()["bytes"] == 5 * len(text)
    ring = device("sim:ring2")
    ring.set_key(0, KEY)
    made = ring.submit("xor_stream", text, nonce=NONCE)
    del ring  # closed, when its job is done
    assert made.done()
    assert made.result() == chacha20(text, 0)


def test_cancelled_before_and_while_it_runs() -> None:
    with device("sim:ring2") as ring:
        ring.set_key(0, KEY)
        text = text_of(20_000)
        made = [ring.submit("xor_stream", text, nonce=NONCE, counter=n) for n in range(8)]
        # Those in front keep the device busy: this one has not begun.
        assert made[-1].cancel()
        cancelled = [future.cancel() for future in made]
        for number, future in enumerate(made):
            if cancelled[number]:
                with pytest.raises(CancelledError):
                    future.result()
            else:
                assert future.result(60) == chacha20(text, number)
        counted = ring.counters()["bytes"]
        assert counted == cancelled.count(False) * len(text)

        async def give_up() -> bytes:
            first = asyncio.create_task(ring.arun("xor_stream", text, nonce=NONCE))
            await asyncio.sleep(0)  # it is submitted
            first.cancel()
            with pytest.raises(asyncio.CancelledError):
                await first
            return await ring.arun("xor_stream", text, nonce=NONCE, counter=9)

        assert asyncio.run(give_up()) == chacha20(text, 9)


def test_a_program_may_end_with_jobs_under_way() -> None:
    device("sim:ring2").close()
    program = """import saltmill
ring = saltmill.Device("sim:ring2")
ring.set_key(0, bytes(32))
made = [ring.submit("xor_stream", bytes(20_000), nonce=bytes(12)) for _ in range(8)]
print("ends")
"""
    call = [sys.executable, "-c", program]
    done = subprocess.run(call, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ends\n", "")


@pytest.mark.parametrize("name", ["sha256", "md5"])
def test_digests_of_any_length(name: str) -> None:
    with device(f"sim:{name}-ring") as ring:
        sizes = [0, 1, 55, 56, 64, 1000, 30_000]
        made = [ring.submit("digest", bytearray(text_of(size))) for size in sizes]
        for size, future in zip(sizes, made, strict=True):
            assert future.result(60) == hashlib.new(name, text_of(size)).digest(), size


def test_what_a_nonce_and_an_operation_are_good_for() -> None:
    with device("sim:ring2") as ring:
        ring.set_key(0, KEY)
        for size, counter in ((65, 0xFFFF_FFFF), (40_000, 2**32 - 600)):
            with pytest.raises(saltmill.CounterError) as long:
                ring.submit("xor_stream", text_of(size), nonce=NONCE, counter=counter)
            assert long.value.longest == (2**32 - counter) * 64
        last = ring.run("xor_stream", text_of(64), nonce=NONCE, counter=0xFFFF_FFFF)
        assert last == chacha20(text_of(64), 0xFFFF_FFFF)
        with pytest.raises(ValueError, match="additional data"):
            ring.submit("xor_stream", b"abc", nonce=NONCE, aad=b"abc")


def test_errors() -> None:
    with device("sim:ring2") as ring:
        with pytest.raises(saltmill.JobError) as empty:
            ring.run("xor_stream", b"abc", nonce=NONCE)  # no key yet
        assert empty.value.kind == "bad_key_slot"
        with pytest.raises(saltmill.DeviceError) as no_slot:
            ring.set_key(99, KEY)
        assert no_slot.value.kind == "no_key_slot"
        with pytest.raises(saltmill.DeviceError) as length:
            ring.set_key(0, KEY[1:])
        assert length.value.kind == "key_length"
        ring.set_key(0, KEY)
        with pytest.raises((saltmill.JobError, saltmill.DeviceError)):
            ring.run("ecb_encrypt", bytes(16))
        with pytest.raises(ValueError, match="no operation"):
            ring.run("nothing", b"")  # type: ignore[arg-type]
        assert ring.run("xor_stream", b"abc", nonce=NONCE) == chacha20(b"abc", 0)
        ring.wipe()
        with pytest.raises(saltmill.JobError):
            ring.run("xor_stream", b"abc", nonce=NONCE)
    with pytest.raises(ValueError, match="closed"):
        ring.submit("xor_stream", b"abc")
    assert KEY.hex() not in repr(ring)


def test_a_device_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="no device"):
        saltmill.Device("nothing")
    with pytest.raises(saltmill.DeviceError):
        saltmill.Device("vfio:0000:ff:1f.7")
