# SPDX-License-Identifier: Apache-2.0
"""A device that leaves the final addition to the host: states after the rounds, nothing else."""

import random
from typing import Any

import cocotb
from cocotb.triggers import ClockCycles, FallingEdge

from rtl.device.tb.builds import HOST_ADD, run
from rtl.device.tb.host import started
from rtl.device.tb.job import DESTINATION, Job
from rtl.device.tb.registers import CODES
from rtl.testbench.runner import long_only


def jobs_of(lengths: list[int]) -> list[Job]:
    """A keystream job of each length, to places of their own."""
    jobs, free = [], DESTINATION.start
    for length in lengths:
        free += random.randrange(80)
        counter = random.randrange(1 << 31)
        jobs.append(Job(length, 0, free, operation="keystream", counter=counter, final_add=False))
        free += length
    return jobs


@cocotb.test()
async def describes_itself(dut: Any) -> None:
    host = await started(dut)
    assert (await host.fields("core"))["final_add"] == 0
    assert await host.read("operations") == 1 << CODES["keystream"]


@cocotb.test()
async def every_length_at_an_edge(dut: Any) -> None:
    host = await started(dut, 6)
    ends = [0, 16, 32, 64, 128, 1024, 2048]
    lengths = sorted({max(0, end + step) for end in ends for step in (-1, 0, 1)})
    await host.run(jobs_of(lengths))


@cocotb.test()
@cocotb.parametrize(share=[0.0, 0.3, 0.8])
async def random_jobs_under_pressure(dut: Any, share: float) -> None:
    host = await started(dut, 5)
    host.pause(share)
    await host.run(jobs_of([random.randrange(900) for _ in range(40)]))


@cocotb.test()
async def other_operations_are_refused(dut: Any) -> None:
    """Nothing is written: an XOR with what tells the key would tell the key."""
    host = await started(dut)
    refused = [
        Job(64, operation=operation, expected="bad_operation")
        for operation in ("xor_stream", "mac", "seal", "open", 9)
    ]
    await host.run([*jobs_of([100]), *refused, *jobs_of([100])])


@cocotb.test()
async def wipe_at_any_moment(dut: Any) -> None:
    host = await started(dut)
    for _ in range(8):
        for job in jobs_of([3000] * 6):
            await host.put(job)
        await host.hand_over()
        await ClockCycles(dut.aclk, random.randrange(600))
        await FallingEdge(dut.aclk)
        await host.write("control", wipe=1)
        await host.wiped()
        assert await host.read("ring_head") == await host.read("ring_tail") == 0
        await host.set_up()
        await host.run(jobs_of([0, 1, 65, 500]))


@long_only  # in `make test`: the driver's suite on this simulated device
def test_host_add() -> None:
    run(HOST_ADD, __name__)
