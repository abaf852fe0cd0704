#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Known answers: the recording of a real kernel whose own slab pages said what the hottest lines are.
#
# The recording belongs to Debian's 6.1.0-57-cloud-amd64. Its vmlinux is $VMLINUX_61, else what tests/kernels/fetch has or can
# get; Debian stops serving old ones. $RECORDINGS names a directory with more: NAME.perf.data.xz beside NAME.who.txt.
. "$(dirname "$0")/../lib.sh"
need jq xz perl objdump /usr/bin/python3

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

# ---- what people found by hand

# address_space: i_mmap is walked beside i_mmap_rwsem, whose functions know a semaphore only. insn FUNCTION PATTERN: where the
# instruction is.
insn() {
	objdump -d --no-show-raw-insn --disassemble="$1" "$vmlinux" | awk -v pattern="$2" '$0 ~ pattern { sub(":", "", $1); print "0x" $1; exit }'
}
# It begins at ...0d0, 16 bytes into a line, as in the inodes of some slabs.
tree=0xffff92e266af9118
count=0xffff92e266af9128
perl tests/perfdata.pl "$T/space.data" <<END
map -1 0xffffffff81000000 0x1e00000 0xffffffff81000000 [kernel.kallsyms]_text
cpu 0
40 hitm $(insn vma_interval_tree_insert 'mov +[(]%rsi[)],') $tree
60 store $(insn down_write 'cmpxchg +%rdx,[(]%rbx[)]') $count
cpu 1
40 hitm $(insn vma_interval_tree_insert 'mov +[(]%rsi[)],') $tree
60 store $(insn up_write 'xadd +%rax,[(]%rdi[)]') $count
END
run layoutcheck c2c -f json -k "$vmlinux" -r rules/linux "$T/space.data"
is "two inner structs tell what has them both" "$(jq -r '.lines[0].pairs[0] | "\(.read) against \(.written)"' "$T/stdout")" \
	"address_space.i_mmap.rb_root against address_space.i_mmap_rwsem.count"
is "the kernel's rule is named" "$(jq -r '.lines[0].rules[] | "\(.rule) \(.outcome)"' "$T/stdout")" \
	"address_space/apart/i_mmap broken"
is "and where that one begins" "$(jq -c '.lines[0].object | [.type, .offset, .starts, .alignment]' "$T/stdout")" \
	'["address_space",48,[16],16]'

done_testing
