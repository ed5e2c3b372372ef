# SPDX-License-Identifier: Apache-2.0
"""aes: vectors, modes, lengths, flow control, reset and wipe, rate and latency."""

import random
import re
from dataclasses import replace
from itertools import pairwise, product
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge

from lab.elaboration import ElaborationError, elaborate
from lab.variants import Variant, load
from rtl.aes.tb.model import BLOCK, MODES, SIZES, Mode, Packet, packets
from rtl.testbench.runner import over_corners, over_variants, simulate
from rtl.testbench.state import secrets
from rtl.testbench.stream import Beat, Core, cycles, high_for, settled, to_beats

BOTH_WAYS, ALL_MODES, ANY_KEY = 1, 1, 3

# Where blocks under way are, which is not secret: also as a netlist names it
SLOTS = re.compile(r"(.*__)?(slot|step|write|read)_q.*")


class TB(Core):
    """A core with its streams, and what it can do."""

    def __init__(self, dut: Any) -> None:
        super().__init__(dut)
        self.cycles_per_block = int(dut.CyclesPerBlock.value)
        self.both_ways = int(dut.Directions.value) == BOTH_WAYS
        self.modes: tuple[Mode, ...] = MODES if int(dut.Modes.value) == ALL_MODES else MODES[2:]
        size = int(dut.KeySizes.value)
        self.serial = int(dut.Structure.value) == 0
        self.pipeline = int(dut.Structure.value) == 2
        self.on_the_fly = int(dut.RoundKeys.value) == 1
        self.param_words = int(dut.ParamPort.value) == 1
        self.sizes = SIZES if size == ANY_KEY else (SIZES[size],)
        self.blocks_done = 0
        cocotb.start_soon(self._watch())

    async def _watch(self) -> None:
        while True:
            await RisingEdge(self.dut.block_o)
            await settled(self.dut.aclk)
            while self.dut.block_o.value:
                self.blocks_done += 1
                await FallingEdge(self.dut.aclk)
                await ReadOnly()

    def any_of(self, lengths: list[int]) -> list[Packet]:
        """A packet of each length in a mode, a direction and with a key size that the core has."""
        queue = []
        for length in lengths:
            mode = random.choice(self.modes)
            decrypt = self.both_ways and random.random() < 0.5
            size = random.choice(self.sizes)
            queue += packets([length], size, mode=mode, decrypt=decrypt)
        return queue

    def send(self, queue: list[Packet], user: int = 0) -> None:
        for packet in queue:
            self.params.send(packet.param_words() if self.param_words else [packet.param()])
            self.source.send(to_beats(packet.data, self.bytes, user))

    def expected(self, queue: list[Packet], user: int = 0) -> list[Beat]:
        beats = []
        for packet in queue:
            whole = len(packet.data) if packet.counts else len(packet.data) // BLOCK * BLOCK
            for i, beat in enumerate(to_beats(packet.result(), self.bytes, user)):
                # a beat of which some has no result
                partial = i * self.bytes + beat[1].bit_length() > whole
                beats.append((*beat[:3], user | 2 * partial))
        return beats

    async def received(self, count: int) -> None:
        """Waits until so many beats have come out."""
        for _ in range(2000 + 400 * count):
            if len(self.sink.received) >= count:
                return
            await FallingEdge(self.dut.aclk)
        raise AssertionError(f"{len(self.sink.received)} of {count} beats came out")

    async def finish(self, queue: list[Packet], user: int = 0) -> None:
        """Waits for the packets' output, compares it, and checks that nothing is left over."""
        expected = self.expected(queue, user)
        for _ in range(2000 + 400 * (len(expected) + len(queue))):
            if len(self.sink.received) >= len(expected):
                break
            await FallingEdge(self.dut.aclk)
        assert self.sink.received == expected
        await cycles(self.dut.aclk, 3)
        await ReadOnly()
        assert self.dut.busy_o.value == 0
        assert self.dut.m_axis_tvalid.value == 0
        self.sink.clear()
        await FallingEdge(self.dut.aclk)

    async def run(self, queue: list[Packet], user: int = 0) -> None:
        self.send(queue, user)
        await self.finish(queue, user)


def edges(width: int) -> list[int]:
    """Lengths around the ends of beats and blocks."""
    ends = {0, width, 2 * width, 16, 32, 64, 160}
    return sorted({max(0, end + step) for end in ends for step in (-1, 0, 1)})


