# SPDX-License-Identifier: Apache-2.0
"""The S-box as arithmetic is the table, wherever its registers are; a round is the standard's."""

import pytest

from rtl.testbench.proof import prove


@pytest.mark.parametrize("registers", range(5))
def test_tower_is_the_table(registers: int) -> None:
    parameters = {"Registers": registers}
    prove("aes", "aes_sub_byte_formal", parameters, mode="bmc", depth=registers + 3)


def test_round_is_the_matrix_and_is_undone() -> None:
    prove("aes", "aes_round_formal", {}, mode="bmc", depth=2)


def test_harnesses_reach_what_they_are_about() -> None:
    prove("aes", "aes_sub_byte_formal", {"Registers": 4}, mode="cover", depth=8)
    prove("aes", "aes_round_formal", {}, mode="cover", depth=2)
