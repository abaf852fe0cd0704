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
cat >"$T/groups.yaml" <<'END'
layoutcheck: 1
structs: {files: {groups: {2nd: [a, b]}, rules: [{apart: [2nd, [c, d]]}, {together: 2nd}]}}
END
ok "a group's name may begin with a digit" layoutcheck rules list -r "$T/groups.yaml"
find rules tests/fixtures/rules -name '*.yaml' ! -path '*/bad/*' >"$T/good"
ls "$T"/markers.yaml "$T"/learned.yaml "$T"/groups.yaml >>"$T/good"
xargs python3 tests/schema.py "$T/schema.json" <"$T/good" >"$T/verdicts"
ok "there are packs to take" test "$(wc -l <"$T/good")" -gt 4
is "it takes every pack that is right" "$(grep -v ': ok$' "$T/verdicts")" ""

# ---- what is refused

# Ids, groups and words that are right in form; deep nesting is a limit of the reader's.
python3 tests/schema.py "$T/schema.json" tests/fixtures/rules/bad/*.yaml >"$T/verdicts"
ok "there are packs to refuse" grep -q ': no$' "$T/verdicts"
is "it refuses all others" \
	"$(sed -n 's|^tests/fixtures/rules/bad/\(.*\)\.yaml: ok$|\1|p' "$T/verdicts" | xargs)" "deep ids"

# A fault by itself: each rule and each struct of those, and of these, as a pack of its own.
cat >"$T/more.yaml" <<'END'
layoutcheck: 1
structs:
  files:
    rules:
      - {size: 64, serverity: note}
      - {size: 64, severity: fatal}
      - {why: because}
      - {size: 64, max_lines: 1}
      - {size: "~ 64"}
      - {max_hole: -1}
      - {apart: [a]}
      - {size: 64, lines: 2}
      - {size: 64, granule: 128}
      - {together: [a, b], lines: 0}
      - {classes: {read_mostly: a, written: b, hot: c}}
      - {same_offset: [flags, files.flags]}
      - {size: 64, waive: {owner: me}}
      - {size: 64, since: "6"}
      - {size: 64, until: 6.5-rc1}
      - {size: 64, since: ">= 6.5"}
      - {size: 64, when: {kernel: [">= 6.1", "<"]}}
      - {size: 64, when: {not: {has: 4.4}}}
      - {size: 64, when: {"sizeof(a b)": 4}}
      - {size: 64, when: {"has(files.)": true}}
      - {size: 64, when: [has(files)]}
      - {size: 64, when: {config: CONFIG SMP}}
      - {size: 64, when: {bits: [32, 64]}}
      - {within: lock, section: .data}
variables:
  rules:
    - {bucket: 64}
    - {size: 64}
    - {size: {"a b": 64}}
    - {alone: a, lines: 2}
    - {alone: ns::x}
    - {apart: [a]}
    - {within: a}
    - {within: a, section: .data, between: [b, c]}
    - {within: a, between: [b, c, d]}
    - {within: a, section: [b, c]}
END
mkdir "$T/parts"
python3 tests/schema.py --split "$T/parts" tests/fixtures/rules/bad/*.yaml "$T/more.yaml"
cd "$T/parts" || exit 1
layoutcheck rules list -r . 2>"$T/stderr"
# Not of ids, which rules of different packs share here.
sed -n '/: id `/d; s|^\(\./\)*\([0-9]*\)\.yaml:[0-9]*:[0-9]*: .*|\2|p' "$T/stderr" | sort -u >"$T/refused"
python3 "$SRC/tests/schema.py" "$T/schema.json" ./*.yaml >"$T/verdicts"
sed -n 's|^\./\([0-9]*\)\.yaml: no$|\1|p' "$T/verdicts" | sort >"$T/no"
ok "layoutcheck refuses most" test "$(wc -l <"$T/refused")" -gt 150
is "the schema takes what layoutcheck takes" "$(comm -13 "$T/refused" "$T/no")" ""
# The rest is in relations of one thing to another, or lost before a schema sees it.
comm -23 "$T/refused" "$T/no" | xargs cat | grep -v '{not: {not: {not: ' | sort >"$T/got"
sort >"$T/wanted" <<'END'
{alone: table, granule: 48}
{apart: [lookup, lookup]}
{bucket: 64, buckets: [32, 64, 64]}
{granule: 100, starts_line: file_lock}
{max_hole: 11, when: {kernel: 6}}
{max_hole: 8, origin: 12345e678901}
{max_hole: 8, waive: {until: '2030-02-29', why: x}}
{objects_per_slab: '>= 16', order: 0}
{same_offset: [folio.flags, slab.flags]}
{size: 99999999999999999999}
{size: {amd64: 704, x86_64: 704}}
{together: 'lookup?'}
{together: [lookup|fd, next_fd]}
{together: lookup..next_fd}
{waste: <= 8}
END
same "and refuses what layoutcheck refuses, but for these" "$T/got" "$T/wanted"

done_testing
