# SPDX-License-Identifier: Apache-2.0
# The machine starts again in mid-job of two devices, one with VFIO and one with our module, and then uses
# them. It tells the second start by its clock, which it sets at the first.
set -- $(devices)
give_to vfio-pci "$1"
insmod /saltmill_uio.ko
head -c 60000000 /dev/zero > text
saltmill keygen -o key 2> /dev/null
encrypt() { saltmill encrypt -r "$(saltmill keygen -y key)" --progress never "$@"; }
if [ "$(date +%Y)" != 2040 ]; then
	result first 0
	encrypt --engine "vfio:$1" -o sealed text &
	encrypt --engine uio:saltmill0 -o sealed_too text &
	sleep 1.5
	date -s '2040-01-01 00:00:00' > /dev/null
	hwclock -w -u
	result running "$(pidof saltmill | wc -w)"
	reboot -f
	sleep 60
fi
step second sh -c 'head -c 70000 text > few'
for device in "vfio:$1" uio:saltmill0; do
	step "encrypt_${device%%:*}" encrypt --engine "$device" -o sealed few
	saltmill decrypt -i key --progress never -o opened sealed
	step "same_${device%%:*}" cmp few opened
	rm sealed opened
done
