# SPDX-License-Identifier: Apache-2.0
"""NIST's known answers, multi-block messages and Monte Carlo tests (AESAVS) on the cores of AES.

A core that only counts makes the known answers of ECB encryption from counter blocks and zeros.
The Monte Carlo tests are chains of 100 times 1,000 blocks: the first TURNS of them.
"""

from collections.abc import Callable
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge

from lab.variants import Variant
from rtl.aes.tb import cavp
from rtl.aes.tb.model import BLOCK, Mode, Packet
from rtl.aes.tb.test_aes import TB
from rtl.testbench.runner import LONG, over_variants, simulate
from rtl.testbench.stream import to_beats

CHAIN = 1000
TURNS = 100 if LONG else 1


def key_bits(dut: Any) -> list[int]:
    sizes = int(dut.KeySizes.value)
    return list(cavp.BITS) if sizes == 3 else [128 + 64 * sizes]


def packet(mode: str, row: dict[str, bytes], *, decrypt: bool) -> tuple[Packet, bytes]:
    """A record's packet and what it should become."""
    data, result = row["PLAINTEXT"], row["CIPHERTEXT"]
    if decrypt:
        data, result = result, data
    name: Mode = "ecb" if mode == "ECB" else "cbc"
    return Packet(data, row["KEY"], name, decrypt, row.get("IV", bytes(BLOCK))), result


def counted(row: dict[str, bytes]) -> tuple[Packet, bytes]:
    """Encryption of one block as a counter block's."""
    return Packet(bytes(BLOCK), row["KEY"], iv=row["PLAINTEXT"]), row["CIPHERTEXT"]


async def compare(tb: TB, pairs: list[tuple[Packet, bytes]]) -> None:
    assert pairs
    for item, result in pairs:
        assert item.result() == result  # the model's is what NIST's file has
    await tb.run([item for item, _ in pairs])


@cocotb.test()
async def known_answers(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    for bits in key_bits(dut):
        for kind in cavp.KNOWN_ANSWERS:
            for mode in ("ECB", "CBC"):
                rows = cavp.blocks(mode, kind, bits)
                if int(dut.Modes.value) == 0:
                    if mode == "ECB":
                        await compare(tb, [counted(row) for row in rows if "ENCRYPT" in row])
                    continue
                usable = [row for row in rows if "ENCRYPT" in row or int(dut.Directions.value)]
                await compare(tb, [packet(mode, row, decrypt="DECRYPT" in row) for row in usable])


@cocotb.test()
async def multi_block_messages(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    for bits in key_bits(dut):
        for mode in ("ECB", "CBC"):
            rows = cavp.blocks(mode, "MMT", bits)
            usable = [row for row in rows if "ENCRYPT" in row or int(dut.Directions.value)]
            await compare(tb, [packet(mode, row, decrypt="DECRYPT" in row) for row in usable])


async def chain(
    tb: TB, item: Packet, following: Callable[[list[bytes]], bytes], count: int = CHAIN
) -> list[bytes]:
    """A packet of so many blocks, each made of the results before it."""
    tb.params.send([item.param()])
    results: list[bytes] = []
    block = item.data
    for i in range(count):
        ((word, keep, _, user),) = to_beats(block, BLOCK)
        tb.source.send([(word, keep, int(i == count - 1), user)])
        for _ in range(200):
            if len(tb.sink.received) > i:
                break
            await FallingEdge(tb.dut.aclk)
        results.append(tb.sink.received[i][0].to_bytes(BLOCK, "little"))
        block = following(results)
    tb.clear()
    return results


def taken(bits: int, *, decrypt: bool) -> bool:
    """One direction of each key size is in `make test`."""
    return LONG or decrypt == (bits == 192)


def next_key(key: bytes, results: list[bytes]) -> bytes:
    """AESAVS, 6.4: the last bytes of the last two results, added to the key."""
    tail = (results[-2] + results[-1])[-len(key) :]
    return bytes(a ^ b for a, b in zip(key, tail, strict=True))


@cocotb.test()
async def monte_carlo_of_ecb(dut: Any) -> None:
    """In both directions. The end of a turn starts the next one; PyCryptodome checks the chain."""
    tb = TB(dut)
    await tb.start()
    first = {name: bytes.fromhex(value) for name, value in cavp.ECB_MONTE_CARLO.items()}
    for bits in key_bits(dut):
        for decrypt in (False, True) if int(dut.Directions.value) else (False,):
            if not taken(bits, decrypt=decrypt):
                continue
            key = (first["KEY"] * 2)[: bits // 8]
            block = first["PLAINTEXT"]
            for turn in range(TURNS):
                item = Packet(block, key, "ecb", decrypt)
                results = await chain(tb, item, lambda before: before[-1])
                expected = [item.data]
                for _ in range(CHAIN):
                    expected.append(Packet(expected[-1], key, "ecb", decrypt).result())
                assert results == expected[1:]
                if bits == 128 and not decrypt and turn == 0:
                    assert results[-1] == first["CIPHERTEXT"]
                key, block = next_key(key, results), results[-1]


@cocotb.test()
async def monte_carlo_of_cbc(dut: Any) -> None:
    """The input of a block is the result two blocks before; at first, the IV."""
    tb = TB(dut)
    await tb.start()
    for bits in key_bits(dut):
        for row in cavp.blocks("CBC", "MCT", bits):
            decrypt = "DECRYPT" in row
            if int.from_bytes(row["COUNT"], "big") >= TURNS or not taken(bits, decrypt=decrypt):
                continue
            if decrypt and not int(dut.Directions.value):
                continue
            item, result = packet("CBC", row, decrypt=decrypt)

            def following(before: list[bytes], iv: bytes = item.iv) -> bytes:
                return before[-2] if len(before) > 1 else iv

            results = await chain(tb, item, following)
            assert results[-1] == result


@over_variants("aes")
def test_variant(variant: Variant) -> None:
    cases = ["known_answers"]
    if variant.parameters["Modes"]:
        cases += ["multi_block_messages", "monte_carlo_of_ecb", "monte_carlo_of_cbc"]
    simulate("aes", variant.top, variant.parameters, __name__, testcase=cases)
