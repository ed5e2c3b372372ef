# SPDX-License-Identifier: Apache-2.0
"""Fetches all that the tests with Linux need, and says what it is."""

import sys

from boards.linux import compilers, packages
from boards.linux.packages import KERNELS, output


def main() -> None:
    print(packages.versions(packages.qemu().parents[2]).rstrip())
    for program in (packages.qemu("arm"), packages.device_tree_tool("dtc")):
        print(output(program, "--version").splitlines()[0])
    for version, architecture in KERNELS:
        compiler = compilers.headers(version, architecture).compiler
        print(f"Linux {packages.kernel(version, architecture).release}")
        print(f"  {output(compiler.gcc, '--version').splitlines()[0]}")
    print(f"{packages.busybox('amd64')}\n{packages.busybox('armhf')}")


if __name__ == "__main__":
    try:
        main()
    except packages.PackagesError as error:
        sys.exit(f"error: {error}")
