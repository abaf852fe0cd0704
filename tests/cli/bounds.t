#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# No image of a megabyte takes more than two seconds of the processor and 256 MB, whatever is in it:
# it is read, or refused in a sentence. tests/bounds.py has what was thought of.
. "$(dirname "$0")/../lib.sh"
need python3

cd "$T" || exit 1
exits "the images are made and read" 0 python3 "$SRC/tests/bounds.py" images "$LAYOUTCHECK"
printf '%s\n' "$stdout" >measured

# What a sanitizer needs for itself is not counted, and it takes several times as long.
most_seconds=2 most_megabytes=256
if grep -aq __asan_init "$LAYOUTCHECK"; then
	most_seconds=20 most_megabytes=4096
fi

# within STATUS SECONDS MEGABYTES LINES: it was read, or refused in a sentence, and soon.
within() {
	{ [ "$1" -eq 0 ] || { [ "$1" -eq 2 ] && [ "$4" -eq 1 ]; }; } &&
		awk -v s="$2" -v m="$3" -v most_s=$most_seconds -v most_m=$most_megabytes \
			'BEGIN { exit !(s <= most_s && m <= most_m) }'
}
n=0
while read -r image command status seconds megabytes lines; do
	n=$((n + 1))
	ok "$image, $command: $status" within "$status" "$seconds" "$megabytes" "$lines"
	within "$status" "$seconds" "$megabytes" "$lines" || diag "$seconds s, $megabytes MB"
done <measured
ok "there were many" test "$n" -gt 80

# ---- what is refused

refused() {
	exits "$1 is refused" 2 layoutcheck show "images/$1"
	like "$1: in one sentence" "$stderr" "$2"
}
refused bomb '\.debug_info: its [0-9]+ bytes are to make 100000000, more than a hundred times as many'
refused names 'images/names: its names are more than [0-9]+ bytes'
refused member-names 'images/member-names: its names are more than [0-9]+ bytes'
refused btf-names 'images/btf-names: its names are more than [0-9]+ bytes'
done_testing
