#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The counters of every line, and of all together, are those that perf c2c report prints of the same
# file, cell by cell. Without --no-source perf 6.1 waits for ever on the lines of a kernel.
. "$(dirname "$0")/../lib.sh"
need perf xz

LINES=$BUILD/tools/c2c/lines
RECORD=$BUILD/tools/c2c/record
HOME=$T
export HOME

# perf_lines: of a report on standard input, each line's address and numbers, of all who have it.
perf_lines() {
	awk '
	/Line Table/ { on = 1 }
	/Pareto/ { on = 0 }
	on && $1 ~ /^[0-9]+$/ && NF == 23 {
		address = $2 ~ /^0x/ ? $2 : "0x" $2
		seen[address] = 1
		for (i = 6; i <= NF; i++)
			sum[address, i] += $i
	}
	END {
		for (address in seen) {
			printf "%s", address
			for (i = 6; i <= 23; i++)
				printf " %d", sum[address, i]
			print ""
		}
	}' | sort
}

# our_lines: the same columns of what `lines` prints: $4 is the first counter of enum perf_counter.
our_lines() {
	awk '
	$1 == "line" {
		misses = $23 + $26 + $27 + $28
		loads = $18 + $19 + $20 + $21 + $22 + misses
		stores = $8 + $9 + $10 # those of another level are in the column of stores alone
		print $2, $22 + $23, $22, $23, loads + stores, loads, $5, $8, $9, $10, \
			$18, $19, $20, $21, $22, $26, $23, $27, $28
	}' | sort
}

# what perf calls the counters of a whole recording
perf_total() {
	awk '
	/Global Shared Cache Line/ { exit }
	/ : *[0-9]+$/ { n = $NF; sub(/ *:.*/, ""); sub(/^ */, ""); print $0 ": " n }'
}

our_total() {
	awk '
	$1 == "total" {
		n = split("Total records=3,Locked Load/Store Operations=4,Load Operations=11," \
			"Loads - uncacheable=14,Loads - IO=15,Loads - Miss=16," \
			"Loads - no mapping=17,Load Fill Buffer Hit=18,Load L1D hit=19," \
			"Load L2D hit=20,Load LLC hit=21+22,Load Local HITM=22," \
			"Load Remote HITM=23,Load Remote HIT=26,Load Local DRAM=27," \
			"Load Remote DRAM=28,Load MESI State Exclusive=12," \
			"Load MESI State Shared=13,Load LLC Misses=27+28+23+26," \
			"Load access blocked by data=29,Load access blocked by address=30," \
			"Load HIT Local Peer=24,Load HIT Remote Peer=25,Store Operations=5," \
			"Store - uncacheable=6,Store - no mapping=7,Store L1D Hit=8," \
			"Store L1D Miss=9,Store No available memory level=10," \
			"No Page Map Rejects=31,Unable to parse data source=32", row, ",")
		for (i = 1; i <= n; i++) {
			split(row[i], part, "=")
			k = split(part[2], column, "+")
			for (sum = 0; k > 0; k--)
				sum += $column[k]
			print part[1] ": " sum
		}
	}'
}

# compare NAME FILE LINES: at least so many lines are compared.
compare() {
	perf c2c report --stdio --no-source --show-all -i "$2" >"$T/report" 2>"$T/perf.log" ||
		diag "$(cat "$T/perf.log")"
	"$LINES" "$2" >"$T/ours" || diag "$2 is not read"
	perf_lines <"$T/report" >"$T/perf.lines"
	our_lines <"$T/ours" >"$T/our.all"
	# perf prints no line that nobody shared.
	cut -d ' ' -f 1 "$T/perf.lines" >"$T/addresses"
	awk 'NR == FNR { wanted[$1] = 1; next } $1 in wanted' "$T/addresses" "$T/our.all" >"$T/our.lines"
	same "$1: every cell of every line" "$T/our.lines" "$T/perf.lines"
	ok "$1: there are lines" test "$(wc -l <"$T/perf.lines")" -ge "$3"
	is "$1: no line of HITM is left out" \
		"$(awk '$2 > 0 { print $1 }' "$T/our.all")" "$(awk '$2 > 0 { print $1 }' "$T/perf.lines")"
	perf_total <"$T/report" >"$T/perf.total"
	our_total <"$T/ours" >"$T/our.total"
	same "$1: the counters of the whole" "$T/our.total" "$T/perf.total"
}

xz -dc tests/fixtures/c2c/k61-smp4-small.perf.data.xz >"$T/k61"
compare "a kernel that ran" "$T/k61" 50

ok "writes a plain file" "$RECORD" "$T/plain"
compare "all that machines write" "$T/plain" 36
ok "writes another" "$RECORD" "$T/packed" zstd id struct chain
compare "compressed, with call chains" "$T/packed" 36
ok "writes a third" "$RECORD" "$T/big" big
compare "of the other byte order" "$T/big" 36

# What perf script prints of a file is read to the same.
perf script -i "$T/plain" --show-mmap-events \
	-F comm,pid,tid,cpu,time,event,ip,sym,dso,addr,data_src,weight,phys_addr >"$T/script" 2>"$T/perf.log"
"$LINES" "$T/script" | grep -E '^(line|total|hit)' >"$T/of.script"
"$LINES" "$T/plain" | grep -E '^(line|total|hit)' >"$T/of.plain"
same "the text of perf script says the same" "$T/of.script" "$T/of.plain"
perf script -i "$T/packed" -F tid,event,ip,addr,data_src,weight >"$T/script" 2>"$T/perf.log"
"$LINES" "$T/script" | grep '^hit' >"$T/of.script"
grep '^hit' "$T/of.plain" >"$T/of.packed"
same "with call chains, too" "$T/of.script" "$T/of.packed"

done_testing
