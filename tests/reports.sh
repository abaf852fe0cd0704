#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/reports.sh DIR: writes a report of every command, format and source into DIR, from
# tests/fixtures/report and tests/fixtures/diff. `make reports` keeps them in reports/; tests/cli/reports.t compares.
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
cd "$work"

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
	report "check-$source.sarif" check -f sarif --all -r sample.yaml "$image"
	report "check-$source.junit.xml" check -f junit -r sample.yaml "$image"
	report "check-$source.github" check -f github -r sample.yaml "$image"
	report "check-$source.gitlab.json" check -f gitlab -r sample.yaml "$image"
	report "check-$source.md" check -f markdown -r sample.yaml "$image"
	report "check-$source.tap" check -f tap -r sample.yaml "$image"
	report "show-$source.txt" show -r sample.yaml -C "$types" "$image"
	report "show-$source.json" show -f json -r sample.yaml -C "$types" "$image"
	report "list-$source.txt" show -v "$image"
	report "list-$source.json" show -f json "$image"
	report "diff-$source.txt" diff -v -r story.yaml "before$end" "after$end"
	report "diff-$source.json" diff -f json -r story.yaml "before$end" "after$end"
	report "diff-$source.sarif" diff -f sarif -r story.yaml "before$end" "after$end"
	report "diff-$source.junit.xml" diff -f junit -r story.yaml "before$end" "after$end"
	report "diff-$source.github" diff -f github -r story.yaml "before$end" "after$end"
	report "diff-$source.gitlab.json" diff -f gitlab -r story.yaml "before$end" "after$end"
	report "diff-$source.md" diff -f markdown -r story.yaml "before$end" "after$end"
	report "diff-$source.tap" diff -f tap -r story.yaml "before$end" "after$end"
done
