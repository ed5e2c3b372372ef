# SPDX-License-Identifier: Apache-2.0
# $gone, which has no driver, with uio_pci_generic: no module of ours, no IOMMU, a huge page.
first=uio:$gone
step no_driver encrypt --engine "$first" -o never text
give_to uio_pci_generic "$gone"
step no_huge_page encrypt --engine "$first" -o never text
echo 1 > /proc/sys/vm/nr_hugepages
# In a name space of its own, root is a user like others.
step no_address unshare -U -r saltmill encrypt -r "$recipient" --engine "$first" -o never text
step generic_self_test saltmill devices --self-test --engine "$first"
step generic_encrypt encrypt --engine "$first" --stats generic.json -o sealed text
decrypt -o opened sealed
step generic_same cmp text opened
step generic_decrypt decrypt --engine "$first" -o opened_by_device sealed
step generic_decrypt_same cmp text opened_by_device
cat generic.json
rm -f opened* sealed*
kill_in_mid_job generic_
result generic_interrupts "$(interrupts uio_pci_generic)"
