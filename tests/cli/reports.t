#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The reports kept in reports/ are those that the program makes today, byte for byte.
. "$(dirname "$0")/../lib.sh"
need clang ld.lld llvm-objcopy pahole

ok "the reports are made" tests/reports.sh "$T/reports"
for report in "$T"/reports/*; do
	same "reports/${report##*/}" "$report" "reports/${report##*/}"
done
for report in reports/*.*; do
	ok "$report is one of them" test -e "$T/$report"
done

done_testing
