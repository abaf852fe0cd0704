# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Helpers of the shell tests, which print TAP for prove. A test begins and ends so:
#
#	#!/bin/sh
#	. "$(dirname "$0")/../lib.sh"
#	...
#	done_testing
#
# It then stands in the top of the source tree, and has
#
#	layoutcheck ...         the program under test ($LAYOUTCHECK, absolute)
#	$T                      a directory of its own, removed at the end
#	$SRC                    the top of the source tree
#
# and these. The name of a test comes first, always.
#
#	run CMD [ARG]...        runs it; sets $status, $stdout, $stderr (files: $T/stdout, $T/stderr).
#	                        A crash or a sanitizer's report is a failed test by itself
#	ok NAME CMD [ARG]...    passes when CMD succeeds
#	nok NAME CMD [ARG]...   passes when CMD exits 1 to 125
#	is NAME GOT WANTED      the same string
#	isnt NAME GOT OTHER     another string
#	like NAME TEXT ERE      a line of TEXT matches
#	unlike NAME TEXT ERE    no line does
#	same NAME FILE FILE     the same bytes; the difference is shown
#	exits NAME STATUS CMD [ARG]...  run, and is $status
#	one_sentence NAME       the last run ended 2, with one line on stderr and nothing on stdout
#	skip NAME REASON        counts as passed, and is reported; for what a machine cannot do, never
#	                        for what a package would bring
#	need CMD...             ends the script as failed when one of the commands is not there
#	diag TEXT               a comment in the output
#
# A script that ends without done_testing, or tests nothing, fails.

set -u
LC_ALL=C
TZ=UTC
export LC_ALL TZ
unset LAYOUTCHECK_RULES NO_COLOR SOURCE_DATE_EPOCH CDPATH
umask 022

SRC=$(CDPATH='' cd "$(dirname "$0")" && while ! [ -f tests/lib.sh ] && [ "$PWD" != / ]; do cd ..; done; pwd)
cd "$SRC" || exit 1

LAYOUTCHECK=${LAYOUTCHECK:-$SRC/layoutcheck}
case $LAYOUTCHECK in
/*) ;;
*) LAYOUTCHECK=$SRC/$LAYOUTCHECK ;;
esac
export LAYOUTCHECK

# A sanitizer must not be mistaken for a finding (1) or a refusal (2).
ASAN_OPTIONS=exitcode=99:detect_leaks=${LEAKS:-1}
LSAN_OPTIONS=exitcode=99
UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:exitcode=99
export ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS

T=$(mktemp -d "${TMPDIR:-/tmp}/layoutcheck-test.XXXXXX") || exit 1
tap_count=0
tap_failed=0
tap_done=no

tap_end() {
	tap_status=$?
	rm -rf "$T"
	if [ "$tap_done" != yes ]; then
		echo "not ok $((tap_count + 1)) - $0 ran to its end"
		[ "$tap_status" -ne 0 ] || tap_status=1
		exit "$tap_status"
	fi
}
trap tap_end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

layoutcheck() {
	"$LAYOUTCHECK" "$@"
}

diag() {
	printf '%s\n' "$1" | sed 's/^/# /'
}

pass() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1"
}

fail() {
	tap_count=$((tap_count + 1))
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_count - $1"
}

skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

run() {
	status=0
	"$@" >"$T/stdout" 2>"$T/stderr" </dev/null || status=$?
	stdout=$(tr -d '\000' <"$T/stdout")
	stderr=$(tr -d '\000' <"$T/stderr")
	if [ "$status" -ge 99 ] && [ "$status" -ne 125 ]; then
		fail "did not crash: $*"
		diag "exit status $status"
		diag "$stderr"
	fi
}

# What the last run said, for the reader of a failure.
tap_show_run() {
	diag "exit status ${status-none}"
	diag "stdout: $(head -n 20 "$T/stdout")"
	diag "stderr: $(head -n 20 "$T/stderr")"
}

ok() {
	tap_name=$1
	shift
	if "$@" >"$T/ok.out" 2>&1 </dev/null; then
		pass "$tap_name"
	else
		fail "$tap_name"
		diag "failed: $*"
		diag "$(head -n 40 "$T/ok.out")"
	fi
}

nok() {
	tap_name=$1
	shift
	tap_rc=0
	"$@" >"$T/ok.out" 2>&1 </dev/null || tap_rc=$?
	if [ "$tap_rc" -ge 1 ] && [ "$tap_rc" -le 125 ] && [ "$tap_rc" -ne 99 ]; then
		pass "$tap_name"
	else
		fail "$tap_name"
		diag "exit status $tap_rc: $*"
		diag "$(head -n 40 "$T/ok.out")"
	fi
}

is() {
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1"
		diag "   got: $2"
		diag "wanted: $3"
	fi
}

isnt() {
	if [ "$2" != "$3" ]; then
		pass "$1"
	else
		fail "$1"
		diag "got what it should not be: $2"
	fi
}

like() {
	if printf '%s\n' "$2" | grep -Eq -e "$3"; then
		pass "$1"
	else
		fail "$1"
		diag "      no line of: $(printf '%s\n' "$2" | head -n 20)"
		diag "matches: $3"
	fi
}

unlike() {
	if printf '%s\n' "$2" | grep -Eq -e "$3"; then
		fail "$1"
		diag "a line of: $(printf '%s\n' "$2" | head -n 20)"
		diag "matches: $3"
	else
		pass "$1"
	fi
}

same() {
	if cmp -s "$2" "$3"; then
		pass "$1"
	else
		fail "$1"
		diag "$(diff -u "$2" "$3" 2>&1 | head -n 60)"
	fi
}

exits() {
	tap_name=$1
	tap_wanted=$2
	shift 2
	run "$@"
	if [ "$status" -eq "$tap_wanted" ]; then
		pass "$tap_name"
	else
		fail "$tap_name"
		diag "wanted exit status $tap_wanted: $*"
		tap_show_run
	fi
}

one_sentence() {
	if [ "$status" -eq 2 ] && [ -z "$stdout" ] && [ -n "$stderr" ] &&
		[ "$(wc -l <"$T/stderr")" -eq 1 ]; then
		pass "$1"
	else
		fail "$1"
		tap_show_run
	fi
}

need() {
	for tap_command in "$@"; do
		command -v "$tap_command" >/dev/null 2>&1 && continue
		fail "$tap_command is installed"
		diag "run ./bootstrap, which installs what the tests need"
		tap_done=yes
		echo "1..$tap_count"
		exit 1
	done
}

done_testing() {
	tap_done=yes
	if [ "$tap_count" -eq 0 ]; then
		fail "$0 tests something"
	fi
	echo "1..$tap_count"
	[ "$tap_failed" -eq 0 ]
	exit
}
