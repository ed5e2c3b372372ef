# SPDX-License-Identifier: Apache-2.0
"""aes_cbc: published vectors, lengths, lanes in turn, partial beats, flow control."""

import random
import re
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from lab.variants import Variant
from rtl.aes.tb import cavp
from rtl.aes.tb.model import BLOCK, Packet
from rtl.aes_cbc.tb.lanes import (
    CORNERS,
    TB,
    WHOLE,
    Message,
    in_turn,
    mixed,
    number,
    of_blocks,
    queues,
)
from rtl.testbench.runner import build, over_corners, over_variants, simulate
from rtl.testbench.stream import cycles


@cocotb.test()
async def example_vectors(dut: Any) -> None:
    """SP 800-38A, F.2.1, F.2.3 and F.2.5: of the sizes that the core has, in each lane."""
    tb = TB(dut)
    await tb.start()
    data = bytes.fromhex(
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
        "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
    )
    known = [
        ("2b7e151628aed2a6abf7158809cf4f3c",
         ("7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
          "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7")),
        ("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
         ("4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"
          "571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd")),
        ("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
         ("f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
          "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b")),
    ]  # fmt: skip
    for key, cipher in [(bytes.fromhex(key), bytes.fromhex(cipher)) for key, cipher in known]:
        if len(key) not in tb.sizes:
            continue
        messages = [Message(lane, data, iv=bytes(range(16))) for lane in range(tb.lanes)]
        expected = [number(cipher[i : i + BLOCK]) for i in range(0, 64, BLOCK)]
        assert [block for block, *_ in messages[0].result(key)[1:]] == expected
        await tb.new_key(key)
        await tb.run(messages)


@cocotb.test()
async def nist_files(dut: Any) -> None:
    """AESAVS: those known answers that share a key side by side, multi-block messages."""
    tb = TB(dut)
    await tb.start()
    for size in tb.sizes:
        for kind in (*cavp.KNOWN_ANSWERS, "MMT"):
            by_key: dict[bytes, list[dict[str, bytes]]] = {}
            for row in cavp.blocks("CBC", kind, 8 * size):
                if "ENCRYPT" in row:
                    by_key.setdefault(row["KEY"], []).append(row)
            assert by_key
            # of keys with one block only, some
            for key in random.sample(list(by_key), min(20, len(by_key))):
                rows = by_key[key]
                messages = [
                    Message(i % tb.lanes, row["PLAINTEXT"], iv=row["IV"])
                    for i, row in enumerate(rows)
                ]
                for message, row in zip(messages, rows, strict=True):
                    model = Packet(message.data, key, "cbc", iv=message.iv).result()
                    assert model == row["CIPHERTEXT"]
                await tb.new_key(key)
                await tb.run(messages)


@cocotb.test()
async def monte_carlo(dut: Any) -> None:
    """AESAVS, 6.4: the first chain. The input of a block is the output two beats before."""
    tb = TB(dut)
    await tb.start()
    for size in tb.sizes:
        row = next(row for row in cavp.blocks("CBC", "MCT", 8 * size) if "ENCRYPT" in row)
        await tb.new_key(row["KEY"])
        lane = random.randrange(tb.lanes)
        blocks = [number(row["IV"]), number(row["PLAINTEXT"])]
        for i in range(1001):
            tb.source.send([(blocks[i], WHOLE, int(i == 1000), lane)])
            await tb.received(i + 1)
            blocks.append(tb.sink.received[i][1])
        assert blocks[-1] == number(row["CIPHERTEXT"])
        tb.sink.clear()


