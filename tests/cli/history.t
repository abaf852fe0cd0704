#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Twenty years of files_struct and fdtable (tests/fixtures/history.h), by compiler, word, DWARF
# version, line and reader. make check takes a part of the matrix that has each value of each
# of these with each era; make check-history (HISTORY=full) takes all of it.
. "$(dirname "$0")/../lib.sh"
need gcc clang pahole jq objcopy

fixtures=tests/fixtures
facts=$fixtures/history.txt

# fact ERA BITS LINE: the row of the table, without its key.
fact() {
	awk -v era="$1" -v bits="$2" -v line="$3" '
		$1 == era && $2 == bits && $3 == line { $1 = $2 = $3 = ""; sub(/^ +/, ""); print }' \
		"$facts"
}

# build CC BITS DWARF ERA LINE FILE
build() {
	"$1" -m"$2" -gdwarf-"$3" -DERA=ERA_"$4" -DLINE="$5" -Wall -Wextra -Werror -c -o "$6" \
		$fixtures/history.c
}

# compiled FILE: the row that the compiler itself left in the object.
compiled() {
	objcopy -O binary --only-section=.facts "$1" "$T/facts" &&
		od -An -v -td4 "$T/facts" | sed 's/-1/-/g' | xargs echo
}

# decoded FILE ARG...: the same row out of layoutcheck's JSON.
decoded() {
	layoutcheck show -f json -C files_struct,fdtable "$@" >"$T/json" 2>"$T/stderr"
	jq -r '
		def at(s; m): first(s.members[] | select(.name == m) | .offset) // "-";
		(first(.types[] | select(.name == "fdtable")) // {size: "-", members: []}) as $t |
		first(.types[] | select(.name == "files_struct")) as $f |
		[$t.size, at($t; "fd"), at($t; "open_fds"), at($t; "rcu"), at($t; "next_fd"),
		 at($t; "next"), $f.size, at($f; "fdt"), at($f; "fdtab"), at($f; "file_lock"),
		 at($f; "next_fd"), at($f; "close_on_exec_init"), at($f; "open_fds_init"),
		 at($f; "full_fds_bits_init"), at($f; "fd_array")] |
		if $t.size == "-" then .[1] = "-" | .[2] = "-" else . end | map(tostring) | join(" ")' \
		"$T/json"
}

# judged PACK FILE ARG...: a letter a rule, the worst outcome of each, and the exit status.
judged() {
	pack=$1
	shift
	layoutcheck check --all -f json -r "$pack" "$@" >"$T/json" 2>"$T/stderr"
	exit_status=$?
	jq -j --argjson letters \
		'{"broken": "b", "missing": "m", "unknown": "u", "holds": "h", "not-applicable": "-"}' '
		.findings | group_by(.pack.line)[] | map(.outcome) as $had |
		first($letters | to_entries[] | select(.key as $o | $had | index($o)) | .value)' \
		"$T/json"
	echo " $exit_status"
}

# verdict COLUMN NOTES ERA BITS LINE: the same from the table. Exit 1 for any b, m or u, but for those
# of the rules at the places NOTES, which are notes.
verdict() {
	awk -v column="$1" -v notes="$2" -v era="$3" -v bits="$4" -v line="$5" '
		$1 == era && $2 == bits && $3 == line {
			n = split(notes, note, ",")
			counted = $column
			for (i = 1; i <= n; i++)
				counted = substr(counted, 1, note[i] - 1) "-" substr(counted, note[i] + 1)
			print $column, counted ~ /[bmu]/ ? 1 : 0
		}' $fixtures/history-verdicts.txt
}

# case_of CC BITS DWARF ERA LINE
case_of() {
	name="$4, $1 -m$2, DWARF $3, line $5"
	wanted=$(fact "$4" "$2" "$5")
	build "$@" "$T/history.o" || {
		fail "$name: compiles"
		return
	}
	is "$name: the compiler" "$(compiled "$T/history.o")" "$wanted"
	pahole -J "$T/history.o"
	for from in dwarf btf; do
		is "$name: show, $from" "$(decoded --from $from "$T/history.o")" "$wanted"
		is "$name: files.yaml, $from" "$(judged rules/linux/files.yaml \
			--from $from --cacheline "$5" "$T/history.o")" "$(verdict 4 4,10 "$4" "$2" "$5")"
		is "$name: seed-2005.yaml, $from" "$(judged $fixtures/rules/seed-2005.yaml \
			--from $from --cacheline "$5" "$T/history.o")" "$(verdict 5 "" "$4" "$2" "$5")"
	done
}

eras=$(awk '!/^#/ && !seen[$1]++ { print $1 }' $facts)
is "the table has its eras" "$(echo "$eras" | xargs echo)" "A B C D1 D2 E F G H I J"
is "and each of them whole" "$(grep -vc '^#' $facts)" 66
is "there is a verdict on each" "$(grep -v '^#' $fixtures/history-verdicts.txt | cut -d ' ' -f 1-3)" \
	"$(awk '!/^#/ { print $1, $2, $3 }' $facts)"

for era in $eras; do
	if [ "${HISTORY:-part}" = full ]; then
		for cc in gcc clang; do
			for bits in 64 32; do
				for dwarf in 4 5; do
					for line in 32 64 128; do
						case_of $cc $bits $dwarf "$era" $line
					done
				done
			done
		done
	else
		case_of gcc 64 5 "$era" 64
		case_of clang 64 4 "$era" 128
		case $era in
		A | C | D2 | F | H | J) case_of gcc 32 4 "$era" 32 ;;
		*) case_of clang 32 5 "$era" 32 ;;
		esac
	fi
done

done_testing
