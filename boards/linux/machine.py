# SPDX-License-Identifier: Apache-2.0
"""A virtual machine with simulated devices: Debian's kernel in QEMU, the RTL behind a socket.

python -m boards.linux.machine vfio 6.1    # boots, prints what the guest says
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from boards.linux import initramfs, packages
from boards.linux.packages import Kernel
from boards.linux.saltmill_uio.build import module
from lab.cores import ROOT

PROFILE = "quick"  # of cargo: the tests' own
COMMAND = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / PROFILE / "saltmill"
MEMORY = "512M"
SERVING = 10  # seconds until a server is there


@dataclass(frozen=True)
class Scenario:
    """What runs in a guest, which is a script in guest/, and what it needs."""

    script: str
    modules: tuple[str, ...] = ()
    own_module: bool = False
    iommu: bool = False
    append: str = ""


VFIO = Scenario("vfio", modules=("vfio_iommu_type1", "vfio-pci"), iommu=True)
UIO = Scenario("uio", modules=("uio",), own_module=True)
SCENARIOS = {scenario.script: scenario for scenario in (VFIO, UIO)}


@dataclass
class Outcome:
    """What a guest and the servers of its devices have said."""

    output: str
    seconds: float
    server: str = ""
    results: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, value in re.findall(r"^result (\S+) (.*)$", self.output, re.MULTILINE):
            self.results[name] = value

    def json(self) -> list[dict[str, object]]:
        """JSON that the guest has printed, one text after the other."""
        decode = json.JSONDecoder().raw_decode
        begins = re.finditer(r"^[{\[]", self.output, re.MULTILINE)
        return [decode(self.output[begin.start() :])[0] for begin in begins]


def build_command() -> None:
    """The command, as the tests of cargo build it."""
    features = ("--workspace", "--locked", "--features", "saltmill-cli/sim")
    subprocess.run(("cargo", "build", "--profile", PROFILE, *features), cwd=ROOT, check=True)


@contextmanager
def served(sockets: Sequence[Path], variant: str, log: Path) -> Iterator[None]:
    """`saltmill sim serve` with a device at each socket."""
    named = [word for socket in sockets for word in ("--socket", socket)]
    line = (COMMAND, "sim", "serve", "--once", "--sim-variant", variant, *named)
    with log.open("w") as said:
        server = subprocess.Popen(line, stderr=said)
    try:
        end = time.monotonic() + SERVING
        while not all(socket.exists() for socket in sockets):
            if server.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"the server does not serve:\n{log.read_text()}")
            time.sleep(0.02)
        yield
        if server.wait(SERVING) != 0:
            raise RuntimeError(f"the server failed:\n{log.read_text()}")
    finally:
        server.kill()
        server.wait()


def boot_line(
    kernel: Kernel, guest: Path, scenario: Scenario, sockets: Sequence[Path]
) -> list[str]:
    # TCG: tests must not depend on a host that gives them virtual machines.
    memory = f"memory-backend-memfd,id=ram,size={MEMORY},share=on"
    line = [
        *(str(packages.qemu()), "-machine", "q35,accel=tcg,memory-backend=ram", "-cpu", "max"),
        *("-object", memory, "-m", MEMORY, "-no-reboot", "-nodefaults", "-display", "none"),
        *("-serial", "stdio"),
    ]
    if scenario.iommu:  # before the devices, or they are not behind it
        line += ["-device", "intel-iommu,caching-mode=on,intremap=on"]
    for socket in sockets:
        device = {"driver": "vfio-user-pci", "socket": {"type": "unix", "path": str(socket)}}
        line += ["-device", json.dumps(device)]
    append = f"console=ttyS0 panic=-1 quiet {'intel_iommu=on' if scenario.iommu else ''}"
    line += ["-kernel", str(kernel.image), "-initrd", str(guest)]
    return [*line, "-append", f"{append} {scenario.append}"]


def run(
    scenario: Scenario, version: str, variant: str, *, devices: int = 1, deadline: float = 120
) -> Outcome:
    """Boots a machine, waits until it is off."""
    kernel = packages.kernel(version, "amd64")
    own = (module(kernel),) if scenario.own_module else ()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        sockets = [place / f"device{number}" for number in range(devices)]
        guest, log = place / "guest", place / "server"
        initramfs.build(
            kernel,
            guest,
            script=scenario.script,
            modules=scenario.modules,
            own_modules=own,
            programs=(COMMAND,),
        )
        begin = time.monotonic()
        with served(sockets, variant, log):
            line = boot_line(kernel, guest, scenario, sockets)
            machine = subprocess.run(
                line,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                timeout=deadline,
                check=False,
            )
        return Outcome(machine.stdout.replace("\r", ""), time.monotonic() - begin, log.read_text())


def main(script: str, version: str = "6.1", variant: str = "ring2") -> None:
    outcome = run(SCENARIOS[script], version, variant, devices=2)
    print(outcome.output, outcome.server, f"{outcome.seconds:.1f} s", sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
