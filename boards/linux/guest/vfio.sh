# SPDX-License-Identifier: Apache-2.0
# Two PCI devices through VFIO: the command uses them alone, together, and beside the CPU.
echo 1209 0001 > /sys/bus/pci/drivers/vfio-pci/new_id
set -- $(devices)
first=vfio:$1 second=vfio:$2
saltmill devices
step self_test saltmill devices --self-test --engine "$first"
. /shared.sh

# After a reset it is as new.
step reset sh -c "echo 1 > /sys/bus/pci/devices/$1/reset"
step after_reset works
# What is not bound to vfio-pci is said.
echo "$2" > /sys/bus/pci/drivers/vfio-pci/unbind
step unbound encrypt --engine "$second" -o never text
