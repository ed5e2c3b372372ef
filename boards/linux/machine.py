# SPDX-License-Identifier: Apache-2.0
"""A virtual machine with simulated devices: Debian's kernel in QEMU, the RTL behind a socket.

python -m boards.linux.machine vfio 6.1 aead-balanced    # boots, prints what the guest says
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from boards.linux import initramfs, packages, udev
from boards.linux.compilers import compiler
from boards.linux.packages import Kernel, output
from boards.linux.saltmill_uio.build import module
from boards.linux.saltmill_uio.package import package
from lab.cores import ROOT

GUEST = Path(__file__).parent / "guest"
C_DRIVER = ROOT / "boards" / "bare-metal"
PROFILE = "quick"  # of cargo: that of its tests
BUILT = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / PROFILE
COMMAND = BUILT / "saltmill"
CONFORMANCE = BUILT / "examples" / "conformance"
MEMORY = "512M"
SERVING = 10  # seconds until a server is there, or gone

# Options of `saltmill sim serve`: a device as it should be, and others.
Device = tuple[str, ...]
PROPER: Device = ()
LINE: Device = ("--interrupt", "line")  # no MSI
STUCK: Device = ("--interrupt", "stuck")  # its interrupt is up all the time
CUT: Device = ("--interrupt", "cut")  # its interrupt does not come
HANGS: Device = ("--sim-hang-at", "0")  # memory never answers it


@dataclass(frozen=True)
class Scenario:
    """What runs in a guest, which is a script in guest/, and what it needs."""

    script: str
    architecture: str = "amd64"
    devices: tuple[Device, ...] = (PROPER, PROPER)
    modules: tuple[str, ...] = ()  # of the kernel, loaded before the script
    iommu: bool = False
    program: Path | None = COMMAND  # none: the C driver
    starts_again: bool = False
    package: bool = False  # the module's Debian package is there, and udev


VFIO = Scenario(
    "vfio",
    devices=(PROPER, LINE, STUCK, CUT),
    modules=("vfio_iommu_type1", "vfio-pci", "uio_pci_generic"),
    iommu=True,
)
UIO = Scenario(
    "uio",
    devices=(PROPER, PROPER, STUCK, HANGS),
    modules=("uio_pci_generic",),
    package=True,
)
ONE = (PROPER,)
SCENARIOS = {
    "vfio": VFIO,
    "uio": UIO,
    "reboot": replace(VFIO, script="reboot", devices=(PROPER, PROPER), starts_again=True),
    "vfio_conformance": replace(VFIO, script="conformance", devices=ONE, program=CONFORMANCE),
    "uio_conformance": replace(
        UIO, script="conformance", devices=ONE, program=CONFORMANCE, package=False
    ),
    "device_tree": Scenario(
        "device_tree", architecture="armhf", devices=ONE, modules=("uio",), program=None
    ),
}


@dataclass
class Outcome:
    """What a guest and the servers of its devices have said."""

    output: str
    seconds: float
    server: str = ""
    results: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, value in re.findall(r"^result (\S+) ?(.*)$", self.output, re.MULTILINE):
            self.results[name] = value

    def json(self) -> list[Any]:
        """JSON that the guest has printed, one text after the other."""
        decode = json.JSONDecoder().raw_decode
        begins = re.finditer(r"^\{$", self.output, re.MULTILINE)
        return [decode(self.output[begin.start() :])[0] for begin in begins]


def build_command() -> None:
    """The command, as the tests of cargo build it."""
    features = ("--workspace", "--locked", "--features", "saltmill-cli/sim")
    subprocess.run(
        ("cargo", "test", "--no-run", "--profile", PROFILE, *features), cwd=ROOT, check=True
    )


@contextmanager
def served(socket: Path, variant: str, options: Device) -> Iterator[None]:
    """`saltmill sim serve` with a device at a socket, until its client has gone."""
    line = [str(COMMAND), "sim", "serve", "--once", "--sim-variant", variant, *options]
    log = log_of(socket)
    with log.open("w") as said:
        server = subprocess.Popen([*line, "--socket", str(socket)], stderr=said)
    try:
        end = time.monotonic() + SERVING
        while not socket.exists():
            if server.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"the server does not serve:\n{log.read_text()}")
            time.sleep(0.02)
        yield
        if server.wait(SERVING) != 0:
            raise RuntimeError(f"the server failed:\n{log.read_text()}")
    finally:
        server.kill()
        server.wait()


def log_of(socket: Path) -> Path:
    return socket.with_suffix(".log")


def c_program(kernel: Kernel, into: Path) -> Path:
    """The C driver with its self-test, for a guest without Rust."""
    program = into / "uio_self_test"
    sources = [GUEST / "uio_self_test.c", *sorted(C_DRIVER.glob("*.c"))]
    flags = ("-O2", "-static", "-Wall", "-Wextra", "-Werror", "-D_FILE_OFFSET_BITS=64")
    tools = compiler(kernel.version, kernel.architecture)
    codes = ROOT / "rtl" / "device" / "generated"
    includes = (f"-I{C_DRIVER}", f"-I{codes}")
    output(tools.gcc, *flags, *includes, *sources, "-o", program, PATH=tools.path)
    return program


def with_device(tree: Path) -> None:
    """Adds a node to a device tree: where QEMU's board puts the first PCI function and its line."""
    put = packages.device_tree_tool("fdtput")
    node = "/saltmill@10000000"
    output(put, "-c", tree, node)
    output(put, "-t", "s", tree, node, "compatible", "saltmill,device")
    output(put, "-t", "x", tree, node, "reg", "0", "10000000", "0", "1000")
    output(put, "-t", "x", tree, node, "interrupts", "0", "4", "4")


