# SPDX-License-Identifier: Apache-2.0
# A PCI device of the module saltmill_uio.
uname -r
cat /sys/class/uio/uio*/name
result names "$(cat /sys/class/uio/uio*/name)"
step self_test saltmill devices --self-test --engine uio:saltmill0
result interrupts "$(interrupts saltmill)"