@cocotb.test()
async def example_vectors(dut: Any) -> None:
    """FIPS 197, appendix B and C: of the sizes that the core has."""
    tb = TB(dut)
    await tb.start()
    known = [
        ("2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734",
         "3925841d02dc09fbdc118597196a0b32"),
        (bytes(range(16)).hex(), "00112233445566778899aabbccddeeff",
         "69c4e0d86a7b0430d8cdb78070b4c55a"),
        (bytes(range(24)).hex(), "00112233445566778899aabbccddeeff",
         "dda97ca4864cdfe06eaf70a0ec0d7191"),
        (bytes(range(32)).hex(), "00112233445566778899aabbccddeeff",
         "8ea2b7ca516745bfeafc49904b496089"),
    ]  # fmt: skip
    rows = [[bytes.fromhex(x) for x in row] for row in known]
    queue = []
    for key, plain, cipher in rows:
        if len(key) not in tb.sizes:
            continue
        # the counter block is what is encrypted
        assert Packet(bytes(16), key, "ctr", iv=plain).result() == cipher
        queue.append(Packet(bytes(16), key, "ctr", iv=plain))
        if "ecb" in tb.modes:
            assert Packet(plain, key, "ecb").result() == cipher
            queue.append(Packet(plain, key, "ecb"))
            if tb.both_ways:
                queue.append(Packet(cipher, key, "ecb", decrypt=True))
    await tb.run(queue)


