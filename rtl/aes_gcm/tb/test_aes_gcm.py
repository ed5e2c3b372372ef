# SPDX-License-Identifier: Apache-2.0
"""aes_gcm: vectors, lengths, operations in a mix, flow control, reset and wipe, exact cycles."""

import random
from dataclasses import replace
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly
from Crypto.Cipher import AES

from lab.variants import Variant
from rtl.aes.tb.model import MODES
from rtl.aes_gcm.tb.model import DECRYPT, ENCRYPT, OPEN, SEAL, Message, message
from rtl.ghash.tb.model import product
from rtl.testbench.messages import Bench
from rtl.testbench.runner import LONG, build, long_only, over_variants, simulate
from rtl.testbench.state import secrets
from rtl.testbench.stream import cycles, received


class TB(Bench[Message]):
    def __init__(self, dut: Any) -> None:
        super().__init__(dut)
        self.all_modes = bool(int(dut.Modes.value))
        self.both_ways = bool(int(dut.Directions.value))
        sizes = int(dut.KeySizes.value)
        self.key_sizes = [16, 24, 32] if sizes == 3 else [16 + 8 * sizes]

    def message(self, operation: int, length: int, aad: int = 0, **fixed: Any) -> Message:
        return message(operation, length, aad, random.choice(self.key_sizes), **fixed)

    def mixed(self, count: int, largest: float) -> list[Message]:
        """Messages of all operations that the core has."""
        queue = []
        for _ in range(count):
            length, aad = (int(2 ** random.uniform(0, largest)) - 1 for _ in range(2))
            operation = random.choice((ENCRYPT, DECRYPT, SEAL, SEAL, OPEN, OPEN))
            if operation in {SEAL, OPEN}:
                iv = random.randbytes(random.choice([12, 12, 12, 1, 8, 16, 17, 40]))
                queue.append(self.message(operation, length, min(aad, 70), iv=iv))
                continue
            mode = random.choice(MODES if self.all_modes else MODES[2:])
            if not self.both_ways and mode in {"ecb", "cbc"}:
                operation = ENCRYPT
            queue.append(self.message(operation, length, mode=mode))
        return queue


KNOWN_TAGS = {
    16: (
        "4d5c2af327cd64a62cf35abd2ba6fab4",
        "5bc94fbc3221a5db94fae95ae7121a47",
        "3612d2e79e3b0785561be14aaca2fccb",
        "619cc5aefffe0bfa462af43c1699d050",
    ),
    24: (
        "9924a7c8587336bfb118024db8674a14",
        "2519498e80f1478f37ba55bd6d27618c",
        "65dcc57fcf623a24094fcca40d3533f8",
        "dcf566ff291c25bbb8568fc3d376a6d9",
    ),
    32: (
        "b094dac5d93471bdec1a502270e3cc6c",
        "76fc6ece0f4e1768cddf8853bb2d551b",
        "3a337dbf46a792c45e454913fe2ea8f2",
        "a44a8266ee1c8eb0c8b5d4cf5ae9f19a",
    ),
}


