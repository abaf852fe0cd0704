#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/reports.sh DIR: writes a report of every command, format and source into DIR, from
# tests/fixtures/report, tests/fixtures/diff and tests/fixtures/hot. `make reports` keeps them in reports/; tests/cli/reports.t compares.
set -eu

mkdir -p "$1"
out=$(CDPATH='' cd "$1" && pwd)
top=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
layoutcheck=${LAYOUTCHECK:-$top/layoutcheck}
work=$(mktemp -d "${TMPDIR:-/tmp}/layoutcheck-reports.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# All is named relative to one directory: the reports are the same wherever they are made.
"$top/tests/sample.sh" "$work"
"$top/tests/story.sh" "$work"
"$top/tests/hot.sh" "$work"
cd "$work"

# waived NAME ARG...: with the waivers of the sample, on a day on which some have expired.
waived() {
	name=$1
	shift
	report "waived.$name" "$@" --waivers sample-waivers.yaml --today 2026-12-01 -r sample.yaml sample
}

# report NAME ARG...: findings are no failure here, refusals are.
report() {
	name=$1
	shift
	status=0
	"$layoutcheck" "$@" --arch x86_64 >"$out/$name" || status=$?
	[ "$status" -le 1 ] || exit "$status"
}

types=account,packet,table,twin,counter_t,number
for source in dwarf btf; do
	case $source in
	dwarf) end= ;;
	btf) end=.btf ;;
	esac
	image=sample$end
	report "check-$source.txt" check -v --all -r sample.yaml "$image"
	report "check-$source.json" check -f json --all -r sample.yaml "$image"
	report "check-$source.html" check -f html -r sample.yaml "$image"
	report "check-$source.sarif" check -f sarif --all -r sample.yaml "$image"
	report "check-$source.junit.xml" check -f junit -r sample.yaml "$image"
	report "check-$source.github" check -f github -r sample.yaml "$image"
	report "check-$source.gitlab.json" check -f gitlab -r sample.yaml "$image"
	report "check-$source.md" check -f markdown -r sample.yaml "$image"
	report "check-$source.tap" check -f tap -r sample.yaml "$image"
	report "show-$source.txt" show -r sample.yaml -C "$types" "$image"
	report "show-$source.json" show -f json -r sample.yaml -C "$types" "$image"
	report "show-$source.html" show -f html -r sample.yaml -C "$types" "$image"
	for format in txt json html; do
		report "what-if-$source.$format" show -f "$(echo "$format" | sed s/txt/text/)" -r sample.yaml \
			-C account --what-if 'add u32 hits:3 after state' --what-if 'remove written' \
			--what-if 'move lock before hash' "$image"
	done
	report "list-$source.txt" show -v "$image"
	report "list-$source.json" show -f json "$image"
	report "snapshot-$source.json" snapshot -r sample.yaml "$image"
	report "diff-$source.txt" diff -v -r story.yaml "before$end" "after$end"
	report "diff-$source.json" diff -f json -r story.yaml "before$end" "after$end"
	report "diff-$source.html" diff -f html -r story.yaml "before$end" "after$end"
	report "diff-$source.sarif" diff -f sarif -r story.yaml "before$end" "after$end"
	report "diff-$source.junit.xml" diff -f junit -r story.yaml "before$end" "after$end"
	report "diff-$source.github" diff -f github -r story.yaml "before$end" "after$end"
	report "diff-$source.gitlab.json" diff -f gitlab -r story.yaml "before$end" "after$end"
	report "diff-$source.md" diff -f markdown -r story.yaml "before$end" "after$end"
	report "diff-$source.tap" diff -f tap -r story.yaml "before$end" "after$end"
done

waived txt check -v
waived json check -f json
waived sarif check -f sarif
waived junit.xml check -f junit
waived github check -f github
waived gitlab.json check -f gitlab
waived md check -f markdown
waived tap check -f tap

# waived_diff NAME ARG...: the same of the story.
waived_diff() {
	name=$1
	shift
	report "waived-diff.$name" diff "$@" --waivers story-waivers.yaml --today 2026-12-01 -r story.yaml \
		before after
}
waived_diff txt
waived_diff json -f json
waived_diff sarif -f sarif
waived_diff md -f markdown

report c2c.txt c2c -k hot hot.data
report c2c.json c2c -f json -k hot hot.data
report c2c.html c2c -f html -k hot hot.data
