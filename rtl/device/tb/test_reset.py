# SPDX-License-Identifier: Apache-2.0
"""saltmill_device is reset alone: the memory goes on and gives what it owes."""

import random
from collections.abc import Iterator
from itertools import repeat
from typing import Any

import cocotb
import pytest
from cocotb.triggers import ClockCycles

from rtl.device.tb.builds import builds, run
from rtl.device.tb.host import Host
from rtl.testbench.owed import OwedWrites

# Writes that are to be under way when the device is reset. What is owed then takes longer than a
# wipe, but its beats come more often. Answers (b) wait for the reset: cores of any speed owe some.
SLOW = {"none": 1, "r": 0, "w": 2, "b": 3}


def one_in(count: int) -> Iterator[bool]:
    """Pauses, but for the last of `count` cycles."""
    while True:
        for number in range(count):
            yield number < count - 1


async def jobs_under_way(host: Host) -> None:
    for job in host.place([random.randrange(500, 12_000) for _ in range(12)]):
        await host.put(job)
    await host.hand_over()


@cocotb.test()
@cocotb.parametrize(slow=list(SLOW))
async def owed_beats_and_answers_are_dropped(dut: Any, slow: str) -> None:
    """Reads are in mid-burst, writes without all their data or their answer."""
    host = Host(dut, own_reset=True)
    owed = OwedWrites(dut, dut.aclk)
    await host.start()
    reads = writes = unfinished = 0
    least = SLOW[slow]
    period = {"none": 1, "r": 20, "w": 8, "b": int(dut.u_wipe.Cycles.value) // 2}[slow]
    for number in range(5):
        host.pause(0.3)
        write, read = host.slave.write_if, host.slave.read_if
        channels = {"r": read.r_channel, "w": write.w_channel, "b": write.b_channel}
        if slow == "w":
            channels[slow].set_pause_generator(one_in(period))
        if slow == "b":
            channels[slow].set_pause_generator(repeat(1))
        await jobs_under_way(host)
        await ClockCycles(dut.aclk, 30 * number + random.randrange(30))
        while host.rules.writes < least:
            await ClockCycles(dut.aclk, 1)
        if slow in ("r", "b"):
            channels[slow].set_pause_generator(one_in(period))
        if slow == "r":
            await ClockCycles(dut.aclk, 100)
        await host.reset()
        reads += host.rules.reads
        writes += host.rules.writes
        unfinished += len(owed.left)
        # Nobody else can: a burst whose data has not all come would get the next job's.
        owed.end(host.slave)
        await host.wiped()
        assert host.rules.reads == host.rules.writes == 0, "it started before all had come"
        host.pause(0.0)
        await host.set_up()
        await host.run(host.place([0, 1, 65, 500]))
    assert reads > 4 or slow != "r"
    assert writes >= least  # one may be answered in the cycle before a reset
    assert unfinished >= 4 or slow != "w"


@pytest.mark.parametrize("build", builds("ring2-16"))
def test_reset(build: str) -> None:
    run(build, __name__)
