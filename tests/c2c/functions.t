#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Of the accesses to memory elsewhere than on the stack, in functions drawn at random from a kernel,
# at least 92 of 100 are named. What has no compile unit (assembler) counts as not named.
#
# VMLINUX: the kernel, with DWARF; else the one that tests/kernels/fetch gives.
. "$(dirname "$0")/../lib.sh"

image=${VMLINUX:-$("$(dirname "$0")/../kernels/fetch" 6.1)} || exit 2

for seed in 1 2 3; do
	counts=$("$BUILD/tools/c2c/claims" -r "$seed,500" "$image" | tail -n 1)
	diag "$counts"
	named=$(echo "$counts" | awk '{ print ($2 > 1000 && $4 * 100 >= $2 * 92) ? "enough" : "too few" }')
	is "accesses of 500 functions are named (seed $seed)" "$named" "enough"
done

done_testing
