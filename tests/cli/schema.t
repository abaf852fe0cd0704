#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The JSON Schema of packs takes what layoutcheck takes, and refuses what it refuses, but for what no
# schema can say.
. "$(dirname "$0")/../lib.sh"
need gcc python3

run layoutcheck rules schema
is "rules schema: 0" "$status:$stderr" "0:"
cp "$T/stdout" "$T/schema.json"
like "for a draft that editors know" "$stdout" '"\$schema": "http://json-schema.org/draft-07/schema#"'
exits "an operand too many: 2" 2 layoutcheck rules schema "$T/schema.json"

# ---- what is taken

gcc -g -c -o "$T/kinds.o" tests/fixtures/kinds.c
run layoutcheck rules from-markers -o "$T/markers.yaml" "$T/kinds.o"
run layoutcheck rules learn -C files,nested -o "$T/learned.yaml" "$T/kinds.o"
find rules tests/fixtures/rules -name '*.yaml' ! -path '*/bad/*' >"$T/good"
ls "$T"/markers.yaml "$T"/learned.yaml >>"$T/good"
xargs python3 tests/schema.py "$T/schema.json" <"$T/good" >"$T/verdicts"
ok "there are packs to take" test "$(wc -l <"$T/good")" -gt 4
is "it takes every pack that is right" "$(grep -v ': ok$' "$T/verdicts")" ""

# ---- what is refused

# Ids, groups and words that are right in form; deep nesting is a limit of the reader's.
python3 tests/schema.py "$T/schema.json" tests/fixtures/rules/bad/*.yaml >"$T/verdicts"
ok "there are packs to refuse" grep -q ': no$' "$T/verdicts"
is "it refuses all others" \
	"$(sed -n 's|^tests/fixtures/rules/bad/\(.*\)\.yaml: ok$|\1|p' "$T/verdicts" | xargs)" "deep ids"

# One fault a pack: what is right of the language but for a word.
refuse() { # refuse WHAT RULE
	printf 'layoutcheck: 1\nstructs:\n  files:\n    rules:\n      - %s\n' "$2" >"$T/one.yaml"
	exits "$1: layoutcheck refuses it" 2 layoutcheck rules list -r "$T/one.yaml"
	is "and so does the schema" "$(python3 tests/schema.py "$T/schema.json" "$T/one.yaml")" \
		"$T/one.yaml: no"
}
refuse "a key that is none" '{size: 64, serverity: note}'
refuse "a severity that is none" '{size: 64, severity: fatal}'
refuse "no kind" '{why: because}'
refuse "two kinds" '{size: 64, max_lines: 1}'
refuse "an expression that is none" '{size: "~ 64"}'
refuse "a number below zero" '{max_hole: -1}'
refuse "one item" '{apart: [a]}'
refuse "a parameter of another kind" '{size: 64, lines: 2}'
refuse "granule where it means nothing" '{size: 64, granule: 128}'
refuse "lines of nothing" '{together: [a, b], lines: 0}'
refuse "a class that is none" '{classes: {read_mostly: a, written: b, hot: c}}'
refuse "a place without a type" '{same_offset: [flags, files.flags]}'
refuse "a waiver without a reason" '{size: 64, waive: {owner: me}}'

done_testing
