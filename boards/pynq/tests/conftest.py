# SPDX-License-Identifier: Apache-2.0
"""Devices for the tests: through pynq's remote protocol, and as on a board itself.

The project's own pytest reads this file too, without pynq: nothing of it is imported here.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from boards.pynq.simulated.client import simulated

ADDRESS = 0x43C0_0000


def command() -> Path:
    return Path(os.environ["SALTMILL_COMMAND"])


def remote(stack: ExitStack, folder: Path, variant: str) -> Any:
    from pynq.pl_server.remote_device import RemoteDevice  # noqa: PLC0415
    from saltmill_pynq import Saltmill  # noqa: PLC0415

    from boards.pynq.simulated.remote import serving  # noqa: PLC0415

    device = stack.enter_context(simulated(command(), folder, variant))
    served = stack.enter_context(serving(device, 0))
    board = RemoteDevice(0, "127.0.0.1", served.port)
    return Saltmill({"phys_addr": ADDRESS, "addr_range": 0x1000, "device": board})


def local(stack: ExitStack, folder: Path, variant: str) -> Any:
    from saltmill_pynq import Saltmill  # noqa: PLC0415

    from boards.pynq.simulated.local import Interrupt, LocalDevice  # noqa: PLC0415

    class WithInterrupt(Saltmill):  # type: ignore[misc]
        irq_o: Any

    device = stack.enter_context(simulated(command(), folder, variant))
    WithInterrupt.irq_o = Interrupt(device)
    board = LocalDevice(device, ADDRESS)
    return WithInterrupt({"phys_addr": ADDRESS, "addr_range": 0x1000, "device": board})


@pytest.fixture(params=[remote, local])
def saltmill(request: Any, tmp_path: Path) -> Iterator[Callable[[str], Any]]:
    """Makes a device of a variant."""
    with ExitStack() as stack:
        yield lambda variant: request.param(stack, tmp_path, variant)


@pytest.fixture
def on_board(tmp_path: Path) -> Iterator[Callable[[str], Any]]:
    with ExitStack() as stack:
        yield lambda variant: local(stack, tmp_path, variant)