def board(scenario: Scenario, folder: Path) -> list[str]:
    """Options for the board and its processor."""
    # TCG: tests must not depend on a host that gives them virtual machines.
    if scenario.architecture == "amd64":
        machine = (str(packages.qemu()), "-machine", "q35,accel=tcg,memory-backend=ram")
        iommu = ("-device", "intel-iommu,caching-mode=on,intremap=on") if scenario.iommu else ()
        return [*machine, "-cpu", "max", *iommu]  # behind it are the devices that come later
    tree, qemu = folder / "tree", str(packages.qemu("arm"))
    kind = "virt,highmem=off,accel=tcg"
    processor = ("-cpu", "cortex-a15", "-m", MEMORY)
    output(qemu, "-machine", f"{kind},dumpdtb={tree}", *processor, "-nodefaults")
    with_device(tree)
    return [qemu, "-machine", f"{kind},memory-backend=ram", *processor[:2], "-dtb", str(tree)]


def run(scenario: Scenario, version: str, variant: str, *, deadline: float = 180) -> Outcome:
    """Boots a machine, waits until it is off."""
    kernel = packages.kernel(version, scenario.architecture)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        guest = folder / "guest"
        files = {path.name: path for path in GUEST.glob("*.sh")}
        files["saltmill_uio.ko"] = module(kernel)
        if scenario.package:
            files |= {"saltmill.deb": package(folder), **udev.files()}
        if not scenario.program:
            files["bin/uio_self_test"] = c_program(kernel, folder)
        initramfs.build(
            kernel,
            guest,
            script=scenario.script,
            modules=scenario.modules,
            programs=(scenario.program,) if scenario.program else (),
            files=files,
        )
        sockets = [folder / f"device{number}" for number in range(len(scenario.devices))]
        line = board(scenario, folder)
        memory = f"memory-backend-memfd,id=ram,size={MEMORY},share=on"
        line += ["-object", memory, "-m", MEMORY, "-nodefaults", "-display", "none"]
        line += ["-serial", "stdio", *(() if scenario.starts_again else ("-no-reboot",))]
        for socket in sockets:
            device = {"driver": "vfio-user-pci", "socket": {"type": "unix", "path": str(socket)}}
            line += ["-device", json.dumps(device)]
        console = "ttyS0" if scenario.architecture == "amd64" else "ttyAMA0"
        append = f"console={console} panic=-1 quiet"
        if scenario.architecture == "amd64":
            append += " no_timer_check"  # which fails where the host is busy
        if scenario.iommu:
            append += " intel_iommu=on"
        line += ["-kernel", str(kernel.image), "-initrd", str(guest), "-append", append]
        begin = time.monotonic()
        with ExitStack() as servers:
            for socket, options in zip(sockets, scenario.devices, strict=True):
                servers.enter_context(served(socket, variant, options))
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
            if machine.returncode:
                raise RuntimeError(f"QEMU failed:\n{machine.stdout}")
        said = machine.stdout.replace("\r", "")
        seconds = time.monotonic() - begin
        return Outcome(said, seconds, "".join(log_of(socket).read_text() for socket in sockets))


def main(script: str, version: str = "6.1", variant: str = "ring2", deadline: str = "180") -> None:
    outcome = run(SCENARIOS[script], version, variant, deadline=float(deadline))
    print(outcome.output, outcome.server, f"{outcome.seconds:.1f} s", sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
