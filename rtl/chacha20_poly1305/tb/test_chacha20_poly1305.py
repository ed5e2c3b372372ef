# SPDX-License-Identifier: Apache-2.0
"""chacha20_poly1305: vectors, lengths, operations in a mix, flow control, reset and wipe, rate."""

import random
from dataclasses import replace
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge

from lab.variants import Variant
from rtl.chacha20_poly1305.tb.model import CIPHER, MAC, OPEN, SEAL, Message, message, vectors
from rtl.testbench.messages import Bench
from rtl.testbench.runner import LONG, build, over_variants, simulate
from rtl.testbench.stream import cycles, received, to_beats


def rfc_message() -> tuple[Message, str]:
    """RFC 8439, 2.8.2, and its tag."""
    text = (
        b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the "
        b"future, sunscreen would be it."
    )
    return (
        Message(
            SEAL,
            text,
            bytes.fromhex("50515253c0c1c2c3c4c5c6c7"),
            bytes(range(0x80, 0xA0)),
            bytes.fromhex("070000004041424344454647"),
        ),
        "1ae10b594f09e26a7e902ecbd0600691",
    )


def extended_message() -> tuple[Message, str]:
    """draft-irtf-cfrg-xchacha-03, A.3.1, and its tag."""
    known, _ = rfc_message()
    nonce = bytes.fromhex("404142434445464748494a4b4c4d4e4f5051525354555657")
    return Message(
        SEAL, known.data, known.aad, known.key, nonce
    ), "c0875924c1c7987947deafd8780acf49"


def mixed(count: int, largest: float) -> list[Message]:
    queue = []
    for _ in range(count):
        operation = random.choice((CIPHER, MAC, SEAL, OPEN, OPEN))
        length, aad = (int(2 ** random.uniform(0, largest)) - 1 for _ in range(2))
        extended = operation != MAC and random.random() < 0.2
        queue.append(
            message(
                operation,
                length,
                min(aad, 70) if operation in (SEAL, OPEN) else 0,
                nonce=random.randbytes(24 if extended else 12),
                **({"counter": random.randrange(1 << 31)} if operation == CIPHER else {}),
            )
        )
    return queue


@cocotb.test()
async def vectors_of_the_standard(dut: Any) -> None:
    tb = Bench[Message](dut)
    await tb.start()
    for known, tag in (rfc_message(), extended_message()):
        assert known.result()[1] == bytes.fromhex(tag)
        await tb.run([known])
        await tb.run([known.opening(), known, known.opening(spoilt=77), known.opening()])


@cocotb.test()
async def wycheproof(dut: Any) -> None:
    """Vectors whose nonce a param can hold, sealed and opened: all in `make test-all`, a third in
    `make test`."""
    tb = Bench[Message](dut)
    await tb.start()
    valid, invalid = vectors()
    assert (len(valid), len(invalid)) == (502, 120)
    if not LONG:
        valid, invalid = valid[::3], invalid[::3]
    await tb.run([sealing for sealing, _ in valid])
    await tb.run([opening for pair in valid for opening in pair[1:]])
    await tb.run(invalid)


@cocotb.test()
async def every_length(dut: Any) -> None:
    tb = Bench[Message](dut)
    await tb.start()
    for operation in (CIPHER, MAC, SEAL, OPEN):
        await tb.run([message(operation, length, marks=-1) for length in range(70)])
    pairs = [(length, aad) for length in (0, 1, 16, 63) for aad in range(36)]
    random.shuffle(pairs)
    await tb.run([message(SEAL, *pair) for pair in pairs])
    await tb.run([message(OPEN, *pair) for pair in pairs])


