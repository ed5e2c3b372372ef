# SPDX-License-Identifier: Apache-2.0
# The memory of saltmill3 does not answer: nothing ends its transactions but a reset. Then the module
# is removed, and comes back for a machine that goes off in mid-job.
hangs() { saltmill encrypt -r "$recipient" --progress never --deadline 1 --engine uio:saltmill3 -o never text; }
step hangs hangs
step hangs_open hangs
hung=$(function_of saltmill3)
echo "$hung" > /sys/bus/pci/drivers/saltmill_uio/unbind
echo 1 > "/sys/bus/pci/devices/$hung/reset"
step rmmod rmmod saltmill_uio
step no_module encrypt --engine "$second" -o never text
step insmod insmod /saltmill_uio.ko
for number in 0 1; do
	saltmill encrypt -r "$recipient" --progress never --engine "uio:saltmill$number" -o "never$number" large &
done
sleep 1
result running "$(pidof saltmill | wc -w)"
