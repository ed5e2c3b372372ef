# SPDX-License-Identifier: Apache-2.0
# The suite that every device passes, through the driver that the device is bound to.
device=uio:saltmill0
if [ -d /sys/bus/pci/drivers/vfio-pci ]; then
	echo 1209 0001 > /sys/bus/pci/drivers/vfio-pci/new_id
	device=vfio:$(devices)
fi
step conformance conformance "$device"
