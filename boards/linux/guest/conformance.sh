# SPDX-License-Identifier: Apache-2.0
# The suite that every device passes, through the driver that the device is bound to; with uio_pci_generic
# after our module.
device=$(devices)
if [ -d /sys/bus/pci/drivers/vfio-pci ]; then
	echo 1209 0001 > /sys/bus/pci/drivers/vfio-pci/new_id
	step conformance conformance "vfio:$device"
else
	insmod /saltmill_uio.ko
	step conformance conformance uio:saltmill0
	rmmod saltmill_uio
	echo 1 > /proc/sys/vm/nr_hugepages
	give_to uio_pci_generic "$device"
	step generic_conformance conformance "uio:$device"
fi
