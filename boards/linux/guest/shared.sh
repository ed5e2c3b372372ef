# SPDX-License-Identifier: Apache-2.0
# What the command does on two devices, $first and $second, whatever drives them.
head -c 2000001 /dev/urandom > text
head -c 60000000 /dev/zero > large
saltmill keygen -o key 2> /dev/null
recipient=$(saltmill keygen -y key)
encrypt() { saltmill encrypt -r "$recipient" --progress never "$@"; }
decrypt() { saltmill decrypt -i key --progress never "$@"; }
# A device encrypts, and the CPU gets it back: a little, or all of the text.
sealed_by_device() { encrypt --engine "$first" "$@" | decrypt; }
works() { head -c 70000 text | sealed_by_device "$@" | cmp -n 70000 - text; }
works_long() { sealed_by_device "$@" < text | cmp - text; }
# A device on whose way something is wrong works, and what it counted is shown.
works_all_the_same() {
	first=$2
	step "$1" works_long --stats "$1.json"
	cat "$1.json"
}
# Only one program may have a device. Killed in mid-job, it leaves no file, and a device for the next.
kill_in_mid_job() {
	saltmill encrypt -r "$recipient" --progress never --engine "$first" -o never large &
	sleep 0.5
	step "$1busy" encrypt --engine "$first" -o never text
	kill -9 $!
	wait $!
	result "$1killed" $?
	result "$1left_by_kill" "$(find . | grep -c -e never -e '\.part')"
	step "$1after_kill" works
}

step encrypt encrypt --engine "$first" --stats stats.json -o sealed text
decrypt -o opened sealed
step encrypt_same cmp text opened
step decrypt decrypt --engine "$first" -o opened_by_device sealed
step decrypt_same cmp text opened_by_device
# Side by side. Of 8 MB also the slower ones get a share.
head -c 8000000 large > zeros
step both encrypt --engine "$first" --engine "$second" --engine cpu --workers 1 --stats both.json -o sealed_by_all zeros
decrypt -o opened_of_all sealed_by_all
step both_same cmp zeros opened_of_all
cat stats.json both.json
rm -f opened* sealed*

kill_in_mid_job ''
