# SPDX-License-Identifier: Apache-2.0
"""Compiles the firmware for the simulated SoC, with values that the host computed."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from Crypto.Cipher import AES, ChaCha20_Poly1305

from boards.litex import environment
from lab import cores

SOURCES = environment.HERE / "firmware"
DRIVER = cores.ROOT / "boards" / "bare-metal"
REGISTERS = cores.ROOT / "rtl" / "device" / "generated"
KEY = bytes(range(0x80, 0xA0))
NONCE = bytes([7, 0, 0, 0, *range(0x40, 0x48), 0, 0, 0, 2])
LARGE = 64 << 10
# GCC 12: CSRs belong to the base instructions, as LiteX's headers take for granted.
FLAGS = (
    "-march=rv32im -mabi=ilp32 -misa-spec=2.2 -O2 -std=gnu11 -ffreestanding -nostdlib "
    "-fno-tree-loop-distribute-patterns -Wall -Wextra -Werror"
).split()


def macro(name: str, value: bytes) -> str:
    return f"#define EXPECTED_{name} {{{', '.join(f'0x{byte:02x}' for byte in value)}}}\n"


def expected() -> str:
    """Tags of a message of 64 KiB with a period of 251 bytes, by PyCryptodome."""
    message = bytes(i % 251 for i in range(LARGE))
    sealing = ChaCha20_Poly1305.new(key=KEY, nonce=NONCE[:12])
    chacha20_poly1305 = sealing.encrypt_and_digest(message)[1]
    aes128_gcm = AES.new(KEY[:16], AES.MODE_GCM, nonce=NONCE[:12]).encrypt_and_digest(message)[1]
    return (
        macro("KEY", KEY)
        + macro("NONCE", NONCE)
        + macro("CHACHA20_POLY1305_TAG", chacha20_poly1305)
        + macro("AES128_GCM_TAG", aes128_gcm)
    )


def compile_for(soc: Path, defines: Sequence[str] = ()) -> list[int]:
    """The ROM's words, for the SoC whose generated headers are in this folder."""
    (soc / "expected.h").write_text(expected())
    litex = environment.package("litex")
    generated = soc / "software" / "include"
    own = [SOURCES, DRIVER, REGISTERS, soc]
    foreign = [generated, litex / "soc/software/include", litex / "soc/cores/cpu/vexriscv"]
    elf, binary = soc / "firmware.elf", soc / "firmware.bin"
    command = [environment.COMPILER, *FLAGS, *(f"-D{name}" for name in defines)]
    command += [f"-I{path}" for path in own]
    command += [part for path in foreign for part in ("-isystem", str(path))]
    command += ["-T", str(SOURCES / "link.ld"), "-L", str(generated), str(SOURCES / "start.S")]
    command += [str(path) for path in sorted([*SOURCES.glob("*.c"), *DRIVER.glob("*.c")])]
    subprocess.run([*command, "-o", str(elf), "-lgcc"], check=True)
    objcopy = environment.COMPILER.replace("gcc", "objcopy")
    subprocess.run([objcopy, "-O", "binary", str(elf), str(binary)], check=True)
    contents = binary.read_bytes()
    contents += bytes(-len(contents) % 4)
    return [int.from_bytes(contents[at : at + 4], "little") for at in range(0, len(contents), 4)]
