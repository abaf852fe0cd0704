#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Known answers: the recording of a real kernel whose own slab pages said what the hottest lines are.
#
# The recording belongs to Debian's 6.1.0-57-cloud-amd64. Its vmlinux is $VMLINUX_61, else what tests/kernels/fetch has or can
# get; Debian stops serving old ones. $RECORDINGS names a directory with more: NAME.perf.data.xz beside NAME.who.txt.
. "$(dirname "$0")/../lib.sh"
need jq xz /usr/bin/python3

xz -dc tests/fixtures/c2c/k61-smp4-small.perf.data.xz >"$T/small.perf.data" || exit 1
vmlinux=${VMLINUX_61-$(tests/kernels/fetch 6.1)} || exit 1

# at_least NAME FIGURE FLOOR
at_least() {
	ok "$1: $2 % of at least $3 %" awk -v a="$2" -v b="$3" 'BEGIN { exit !(a >= b) }'
}

# figure NAME: of the last line of figures.
figure() {
	awk -v name="$1" '{ for (i = 1; i < NF; i++) if ($i == name) print $(i + 1) }' "$T/figures"
}

# known NAME RECORDING WHO
known() {
	exits "$1: c2c" 0 layoutcheck c2c --top 100000 -f json -k "$vmlinux" "$2"
	cp "$T/stdout" "$T/report.json"
	ok "$1: it was recorded on this build" jq -e '.input[0].verified' "$T/report.json"
	run /usr/bin/python3 tests/c2c/who.py "$vmlinux" "$3" "$T/report.json"
	cp "$T/stdout" "$T/figures"
	diag "$1: $stdout"
	diag "$stderr"
	ok "$1: there is HITM to judge" test "$(figure hitm)" -ge 1000
	at_least "$1: named to a member or a symbol" "$(figure named)" 95
	at_least "$1: right, of those" "$(figure right)" 99.5
	at_least "$1: named to the outermost object" "$(figure outermost)" 80
	at_least "$1: named to the outermost object where the slab is known" "$(figure outermost-slab)" 95
}

known small "$T/small.perf.data" tests/fixtures/c2c/k61-smp4-small.who.txt
for who in ${RECORDINGS:+"$RECORDINGS"/k61*.who.txt}; do
	name=$(basename "$who" .who.txt)
	xz -dc "${who%.who.txt}.perf.data.xz" >"$T/$name.perf.data" || exit 1
	known "$name" "$T/$name.perf.data" "$who"
done

# On the hottest line a lock is fought over with itself, and a descriptor beside it pays for that.
run layoutcheck c2c --top 1 -f json -k "$vmlinux" "$T/small.perf.data"
is "the hottest line is files_struct's" "$(jq -r '.lines[0].object.type' "$T/stdout")" files_struct
is "most of it is true sharing" "$(jq -r '.lines[0].verdict' "$T/stdout")" true-sharing
like "of the lock" "$(jq -r '.lines[0].reason' "$T/stdout")" 'files_struct.file_lock, which other CPUs store to'
like "the descriptor beside it is told by its index" "$(jq -r '.lines[0].reason' "$T/stdout")" \
	'files_struct.fd_array\[3\], which no other CPU stores to'
ok "and is a pair" jq -e '.lines[0].pairs | any(.read == "files_struct.fd_array[3]" and
	.written == "files_struct.file_lock")' "$T/stdout"

done_testing
