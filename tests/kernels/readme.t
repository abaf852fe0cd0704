#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the README begins with is among what the program says of the two kernels, of a change that was
# made and of the same before it was, and its picture is there.
. "$(dirname "$0")/../lib.sh"

for series in 6.1 6.12; do
	ln -s "$(tests/kernels/fetch $series)" "$T/vmlinux-$series"
done
# Of the blocks of text the one with this number, without its command.
text() {
	awk -v number="$1" '/^```text$/ { inside = ++n == number; next } /^```/ { inside = 0 }
		inside && !/^\$ /' README.md
}
text 1 >"$T/wanted"
text 2 >"$T/wanted-before"
ok "the README shows a finding" test -s "$T/wanted"
command=$(sed -n 's/^\$ \(layoutcheck diff -C page_counter .*\)/\1/p' README.md)
isnt "and its command" "$command" ""
before=$(sed -n 's/^\$ \(layoutcheck show -C page_counter .*\)/\1/p' README.md)
isnt "and what there was to see before" "$before" ""
SRC=$PWD
cd "$T" || exit 1
run sh -c "\"\$LAYOUTCHECK\" ${command#layoutcheck }"
cd "$SRC" || exit 1
is "it fails nothing" "$status" 0
grep -F -A 1 "$(head -n 1 "$T/wanted")" "$T/stdout" >"$T/got"
same "which says that" "$T/got" "$T/wanted"
cd "$T" || exit 1
run sh -c "\"\$LAYOUTCHECK\" ${before#layoutcheck }"
cd "$SRC" || exit 1
is "before, it fails nothing" "$status" 0
grep -F -A 1 "$(head -n 1 "$T/wanted-before")" "$T/stdout" >"$T/got"
same "and says that" "$T/got" "$T/wanted-before"
ok "the picture is of a size to load" test "$(wc -c <docs/page_counter.png)" -lt 120000

done_testing
