# SPDX-License-Identifier: Apache-2.0
"""sha256 and md5: random messages without a pause, for the lab's count of toggles."""

import random
from typing import Any

import cocotb

from rtl.hash.tb import test_hash, test_hash_pipe
from rtl.testbench.activity import counted

MESSAGE = 2000  # bytes: 32 blocks, the Depth of a ring of MD5; longer ones hold up each other
BLOCKS = 32
TURNS = 2  # messages in each place of a ring or pipeline that are counted


async def count_messages(tb: test_hash.TB, queue: list[test_hash.Message], places: int) -> None:
    """All but the first and the last of each place, of as many messages as there are places."""
    dut = tb.dut
    tb.send(queue)
    patience = 2 * len(queue) * (BLOCKS + 4) * int(dut.CyclesPerBlock.value) + 10_000
    beats = places * tb.beats()
    moved = TURNS * places * MESSAGE
    await counted(dut, tb.sink, (beats + 1, (1 + TURNS) * beats + 1), moved, patience)


def messages_of(places: int) -> list[bytes]:
    return [random.randbytes(MESSAGE) for _ in range((TURNS + 2) * places)]


@cocotb.test()
async def random_data(dut: Any) -> None:
    if dut._name.endswith("_pipe"):
        await of_a_pipeline(dut)
        return
    tb = test_hash.TB(dut)
    await tb.start()
    places = max(int(dut.LatencyRange.value), 1)
    queue = [test_hash.Message(data) for data in messages_of(places)]
    await count_messages(tb, queue, places)
    await tb.finish(queue)


async def of_a_pipeline(dut: Any) -> None:
    tb = test_hash_pipe.TB(dut)
    await tb.start()
    tb.send(messages_of(tb.slots), tb.slots)
    patience = 2 * (TURNS + 2) * tb.slots * BLOCKS + 10_000
    moved = TURNS * tb.slots * MESSAGE
    await counted(dut, tb.sink, (tb.slots + 1, (1 + TURNS) * tb.slots + 1), moved, patience)
    await tb.finish()
