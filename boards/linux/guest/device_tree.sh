# SPDX-License-Identifier: Apache-2.0
# A device of the device tree, with the module and the C driver: what a Cyclone V or a Zynq has. The
# registers are those of a PCI function that is only switched on here.
device=$(devices)
folder=/sys/bus/pci/devices/$device
echo 1 > "$folder/enable"
printf '\006\000' | dd of="$folder/config" bs=1 seek=4 conv=notrunc 2> /dev/null
result registers "$(head -n 1 "$folder/resource" | cut -d ' ' -f 1)"
echo none > "$folder/driver_override"
insmod /saltmill_uio.ko
uio=$(dirname "$(grep -l saltmill /sys/class/uio/*/name)")
result name "$(cat "$uio/name")"
result compatible "$(cat "$uio/device/of_node/compatible")"
/bin/uio_self_test "/dev/$(basename "$uio")" "$(cat "$uio/maps/map1/addr")" "$(cat "$uio/maps/map1/size")"
result interrupts "$(interrupts saltmill)"
step rmmod rmmod saltmill_uio
