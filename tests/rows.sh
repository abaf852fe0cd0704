# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rows of docs/formats.md: a test states what is read or refused, proves it, and prints the row.
# `make formats` writes the document from what the tests print. A test fails when its section there
# is not what it says today, so to add a row is to add a line to a test and to run `make formats`
# (or `make formats TESTS=tests/cli/NAME.t` for the rows of one test).
#
# A test with rows is a shell test as tests/lib.sh has them, and begins and ends so:
#
#	. "$(dirname "$0")/../lib.sh"
#	. "$SRC/tests/rows.sh"
#	need clang
#	section 'Title of its table in docs/formats.md'
#	...
#	done_rows
#
# It then stands in $T, beside a copy of shape.c (tests/fixtures/formats/): a struct whose figures the
# compiler itself asserts. The first two arguments are what the row has in its first two columns:
#
#	FORMAT   the format or feature, in a few words
#	HOW      how the input is made. '$ COMMANDS' are shell commands: they are run first, here, and
#	         are what the row shows, so use relative names. Anything else is prose: the test has made
#	         the input already
#
# and the others are arguments of `layoutcheck show`, a file among them:
#
#	reads FORMAT HOW ARG...            struct shape is read with all its figures
#	shows FORMAT HOW FIGURES ARG...    what ARGs ask for has these FIGURES: a line "NAME SIZE" for each
#	                                   type, "MEMBER OFFSET" (or "MEMBER BYTE:BIT:BITS") for each member
#	                                   that has a name, as `figures ARG...` prints them
#	refuses FORMAT HOW SENTENCE ARG... exit status 2 and, behind "layoutcheck: ", this one sentence;
#	                                   the row shows it
#	row FORMAT HOW OUTCOME [TEST]      only states the row: this test, or a unit test (tests/unit/...),
#	                                   proves OUTCOME by other means. HOW is not run; begin it with '$ '
#	                                   all the same if it is commands
#
# Rows are the same on every machine: where a test must `skip`, it states the row all the same.

need jq
rows_test=${0#"$SRC"/}
case $rows_test in
/* | ./* | ../*) rows_test=tests/$(basename "$(dirname "$0")")/$(basename "$0") ;;
esac
rows_title=
: >"$T/.rows"
cp "$SRC/tests/fixtures/formats/shape.c" "$T" && cd "$T" || exit 1

section() {
	rows_title=$1
}

# Sets $row_code to TEXT as code.
row_code() {
	case $1 in
	*\`*) row_code="\`\` $1 \`\`" ;;
	*) row_code="\`$1\`" ;;
	esac
}

# Sets $row_cell to TEXT as a table can have it.
row_cell() {
	row_cell=$1
	case $1 in
	*\|*) row_cell=$(printf '%s\n' "$1" | sed 's/|/\\|/g') ;;
	esac
}

row() {
	row_test=${4:-$rows_test}
	[ -f "$SRC/$row_test" ] || fail "$1: there is $row_test"
	row_cell "$1"
	row_text="| $row_cell"
	case $2 in
	'$ '*)
		row_code "${2#'$ '}"
		row_cell "$row_code"
		;;
	*) row_cell "$2" ;;
	esac
	row_text="$row_text | $row_cell"
	row_cell "$3"
	row_text="$row_text | $row_cell | [${row_test##*/}](../$row_test) |"
	printf '%s\n' "$row_text" >>"$T/.rows"
	printf '# row %s\n' "$row_text"
}

# row_made FORMAT HOW: runs the commands of HOW.
row_made() {
	case $2 in
	'$ '*)
		if ! (set -e && eval "${2#'$ '}") >"$T/made.out" 2>&1 </dev/null; then
			fail "$1: the input is made"
			diag "failed: $2"
			diag "$(head -n 40 "$T/made.out")"
			return 1
		fi
		;;
	esac
}

figures() {
	layoutcheck show -f json "$@" >"$T/.figures" && jq -r '
		def members: .members[]? |
			(select(.name) | if .bit_size then "\(.name) \(.offset):\(.bit_offset):\(.bit_size)"
			else "\(.name) \(.offset)" end), members;
		.types[] | "\(.name) \(.size)", members' "$T/.figures"
}

# shape_figures BITS: those of struct shape where a pointer has so many.
shape_figures() {
	sed -n 's/^SIZE(/shape, /p; s/^AT(//p; s/^BITS(//p' "$SRC/tests/fixtures/formats/shape.c" |
		tr -d ',);' | awk -v narrow="$(($1 == 32))" '{ print $1, $(2 + narrow) (NF == 5 ? ":" $4 ":" $5 : "") }'
}
shape_wide=$(shape_figures 64)
shape_narrow=$(shape_figures 32)

reads() {
	reads_format=$1
	reads_how=$2
	shift 2
	row_made "$reads_format" "$reads_how" || return 0
	run figures -C shape "$@"
	reads_wanted=$shape_wide
	[ "$stdout" != "$shape_narrow" ] || reads_wanted=$shape_narrow
	row_proved "$reads_format" "$reads_how" "$reads_wanted"
}

shows() {
	reads_format=$1
	reads_how=$2
	reads_wanted=$3
	shift 3
	row_made "$reads_format" "$reads_how" || return 0
	run figures "$@"
	row_proved "$reads_format" "$reads_how" "$reads_wanted"
}

# row_proved FORMAT HOW FIGURES: the last run printed them, and nothing on stderr.
# shellcheck disable=SC2154 # run sets them
row_proved() {
	if [ "$status" -eq 0 ] && [ "$stdout" = "$3" ] && [ -z "$stderr" ]; then
		pass "$1: read ($2)"
		row "$1" "$2" read
	else
		fail "$1: read ($2)"
		tap_show_run
		diag "wanted: $3"
	fi
}

refuses() {
	reads_format=$1
	reads_how=$2
	reads_wanted="layoutcheck: $3"
	shift 3
	row_made "$reads_format" "$reads_how" || return 0
	run layoutcheck show "$@"
	if [ "$status" -eq 2 ] && [ -z "$stdout" ] && [ "$stderr" = "$reads_wanted" ]; then
		pass "$reads_format: refused ($reads_how)"
		row_code "${reads_wanted#layoutcheck: }"
		row "$reads_format" "$reads_how" "refused: $row_code"
	else
		fail "$reads_format: refused ($reads_how)"
		tap_show_run
		diag "wanted: $reads_wanted"
	fi
}

done_rows() {
	if [ -n "${ROWS_WANTED:-}" ]; then
		cp "$T/.rows" "$ROWS_WANTED"
	else
		"$SRC/tests/formats.sh" --rows "$rows_title" >"$T/.rows.document"
		same "docs/formats.md has these rows under \"$rows_title\" (else: make formats)" \
			"$T/.rows.document" "$T/.rows"
		ok "there are some" test -s "$T/.rows"
	fi
	done_testing
}
