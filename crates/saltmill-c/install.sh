#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs libsaltmill: header, shared and static library, pkg-config file.
#
#   cargo rustc --release --locked -p saltmill-c --crate-type cdylib,staticlib
#   crates/saltmill-c/install.sh target/release /usr/local [LIBDIR]
#
# LIBDIR is a folder of the prefix: lib. With DESTDIR, all goes below that folder.
set -eu

built=${1:?the folder with libsaltmill_c.so and libsaltmill_c.a}
prefix=${2:?the prefix}
libdir=${3:-lib}
crate=$(dirname "$0")

version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' "$crate/../../Cargo.toml")
interface=$(echo "$version" | awk -F. '{ print $1 == 0 ? $1 "." $2 : $1 }')
# What a program that has the static library in it needs besides; a simulated device is C++.
private='-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc'
if nm --defined-only "$built/libsaltmill_c.a" 2> /dev/null | grep -q ' T saltmill_sim_create$'; then
    private="-lstdc++ $private"
fi

root=${DESTDIR:-}$prefix
install -d "$root/include" "$root/$libdir/pkgconfig"
install -m 644 "$crate/include/saltmill.h" "$root/include/saltmill.h"
install -m 644 "$built/libsaltmill_c.a" "$root/$libdir/libsaltmill.a"
install -m 755 "$built/libsaltmill_c.so" "$root/$libdir/libsaltmill.so.$version"
ln -sf "libsaltmill.so.$version" "$root/$libdir/libsaltmill.so.$interface"
ln -sf "libsaltmill.so.$interface" "$root/$libdir/libsaltmill.so"
sed -e "s|@PREFIX@|$prefix|" -e "s|@LIBDIR@|$libdir|" -e "s|@VERSION@|$version|" \
    -e "s|@PRIVATE@|$private|" "$crate/saltmill.pc.in" > "$root/$libdir/pkgconfig/saltmill.pc"
chmod 644 "$root/$libdir/pkgconfig/saltmill.pc"
