# SPDX-License-Identifier: Apache-2.0
"""Proofs of the parts of chacha20."""

import pytest

from lab import elaboration, variants
from lab.variants import Variant
from rtl.testbench.proof import prove, prove_wipe
from rtl.testbench.runner import long_only


@pytest.mark.parametrize(
    ("unroll", "stages", "passes"),
    [
        pytest.param(2, 8, 2, marks=long_only),
        pytest.param(2, 4, 1, marks=long_only),
        pytest.param(4, 16, 1, marks=long_only),
        (1, 4, 4),
    ],
)
def test_a_pass_is_the_rounds_of_the_standard(unroll: int, stages: int, passes: int) -> None:
    parameters = {"Unroll": unroll, "Stages": stages, "Passes": passes}
    prove("chacha20", "chacha20_ring_formal", parameters, mode="bmc", depth=passes * stages + 1)


def test_an_xor_that_the_next_step_does_is_the_same() -> None:
    prove("chacha20", "chacha20_rounds_formal", {}, mode="bmc", depth=1)


@pytest.mark.parametrize(("unroll", "stages"), [(2, 8), (4, 16), (20, 80)])
def test_blocks_enter_and_leave_in_time(unroll: int, stages: int) -> None:
    prove("chacha20", "chacha20_slots_formal", {"Unroll": unroll, "Stages": stages}, depth=2)


@pytest.mark.parametrize(
    ("data", "marks_end", "handshake"),
    [(4, 0, ""), (8, 1, ""), (8, 1, "Decoupled"), (32, 1, ""), (8, 1, "HalfRate")],
)
def test_packets_keep_to_their_keystream(data: int, marks_end: int, handshake: str) -> None:
    parameters = {"DataBytes": data, "MarksEnd": marks_end}
    if handshake:
        parameters[handshake] = 1
    prove("chacha20", "chacha20_combine_formal", parameters, depth=2)


def test_wipe_leaves_nothing_of_a_key_in_a_serial_core() -> None:
    variant = variants.load()["chacha20-tiny"]
    prove_wipe(
        "chacha20",
        "chacha20",
        variant.parameters,
        cycles=elaboration.constants(variant)["WipeCycles"],
        secrets="param_i s_axis_tdata s_axis_tuser",
        # Where it is in its schedule and what it knows of the numbers of blocks
        public="*.count_q *.slot_q* *.write_q* *.hchacha_q *.first_q *.exhausted_q *.two_q "
        "*.more_q *.read_q *.out_q",
    )


def test_wipe_leaves_nothing_of_a_key_in_a_ring() -> None:
    parameters = {"Structure": 1, "Unroll": 2, "Stages": 4, "DataBytes": 8}
    ring = Variant("ring", "chacha20", "chacha20", parameters, (), "The smallest one")
    prove_wipe(
        ring.block,
        ring.top,
        parameters,
        cycles=elaboration.constants(ring)["WipeCycles"],
        secrets="param_i s_axis_tdata s_axis_tuser",
        # Numbers of blocks, passes of slots, and where the memories are read and written
        public="*.next_empty_q *.next_single_q *.u_core.left_q *.u_core.last_q *.enter_last_q "
        "*.pass_q* *.final_q *.write_q *.read_q *.front_write_q *.front_read_q "
        "*.walk_q *.write_address",
    )
