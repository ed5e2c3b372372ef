# SPDX-License-Identifier: Apache-2.0
"""Constants of the variants as slang elaborates them."""

from dataclasses import replace

import pytest

from lab import variants
from lab.elaboration import ElaborationError, constants, rate


def test_constants_of_a_ring() -> None:
    values = constants(variants.load()["chacha20-ring2-hostadd"])
    assert values["Unroll"] == 2
    assert values["FinalAdd"] == 0
    assert values["CyclesPerBlock"] == 20 // 2
    assert values["Latency"] > values["Stages"] * 10


def test_a_device_has_the_blocks_of_its_core_but_not_its_short_messages() -> None:
    core, device = (rate(variants.load()[name]) for name in ("aead-fast", "device-aead-fast"))
    assert core["cycles_per_block"] == device["cycles_per_block"] == 4
    assert core["message_cycles"][0] > 4
    assert device["message_cycles"] is None


def test_every_variant_elaborates() -> None:
    for variant in variants.load().values():
        assert constants(variant).items() >= variant.parameters.items()


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"Unroll": 3}, "chacha20-ring2: chacha20: Unroll must divide 20"),
        ({"Depth": 1}, "chacha20-ring2: chacha20 has no parameter Depth"),
    ],
)
def test_what_elaboration_refuses_is_a_sentence(parameters: dict[str, int], words: str) -> None:
    variant = replace(variants.load()["chacha20-ring2"], parameters=parameters)
    with pytest.raises(ElaborationError, match=words):
        constants(variant)
