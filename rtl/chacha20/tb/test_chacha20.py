# SPDX-License-Identifier: Apache-2.0
"""chacha20: vectors, lengths, flow control, exhaustion, reset and wipe, rate and latency."""

import random
import re
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge

from lab.variants import Variant
from rtl.chacha20.tb.model import BLOCKS, Packet, packets, rounds, vectors
from rtl.testbench.runner import build, over_corners, over_variants, simulate
from rtl.testbench.state import secrets
from rtl.testbench.stream import Beat, Core, cycles, sample_bytes, settled, to_beats

DECOUPLED = 1  # of Handshake


class TB(Core):
    """A core with its streams; remembers the cycles in which params and beats moved."""

    def __init__(self, dut: Any) -> None:
        super().__init__(dut)
        self.serial = int(dut.Structure.value) == 0
        self.final_add = int(dut.FinalAdd.value) == 1
        self.param_words = int(dut.ParamPort.value) == 1
        self.cycles_per_block = int(dut.CyclesPerBlock.value)
        self.blocks_used = 0
        cocotb.start_soon(self._watch())

    async def _watch(self) -> None:
        while True:
            await RisingEdge(self.dut.block_o)
            await settled(self.dut.aclk)
            while self.dut.block_o.value:
                self.blocks_used += 1
                await FallingEdge(self.dut.aclk)
                await ReadOnly()

    def send_params(self, queue: list[Packet]) -> None:
        for packet in queue:
            self.params.send(packet.param_words() if self.param_words else [packet.param()])

    def send(self, queue: list[Packet], user: int = 0) -> None:
        self.send_params(queue)
        for packet in queue:
            self.source.send(to_beats(packet.data, self.bytes, user))

    def expected(self, queue: list[Packet], user: int = 0) -> list[Beat]:
        beats = []
        for packet in queue:
            keyed = packet.keyed()
            for i, beat in enumerate(
                to_beats(packet.result(final_add=self.final_add), self.bytes, user)
            ):
                ended = i * self.bytes >= keyed and bool(packet.data)
                beats.append((*beat[:3], user | 2 * ended))
        return beats

    async def received(self, count: int) -> None:
        """Waits until so many beats have come out."""
        for _ in range(1000 + 40 * count * self.cycles_per_block):
            if len(self.sink.received) >= count:
                return
            await FallingEdge(self.dut.aclk)
        raise AssertionError(f"{len(self.sink.received)} of {count} beats came out")

    async def finish(self, queue: list[Packet], user: int = 0) -> None:
        """Waits for the packets' output, compares it, and checks that nothing is left over."""
        expected = self.expected(queue, user)
        blocks = sum(packet.blocks for packet in queue)
        patience = 1000 + 20 * (len(expected) + blocks * self.cycles_per_block + 10 * len(queue))
        for _ in range(patience):
            if len(self.sink.received) >= len(expected):
                break
            await FallingEdge(self.dut.aclk)
        assert self.sink.received == expected
        # what a packet leaves of its keystream is dropped before the core is at rest
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
    ends = {0, 16, width, 2 * width, 64, 128, 192, 256, 64 * 12}
    return sorted({max(0, end + step) for end in ends for step in (-1, 0, 1)})


