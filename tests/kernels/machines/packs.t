#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the packs in rules/linux say of the kernels that no other test fetches.
. "$(dirname "$0")/../../lib.sh"
. "$SRC/tests/kernels/packs.sh"

agrees arm64 8 "$(tests/kernels/fetch 6.1/arm64)" dwarf btf
agrees i386 9 "$(tests/kernels/fetch 6.1/i386)" dwarf
agrees ppc64el 10 "$(tests/kernels/fetch 6.1/ppc64el)" dwarf

done_testing
