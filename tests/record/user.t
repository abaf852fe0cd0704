#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# layoutcheck record --user: threads that share a line falsely, truly, and not at all.
. "$(dirname "$0")/../lib.sh"
need gcc jq perf qemu-x86_64

# Each instruction names the member it accesses.
gcc -O1 -g -pthread -o "$T/threads" tests/record/threads.c || exit 1

# lines VERDICT: the objects of the hot lines with that verdict and at least a hundredth of all HITM.
lines() {
	jq -r --arg verdict "$1" '([.lines[].hitm] | add) as $all | [.lines[] | select(.verdict == $verdict and .hitm * 100 >= $all) |
		.object.symbol // .object.type] | unique | join(" ")' "$T/report.json"
}

for n in 2 4 8; do
	exits "$n threads: recorded" 0 layoutcheck record --user -o "$T/perf.data" -- "$T/threads" $n 20000
	is "the program did what it does" "$stdout" "$((n * 20000))"
	exits "c2c reads it" 0 layoutcheck c2c --top 100000 -f json -k "$T/threads" "$T/perf.data"
	cp "$T/stdout" "$T/report.json"
	is "the crowded struct is false sharing" "$(lines false-sharing)" crowded
	is "the one counter true sharing" "$(lines true-sharing)" common
	is "nobody fights over the padded one" "$(jq '[.lines[] | select((.object.symbol // "") == "roomy") | .hitm] | add // 0' \
		"$T/report.json")" 0
	is "each thread has its processor" "$(jq '[.lines[] | select(.object.symbol == "common")][0].cpus >= '$n "$T/report.json")" true
	is "who fights whom is recorded, not inferred" \
		"$(jq -r '[.lines[] | select(.object.symbol == "crowded") | .pairs[].basis] | unique | join(" ")' "$T/report.json")" recorded
	# SYMBOL: what of the HITM on its lines needed what was stored, in percent.
	needed() {
		jq -r --arg symbol "$1" '[.lines[] | select(.object.symbol == $symbol) | .pairs[]] |
			(map(.needed) | add) * 100 / (map(.recorded) | add) | round' "$T/report.json"
	}
	is "nobody needed what was stored to the crowded struct" "$(needed crowded)" 0
	is "all did what was stored to the counter" "$(needed common)" 100
done

exits "and is told at once" 0 layoutcheck record --user --report -o "$T/perf.data" -- "$T/threads" 2 20000
printf '%s\n' "$stdout" | tail -n +2 >"$T/at-once"
exits "as c2c tells it" 0 layoutcheck c2c -k "$T/threads" "$T/perf.data"
printf '%s\n' "$stdout" >"$T/later"
same "word for word" "$T/later" "$T/at-once"

# ---- threads that come and go

gcc -O1 -g -pthread -DRELAY -o "$T/relay" tests/record/threads.c || exit 1
exits "a thread in the place of one that has ended" 0 layoutcheck record --user -o "$T/relay.data" -- "$T/relay" 2 2000
is "is recorded" "$stderr" ""

# ---- more of them than the model has

gcc -O1 -g -pthread -DMOST=40 -o "$T/many" tests/record/threads.c || exit 1
exits "40 threads" 0 layoutcheck record --user -o "$T/many.data" -- "$T/many" 40 20
like "are said to be too many" "$stderr" '^layoutcheck: warning: [0-9]+ accesses by threads beyond the first 32 that ran at once'
exits "with -q they are not" 0 layoutcheck record -q --user -o "$T/many.data" -- "$T/many" 40 20
is "said" "$stderr" ""

# ---- as perf reads it, cell by cell

perf c2c report -i "$T/perf.data" --stdio --no-source >"$T/perf.txt" 2>"$T/perf.err"
layoutcheck c2c -k "$T/threads" "$T/perf.data" >"$T/ours.txt"
# The tables of lines: number, address without its zeros, counters from the share of HITM to LLC hits.
table() {
	sed -n '/Shared Data Cache Line Table/,/Cache Line Distribution Pareto/p' "$1" |
		sed 's/0x0*/0x/' | awk '$1 ~ /^[0-9]+$/ { if ($3 == "N/A" || $3 ~ /^[0-9]+$/ && $4 ~ /^[0-9]+$/ && $5 ~ /%/) { $3 = $4 = "" } $0 = $0; print $2, $3, $4, $7, $8, $9, $10, $11 }'
}
table "$T/perf.txt" | sort >"$T/perf.table"
table "$T/ours.txt" | sort >"$T/ours.all"
grep -Fxf "$T/perf.table" "$T/ours.all" >"$T/ours.table"
ok "perf reads it" test -s "$T/perf.table"
same "and counts the same" "$T/perf.table" "$T/ours.table"

# ---- against another build

gcc -O1 -g -pthread -DAPART -o "$T/apart" tests/record/threads.c || exit 1
exits "a build that mends it" 0 layoutcheck record --user --against "$T/apart" -- "$T/threads" 2 20000
like "lost HITM" "$stdout" '^ *lost +[1-9][0-9]* \([0-9]+-[0-9]+\) +0 \(0-0\)  crowded'
unlike "and no other" "$(printf %s "$stdout" | grep -v crowded)" '^ *(lost|gained) '
exits "the other way round" 1 layoutcheck record --user --against "$T/threads" -- "$T/apart" 2 20000
like "it gained as much" "$stdout" '^ *gained +0 \(0-0\) +[1-9][0-9]* \([0-9]+-[0-9]+\)  crowded'
exits "the same program" 0 layoutcheck record --user --against "$T/threads" -- "$T/threads" 2 20000
unlike "is as it was" "$stdout" '^ *(lost|gained) '
exits "a program that fails" 2 layoutcheck record --user --against "$T/threads" -- "$T/threads" 9 9
ok "leaves no recording" test ! -e perf.data

# ---- what cannot be

exits "a program that is not there" 2 layoutcheck record --user -o "$T/none.data" -- "$T/nothing"
ok "leaves no file" test ! -e "$T/none.data"
printf '#include <stdlib.h>\nint main(void) { abort(); }\n' | gcc -xc -o "$T/aborts" - || exit 1
run layoutcheck record --user -o "$T/none.data" -- "$T/aborts"
like "a program that aborts" "$stderr" '/aborts: ended by signal 6 \(Aborted\), and the recording with it$'
printf '#include <unistd.h>\nint main(void) { return execl("/bin/true", "true", NULL); }\n' |
	gcc -xc -o "$T/becomes" - || exit 1
run layoutcheck record --user -o "$T/none.data" -- "$T/becomes"
like "a program that becomes another" "$stderr" '/becomes: nothing of it was recorded: either it became another program'
is "are errors" "$status" 2
ok "and leave no file" test ! -e "$T/none.data"

done_testing
