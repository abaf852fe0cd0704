#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What works on several threads, under ThreadSanitizer on a kernel, and under helgrind:
# `make check-threads`.
. "$(dirname "$0")/../lib.sh"
need xz setarch valgrind

TSAN_OPTIONS=exitcode=99:halt_on_error=1
export TSAN_OPTIONS
ok "the program has the sanitizer in it" grep -q __tsan_init "$LAYOUTCHECK"
vmlinux=$(tests/kernels/fetch 6.1) || exit 1
xz -dc tests/fixtures/c2c/k61-smp4-small.perf.data.xz >"$T/perf.data" || exit 1

# Where the kernel spreads addresses too wide, the sanitizer finds no room for its own; a container
# may not let that be turned off.
near=
setarch -R true 2>/dev/null && near="setarch -R"
quiet() { # quiet NAME STATUS COMMAND [ARG]...
	name=$1
	wanted=$2
	shift 2
	# shellcheck disable=SC2086
	exits "$name" "$wanted" $near "$LAYOUTCHECK" "$@" -o "$T/report"
	unlike "$name: no race" "$stderr" ThreadSanitizer
	ok "$name: something is said" test -s "$T/report"
}

for i in 1 2 3; do
	# shellcheck disable=SC2086
	exits "first instructions, $i" 0 $near "$BUILD/tests/insn_threads"
	unlike "first instructions, $i: no race" "$stderr" ThreadSanitizer
done
quiet "check" 0 check "$vmlinux"
quiet "snapshot" 0 snapshot --all "$vmlinux"
quiet "diff of one build, read twice at once" 0 diff "$vmlinux" "$vmlinux"
quiet "diff from BTF" 0 diff --from btf "$vmlinux" "$vmlinux"
quiet "show of all" 0 show "$vmlinux"
quiet "c2c" 0 c2c -k "$vmlinux" "$T/perf.data"

# Another opinion, of the plain program reading itself: helgrind watches the libraries too, and
# sees locks that are taken in two orders.
watched() { # watched COMMAND [ARG]...
	exits "helgrind: $1" 0 valgrind -q --tool=helgrind --error-exitcode=99 \
		--suppressions=tests/threads/helgrind.supp "$SRC/layoutcheck" "$@" -o "$T/report"
	is "helgrind: $1: nothing is said" "$stderr" ""
}

watched show layoutcheck
watched snapshot --all layoutcheck
watched diff layoutcheck layoutcheck

done_testing
