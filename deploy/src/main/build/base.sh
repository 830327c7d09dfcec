#!/bin/sh
# base.sh FOLDER: makes the root of an image on which that of Kairos is built, of Debian's C library and nothing else: no shell, no
# package manager, no user but numbers. Needs mmdebstrap, and the rights of root.
set -eu
suite=${KAIROS_DEBIAN:-bookworm}
mmdebstrap --quiet --mode=root --variant=extract --include=libc6 "$suite" "$1"
rm -rf "$1"/usr/share/doc "$1"/usr/share/lintian "$1"/var/lib/apt "$1"/var/cache/apt "$1"/var/lib/dpkg "$1"/etc/apt
mkdir -p "$1/etc" "$1/tmp"
chmod 1777 "$1/tmp"
echo 'hosts: files dns' >"$1/etc/nsswitch.conf"
