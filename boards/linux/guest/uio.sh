# SPDX-License-Identifier: Apache-2.0
# Two PCI devices of the module saltmill_uio: the command uses them alone, together, and beside the CPU.
result names "$(cat /sys/class/uio/uio*/name | tr '\n' ' ')"
first=uio:saltmill0 second=uio:saltmill1
saltmill devices
step self_test saltmill devices --self-test --engine $first
. /shared.sh

result interrupts "$(interrupts saltmill)"
# The module stays while a program has a device.
saltmill encrypt -r "$recipient" --progress never --engine $first -o never large &
sleep 0.5
step rmmod_busy rmmod saltmill_uio
# A device that goes away under load ends the program, and not the machine.
gone=$(basename "$(readlink -f /sys/class/uio/uio0/device)")
step unbind sh -c "echo $gone > /sys/bus/pci/drivers/saltmill_uio/unbind"
wait $!
result program_of_gone $?
first=$second
step alive works
step rmmod rmmod saltmill_uio
step no_module encrypt --engine $first -o never text