def known_messages(key_bytes: int) -> list[tuple[Message, str]]:
    """Test cases 3-6, 9-12, 15-18 of the proposal of GCM (McGrew and Viega, B), and their tags."""
    key = (bytes.fromhex("feffe9928665731c6d6a8f9467308308") * 2)[:key_bytes]
    text = bytes.fromhex(
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
        "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255"
    )
    aad = bytes.fromhex("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    iv = bytes.fromhex("cafebabefacedbaddecaf888")
    long_iv = bytes.fromhex(
        "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728"
        "c3c0c95156809539fcf0e2429a6b525416aedbf5a0de6a57a637b39b"
    )
    messages = (
        Message(SEAL, text, key, b"", iv),
        Message(SEAL, text[:60], key, aad, iv),
        Message(SEAL, text[:60], key, aad, iv[:8]),
        Message(SEAL, text[:60], key, aad, long_iv),
    )
    return list(zip(messages, KNOWN_TAGS[key_bytes], strict=True))


@cocotb.test()
async def known_values(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    for key_bytes in tb.key_sizes:
        for known, tag in known_messages(key_bytes):
            assert known.result()[1] == bytes.fromhex(tag)
            await tb.run([known])
            await tb.run([known.opening(), known, known.opening(spoilt=77), known.opening()])


@cocotb.test()
async def every_length(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    for operation in (ENCRYPT, SEAL, OPEN):
        await tb.run([tb.message(operation, length, marks=-1) for length in range(70)])
    pairs = [(length, aad) for length in (0, 1, 16, 63) for aad in range(36)]
    random.shuffle(pairs)
    await tb.run([tb.message(SEAL, *pair) for pair in pairs])
    await tb.run([tb.message(OPEN, *pair) for pair in pairs])


@cocotb.test()
async def every_iv_length(dut: Any) -> None:
    """Of 1 to 70 bytes, with and without additional data and data."""
    tb = TB(dut)
    await tb.start()
    queue = [
        tb.message(operation, random.choice([0, 20, 64]), random.choice([0, 9]), iv=bytes(count))
        for count in range(1, 71)
        for operation in (SEAL, OPEN)
    ]
    await tb.run(queue)


@cocotb.test()
async def marked_beats(dut: Any) -> None:
    """In the IV, additional data, data, in none; also of a message that has none."""
    tb = TB(dut)
    await tb.start()
    queue = []
    for operation in (ENCRYPT, SEAL, OPEN):
        for iv in (bytes(16),) if operation == ENCRYPT else (bytes(12), bytes(20)):
            for aad in (0,) if operation == ENCRYPT else (0, 1, 40):
                for length in (0, 1, 40):
                    beats = len(tb.message(operation, length, aad, iv=iv).beats_in(tb.bytes))
                    queue += [
                        tb.message(operation, length, aad, iv=iv, marks=1 << mark)
                        for mark in range(beats + 1)
                    ]
    assert {item.tags_out(tb.bytes)[0][2] for item in queue if item.operation == OPEN} == {0, 1}
    random.shuffle(queue)
    await tb.run(queue)


@cocotb.test()
async def every_bit_of_the_tag(dut: Any) -> None:
    """And tags of 1 to 16 bytes: only theirs are compared."""
    tb = TB(dut)
    await tb.start()
    sealed = tb.message(SEAL, 20, 3)
    await tb.run([sealed.opening(bit) for bit in range(128)])
    for count in range(1, 17):
        spoilt = [sealed.opening(8 * count - 1, count), sealed.opening(8 * count - 8, count)]
        beyond = [sealed.opening(8 * count, count)] if count < 16 else []
        await tb.run([sealed.opening(tag_bytes=count), *spoilt, *beyond])
    for count in (0, 17, 24, 31):  # all bytes count, so there is no tag that always matches
        opening = [sealed.opening(), *(sealed.opening(bit) for bit in (0, 7, 64, 127))]
        await tb.run([replace(item, all_bytes=count) for item in opening])


def iv_of(first_counter_block: bytes, key: bytes) -> bytes:
    """The 16 bytes that hash to this counter block: SP 800-38D, 7.1, step 2, backwards."""
    h = int.from_bytes(AES.new(key, AES.MODE_ECB).encrypt(bytes(16)), "big")
    inverse, power = 1 << 127, h  # h to the power of 2^128 - 2
    for _ in range(127):
        power = product(power, power)
        inverse = product(inverse, power)
    return (
        product(product(int.from_bytes(first_counter_block, "big"), inverse) ^ 128, inverse)
    ).to_bytes(16, "big")


@cocotb.test()
async def counter_wraps(dut: Any) -> None:
    """At the end of its 32 bits: of counter blocks as they are, and as an IV hashes to them."""
    tb = TB(dut)
    await tb.start()
    queue = [tb.message(ENCRYPT, 100, mode="ctr32", iv=random.randbytes(12) + b"\xff" * 4)]
    queue += [tb.message(ENCRYPT, 100, iv=b"\xff" * 16)]
    for before in range(5):
        first = random.randbytes(12) + ((1 << 32) - 1 - before).to_bytes(4, "big")
        sealed = tb.message(SEAL, 70, 3)
        sealed = replace(sealed, iv=iv_of(first, sealed.key))
        queue += [sealed, sealed.opening()]
    await tb.run(queue)


@cocotb.test()
async def busy_while_there_is_work(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    for item in tb.mixed(20, 8):
        await tb.run_one(item)


@cocotb.test()
@cocotb.parametrize(idle=[0.0, 0.6], busy=[0.0, 0.6, 0.9])
async def operations_in_a_mix(dut: Any, idle: float, busy: float) -> None:
    tb = TB(dut)
    await tb.start()
    tb.params.idle, tb.source.idle = random.choice([0.0, 0.9]), idle
    tb.sink.busy, tb.tags.busy = busy, random.choice([0.0, busy])
    await tb.run(tb.mixed(40, 9))


@cocotb.test()
async def tags_wait(dut: Any) -> None:
    """Tags that nobody takes stop the messages behind them, not before they have to."""
    tb = TB(dut)
    await tb.start()
    tb.tags.busy = 1.0
    queue = [tb.message(SEAL, 16 * n) for n in range(30)]
    tb.send(queue)
    await cycles(dut.aclk, 3000)
    assert tb.source.sent
    assert tb.params.queue
    tb.tags.busy = 0.0
    await tb.finish(queue)


@cocotb.test()
async def long_message(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    longest = 40000 if LONG else 12000
    sealed = tb.message(SEAL, random.randrange(longest // 2, longest), 500)
    await tb.run([sealed, sealed.opening(), sealed.opening(3)])


@cocotb.test()
async def reset_in_flight(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    for _ in range(20):
        tb.sink.busy = tb.tags.busy = random.choice([0.0, 0.5])
        tb.send(tb.mixed(6, 8))
        await cycles(dut.aclk, random.randrange(1, 800))
        dut.aresetn.value = 0
        await cycles(dut.aclk, 1)
        tb.clear()
        dut.aresetn.value = 1
        tb.sink.busy = tb.tags.busy = 0.0
        await tb.run([tb.message(SEAL, 50, 3, iv=bytes(9)), *tb.mixed(3, 7)])


@cocotb.test()
async def wipe_in_flight(dut: Any) -> None:
    """Every register from 16 bits on is as after the first wipe, and nothing moves in between.

    A wipe begins and ends a cycle after wipe_i.
    """
    tb = TB(dut)
    await tb.start()
    clean: dict[str, int] = {}
    for _ in range(6):
        dut.wipe_i.value = 1
        await FallingEdge(dut.aclk)
        for cycle in range(int(dut.WipeCycles.value)):
            if cycle == int(dut.WipeCycles.value) - 1:
                dut.wipe_i.value = 0
            await ReadOnly()
            for name in ("param_ready_o", "s_axis_tready", "m_axis_tvalid", "tag_valid_o"):
                assert getattr(dut, name).value == 0, name
            await FallingEdge(dut.aclk)
        await ReadOnly()
        found = {name: value for name, value in secrets(dut, 16) if not public(name)}
        assert [name for name, value in found.items() if value != clean.get(name, value)] == []
        clean = found
        await FallingEdge(dut.aclk)
        tb.clear()
        await tb.run(tb.mixed(2, 7))
        tb.sink.busy = random.choice([0.0, 0.7])
        tb.send(tb.mixed(6, 8))
        await cycles(dut.aclk, random.randrange(40, 900))
        tb.sink.busy = 0.0
        tb.params.drop()
        tb.source.drop()


def public(name: str) -> bool:
    """Lengths, which are all that the front holds, and expected tags.

    The front's mask of a block's bytes has another name in a netlist: that of the port it goes to.
    """
    lengths = ("bytes_q", "u_front", "u_blocks__keep_i")
    return any(word in name for word in (*lengths, "next_tag", "u_expected"))


@cocotb.test()
async def latency(dut: Any) -> None:
    """The formula of the package, from a start at rest, for any data and key."""
    tb = TB(dut)
    await tb.start()
    for _ in range(4):
        item = message(ENCRYPT, 16, key_bytes=tb.key_sizes[0])
        tb.send([item])
        await received(tb.sink, 1, 400)
        assert tb.sink.times[0] - tb.params.times[0] == int(dut.Latency.value)
        await FallingEdge(dut.aclk)
        await tb.finish([item])


@cocotb.test()
@cocotb.parametrize(length=[64, 1500, *([65536] if LONG else [])])
async def rate(dut: Any, length: int) -> None:
    """Messages back to back, each with its own key and IV."""
    tb = TB(dut)
    await tb.start()
    count = {64: 40, 1500: 16, 65536: 2}[length]
    key_bytes = tb.key_sizes[0]
    queue = [message(SEAL, length, key_bytes=key_bytes) for _ in range(count)]
    elapsed = await tb.rate(queue)
    dut._log.info("RATE %d bytes: %.1f cycles per message", length, elapsed)
    assert elapsed == int(getattr(dut, f"Cycles{length}").value)


CORNERS: dict[str, dict[str, int]] = {
    "any-size-all-modes": {
        "Structure": 1, "SBox": 2, "RoundStages": 3, "KeySizes": 3, "Directions": 1, "Modes": 1,
        "DigitBits": 8,
    },
    "pipeline-256": {"Structure": 2, "SBox": 3, "RoundStages": 3, "KeySizes": 2, "DigitBits": 128},
}  # fmt: skip


@over_variants("aes_gcm")
def test_variant(variant: Variant) -> None:
    simulate("aes_gcm", variant.top, variant.parameters, __name__)


# The tests of a device with AES have any key size and all modes, too.
@long_only
@pytest.mark.parametrize("corner", CORNERS)
def test_corner(corner: str) -> None:
    simulate("aes_gcm", "aes_gcm", CORNERS[corner], __name__)


def test_serial_stops_elaboration() -> None:
    with pytest.raises(RuntimeError, match="Structure must be Ring or Pipeline"):
        build("aes_gcm", "aes_gcm", {"Structure": 0})
