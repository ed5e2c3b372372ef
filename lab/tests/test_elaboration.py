# SPDX-License-Identifier: Apache-2.0
"""Constants of the variants as slang elaborates them."""

from dataclasses import replace

import pytest

from lab import variants
from lab.elaboration import ElaborationError, constants, rate, sources


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


def test_sources_are_the_modules_of_the_hierarchy_and_their_packages() -> None:
    table = variants.load()
    names = {name: {path.stem for path in sources(table[name])} for name in table}
    assert {"aes", "aes_ring_core", "aes_pkg", "stream_hold"} <= names["aes128-ring"]
    assert not {"aes_pipeline_core", "aes_sub_rom", "aes_words"} & names["aes128-ring"]
    assert "aes_sub_rom" in names["aes128-ring-ram"]
    assert {"gcm_front", "ghash_digits", "aes_gcm_adapter"} <= names["device-aes-ring"]
    assert not {"aes_gcm", "poly1305", "aes_gcm_adapter"} & names["device-ring2"]
    assert "aes" not in names["device-ring2"], "no module uses it: slang's root has it all the same"
    for variant in table.values():
        assert variant.top in names[variant.name], "what is not there is not elaborated"


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
