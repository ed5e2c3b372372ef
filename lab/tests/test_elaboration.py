# SPDX-License-Identifier: Apache-2.0
"""Constants of the variants as slang elaborates them."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from lab import variants
from lab.elaboration import ElaborationError, constants, elaborate, made_of, rate, sources


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


def test_a_file_can_change_while_the_lab_runs() -> None:
    def of(instance: str) -> list[Path]:
        text = f"module top(); {instance} endmodule"
        files = [Path("top.sv"), Path("below.sv")]
        texts = (text, "module below(); endmodule")
        return made_of("top", (), tuple(zip(files, texts, strict=True)))

    assert of("") == [Path("top.sv")]
    assert of("below u_below();") == [Path("below.sv"), Path("top.sv")]


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


# Block and top module, without the parameters of a variant: all but the named ones are by default
TOPS = {
    "aes": "aes-ring",
    "aes_cbc": "aes128-cbc-ring",
    "aes_gcm": "aes-gcm-ring",
    "chacha20": "chacha20-ring2",
    "chacha20_poly1305": "aead-balanced",
    "ghash": "ghash-fast",
    "poly1305": "poly1305-fast",
    "saltmill_device": "device-ring2",
    "sha256": "sha256-serial",
    "md5": "md5-serial",
    "hmac_sha256": "hmac-sha256-serial",
    "sha256_pipe": "sha256-pipe",
    "md5_pipe": "md5-pipe",
}


def with_parameters(top: str, parameters: dict[str, int]) -> variants.Variant:
    if top == "dma":
        row = variants.load()["device-ring2"]
        return replace(row, block="dma", top="dma", parameters=parameters)
    return replace(variants.load()[TOPS[top]], parameters=parameters)


DEVICE_AEAD, DEVICE_AES = {"Core": 1}, {"Core": 2}


@pytest.mark.parametrize(
    ("top", "parameters"),
    [
        *(("chacha20", {"Unroll": unroll}) for unroll in (1, 2, 4, 5, 10, 20)),
        ("chacha20", {"Structure": 0}),
        ("poly1305", {"Structure": 0}),
        ("poly1305", {"Structure": 0, "Interval": 1}),
        ("chacha20_poly1305", {"Structure": 0}),
        *(("chacha20_poly1305", {"Unroll": unroll}) for unroll in (1, 5, 20)),
        *(("aes", {"Structure": structure}) for structure in (0, 1, 2)),
        *(("aes", {"SBox": sbox}) for sbox in (1, 2, 3)),
        ("aes", {"Structure": 2, "SBox": 0}),
        ("aes", {"Structure": 2, "RoundKeys": 1}),
        ("aes_gcm", {"Structure": 2}),
        ("aes_gcm", {"Structure": 2, "SBox": 0}),
        *(("aes_cbc", {"SBox": sbox}) for sbox in (1, 2, 3)),
        *(("ghash", {"DigitBits": bits}) for bits in (1, 16, 128)),
        *(("dma", {"DataBytes": size}) for size in (8, 16, 32, 64)),
        *((core, {"DataBytes": size}) for core in ("sha256", "md5") for size in (4, 64)),
        ("hmac_sha256", {"Structure": 1}),
        *((core, {"Depth": depth}) for core in ("sha256_pipe", "md5_pipe") for depth in (2, 16)),
        ("dma", {"BurstBytes": 4096}),
        *(("saltmill_device", {"Core": core}) for core in range(7)),
        *(("saltmill_device", {"DataBytes": size}) for size in (8, 16, 32, 64)),
        *(("saltmill_device", {"ChaCha20Unroll": unroll}) for unroll in (1, 5, 20)),
        ("saltmill_device", {"ChaCha20Structure": 0}),
        ("saltmill_device", {"BurstBytes": 4096}),
        ("saltmill_device", {"MaxLog2Entries": 15}),
        ("saltmill_device", DEVICE_AEAD | {"ChaCha20Structure": 0}),
        ("saltmill_device", DEVICE_AEAD | {"ChaCha20Unroll": 5}),
        ("saltmill_device", DEVICE_AES | {"AesStructure": 2}),
        *(("saltmill_device", {"Core": core, "HashStructure": 1}) for core in (4, 5, 6)),
        ("saltmill_device", DEVICE_AES | {"AesSBox": 3}),
        ("saltmill_device", DEVICE_AES | {"AesStructure": 2, "AesSBox": 0}),
    ],
)
def test_defaults_go_with_what_is_chosen(top: str, parameters: dict[str, int]) -> None:
    elaborate(with_parameters(top, parameters))


CHACHA20_CHOICES = "chacha20: Structure, FinalAdd and ParamPort must be 0 or 1"
AES_CHOICES = "aes: Structure must be 0 to 2, SBox and KeySizes 0 to 3"
AES_FLAGS = "aes: Directions, Modes, RoundKeys and ParamPort must be 0 or 1"
BURST = "BurstBytes must be a power of two, 4 to 256 beats"
BUFFER = "saltmill_device: ReadBufferBytes must be a power of two, two bursts to 1024 beats"
WIDTH = "saltmill_device: DataBytes must be 16 with ChaCha20Poly1305 and AesGcm"


@pytest.mark.parametrize(
    ("top", "parameters", "words"),
    [
        ("chacha20", {"Unroll": 0}, "chacha20: Unroll must divide 20"),
        ("chacha20", {"Stages": 0}, "chacha20: Stages must divide 4 * Unroll and be at least 4"),
        ("chacha20", {"UserBits": 0}, "chacha20: UserBits must be at least 1"),
        *(
            ("chacha20", {name: 2}, CHACHA20_CHOICES)
            for name in ("Structure", "FinalAdd", "ParamPort")
        ),
        ("chacha20", {"Handshake": 3}, "chacha20: Handshake must be 0, 1 or 2"),
        (
            "chacha20",
            {"LateData": 1},
            "chacha20: LateData needs a port of 32 or 64 bytes at full rate",
        ),
        ("dma", {"LateData": 1}, "dma: LateData needs DataBytes = 64"),
        ("poly1305", {"Structure": 2}, "poly1305: Structure must be Serial or Lanes"),
        ("poly1305", {"Interval": 23}, "poly1305: Interval must be 1, 2 or 4 with Structure Lanes"),
        ("chacha20_poly1305", {"Structure": 2}, CHACHA20_CHOICES),
        ("chacha20_poly1305", {"MacStructure": 0}, "chacha20_poly1305: a ring goes with lanes"),
        ("chacha20_poly1305", {"DataBytes": 32}, "chacha20_poly1305: DataBytes must be 16"),
        ("aes", {"Structure": 3}, AES_CHOICES),
        ("aes", {"SBox": 4}, AES_CHOICES),
        ("aes", {"KeySizes": 4}, AES_CHOICES),
        *(("aes", {name: 2}, AES_FLAGS) for name in ("Directions", "Modes", "RoundKeys")),
        ("aes", {"UserBits": 0}, "aes: UserBits must be at least 1"),
        ("aes", {"SBox": 0}, "aes: SBoxTable is for a Pipeline"),
        ("aes", {"RoundKeys": 1}, "aes: KeysOnTheFly is for a Pipeline"),
        ("aes", {"Structure": 0, "RoundKeys": 1}, "aes: KeysOnTheFly is for a Pipeline"),
        ("aes_gcm", {"Structure": 0}, "aes_gcm: Structure must be Ring or Pipeline"),
        ("aes_gcm", {"Structure": 3}, "aes_gcm: Structure must be Ring or Pipeline"),
        ("aes_gcm", {"KeySizes": 4}, "aes_gcm: SBox and KeySizes must be 0 to 3"),
        ("aes_gcm", {"Modes": 2}, "aes_gcm: Directions and Modes must be 0 or 1"),
        ("aes_cbc", {"SBox": 4}, "aes_cbc: SBox must be SBoxTower, SBoxRam or TBoxRam"),
        ("aes_cbc", {"KeySizes": 4}, "aes_cbc: KeySizes must be 0 to 3"),
        ("ghash", {"DigitBits": 0}, "ghash: DigitBits must be a power of 2, 128 at most"),
        ("sha256", {"Structure": 2}, "sha256: Structure must be Serial or Ring"),
        ("sha256", {"Structure": 1, "Unroll": 1}, "sha256: Unroll must be 2 or 4"),
        ("sha256", {"Depth": 3}, "sha256: Depth must be a power of two, at least 2"),
        ("md5", {"Structure": 2}, "md5: Structure must be Serial or Ring"),
        ("md5", {"Depth": 1}, "md5: Depth must be a power of two, at least 2"),
        ("sha256_pipe", {"Depth": 3}, "sha256_pipe: Depth must be 2, 4, 8 or 16"),
        ("md5_pipe", {"Depth": 32}, "md5_pipe: Depth must be 2, 4, 8 or 16"),
        ("sha256", {"DataBytes": 128}, "sha256: DataBytes must be 4, 8, 16, 32 or 64"),
        ("dma", {"BurstBytes": 32}, f"dma: {BURST} and at most 4096"),
        ("dma", {"BufferBytes": 1024}, "dma: BufferBytes must be a power of two"),
        ("dma", {"Alignment": 2}, "dma: Alignment and JobRoom must be 0 or 1"),
        ("saltmill_device", {"Core": 7}, "saltmill_device: Core must be one of core_e"),
        ("saltmill_device", {"DataBytes": 4}, "saltmill_device: DataBytes must be 8, 16, 32 or 64"),
        *(("saltmill_device", DEVICE_AEAD | {"DataBytes": size}, WIDTH) for size in (8, 32, 64)),
        *(("saltmill_device", DEVICE_AES | {"DataBytes": size}, WIDTH) for size in (8, 32, 64)),
        (
            "saltmill_device",
            DEVICE_AEAD | {"ChaCha20FinalAdd": 0},
            "saltmill_device: ChaCha20FinalAdd must be HardwareAdd with ChaCha20Poly1305",
        ),
        *(
            ("saltmill_device", {"BurstBytes": size}, f"saltmill_device: {BURST}, at most 4096")
            for size in (0, 32, 1000, 8192)
        ),
        *(
            ("saltmill_device", {"ReadBufferBytes": size}, BUFFER)
            for size in (0, 1024, 3000, 32768)
        ),
        ("saltmill_device", {"AddressBits": 31}, "saltmill_device: AddressBits must be 32 to 64"),
        (
            "saltmill_device",
            {"Alignment": 2},
            "saltmill_device: Alignment must be AlignedOnly or AnyByte",
        ),
        *(
            ("saltmill_device", {"KeySlots": slots}, "saltmill_device: KeySlots must be 1 to 32")
            for slots in (0, 33)
        ),
        (
            "saltmill_device",
            {"MaxLog2Entries": 16},
            "saltmill_device: MaxLog2Entries must be at most 15",
        ),
        *(
            (
                "saltmill_device",
                {"JobDepth": jobs},
                "saltmill_device: JobDepth must be 16, 32, 64 or 128",
            )
            for jobs in (0, 8, 24, 256)
        ),
    ],
)
def test_illegal_parameters_are_refused(top: str, parameters: dict[str, int], words: str) -> None:
    with pytest.raises(ElaborationError, match=re.escape(f": {words}")):
        elaborate(with_parameters(top, parameters))
