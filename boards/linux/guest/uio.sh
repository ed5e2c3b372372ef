# SPDX-License-Identifier: Apache-2.0
# Two PCI devices of the module saltmill_uio: the command uses them alone, together, and beside the CPU.
# Then one of them with uio_pci_generic, and others that do not work as they should.
insmod /saltmill_uio.ko
result names "$(cat /sys/class/uio/uio*/name | tr '\n' ' ')"
first=uio:saltmill0 second=uio:saltmill1
saltmill devices
. /package.sh
step self_test saltmill devices --self-test --engine $first
. /shared.sh

result interrupts "$(interrupts saltmill)"
# The module stays while a program has a device.
saltmill encrypt -r "$recipient" --progress never --engine $first -o never large &
sleep 0.5
step rmmod_busy rmmod saltmill_uio
# A device that goes away under load ends the program, and not the machine.
gone=$(function_of saltmill0)
step unbind sh -c "echo $gone > /sys/bus/pci/drivers/saltmill_uio/unbind"
wait $!
result program_of_gone $?
first=$second
step alive works

. /generic.sh
works_all_the_same stuck uio:saltmill2
stuck=$(function_of saltmill2)
echo "$stuck" > /sys/bus/pci/drivers/saltmill_uio/unbind
give_to uio_pci_generic "$stuck"
works_all_the_same stuck_line "uio:$stuck"
. /hangs.sh
