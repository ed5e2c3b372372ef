# SPDX-License-Identifier: Apache-2.0
# The Debian package is installed; of what it depends on, DKMS only says what it is told, and addgroup does
# no more than is asked for. udev is Debian's: it gives the devices to the package's group.
mkdir -p /etc /run/udev /usr/lib/dkms /var/lib/dpkg/info
touch /var/lib/dpkg/status
echo root:x:0: > /etc/group
cat > /usr/lib/dkms/common.postinst << 'END'
#!/bin/sh
echo "result dkms $*"
END
cat > /bin/addgroup << 'END'
#!/bin/sh
[ "$1" = --system ] && echo "$2:x:990:" >> /etc/group
END
chmod +x /bin/addgroup /usr/lib/dkms/common.postinst
printf '%s:x:%d:%d::/tmp:/bin/sh\n' root 0 0 member 1000 990 other 1001 1001 > /etc/passwd
step dpkg dpkg -F depends -i /saltmill.deb
# Busybox's dpkg does not tell the script that it is to configure.
step postinst /var/lib/dpkg/info/saltmill-uio-dkms.postinst configure ''

# As its own name: udevadm is udevd, too.
udev() {
	program=$1
	shift
	/udev/lib/ld-linux-x86-64.so.2 --library-path /udev/lib --argv0 "$program" /udev/udevadm "$@"
}
step udevd udev systemd-udevd --daemon
udev udevadm trigger --action=add --subsystem-match=uio
step settle udev udevadm settle --timeout=30
result rights "$(stat -c '%U %G %a' /dev/uio0)"
result link "$(readlink /dev/saltmill1)"
step member su member -c "saltmill devices --engine uio:saltmill0"
step other su other -c "saltmill devices --engine uio:saltmill0"
udev udevadm control --exit
