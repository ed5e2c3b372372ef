# SPDX-License-Identifier: Apache-2.0
# Two PCI devices through VFIO: the command uses them alone, together, and beside the CPU.
echo 1209 0001 > /sys/bus/pci/drivers/vfio-pci/new_id
set -- $(devices)
first=vfio:$1 second=vfio:$2
result devices $#
saltmill devices
step self_test saltmill devices --self-test --engine "$first"

head -c 2000001 /dev/urandom > text
saltmill keygen -o key 2> /dev/null
recipient=$(saltmill keygen -y key)
encrypt() { saltmill encrypt -r "$recipient" --progress never "$@"; }
decrypt() { saltmill decrypt -i key --progress never "$@"; }
# A device encrypts, the CPU decrypts, and the other way round.
step encrypt encrypt --engine "$first" --stats stats.json -o sealed text
decrypt -o opened sealed
step encrypt_same cmp text opened
encrypt -o sealed_by_cpu text
step decrypt decrypt --engine "$first" -o opened_by_device sealed_by_cpu
step decrypt_same cmp text opened_by_device
# All of them side by side.
step both encrypt --engine "$first" --engine "$second" --engine cpu --workers 1 --stats both.json -o sealed_by_all text
decrypt -o opened_of_all sealed_by_all
step both_same cmp text opened_of_all
cat stats.json both.json

# Only one program may have a device.
encrypt --engine "$first" -o sealed_slowly text &
sleep 0.5
step busy encrypt --engine "$first" -o never text
wait
# Killed in mid-job, it is as new for the next.
encrypt --engine "$first" -o never text &
sleep 0.6
kill -9 $!
wait
step after_kill saltmill devices --self-test --engine "$first"
result left_by_kill "$(ls -A | grep -c -e never -e part)"
# So it is after a reset.
step reset sh -c "echo 1 > /sys/bus/pci/devices/$1/reset"
step after_reset saltmill devices --self-test --engine "$first"
# What is not bound to vfio-pci is said.
echo "$2" > /sys/bus/pci/drivers/vfio-pci/unbind
step unbound encrypt --engine "$second" -o never text