@cocotb.test()
async def marked_beats(dut: Any) -> None:
    """In additional data only, in data only, in neither part of a message that has none."""
    tb = Bench[Message](dut)
    await tb.start()
    queue = [
        message(operation, length, aad, marks=1 << mark)
        for operation, parts in ((CIPHER, [0]), (MAC, [0]), (SEAL, [0, 1, 40]), (OPEN, [0, 1, 40]))
        for aad in parts
        for length in (0, 1, 40)
        for mark in range(-(-aad // tb.bytes) - (-length // tb.bytes) + 1)
    ]
    assert {item.tags_out(tb.bytes)[0][2] for item in queue if item.operation == OPEN} == {0, 1}
    await tb.run(queue)
    random.shuffle(queue)
    await tb.run(queue)


@cocotb.test()
async def every_bit_of_the_tag(dut: Any) -> None:
    tb = Bench[Message](dut)
    await tb.start()
    sealed = message(SEAL, 20, 3)
    await tb.run([sealed.opening(bit) for bit in range(128)])


@cocotb.test()
async def busy_while_there_is_work(dut: Any) -> None:
    tb = Bench[Message](dut)
    await tb.start()
    for item in mixed(20, 8):
        await tb.run_one(item)


@cocotb.test()
@cocotb.parametrize(idle=[0.0, 0.6], busy=[0.0, 0.6, 0.9])
async def operations_in_a_mix(dut: Any, idle: float, busy: float) -> None:
    tb = Bench[Message](dut)
    await tb.start()
    tb.params.idle, tb.source.idle = random.choice([0.0, 0.9]), idle
    tb.sink.busy, tb.tags.busy = busy, random.choice([0.0, busy])
    await tb.run(mixed(40, 9))


@cocotb.test()
async def interrupted(dut: Any) -> None:
    """Reset and wipe in mid-flight, at any time, then messages as if nothing had been."""
    tb = Bench[Message](dut)
    await tb.start()
    for way in (dut.aresetn, dut.wipe_i) * 6:
        tb.sink.busy = tb.tags.busy = random.choice([0.0, 0.5])
        tb.send(mixed(10, 8))
        await cycles(dut.aclk, random.randrange(1, 1500))
        way.value = int(way is dut.wipe_i)
        await cycles(dut.aclk, int(dut.WipeCycles.value) if way is dut.wipe_i else 1)
        tb.clear()
        way.value = int(way is not dut.wipe_i)
        await tb.run([rfc_message()[0], *mixed(4, 8)])


@cocotb.test()
async def counter_at_its_end(dut: Any) -> None:
    """What is behind block 2^32 - 1 is zeros, and marked; then a message as if nothing had been."""
    tb = Bench[Message](dut)
    await tb.start()
    item = message(CIPHER, 200, counter=(1 << 32) - 2)
    covered, _ = replace(item, data=item.data[:128]).result()
    expected = [
        (word, keep, last, 2 * int(i * tb.bytes >= 128))
        for i, (word, keep, last, _) in enumerate(to_beats(covered + bytes(72), tb.bytes))
    ]
    tb.send([item])
    await received(tb.sink, len(expected), 2000)
    assert tb.sink.received == expected
    await FallingEdge(dut.aclk)
    tb.clear()
    await tb.run([rfc_message()[0]])


@cocotb.test()
async def reset_while_a_tag_is_made(dut: Any) -> None:
    """For one cycle, at any of the last ones before the tag; the next message follows at once."""
    tb = Bench[Message](dut)
    await tb.start()
    opening = message(SEAL, 20, 3).opening()
    tb.tags.busy = 1.0
    tb.send([opening])
    await FallingEdge(dut.aclk)
    taken = 0
    while not dut.tag_valid_o.value:
        await FallingEdge(dut.aclk)
        taken += 1
    tb.tags.busy = 0.0
    await tb.finish([opening])
    for before in range(24):
        tb.send([opening])
        await cycles(dut.aclk, taken - before)
        dut.aresetn.value = 0
        await cycles(dut.aclk, 1)
        tb.clear()
        dut.aresetn.value = 1
        await tb.run([opening])


@cocotb.test()
@cocotb.parametrize(length=[64, 1500, *([65536] if LONG else [])])
async def rate(dut: Any, length: int) -> None:
    """Messages back to back, each with a key and a nonce of its own."""
    tb = Bench[Message](dut)
    await tb.start()
    count = {64: 60, 1500: 24, 65536: 2}[length]
    queue = [message(SEAL, length) for _ in range(count)]
    elapsed = await tb.rate(queue)
    dut._log.info("RATE %d bytes: %.1f cycles per message", length, elapsed)
    # A few long ones take less: the cipher runs ahead.
    expected = int(getattr(dut, f"Cycles{length}").value)
    assert 0.99 * expected - 1 < elapsed <= expected


@over_variants("chacha20_poly1305")
def test_variant(variant: Variant) -> None:
    simulate("chacha20_poly1305", variant.top, variant.parameters, __name__)


def test_other_widths_stop_elaboration() -> None:
    with pytest.raises(RuntimeError, match="DataBytes must be 16"):
        build("chacha20_poly1305", "chacha20_poly1305", {"DataBytes": 8})
