# SPDX-License-Identifier: Apache-2.0
"""The wipe, from any state."""

from lab import elaboration, variants
from rtl.testbench.proof import prove_wipe


def test_wipe_leaves_nothing_of_a_message() -> None:
    variant = variants.load()["md5-serial"]
    prove_wipe(
        variant.block,
        variant.top,
        variant.parameters,
        cycles=elaboration.constants(variant)["WipeCycles"],
        secrets="s_axis_tdata param_i",
        # Where a step is, constants on their way, the last flag of a beat, whether one was marked
        public="*.u_q *.opening_q *.n_q *.place_q *.ahead_q *.read_q *.t_q *.error_o *.last_q",
    )
