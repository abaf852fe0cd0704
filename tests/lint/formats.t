#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# docs/formats.md has a section for every test with rows, and nothing that no test has said: the rows
# of a section are held by its test.
. "$(dirname "$0")/../lib.sh"

tests/formats.sh --frame >"$T/frame" || exit 1
frame() {
	awk '!/^\|/ || /^\| format or feature/ || /^\|---/' "$1"
}
frame docs/formats.md >"$T/document"
same "docs/formats.md has the sections of the tests (else: make formats)" "$T/document" "$T/frame"
is "no two have one title" "$(grep '^## ' "$T/frame" | sort | uniq -d)" ""

# These checks can fail.
{ cat docs/formats.md && printf '\n## Gone\n'; } >"$T/changed"
frame "$T/changed" >"$T/document"
nok "a section without a test is found" cmp "$T/document" "$T/frame"

done_testing
