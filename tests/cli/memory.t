#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Memory runs out, at one allocation after another: ours and those of the libraries. Then the run
# ends 2 with one sentence and without a report, or the report is the whole one all the same (a
# library could do without). A sample of the allocations; with MEMORY=full each of them.
. "$(dirname "$0")/../lib.sh"
need cc clang ld.lld llvm-objcopy pahole perl

ok "the images are made" tests/sample.sh "$T/sample"
ok "what makes memory short is" \
	cc -O2 -shared -fPIC -o "$T/short.so" tests/fixtures/short_memory.c
reports=$SRC/tests/fixtures/c2c/reports
cd "$T/sample" || exit 1
clang --target=x86_64-linux-gnu -g -O2 -c sample.c -o code.o
ld.lld -m elf_x86_64 -e 0 -o code code.o

# short COMMAND [ARG]...: one run; $verdict is "refused", "whole", or what is wrong.
short() {
	code=0
	rm -f report
	LD_PRELOAD=$T/short.so "$LAYOUTCHECK" "$@" -o report >out 2>said </dev/null || code=$?
	if [ "$code" -eq "$wanted" ] && cmp -s report wanted; then
		verdict=whole
	elif [ "$code" -ne 2 ]; then
		verdict="status $code, not 2: $(cat said)"
	elif [ -e report ] || [ -s out ]; then
		verdict="there is a report: $(cat said)"
	elif [ "$(wc -l <said)" -ne 1 ]; then
		verdict="not one sentence: $(cat said)"
	else
		verdict=refused
	fi
}

# survives NAME COMMAND [ARG]...
survives() {
	name=$1
	shift
	wanted=0
	"$LAYOUTCHECK" "$@" -o wanted >out 2>said </dev/null || wanted=$?
	COUNT=$T/count FAIL_AT=0 short "$@"
	all=$(cat "$T/count")
	step=$((all / 15 + 1))
	[ "${MEMORY:-}" != full ] || step=1
	at=1
	refused=0
	wrong=
	while [ "$at" -le "$all" ]; do
		FAIL_AT=$at
		export FAIL_AT
		short "$@"
		case $verdict in
		refused) refused=$((refused + 1)) ;;
		whole) ;;
		*) wrong="$wrong
at $at of $all: $verdict" ;;
		esac
		at=$((at + step))
	done
	unset FAIL_AT
	is "$name" "$wrong" ""
	ok "$name: it was short of memory" test "$refused" -gt 5
}

survives "check of DWARF" check -r sample.yaml sample
survives "check of BTF, as SARIF" check -f sarif -r sample.yaml --arch x86_64 sample.btf
survives "show, as HTML" show -f html sample
survives "show, as JSON" show -f json -C table sample
survives "diff" diff -r sample.yaml -f json sample sample.btf
survives "snapshot" snapshot --all sample
survives "rules list" rules list -r sample.yaml
survives "c2c" c2c -k code --force "$reports/perf6.1-dso.txt"

done_testing
