# SPDX-License-Identifier: Apache-2.0
"""The reduction of GHASH's products."""

from rtl.testbench.proof import prove


def test_reduction_is_the_remainder() -> None:
    prove("ghash", "ghash_reduced_formal", {}, mode="bmc", depth=2)


def test_harness_reaches_what_it_is_about() -> None:
    prove("ghash", "ghash_reduced_formal", {}, mode="cover", depth=2)
