#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The first program of the guest: mounts, modules, the script, off.
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
echo "result uptime_at_init $(cut -d ' ' -f 1 /proc/uptime)"
for module in /modules/*.ko; do
	[ -e "$module" ] && { insmod "$module" || echo "$module can't be loaded"; }
done

# What a test looks at: a name and a value.
result() { echo "result $*"; }
# Runs a command; its exit code is a result.
step() {
	name=$1
	shift
	"$@"
	result "$name" $?
}
# The PCI addresses of the devices.
devices() {
	for folder in /sys/bus/pci/devices/*; do
		[ "$(cat "$folder/vendor")" = 0x1209 ] && basename "$folder"
	done
}
# Gives a PCI device without a driver to one.
give_to() {
	echo "$1" > "/sys/bus/pci/devices/$2/driver_override"
	echo "$2" > /sys/bus/pci/drivers_probe
}
# The PCI address of a UIO device, by the name that its module gave it.
function_of() { basename "$(readlink -f "$(dirname "$(grep -l "^$1\$" /sys/class/uio/*/name)")/device")"; }
# How often the interrupts whose line has this word have come.
interrupts() {
	awk -v word="$1" '$0 ~ word { for (i = 2; $i ~ /^[0-9]+$/; i++) sum += $i } END { print sum + 0 }' /proc/interrupts
}

cd /tmp || exit
. /script
result uptime_at_end "$(cut -d ' ' -f 1 /proc/uptime)"
sync
echo o > /proc/sysrq-trigger
sleep 10
