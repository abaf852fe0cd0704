#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the packs in rules/linux say of Debian's kernels, from DWARF and from BTF, against packs.txt.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/kernels/packs.sh"

is "a rule stands in the table once" "$(wanted 1 | uniq -d)" ""
agrees 6.1 3 "$(tests/kernels/fetch 6.1)"
agrees 6.12 4 "$(tests/kernels/fetch 6.12)"
[ -z "${KERNEL_SID-}" ] || agrees sid 5 "$KERNEL_SID"
agrees s390x 6 "$(tests/kernels/fetch 6.1/s390x)" dwarf
agrees armhf 7 "$(tests/kernels/fetch 6.1/armhf)" dwarf

done_testing
