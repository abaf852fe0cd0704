#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every layout of the kernels of other machines, against other readers: of one that is big-endian and
# one of 32 bits, and with KERNELS=all of all.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/rows.sh"
section 'Kernels of other machines'

# compared MACHINE: all that compare says of its kernel is right.
compared() {
	run "$SRC/tests/kernels/compare" "6.1/$1"
	is "$1: what other readers say of its kernel (tests/kernels/compare)" "$status" 0
	[ "$status" -eq 0 ] || diag "$(printf '%s\n' "$stdout" | grep -v '^ok '; printf '%s\n' "$stderr")"
}

# kernel MACHINE WHAT BTF
kernel() {
	case ${KERNELS-}/$1 in
	all/* | */s390x | */armhf) compared "$1" ;;
	*) skip "$1: its kernel" "that takes KERNELS=all (make check-kernels-all)" ;;
	esac
	row "$2" "\$ tests/kernels/fetch 6.1/$1" \
		"every definition as libdwarf, drgn and pahole read it, from DWARF and from BTF $3"
}

made='that pahole makes'
kernel s390x 's390x: 64 bits, big-endian, lines of 256 bytes' "$made"
kernel armhf 'arm: 32 bits, lines of 64 bytes' "$made"
kernel i386 'i386: 32 bits, relocations left in' "$made"
kernel ppc64el 'ppc64le: 64 bits, lines of 128 bytes' "$made"
kernel arm64 'aarch64: 64 bits, lines of 64 bytes' 'of its own'

done_rows