@cocotb.test()
async def every_length(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    await tb.new_key()
    for lane in range(tb.lanes):  # alone
        await tb.run([of_blocks(lane, blocks) for blocks in (0, 0, 1, 2, 3, 0, 1)])
    order = [(lane, blocks) for lane in range(tb.lanes) for blocks in range(21)]
    random.shuffle(order)
    await tb.run([of_blocks(lane, blocks) for lane, blocks in order])


@cocotb.test()
@cocotb.parametrize(idle=[0.0, 0.5, 0.9], busy=[0.0, 0.5, 0.9, 0.97])
async def flow_control(dut: Any, idle: float, busy: float) -> None:
    tb = TB(dut)
    await tb.start()
    for _ in range(2):
        tb.keys.idle, tb.source.idle, tb.sink.busy = random.choice([0.0, 0.9]), idle, busy
        await tb.new_key()
        await tb.run(tb.any_of(3 * tb.lanes))


@cocotb.test()
async def output_that_is_refused(dut: Any) -> None:
    """What is taken is finished and waits; all else waits in front; nothing is lost."""
    tb = TB(dut)
    await tb.start()
    await tb.new_key()
    messages = [of_blocks(lane, 20) for lane in range(tb.lanes)]
    tb.sink.busy = 1.0
    tb.source.send(in_turn(messages))
    await cycles(dut.aclk, 1200)
    taken = len(tb.source.sent)
    assert taken == 16 + 2 * tb.lanes  # results, and entries of lanes
    await cycles(dut.aclk, 300)
    assert len(tb.source.sent) == taken
    assert tb.sink.received == []
    tb.sink.busy = 0.0
    await tb.finish([(message, tb.key) for message in messages])


@cocotb.test()
async def lane_without_data(dut: Any) -> None:
    """A message that does not go on: the others do, at its start, in it and before its end."""
    tb = TB(dut)
    await tb.start()
    await tb.new_key()
    for stop in (1, 2, 4):
        slow = of_blocks(random.randrange(tb.lanes), 4)
        others = [message for message in tb.any_of(4 * tb.lanes) if message.lane != slow.lane]
        beats = slow.beats()
        tb.source.send([*beats[:stop], *mixed(others)])
        await tb.received(stop + sum(len(message.beats()) for message in others))
        await ReadOnly()
        assert dut.busy_o.value == 1  # it is not at its end
        await FallingEdge(dut.aclk)
        await tb.run([*others, slow], beats[stop:])


@cocotb.test()
async def room(dut: Any) -> None:
    """A sender that looks at room_o is never refused, and no lane is when there is room."""
    tb = TB(dut)
    await tb.start()
    await tb.new_key()
    messages = [of_blocks(lane, 12) for lane in range(tb.lanes)]
    left = queues(messages)
    seen = set()
    for _ in range(20_000):
        if not any(left.values()):
            break
        await FallingEdge(dut.aclk)
        free = int(dut.room_o.value)
        lanes = [lane for lane in range(tb.lanes) if free >> lane & 1 and left[lane]]
        seen.add(free)
        dut.s_axis_tvalid.value = int(bool(lanes))
        if not lanes:
            continue
        lane = random.choice(lanes)
        for name, value in zip(("data", "keep", "last", "id"), left[lane].popleft(), strict=True):
            getattr(dut, f"s_axis_t{name}").value = value
        await ReadOnly()
        assert dut.s_axis_tready.value == 1
    await FallingEdge(dut.aclk)
    dut.s_axis_tvalid.value = 0
    assert not any(left.values())
    assert len(seen) > tb.lanes
    await tb.finish([(message, tb.key) for message in messages])
    # a lane that is full: only its beats wait
    blocked = of_blocks(0, 3)
    tb.source.clear()
    tb.source.send(blocked.beats())
    waited = 0
    for _ in range(300):
        await FallingEdge(dut.aclk)
        await ReadOnly()
        if dut.s_axis_tvalid.value and not dut.s_axis_tready.value:
            waited += 1
            assert int(dut.room_o.value) == (1 << tb.lanes) - 2
    assert waited
    await FallingEdge(dut.aclk)
    await tb.finish([(blocked, tb.key)])


@cocotb.test()
async def partial_beats(dut: Any) -> None:
    """Zeros and marked, to the end of the message; other lanes and the next one do not notice."""
    tb = TB(dut)
    await tb.start()
    await tb.new_key()
    for _ in range(6):
        tb.sink.busy = random.choice([0.0, 0.5])
        messages = tb.any_of(6 * tb.lanes, 6)
        for message in messages:
            if random.random() < 0.5:
                message.partial = random.randrange(len(message.beats()))
        await tb.run(messages)
    ends = [of_blocks(lane, 3, partial=3) for lane in range(tb.lanes)]  # only the last beat
    starts = [of_blocks(lane, 3, partial=0) for lane in range(tb.lanes)]  # the IV
    await tb.run(ends + starts + [of_blocks(lane, 3) for lane in range(tb.lanes)])


@over_variants("aes_cbc")
def test_variant(variant: Variant) -> None:
    simulate("aes_cbc", variant.top, variant.parameters, __name__)


@over_corners(CORNERS, "two-lanes", "four-lanes-3", "sixteen-lanes", "any-key")
def test_corner(corner: str) -> None:
    simulate("aes_cbc", "aes_cbc", CORNERS[corner], __name__)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"Lanes": 1}, "Lanes must be 2, 4, 8 or 16"),
        ({"Lanes": 12}, "Lanes must be 2, 4, 8 or 16"),
        ({"Lanes": 32}, "Lanes must be 2, 4, 8 or 16"),
        ({"RoundStages": 5}, "a Ring has 3 or 4 RoundStages"),
        ({"SBox": 0}, "SBox must be SBoxTower, SBoxRam or TBoxRam"),
    ],
)
def test_illegal_parameters_stop_elaboration(parameters: dict[str, int], sentence: str) -> None:
    with pytest.raises(RuntimeError, match=re.escape(sentence)):
        build("aes_cbc", "aes_cbc", parameters)
