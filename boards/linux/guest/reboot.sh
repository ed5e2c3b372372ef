# SPDX-License-Identifier: Apache-2.0
# The machine starts again in mid-job, and then uses the device. It tells the second start by its clock,
# which it sets at the first.
echo 1209 0001 > /sys/bus/pci/drivers/vfio-pci/new_id
device=vfio:$(devices)
head -c 60000000 /dev/zero > text
saltmill keygen -o key 2> /dev/null
encrypt() { saltmill encrypt -r "$(saltmill keygen -y key)" --progress never --engine "$device" "$@"; }
if [ "$(date +%Y)" != 2040 ]; then
	result first 0
	encrypt -o sealed text &
	sleep 1
	date -s '2040-01-01 00:00:00' > /dev/null
	hwclock -w -u
	result running "$(pidof saltmill | wc -w)"
	reboot -f
	sleep 60
fi
step second sh -c 'head -c 70000 text > few'
step encrypt encrypt -o sealed few
saltmill decrypt -i key --progress never -o opened sealed
step same cmp few opened
