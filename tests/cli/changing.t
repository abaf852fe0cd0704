#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The image changes, or the disk fails, while it is read, at one read after another: the answer is
# the whole one, or the run ends 2 with one sentence that names the file. And the disk fails while
# the report is written.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../faults.sh"
need cc clang ld.lld llvm-objcopy pahole jq

ok "the images are made" tests/sample.sh "$T/sample"
ok "what makes files change is" \
	cc -O2 -shared -fPIC -o "$T/changing.so" tests/fixtures/changing_file.c
cd "$T/sample" || exit 1
layoutcheck snapshot --all sample -o sample.json || exit 1
# To be renamed over the image: another program.
cp "$(command -v true)" other

# once N HOW IMAGE COMMAND [ARG]...: a run at whose Nth read of the image that happens.
once() {
	fail_at=$1
	how=$2
	image=$3
	shift 3
	code=0
	cp "$image" now
	[ "$how" != replace ] || cp other now.other
	rm -f report
	LD_PRELOAD=$T/changing.so CHANGE=$PWD/now HOW=$how FAIL_AT=$fail_at COUNT=$T/count \
		"$LAYOUTCHECK" "$@" -o report now >out 2>said </dev/null || code=$?
	judge "$code" now
}

# survives NAME IMAGE COMMAND [ARG]...
survives() {
	name=$1
	image=$2
	shift 2
	wanted=0
	cp "$image" now
	"$LAYOUTCHECK" "$@" -o whole now >out 2>said </dev/null || wanted=$?
	once 0 none "$image" "$@"
	all=$(cat "$T/count")
	ok "$name: it is read" test "$all" -gt 0
	for how in truncate replace vanish eio; do
		at_each "$all" $((all / 8 + 1)) once "$how" "$image" "$@"
		is "$name: $how" "$wrong" ""
		[ "$how" != eio ] || ok "$name: what failed was told" test "$refused" -gt 0
	done
}

survives "check of DWARF" sample check -r sample.yaml
survives "check of BTF" sample.btf check -r sample.yaml --arch x86_64
survives "show of all" sample show
survives "diff of snapshots" sample.json diff sample.json

# ---- the report

for how in write close; do
	echo old >report
	run env LD_PRELOAD="$T/changing.so" CHANGE="$PWD/report" HOW=$how "$LAYOUTCHECK" show -o report sample
	one_sentence "$how fails"
	is "$how fails: the old report is left alone" "$(cat report)" old
	is "$how fails: and nothing beside it" "$(find . -name 'report?*')" ""
done

done_testing
