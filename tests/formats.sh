#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/formats.sh TEST...: writes docs/formats.md: a section for each test that sources tests/rows.sh,
# with the rows that the TESTs print today; the other sections keep theirs. A TEST that fails is an
# error, and nothing is written.
# tests/formats.sh --frame: prints the document without its rows.
# tests/formats.sh --rows TITLE: prints the rows that the section has.
set -eu

cd "$(dirname "$0")/.."
document=docs/formats.md
work=$(mktemp -d "${TMPDIR:-/tmp}/layoutcheck-formats.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

rows_in_document() {
	awk -v title="## $1" '
		/^## / { inside = $0 == title; next }
		inside && /^\|/ && !/^\| format or feature/ && !/^\|---/' "$document"
}

# rows_of TEST TITLE
rows_of() {
	[ "$frame" = no ] || return 0
	case " $tests " in
	*" $1 "*)
		if ! ROWS_WANTED="$work/rows" "$1" >"$work/out" 2>&1; then
			grep -A 20 '^not ok' "$work/out" >&2 || cat "$work/out" >&2
			return 1
		fi
		cat "$work/rows"
		;;
	*) rows_in_document "$2" ;;
	esac
}

write() {
	cat <<'END'
# Formats

What layoutcheck reads, and what it refuses in one sentence and with exit status 2. The tests wrote
these tables (`make formats`), and each holds its own section to what it finds: a row says how the
input of the test was made, and that it was read with every figure as its compiler has it.
Commands run in a directory with `shape.c`, which is `tests/fixtures/formats/shape.c`, or the source
of that name in `tests/fixtures/languages/`. The faults that were found this way have an input each in
`tests/fixtures/`.
END
	for test in $(grep -lE '^\. .*/rows\.sh"$' tests/*/*.t | LC_ALL=C sort); do
		title=$(sed -n "s/^section '\(.*\)'\$/\1/p" "$test")
		[ -n "$title" ] || { echo "$test: has no line: section 'TITLE'" >&2 && return 1; }
		printf '\n## %s\n\n| format or feature | how the input is made | outcome | test |\n' "$title"
		printf '|---|---|---|---|\n'
		rows_of "$test" "$title" || return 1
	done
}

frame=no
tests=$*
case ${1:-} in
--frame)
	frame=yes
	write
	exit
	;;
--rows)
	rows_in_document "$2"
	exit
	;;
esac
touch "$document"
write >"$work/document"
cp "$work/document" "$document"
