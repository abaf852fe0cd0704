#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every kind of rule on a compiled struct, read from DWARF and from BTF: one that fires, a near miss
# that does not, on 64 and 32 bit where that matters. All cases of one machine are packs of one
# directory, judged in one run.
. "$(dirname "$0")/../lib.sh"
need gcc clang pahole nm

for bits in 64 32; do
	gcc -m$bits -g -O1 -c -o "$T/dwarf$bits.o" tests/fixtures/kinds.c
	cp "$T/dwarf$bits.o" "$T/btf$bits.o"
	pahole -J "$T/btf$bits.o"
	clang -m$bits -g -O1 -c -o "$T/clang$bits.o" tests/fixtures/kinds.c
	mkdir "$T/packs$bits" "$T/aligns$bits"
done

# What the packs say of allocation, where they do.
alloc=

# write_pack DIRECTORY ID STRUCT RULE
write_pack() {
	printf 'layoutcheck: 1\nstructs:\n  %s:\n%s    rules:\n      - {%s, id: "%s"}\n' \
		"$3" "${alloc:+    alloc: $alloc
}" "$4" "$2" >"$T/$1/$2.yaml"
}

# judge IMAGE DIRECTORY SOURCE: $T/IMAGE.tsv has ID, outcome and message of each finding.
judge() {
	run layoutcheck check -r "$T/$2" --from "$3" --all -f json "$T/$1.o"
	echo "$stdout" | awk -F '": *"' '
	function value() { v = $2; sub(/",?$/, "", v); return v }
	$1 ~ /"rule$/ { id = value() }
	$1 ~ /"outcome$/ { outcome = value() }
	$1 ~ /"message$/ { print id "\t" outcome "\t" value() }' >"$T/$1.tsv"
}

found() { # found IMAGE ID: sets $outcome and $message
	outcome=$(awk -F '\t' -v id="$2" '$1 == id { print $2 }' "$T/$1.tsv")
	message=$(awk -F '\t' -v id="$2" '$1 == id { print $3 }' "$T/$1.tsv")
}

cases=0

# try KIND BITS STRUCT ARGUMENT OUTCOME [OUTCOME-FROM-BTF]
try() {
	cases=$((cases + 1))
	write_pack "packs$2" "$cases" "$3" "$1: $4"
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$cases" "$1" "$2" "$3" "$4" "$5" "${6:-$5}" \
		>>"$T/cases"
}

try size 64 table 72 holds
try size 64 table 64 broken
try size 32 table 40 holds
try size 32 table '"< 40"' broken
try size 64 files '"% 64"' holds
try size 64 table power-of-two broken
try size 64 table '{x86_64: 72, default: 40}' holds
try size 32 table '{x86_64: 72, default: 40}' holds
try size 32 mixed 12 holds
try size 64 mixed 16 holds
try size 64 table '"< 1"' broken # of any struct
try size 64 filez 704 missing

# An object file has no kernel release, so the buckets are not known: what no bucket takes is.
try bucket 64 table '96, buckets: [32, 64, 96, 128]' holds
try bucket 64 table '64, buckets: [32, 64, 96, 128]' broken
try bucket 32 table '64, buckets: [32, 64, 96, 128]' holds
try bucket 64 table 64 broken
try bucket 64 table 96 unknown

alloc='{cache: tables}'
try waste 64 table 0 holds
try waste 32 mixed '"<= 4"' holds
try waste 32 mixed 0 broken
try objects_per_slab 64 table '56, order: 0' holds
try objects_per_slab 64 table '">= 57", order: 0' broken
try objects_per_slab 32 table '102, order: 0' holds
alloc='{cache: tables, hwcache_align: true, freeptr: after}'
try waste 64 table 56 holds
try waste 64 files '"< 64"' broken
alloc=

try align 64 files 64 holds unknown
try align 64 files 128 broken
try align 64 files '"<= 64"' holds
try align 64 files '{lock: 64}' holds unknown
try align 64 files '{next_fd: 8}' broken

try offset 64 files '{next_fd: 132}' holds
try offset 64 files '{next_fd: 4}' broken
try offset 32 files '{next_fd: 68}' holds
try offset 64 files '{fdtab.rcu.func: 64}' holds
try offset 64 nested '{number: 8}' holds
try offset 64 nested '{"text[3]": 11}' holds
try offset 64 files '{gone|count: 0}' holds
try offset 64 files '{gone: 0}' missing

try starts_line 64 files lock holds
try starts_line 64 files next_fd broken
try starts_line 32 files lock holds
try starts_line 64 uniprocessor lock holds
try starts_line 64 files lokc missing

try together 64 files '[lock, next_fd, words]' holds
try together 64 files '[fdt, lock]' broken
try together 64 files '[fdt, lock], lines: 2' holds
try together 64 files '[lock..words]' holds
try together 64 flexible '[n, data]' broken

try apart 64 files '[[fdt, fdtab], [lock, next_fd]]' holds
try apart 64 files '[count, fdt]' broken
try apart 64 files '[words, fd_array]' broken
try apart 64 files '[count, lock], granule: 128' holds
try apart 64 counter '[usage, high], granule: 128' broken
try apart 64 flexible '[n, data]' broken
try apart 64 bits '[a, c]' broken
try apart 64 uniprocessor '[lock, data]' not-applicable

try alone 64 counter high holds
try alone 64 files lock broken
try alone 64 nested inner.rcu broken

try no_straddle 64 straddle early holds
try no_straddle 64 straddle late broken

try max_lines 64 files 11 holds
try max_lines 64 files 10 broken
try max_lines 32 files 4 holds

try max_hole 64 files 40 holds
try max_hole 64 files 39 broken
try max_hole 64 nested 4 holds
try max_hole 64 nested 3 broken

try max_padding 64 files 32 holds
try max_padding 64 files 31 broken

try order 64 files '[count, fdt, lock]' holds
try order 64 files '[count, lock, fdt]' broken
try order 64 bits '[a, b, c]' holds
try order 64 files '[count, gone?]' not-applicable

try complete 64 bits '[a, b, c]' holds
try complete 64 bits '[a, c]' broken
try complete 32 files '[count, fdt, fdtab, lock..fd_array]' holds
try complete 64 nested '[first, number, text, inner.max_fds]' broken
try complete 64 nested '[first, number, text, inner, gone]' missing
try complete 64 uniprocessor data holds

try classes 64 files '{read_mostly: [fdt, fdtab], written: [lock, next_fd], cold: fd_array}' holds
try classes 64 marked '{read_mostly: limits, written: counts}' broken
try classes 32 marked '{read_mostly: limits, rarely_written: counts, written: other}' broken
try classes 64 files '{read_mostly: fdt, written: gone?}' not-applicable

try same_offset 64 table '[table.next_fd, files.fdt]' holds
try same_offset 32 table '[table.next_fd, files.fdt]' broken
try same_offset 64 counter '[counter.usage, counter.high], plus: 64' holds
try same_offset 64 marked '[table.max_fds, marked.tag], plus: sizeof(table)' holds
try same_offset 64 marked '[table.max_fds, marked.tag], plus: 2 * sizeof(table)' broken
try same_offset 64 bits '[bits.c, bits.b]' broken
try same_offset 64 table '[table.next_fd, filez.fdt]' missing
try same_offset 64 table '[table.next_fd, filez.fdt?]' not-applicable

try group 64 marked 'marked_read, bytes: 56, start: "% 64", lines: 1, members: limits' holds
try group 64 marked 'marked_write, lines: 1' broken
try group 32 marked 'marked_write, lines: 1' holds
try group 64 marked 'marked_write, bytes: "<= 16"' broken
try group 64 marked 'marked_write, members: [counts, other]' broken
try group 64 marked 'marked_write, members: [counts, gone]' missing
try group 64 marked 'marked_wirte' missing
try group 64 files 'marked_write, optional: true' not-applicable

try max_ungrouped 64 marked 1 holds
try max_ungrouped 64 marked 0 broken
try max_ungrouped 64 files 100 missing

try present 64 files next_fd holds
try present 64 files fd_count broken
try present 64 nested text holds
try absent 64 files max_fdset holds
try absent 64 files count broken
try absent 64 nested first broken

for bits in 64 32; do
	judge dwarf$bits packs$bits dwarf
	is "$bits bit, from DWARF: some are broken" "$status" 1
	judge btf$bits packs$bits btf
	is "$bits bit, from BTF: some are broken" "$status" 1
done

while IFS="$(printf '\t')" read -r id kind bits struct argument wanted wanted_btf; do
	found "dwarf$bits" "$id"
	is "$bits bit, DWARF: $struct: $kind: $argument: $wanted" "$outcome" "$wanted"
	message_dwarf=$message
	found "btf$bits" "$id"
	is "$bits bit, BTF: $struct: $kind: $argument: $wanted_btf" "$outcome" "$wanted_btf"
	# Only of alignments DWARF has more to say.
	[ "$kind" = align ] || is "and in the same words" "$message" "$message_dwarf"
done <"$T/cases"

kinds=$(sed '/^};/q' src/rule/kinds.c | grep -o '&kind_[a-z_]*' | sed 's/&kind_//')
for kind in $kinds; do
	for outcome in broken holds; do
		ok "$kind is $outcome in a case above" \
			awk -F '\t' -v kind="$kind" -v outcome=$outcome '
			$2 == kind && $6 == outcome && $7 == outcome { n++ }
			END { exit !n }' "$T/cases"
	done
done

# The alignment that compilers give, from what DWARF says of it.
names='table files counter nested mixed scalars strict bits loosened either'
for bits in 64 32; do
	for name in $names; do
		align=$(printf '%d' "0x$(nm -S "$T/dwarf$bits.o" |
			sed -n "s/^[0-9a-f]* \([0-9a-f]*\) . align_of_$name\$/\1/p")")
		type=$name
		[ "$name" = either ] && type='union either'
		write_pack "aligns$bits" "$name-$align" "$type" "align: $align"
	done
	for compiler in dwarf clang; do
		judge $compiler$bits aligns$bits dwarf
		is "$compiler, $bits bit: alignments are as the compiler has them" \
			"$(cut -f 2 "$T/$compiler$bits.tsv" | sort | uniq -c | xargs echo)" \
			"$(echo "$names" | wc -w) holds"
		[ "$status" -eq 0 ] || diag "$(cat "$T/$compiler$bits.tsv")"
	done
done

# Said once, whatever the outcome.
mkdir "$T/remarks"
write_pack remarks assumed files 'starts_line: lock, severity: note'
write_pack remarks granule files 'apart: [count, fd_array], granule: 128'
sed '1a image: vmlinux' "$T/remarks/assumed.yaml" >"$T/remarks/kernel.yaml"
sed -i 's/assumed/kernel/' "$T/remarks/kernel.yaml"
run layoutcheck check -r "$T/remarks" "$T/dwarf64.o"
is "remarks do not fail a run" "$status" 0
is "an assumed start is said, where it was assumed" \
	"$(echo "$stdout" | grep -c 'warning: .*granule.yaml:3: .alloc. is not said for files')" 1
unlike "not where an alignment makes it certain" "$stdout" 'assumed.yaml'
unlike "a pack for another image is not, beside some for this one" "$stdout" kernel.yaml
run layoutcheck check -r "$T/remarks/kernel.yaml" "$T/dwarf64.o"
like "where all are, that is said" "$stdout$stderr" \
	'warning: .*kernel.yaml: the pack is for vmlinux, and this image is neither'

done_testing
