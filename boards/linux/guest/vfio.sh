# SPDX-License-Identifier: Apache-2.0
# Two PCI devices through VFIO, one with messages and one with a line: the command uses them alone,
# together, and beside the CPU. Two more, whose interrupts are up all the time or never come.
echo 1209 0001 > /sys/bus/pci/drivers/vfio-pci/new_id
set -- $(devices)
first=vfio:$1 second=vfio:$2
saltmill devices
step self_test saltmill devices --self-test --engine "$first" --engine "$second"
. /shared.sh

# After a reset it is as new.
step reset sh -c "echo 1 > /sys/bus/pci/devices/$1/reset"
step after_reset works
works_all_the_same stuck "vfio:$3"
works_all_the_same cut "vfio:$4"
# What is not bound to vfio-pci is said, and what uio_pci_generic can't do behind an IOMMU.
echo "$2" > /sys/bus/pci/drivers/vfio-pci/unbind
step unbound encrypt --engine "$second" -o never text
give_to uio_pci_generic "$2"
step behind_iommu encrypt --engine "uio:$2" -o never text
