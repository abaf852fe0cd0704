#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Memory runs out, at one allocation after another: ours and those of the libraries. Then the run
# ends 2 with one sentence and without a report, or the report is the whole one all the same (a
# library could do without). A sample of the allocations; with MEMORY=full each of them.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../faults.sh"
need cc clang ld.lld llvm-objcopy pahole perl

ok "the images are made" tests/sample.sh "$T/sample"
ok "what makes memory short is" \
	cc -O2 -shared -fPIC -o "$T/short.so" tests/fixtures/short_memory.c
reports=$SRC/tests/fixtures/c2c/reports
cd "$T/sample" || exit 1
clang --target=x86_64-linux-gnu -g -O2 -c sample.c -o code.o
ld.lld -m elf_x86_64 -e 0 -o code code.o

# short N COMMAND [ARG]...: a run whose Nth allocation fails.
short() {
	fail_at=$1
	shift
	code=0
	rm -f report
	FAIL_AT=$fail_at LD_PRELOAD=$T/short.so "$LAYOUTCHECK" "$@" -o report >out 2>said </dev/null || code=$?
	judge "$code"
}

# survives NAME COMMAND [ARG]...
survives() {
	name=$1
	shift
	wanted=0
	"$LAYOUTCHECK" "$@" -o whole >out 2>said </dev/null || wanted=$?
	COUNT=$T/count short 0 "$@"
	all=$(cat "$T/count")
	step=$((all / 15 + 1))
	[ "${MEMORY:-}" != full ] || step=1
	at_each "$all" "$step" short "$@"
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