@cocotb.test()
async def every_length(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    for mode in tb.modes:
        for decrypt in (False, True) if tb.both_ways else (False,):
            for size in tb.sizes:
                await tb.run(packets(edges(tb.bytes), size, mode=mode, decrypt=decrypt), user=1)


@cocotb.test()
@cocotb.parametrize(idle=[0.0, 0.5, 0.9], busy=[0.0, 0.5, 0.9])
async def flow_control(dut: Any, idle: float, busy: float) -> None:
    tb = TB(dut)
    await tb.start()
    tb.params.idle, tb.source.idle, tb.sink.busy = random.choice([0.0, 0.9]), idle, busy
    await tb.run(tb.any_of([0, 1, 64, 63, 1000, 0, 0, 65, 200, 16, 16, 16, 1, 1, 128]))


@cocotb.test()
async def random_packets(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    for _ in range(6):
        tb.params.idle, tb.source.idle, tb.sink.busy = (random.choice([0, 0.3]) for _ in range(3))
        lengths = [int(2 ** random.uniform(0, 9)) for _ in range(25)]
        lengths = [length // 16 * 16 if random.random() < 0.5 else length for length in lengths]
        await tb.run(tb.any_of(lengths))


@cocotb.test()
async def counters_that_wrap(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    queue = []
    for size in tb.sizes:
        for ones, low in product((4, 5, 8, 12, 15, 16), (0xFC, 0xFE, 0xFF)):
            iv = bytes(16 - ones) + b"\xff" * (ones - 1) + bytes([low])
            for mode in ("ctr", "ctr32"):
                queue += packets([100], size, mode=mode, iv=iv)
        for middle in (b"\xff\xff\xfe", b"\xff\x7f\xff", b"\xfe\xff\xff"):  # no wrap of 32 bits
            queue += packets([100], size, mode="ctr", iv=bytes(12) + middle + b"\xfd")
        far = bytes(4) + b"\xff" * 10 + b"\xfe\xfd"  # 259 blocks from the end
        queue += packets([16 * 270], size, mode="ctr", iv=far)
    await tb.run(queue)


async def interrupted(tb: TB) -> None:
    """Brings the core into the middle of its work."""
    tb.sink.busy = 0.5
    tb.send(tb.any_of([2000, 64, 64, 500, 300, 4000]))
    await cycles(tb.dut.aclk, random.randrange(20, 400))
    assert tb.dut.busy_o.value == 1
    tb.clear()


@cocotb.test()
async def reset_in_flight(dut: Any) -> None:
    """In each of the first cycles of a packet, then anywhere."""
    tb = TB(dut)
    await tb.start()
    for after in [*range(100), *[None] * 4]:
        if after is None:
            await interrupted(tb)
        else:
            tb.send(tb.any_of([208, 64]))
            await cycles(dut.aclk, after)
        dut.aresetn.value = 0
        await cycles(dut.aclk, 1)
        tb.clear()
        dut.aresetn.value = 1
        tb.sink.busy = 0.0
        await tb.run(tb.any_of([130, 64, 1]))


@cocotb.test()
async def wipe_in_flight(dut: Any) -> None:
    """Everything is as after the first wipe, and nothing comes out or goes in meanwhile."""
    tb = TB(dut)
    await tb.start()
    dut.wipe_i.value = 1
    await cycles(dut.aclk, int(dut.WipeCycles.value))
    await ReadOnly()
    clean = dict(secrets(dut, 8, SLOTS))
    await FallingEdge(dut.aclk)
    dut.wipe_i.value = 0
    for _ in range(6):
        await interrupted(tb)
        dut.wipe_i.value = 1
        await cycles(dut.aclk, 1)
        tb.clear()
        await ReadOnly()
        assert dut.busy_o.value == 0
        assert dict(secrets(dut, 8, SLOTS)) != clean
        for _ in range(int(dut.WipeCycles.value) - 1):
            await FallingEdge(dut.aclk)
            await ReadOnly()
            assert dut.m_axis_tvalid.value == 0
            assert dut.param_ready_o.value == 0
            assert dut.s_axis_tready.value == 0
        assert [name for name, value in secrets(dut, 8, SLOTS) if value != clean[name]] == []
        await FallingEdge(dut.aclk)
        dut.wipe_i.value = 0
        tb.sink.busy = 0.0
        await tb.run(tb.any_of([130, 64, 1]))


@cocotb.test()
async def keys_in_turn(dut: Any) -> None:
    """Packets with a key each, back to back: what a change of key costs at most."""
    tb = TB(dut)
    await tb.start()
    for blocks in (1, 2, 4, 8, 20):
        for size in tb.sizes:
            queue = packets([16 * blocks] * 12, size, mode="ctr")
            tb.send(queue)
            expected = tb.expected(queue)
            await tb.received(len(expected))
            per_packet = len(expected) // len(queue)
            ends = tb.sink.times[per_packet - 1 :: per_packet]
            taken = (ends[-1] - ends[3]) / (len(ends) - 4)
            dut._log.info("%d blocks, %d bits: %.1f cycles", blocks, 8 * size, taken)
            rounds = size // 4 + 6
            steady = tb.cycles_per_block * blocks * (rounds / (tb.sizes[0] // 4 + 6))
            port = blocks * max(1, BLOCK / tb.bytes)
            # the words of a key, one per cycle, and the start of its expansion
            expansion = 4 * (rounds + 1) + 12
            if tb.on_the_fly:  # no block but to open a packet
                assert taken == max(port, blocks + 2)
                await tb.finish(queue)
                continue
            if tb.serial:  # nothing of it while there are blocks; these come in pairs
                steady += steady / blocks * (blocks % 2) + 4 * expansion
            if tb.pipeline and tb.both_ways:  # its start waits until the first block has left
                expansion += rounds * int(dut.RoundStages.value)
            assert taken <= max(steady, port, expansion) + 12
            await tb.finish(queue)


@cocotb.test()
async def chained_blocks(dut: Any) -> None:
    """CBC encryption: a block goes in when the one before has left, for any key and data."""
    tb = TB(dut)
    await tb.start()
    if "cbc" not in tb.modes:
        return
    for size in tb.sizes * 2:
        (packet,) = packets([16 * 20], size, mode="cbc")
        tb.send([packet])
        await tb.received(len(tb.expected([packet])))
        block = max(1, BLOCK // tb.bytes)
        times = tb.sink.times[block - 1 :: block]
        taken = {after - before for before, after in pairwise(times)}
        dut._log.info("%d bits: %s cycles", 8 * size, taken)
        cycles_per_block = (size // 4 + 6) * int(dut.RoundStages.value) + 3  # out and in
        assert taken == {cycles_per_block * max(1, tb.bytes // BLOCK)}
        await tb.finish([packet])


@cocotb.test()
async def latency(dut: Any) -> None:
    """The formula of the package, from a start at rest, for any data and key; and busy_o."""
    tb = TB(dut)
    await tb.start()
    for _ in range(4):
        await cycles(dut.aclk, random.randrange(1, 30))
        (packet,) = packets([max(BLOCK, tb.bytes)], tb.sizes[0], mode="ctr")
        busy = cocotb.start_soon(high_for(dut.busy_o, dut.aclk))
        tb.send([packet])
        await busy
        rises, falls = busy.result()
        assert rises <= tb.params.times[-1] + 1
        assert len(tb.sink.times) == max(1, BLOCK // tb.bytes)
        assert tb.sink.times[-1] < falls
        found = tb.sink.times[0] - tb.params.times[-1]
        dut._log.info("latency %d", found)
        assert found == int(dut.Latency.value)
        await tb.finish([packet])


@cocotb.test()
@cocotb.parametrize(direction=["encrypt", "decrypt"])
async def rate(dut: Any, direction: str) -> None:
    """The formula of the package, whatever the data and the key."""
    tb = TB(dut)
    await tb.start()
    if direction == "decrypt" and not tb.both_ways:
        return
    for mode in tb.modes if tb.both_ways else ("ctr",):
        for size in tb.sizes:
            if mode == "cbc" and direction == "encrypt":
                continue
            blocks, warm = 240, 120  # a multiple of every number of stages
            (packet,) = packets([16 * blocks], size, mode=mode, decrypt=direction == "decrypt")
            done = tb.blocks_done
            tb.send([packet])
            await tb.received(len(tb.expected([packet])))
            per_beat = tb.bytes / BLOCK
            last, first = int(blocks / per_beat) - 1, int(warm / per_beat) - 1
            elapsed = tb.sink.times[last] - tb.sink.times[first]
            passes = [n // 4 + 6 + tb.serial for n in (size, tb.sizes[0])]
            slower = passes[0] / passes[1] if tb.cycles_per_block > 1 else 1
            port = max(1.0, BLOCK / tb.bytes)  # cycles that a block takes there
            assert elapsed == round((blocks - warm) * max(tb.cycles_per_block * slower, port))
            await tb.finish([packet])
            assert tb.blocks_done - done == blocks


CORNERS: dict[str, dict[str, int]] = {
    "serial": {"Structure": 0, "Modes": 0, "DataBytes": 4},
    "serial-any-key": {"Structure": 0, "Modes": 0, "KeySizes": 3},
    "serial-words": {"Structure": 0, "SBox": 2, "Modes": 0, "ParamPort": 1, "KeySizes": 2},
    "ring-table-3": {"Structure": 1, "SBox": 1, "RoundStages": 3, "KeySizes": 2, "Directions": 1},
    "ring-ram-3": {"Structure": 1, "SBox": 2, "RoundStages": 3, "KeySizes": 3, "Directions": 1},
    "ring-counter-4-bytes": {"Structure": 1, "Modes": 0, "KeySizes": 1, "DataBytes": 4},
    "pipe-4": {"Structure": 2, "SBox": 2, "RoundStages": 4},
    "pipe-ram": {"Structure": 2, "SBox": 3, "RoundStages": 3, "Modes": 0, "KeySizes": 2},
    "pipe-both": {"Structure": 2, "SBox": 0, "RoundStages": 2, "Directions": 1, "KeySizes": 1},
    "on-the-fly-table": {
        "Structure": 2,
        "RoundKeys": 1,
        "SBox": 0,
        "RoundStages": 1,
        "KeySizes": 1,
    },
    "on-the-fly-ram": {
        "Structure": 2,
        "RoundKeys": 1,
        "SBox": 3,
        "RoundStages": 3,
        "KeySizes": 2,
        "DataBytes": 64,
    },
    "ring-64-bytes": {"Structure": 1, "SBox": 3, "KeySizes": 3, "DataBytes": 64},
}


@over_variants("aes")
def test_variant(variant: Variant) -> None:
    simulate("aes", variant.top, variant.parameters, __name__)


@over_corners(
    CORNERS,
    *("serial-any-key", "serial-words", "ring-table-3", "ring-ram-3", "ring-counter-4-bytes"),
    *("ring-64-bytes", "pipe-4", "pipe-ram", "pipe-both", "on-the-fly-ram"),
    "serial",
)
def test_corner(corner: str) -> None:
    simulate("aes", "aes", CORNERS[corner], __name__)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"RoundStages": 2}, "a Ring has 3 or 4 RoundStages"),
        ({"Structure": 2, "RoundStages": 6}, "a Pipeline has 1 to 5 RoundStages in a round"),
        ({"Structure": 2, "KeySizes": 3}, "a Pipeline is for one key size"),
        ({"SBox": 0}, "SBoxTable is for a Pipeline"),
        ({"Structure": 2, "SBox": 0, "RoundStages": 3}, "up to 1 as a table"),
        ({"SBox": 3, "Directions": 1}, "TBoxRam is for EncryptOnly"),
        ({"Structure": 0, "Modes": 1}, "Serial is for EncryptOnly and CounterOnly"),
        ({"ParamPort": 1}, "ParamPort must be WholeParam unless Structure is Serial"),
        ({"RoundKeys": 1}, "KeysOnTheFly is for a Pipeline"),
        ({"Structure": 2, "RoundKeys": 1, "Directions": 1}, "KeysOnTheFly is for EncryptOnly"),
        ({"DataBytes": 12}, "DataBytes must be 4, 8, 16, 32 or 64"),
    ],
)
def test_illegal_parameters_stop_elaboration(parameters: dict[str, int], sentence: str) -> None:
    with pytest.raises(ElaborationError, match=re.escape(sentence)):
        elaborate(replace(load()["aes-ring"], parameters=parameters))
