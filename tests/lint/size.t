#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Budgets: a function fits a screen and a file fits a sitting. Over 60 lines is said, over 80 fails;
# a file over 600 and a header over 150 fail. What is longer for a reason stands here with it.
. "$(dirname "$0")/../lib.sh"

cat >"$T/reasons" <<'END'
src/base/cursor.h   inline readers, on the hottest path
src/dwarf/constants.h  the numbers of the format, one a line
src/layout/model.h  the whole model is one contract
src/rule/rule.h     the whole rule language as data
END
excused() {
	awk -v reasons="$T/reasons" '
	BEGIN { while ((getline line < reasons) > 0) { split(line, w, " "); excuse[w[1] ":"] = 1 } }
	!($1 in excuse)'
}

# functions FILE...: "LINES FILE:NAME" for each.
functions() {
	awk '
	FNR == 1 { open = 0; head = "" }
	/^[a-zA-Z_].*\(/ && !/;$/ { head = $0 }
	/^\{/ { start = FNR; open = 1 }
	/^\}/ && open {
		name = head
		sub(/\(.*/, "", name)
		sub(/.*[ *]/, "", name)
		print FNR - start - 1, FILENAME ":" name
		open = 0
	}' "$@"
}

over() {
	functions "$@" | awk -v limit="$limit" '$1 > limit { print $2 ": " $1 " lines" }' |
		excused
}

# longer LIMIT FILE...
longer() {
	max=$1
	shift
	wc -l "$@" | awk -v max="$max" '$2 != "total" && $1 > max { print $2 ": " $1 " lines" }' |
		excused
}

sources=$(find src tests/unit tests/fuzz bench -name '*.c' 2>/dev/null | sort)
headers=$(find src tests/unit tests/fuzz bench -name '*.h' 2>/dev/null | sort)

# shellcheck disable=SC2086
{
	limit=60
	long=$(over $sources)
	[ -z "$long" ] || diag "longer than 60:
$long"
	limit=80
	is "functions have at most 80 lines" "$(over $sources)" ""
	is "files have at most 600 lines" "$(longer 600 $sources)" ""
	is "headers have at most 150 lines" "$(longer 150 $headers)" ""
}

{
	echo 'static int *f(int a)'
	echo '{'
	awk 'BEGIN { for (i = 0; i < 81; i++) print "\ta++;" }'
	echo '}'
} >"$T/a.c"
limit=80
is "a function of 81 lines is found" "$(over "$T/a.c")" "$T/a.c:f: 81 lines"
sed -i 3d "$T/a.c"
is "one of 80 is not" "$(over "$T/a.c")" ""
is "a file of 83 lines is found" "$(longer 82 "$T/a.c")" "$T/a.c: 83 lines"

done_testing
