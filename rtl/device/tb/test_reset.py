# SPDX-License-Identifier: Apache-2.0
"""saltmill_device is reset alone: the memory goes on and gives what it owes."""

import random
from collections.abc import Iterator
from typing import Any

import cocotb
import pytest
from cocotb.triggers import ClockCycles

from rtl.device.tb.builds import builds, run
from rtl.device.tb.host import Host
from rtl.testbench.owed import OwedWrites

# Cycles per beat (None: half of a wipe's): what is owed takes longer than a wipe, but its beats
# come more often. And writes that are to be under way then.
SLOW: dict[str, tuple[int | None, int]]
SLOW = {"none": (1, 1), "r": (20, 0), "w": (8, 2), "b": (None, 3)}


def one_in(count: int) -> Iterator[bool]:
    """Pauses, but for one cycle in `count`."""
    while True:
        for number in range(count):
            yield number > 0


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
    given, least = SLOW[slow]
    period = int(dut.u_wipe.Cycles.value) // 2 if given is None else given
    for number in range(5):
        host.pause(0.3)
        write, read = host.slave.write_if, host.slave.read_if
        channels = {"r": read.r_channel, "w": write.w_channel, "b": write.b_channel}
        if slow in channels and slow != "r":
            channels[slow].set_pause_generator(one_in(period))
        await jobs_under_way(host)
        while host.rules.writes < least:
            await ClockCycles(dut.aclk, 1)
        await ClockCycles(dut.aclk, 30 * number + random.randrange(30))
        if slow == "r":
            channels[slow].set_pause_generator(one_in(period))
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
    assert writes >= 2 * least
    assert unfinished >= 4 or slow != "w"


@pytest.mark.parametrize("build", builds("ring2-16"))
def test_reset(build: str) -> None:
    run(build, __name__)
