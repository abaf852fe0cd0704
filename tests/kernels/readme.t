#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the README begins with is among what the program says of the two kernels, beside the rules that
# broke, and its picture is there.
. "$(dirname "$0")/../lib.sh"

for series in 6.1 6.12; do
	ln -s "$(tests/kernels/fetch $series)" "$T/vmlinux-$series"
done
awk '/^```text$/ { inside = 1; next } /^```/ { inside = 0 } inside && !/^\$ /' README.md >"$T/wanted"
ok "the README shows a finding" test -s "$T/wanted"
command=$(sed -n 's/^\$ \(layoutcheck diff -C page_counter .*\)/\1/p' README.md)
isnt "and its command" "$command" ""
SRC=$PWD
cd "$T" || exit 1
run sh -c "\"\$LAYOUTCHECK\" ${command#layoutcheck }"
cd "$SRC" || exit 1
is "it fails nothing" "$status" 0
grep -F -A 1 "$(head -n 1 "$T/wanted")" "$T/stdout" >"$T/got"
same "which says that" "$T/got" "$T/wanted"
ok "the picture is of a size to load" test "$(wc -c <docs/page_counter.png)" -lt 120000

done_testing