@cocotb.test()
async def vectors_of_the_standard(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    known = vectors()
    if tb.final_add:
        for packet, ciphertext in known:
            assert packet.result(final_add=True) == ciphertext
    else:  # the state after 20 rounds as 2.3.2 prints it, word by word
        words = """837778ab e238d763 a67ae21e 5950bb2f c4f2d0c7 fc62bb2f 8fa018fc 3f5ec7b7
                   335271c2 f29489f3 eabda8fc 82e46ebd d19c12b4 b04e16de 9e83d0cb 4e3c50a2"""
        state = b"".join(bytes.fromhex(word)[::-1] for word in words.split())
        packet = known[0][0]
        assert rounds(packet.key, packet.nonce, packet.counter) == state
    await tb.run([packet for packet, _ in known])


@cocotb.test()
async def hchacha20_packets(dut: Any) -> None:
    """HChaCha20's vector (draft-irtf-cfrg-xchacha-03, 2.2.1), and its packets among others."""
    tb = TB(dut)
    await tb.start()
    nonce = bytes.fromhex("000000090000004a0000000031415927")
    counter = int.from_bytes(nonce[:4], "little")
    vector = Packet(bytes(64), bytes(range(32)), nonce[4:], counter, hchacha=True)
    state = vector.result(final_add=False)
    assert (state[:16] + state[48:]).hex() == (
        "82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc"
    )
    queue = [Packet(random.randbytes(n), hchacha=on) for n in (64, 1, 130) for on in (True, False)]
    random.shuffle(queue)
    await tb.run([vector, *queue, vector])


@cocotb.test()
async def beats_without_keep(dut: Any) -> None:
    """They use no keystream, wherever they are: what follows goes on, the next packet too. Those
    behind the packet's last keystream are marked like all that have none. Later bytes without byte
    0, which the contract forbids, come out as zeros."""
    tb = TB(dut)
    await tb.start()
    queue = [packet for packet in packets([1, 64, 65, 100, 128, 200, 5]) for _ in range(2)]
    sent: list[Beat] = []
    expected: list[Beat] = []
    tb.send_params(queue)
    for packet in queue:
        clear = to_beats(packet.data, tb.bytes)
        mixed = to_beats(packet.result(final_add=tb.final_add), tb.bytes)
        gaps = sorted(random.choices(range(len(clear) + 1), k=random.randrange(4)), reverse=True)
        rubbish = random.getrandbits(8 * tb.bytes)
        # where the keystream ends with the data, if it does
        end = len(clear) if len(clear) * tb.bytes % 64 == 0 else -1
        for gap in gaps:
            keep = random.choice([0, random.getrandbits(tb.bytes) & ~1])
            clear.insert(gap, (rubbish, keep, 0, 0))
            mixed.insert(gap, (0, keep, 0, 2 * int(gap == end)))
        for beats, out in ((clear, sent), (mixed, expected)):
            out += [(*beat[:2], int(i == len(beats) - 1), beat[3]) for i, beat in enumerate(beats)]
    tb.source.send(sent)
    await tb.received(len(expected))
    assert tb.sink.received == expected


@cocotb.test()
async def every_length(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    lengths = edges(tb.bytes)
    await tb.run(packets(lengths), user=1)
    random.shuffle(lengths)
    await tb.run(packets(lengths))


@cocotb.test()
@cocotb.parametrize(idle=[0.0, 0.5, 0.9], busy=[0.0, 0.5, 0.9])
async def flow_control(dut: Any, idle: float, busy: float) -> None:
    tb = TB(dut)
    await tb.start()
    tb.params.idle, tb.source.idle, tb.sink.busy = random.choice([0.0, 0.9]), idle, busy
    await tb.run(packets([0, 1, 64, 63, 1000, 0, 0, 65, 200, 64, 64, 64, 1, 1, 128]))


@cocotb.test()
async def random_packets(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    for _ in range(4):
        tb.params.idle, tb.source.idle, tb.sink.busy = (random.choice([0, 0.3]) for _ in range(3))
        lengths = [int(2 ** random.uniform(0, 9)) for _ in range(10 if tb.serial else 25)]
        await tb.run([Packet(random.randbytes(length)) for length in lengths])


@cocotb.test()
async def many_params_before_the_data(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    queue = packets([1 + i % 64 for i in range(20 if tb.serial else 150)])
    tb.send_params(queue)
    await cycles(dut.aclk, 500)
    assert not tb.sink.received
    for packet in queue:
        tb.source.send(to_beats(packet.data, tb.bytes))
    await tb.finish(queue)


@cocotb.test()
async def exhausted_counter(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    queue = [
        packet
        for left in (1, 2, 3)
        for packet in (
            *packets([64 * left], counter=BLOCKS - left),
            *packets([64 * left + 1, 64 * left + 150, 500], counter=BLOCKS - left),
            *packets([100, 0]),
        )
    ]
    await tb.run(queue)


@cocotb.test()
async def param_that_lies(dut: Any) -> None:
    """Fewer blocks than the packet: zeros, not plaintext. More: they are dropped."""
    tb = TB(dut)
    await tb.start()
    few = packets([65, 64, 200, 130], param_blocks=1)
    many = packets([1, 64, 65, 128], param_blocks=5)
    await tb.run([*few, *packets([64]), *many, *packets([300, 0, 1])])


@cocotb.test()
@cocotb.parametrize(idle=[0.0, 0.5], busy=[0.0, 0.5])
async def param_without_blocks(dut: Any, idle: float, busy: float) -> None:
    """Data of a packet whose param says 0 blocks gets no keystream, above all not that of the next
    packet: zeros come out, marked. The next packet is right."""
    tb = TB(dut)
    await tb.start()
    tb.params.idle, tb.source.idle, tb.sink.busy = random.choice([0.0, 0.9]), idle, busy
    for length in (1, tb.bytes, tb.bytes + 1, 64, 65, 300):
        none = packets([length, 0, length], param_blocks=0)
        await tb.run([*none, *packets([64, length, 0, 1]), none[0], *packets([130])])
    await tb.run([packet for _ in range(6) for packet in (*none[:1], *packets([1, 65]))])
    # alone: it does not wait for a param that may never come
    await tb.run(none[:1])
    await tb.run(packets([65]))


@cocotb.test()
@cocotb.parametrize(idle=[0.0, 0.5], busy=[0.0, 0.5])
async def empty_packet_with_blocks(dut: Any, idle: float, busy: float) -> None:
    """Its keystream is dropped, and does not go to the next packet."""
    tb = TB(dut)
    await tb.start()
    tb.params.idle, tb.source.idle, tb.sink.busy = random.choice([0.0, 0.9]), idle, busy
    for blocks in (1, 2, 5):
        empty = packets([0, 0], param_blocks=blocks)
        await tb.run([*empty, *packets([64, 1]), empty[0], *packets([0, 200])])
    few = packets([300], param_blocks=2)
    await tb.run([*empty, *packets([100], param_blocks=0), *few, *empty, *packets([65])])


async def interrupted(tb: TB) -> None:
    """Brings the core into the middle of its work."""
    tb.sink.busy = 0.5
    tb.send(packets([2000, 64, 64, 500, 300] if tb.serial else [20000, 64, 64, 500, 300]))
    # A serial core takes the param when it has ended the pair of blocks of the packet before.
    for _ in range(2 * tb.cycles_per_block + 40):
        await cycles(tb.dut.aclk, 1)
        if tb.dut.busy_o.value == 1:
            break
    await cycles(tb.dut.aclk, random.randrange(400))
    assert tb.dut.busy_o.value == 1
    tb.clear()


@cocotb.test()
async def reset_in_flight(dut: Any) -> None:
    """In each of the first cycles of a packet, then anywhere."""
    tb = TB(dut)
    await tb.start()
    for after in [*range(24), *[None] * 4]:
        if after is None:
            await interrupted(tb)
        else:
            tb.send(packets([200, 64]))
            await cycles(dut.aclk, after)
        dut.aresetn.value = 0
        await cycles(dut.aclk, 1)
        tb.clear()
        dut.aresetn.value = 1
        await tb.run(packets([130, 64, 1]))


# States under way in a ring and what is known of its slots, also as a netlist names them
IN_RING = re.compile(r"u_(ring|slots)(\.|__)|u_finish(\.|__)(held_q|state_i)")


@cocotb.test()
async def wipe_in_flight(dut: Any) -> None:
    """Everything is zero, but what the rounds make of a key of zeros: as after the first wipe."""
    tb = TB(dut)
    await tb.start()
    dut.wipe_i.value = 1
    await cycles(dut.aclk, int(dut.WipeCycles.value))
    await ReadOnly()
    clean = dict(secrets(dut, 32))
    await FallingEdge(dut.aclk)
    dut.wipe_i.value = 0
    for _ in range(4):
        await interrupted(tb)
        dut.wipe_i.value = 1
        await cycles(dut.aclk, 2)  # it begins a cycle later
        tb.clear()
        await ReadOnly()
        assert dut.busy_o.value == 0
        assert dict(secrets(dut, 32)) != clean
        for _ in range(int(dut.WipeCycles.value) - 2):
            await FallingEdge(dut.aclk)
            await ReadOnly()
            assert dut.m_axis_tvalid.value == 0
            assert dut.param_ready_o.value == 0
            assert dut.s_axis_tready.value == 0
        wiped = {name: clean[name] if IN_RING.search(name) else 0 for name in clean}
        assert [name for name, value in secrets(dut, 32) if value != wiped[name]] == []
        await FallingEdge(dut.aclk)
        dut.wipe_i.value = 0
        tb.sink.busy = 0.0
        await tb.run(packets([130, 64, 1]))


@cocotb.test()
async def rate_and_latency(dut: Any) -> None:
    """The formulas of the package, from a start at rest."""
    tb = TB(dut)
    await tb.start()
    for _ in range(3):
        await cycles(dut.aclk, random.randrange(1, 30))
        blocks = 20 if tb.serial else 480
        warm = 10 if tb.serial else 240  # whole fillings of every ring
        queue = packets([64 * blocks])
        used = tb.blocks_used
        tb.send(queue)
        times = tb.sink.times
        expected = tb.expected(queue)
        await tb.received(len(expected))
        await cycles(dut.aclk, 1)
        beats = 64 // tb.bytes
        latency = times[0] - tb.params.times[-1]
        dut._log.info("latency %d", latency)
        spare = 2 * int(int(dut.Handshake.value) == DECOUPLED)
        assert latency == int(dut.Latency.value) + spare
        elapsed = times[beats * blocks - 1] - times[beats * warm - 1]
        assert elapsed == (blocks - warm) * tb.cycles_per_block
        await tb.finish(queue)
        assert tb.blocks_used - used == blocks


@cocotb.test()
async def rate_after_stalls(dut: Any) -> None:
    """Blocks that stalls have scattered over a ring find back to its full rate."""
    tb = TB(dut)
    await tb.start()
    rows = 10 if tb.serial else 240
    beats = 64 // tb.bytes * rows
    for busy in (0.2, 0.5, 0.8):
        queue = packets([64 * 3 * rows])
        tb.send(queue)
        tb.sink.busy = busy
        await tb.received(beats)
        tb.sink.busy = 0.0
        await tb.received(3 * beats)
        await cycles(dut.aclk, 1)
        elapsed = tb.sink.times[3 * beats - 1] - tb.sink.times[2 * beats - 1]
        assert elapsed == rows * tb.cycles_per_block
        await tb.finish(queue)


@cocotb.test()
@cocotb.parametrize(length=[1, 64, 65, 192])
async def packets_back_to_back(dut: Any, length: int) -> None:
    """In a ring, a new packet with another key costs no cycle, but one block alone takes two."""
    tb = TB(dut)
    await tb.start()
    count = 10 if tb.serial else 320
    queue = packets([length] * count)
    tb.send(queue)
    expected = tb.expected(queue)
    await tb.received(len(expected))
    await cycles(dut.aclk, 1)
    per_packet = len(expected) // count
    half = count // 2
    elapsed = tb.sink.times[per_packet * count - 1] - tb.sink.times[per_packet * half - 1]
    dut._log.info("%d packets of %d: %d cycles", count - half, length, elapsed)
    blocks = queue[0].blocks
    if tb.serial:  # two blocks take turns, also when there is only one; the param is loaded first
        assert elapsed <= (count - half) * ((blocks + blocks % 2) * tb.cycles_per_block + 18)
    else:  # a param every other cycle
        assert elapsed <= (count - half) * max(2, blocks * tb.cycles_per_block)
    await tb.finish(queue)


@cocotb.test()
async def stall_counters(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    tb.send_params([Packet(bytes(64))])
    await cycles(dut.aclk, int(dut.Latency.value) + 40)
    await ReadOnly()
    assert dut.stalled_input_o.value == 1
    assert dut.stalled_output_o.value == 0
    await FallingEdge(dut.aclk)
    tb.sink.busy = 1.0
    tb.source.send(to_beats(sample_bytes(64), tb.bytes))
    await cycles(dut.aclk, 4)
    await ReadOnly()
    assert dut.stalled_output_o.value == 1
    assert dut.busy_o.value == 1


CORNERS = {
    "ring2-64-bytes": {"Structure": 1, "Unroll": 2, "Stages": 8, "DataBytes": 64},
    "ring4-32-bytes": {"Structure": 1, "Unroll": 4, "Stages": 4, "DataBytes": 32},
    "ring5-16-bytes": {"Structure": 1, "Unroll": 5, "Stages": 20, "DataBytes": 16},
    "ring5-decoupled": {"Structure": 1, "Unroll": 5, "Stages": 20, "Handshake": 1},
    "ring2-half-rate": {"Structure": 1, "Unroll": 2, "Stages": 8, "Handshake": 2},
    "ring1-8-bytes": {"Structure": 1, "Unroll": 1, "Stages": 4, "DataBytes": 8},
    "ring10-8-bytes": {"Structure": 1, "Unroll": 10, "Stages": 10, "DataBytes": 8},
    "small-hostadd": {"Structure": 0, "FinalAdd": 0, "DataBytes": 8},
    "tiny-whole-param": {"Structure": 0, "DataBytes": 4},
}


@over_variants("chacha20")
def test_variant(variant: Variant) -> None:
    simulate("chacha20", variant.top, variant.parameters, __name__)


@over_corners(
    CORNERS,
    *("ring1-8-bytes", "ring2-half-rate", "ring4-32-bytes", "ring5-16-bytes", "ring10-8-bytes"),
    "ring5-decoupled",
)
def test_corner(corner: str) -> None:
    simulate("chacha20", "chacha20", CORNERS[corner], __name__)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"Unroll": 3}, "Unroll must divide 20"),
        ({"Unroll": 6}, "Unroll must divide 20"),
        ({"Stages": 3}, "Stages must divide 4 * Unroll"),
        ({"Unroll": 4, "Stages": 2}, "Stages must divide 4 * Unroll and be at least 4"),
        ({"Unroll": 20, "Stages": 4}, "with Unroll = 20, Stages must be at least 8"),
        ({"DataBytes": 12}, "DataBytes must be 8, 16, 32 or 64"),
        ({"DataBytes": 4}, "or 4 with Structure Serial"),
        ({"ParamPort": 1}, "ParamPort must be WholeParam unless Structure is Serial"),
    ],
)
def test_illegal_parameters_stop_elaboration(parameters: dict[str, int], sentence: str) -> None:
    with pytest.raises(RuntimeError, match=re.escape(sentence)):
        build("chacha20", "chacha20", parameters)
