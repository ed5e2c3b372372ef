# SPDX-License-Identifier: Apache-2.0
"""`Overlay(...)` of stock pynq loads the files and binds the driver to the device in them."""

import os
from pathlib import Path

import numpy as np
from Crypto.Cipher import ChaCha20

from boards.pynq.simulated import overlay
from boards.pynq.simulated.client import simulated

COMMAND = Path(os.environ["SALTMILL_COMMAND"])
REGISTERS = 0x43C0_0000
FIRMWARE = "/lib/firmware/saltmill.bin"


def test_the_overlay_has_the_driver(tmp_path: Path) -> None:
    import saltmill_pynq  # noqa: PLC0415
    from pynq import Bitstream, Overlay  # noqa: PLC0415
    from pynq.pl_server.remote_device import RemoteDevice  # noqa: PLC0415

    from boards.pynq.simulated.remote import serving  # noqa: PLC0415

    bitstream = overlay.write(tmp_path, "saltmill", REGISTERS)
    with (
        simulated(COMMAND, tmp_path, "aead-balanced") as device,
        serving(device, 0) as served,
    ):
        board = RemoteDevice(0, "127.0.0.1", served.port)
        loaded = Overlay(str(bitstream), download=False, device=board)
        # What Overlay.download does behind the clocks: docs/boards/zynq.md says why not those.
        Bitstream.download(loaded, loaded.parser)
        description = loaded.ip_dict["saltmill_0"]
        assert (description["phys_addr"], description["addr_range"]) == (REGISTERS, 0x1000)
        assert description["driver"] is saltmill_pynq.Saltmill
        assert served.files[FIRMWARE] == overlay.FILL
        assert served.files["/sys/class/fpga_manager/fpga0/firmware"] == b"saltmill.bin"

        saltmill = loaded.saltmill_0
        assert isinstance(saltmill, saltmill_pynq.Saltmill)
        key, nonce, data = bytes(range(32)), bytes(12), np.arange(1000, dtype=np.uint8)
        saltmill.set_key(0, key)
        sealed = saltmill.xor_stream(data, nonce)
        cipher = ChaCha20.new(key=key, nonce=nonce)
        assert sealed.tobytes() == cipher.encrypt(data.tobytes())
