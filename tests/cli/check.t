#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What `check` prints: findings in the form that editors follow, counts, JSON.
. "$(dirname "$0")/../lib.sh"
need clang ld.lld llvm-objcopy pahole jq

ok "the images are made" tests/sample.sh "$T/sample"
cd "$T/sample" || exit 1

# ---- text

run layoutcheck check -r sample.yaml sample
is "findings that fail" "$status" 1
like "a finding: place, severity, struct, message, rule" "$stdout" \
	'^sample\.c:[0-9]+: error: account: size is 128, wanted <= 64 \[account/size\]$'
like "the place of the rule follows" "$stdout" '^    sample\.yaml:[0-9]+$'
like "a warning" "$stdout" '^sample\.c:[0-9]+: warning: account: .*\[account/no_straddle/lru\]$'
like "a note" "$stdout" '^sample\.c:[0-9]+: note: account: .*\[account/max_hole\]$'
like "what is not there has the place of its rule" "$stdout" \
	'^sample\.yaml:[0-9]+: warning: tabel: .*\[tabel/present/lock\]$'
like "the cause" "$stdout" '^    lru \(offset 56, 16 bytes\) runs on into line 1$'
unlike "what holds is not listed" "$stdout" ': holds: '
unlike "what does not apply is not listed" "$stdout" ': not-applicable: '
like "the last line counts" "$(tail -n 1 "$T/stdout")" \
	'^sample \(DWARF, x86_64, 64-byte lines\): [0-9]+ hold, [0-9]+ broken, [0-9]+ missing, [0-9]+ unknown, [0-9]+ not applicable$'
sed -n 's/^\([a-z.]*\):\([0-9]*\): .*/\1 \2/p' "$T/stdout" >places
while read -r file line; do
	ok "$file:$line is there" test "$line" -le "$(wc -l <"$file")"
done <places

run layoutcheck check --all -r sample.yaml sample
like "--all: what holds" "$stdout" ': holds: table: .*\[table/starts_line/lock\]$'
like "--all: what does not apply" "$stdout" ': not-applicable: table: .*\[table/small\]$'

run layoutcheck check -r sample.yaml --arch x86_64 sample.btf
like "BTF has no declarations: the place of the rule comes first" "$stdout" \
	'^sample\.yaml:[0-9]+: error: account: size is 128, wanted <= 64 \[account/size\]$'
like "BTF has no alignment" "$stdout" '\[table/align\]$'
like "the source is named" "$(tail -n 1 "$T/stdout")" '^sample\.btf \(BTF, '

# ---- --margin

cat >margin.yaml <<'END'
layoutcheck: 1
structs:
  list:
    rules:
      - size: "<= 24"
END
run layoutcheck check -r margin.yaml sample
unlike "a margin nobody asked for" "$stdout" 'list/size'
run layoutcheck check --margin 8 -r margin.yaml sample
unlike "a margin of 8 is not below 8" "$stdout" 'list/size'
run layoutcheck check --margin 9 -r margin.yaml sample
like "a margin of 8 is below 9" "$stdout" ': note: list: .*\[list/size\]$'
like "and is told" "$stdout" '^    8 more bytes fit before it breaks$'
is "a margin fails nothing" "$status" 0
printf 'layoutcheck: 1\nstructs: {list: {rules: [{size: "<= 18446744073709551615"}]}}\n' >endless.yaml
run layoutcheck check --all -f json -r endless.yaml sample
like "a margin that JSON has no room for is not negative" "$stdout" '"margin": 9223372036854775807'
run layoutcheck check --margin nine -r margin.yaml sample
one_sentence "--margin of no number"

# ---- JSON

# json FILTER: of the last report, on one line.
json() {
	jq -c "$1" "$T/stdout"
}
run layoutcheck check --all -f json -r sample.yaml sample
is "JSON: status" "$status" 1
is "JSON: version" "$(json .version)" 1
is "JSON: image" "$(json .image)" \
	'{"path":"sample","arch":"x86_64","source":"dwarf","build_id":null}'
is "JSON: line" "$(json .line)" 64
is "JSON: the keys of a finding are always there" \
	"$(json '[.findings[] | ["rule","kind","severity","outcome","struct","member","measured",
		"wanted","margin","message","cause","pack","decl","waived","fingerprint"] - keys] |
		unique')" '[[]]'
is "JSON: outcomes" "$(json '[.findings[].outcome] | unique')" \
	'["broken","holds","missing","not-applicable","unknown"]'
is "JSON: severities" "$(json '[.findings[].severity] | unique')" '["error","note","warning"]'
is "JSON: a finding" \
	"$(json '.findings[] | select(.rule == "account/size") |
		[.kind, .struct, .member, .measured, .wanted, .pack.file, .decl.file, .waived]')" \
	'["size","account",null,"128","<= 64","sample.yaml","sample.c",false]'
is "JSON: what is missing has no declaration" \
	"$(json '.findings[] | select(.struct == "tabel") | .decl')" null
is "JSON: the summary counts rules, the worst of their definitions" \
	"$(json '.summary | [.broken, .missing, .unknown, .holds, .not_applicable]')" \
	"$(json '[.findings | group_by(.rule)[] | map(.outcome)] as $rules |
		reduce ("broken", "missing", "unknown", "holds", "not-applicable") as $outcome
			({left: $rules, counts: []};
			([.left[] | select(index($outcome))] | length) as $n |
			{left: [.left[] | select(index($outcome) | not)], counts: (.counts + [$n])}) |
		.counts')"
is "JSON: fingerprints name findings" \
	"$(json '[.findings[].fingerprint] | map(test("^[0-9a-f]{64}$")) | unique')" '[true]'
json '[.findings[] | [.rule, .member, .fingerprint]] | sort' >of-dwarf
run layoutcheck check --all -f json -r sample.yaml --arch x86_64 sample.btf
json '[.findings[] | [.rule, .member, .fingerprint]] | sort' >of-btf
same "JSON: fingerprints do not depend on the source" of-dwarf of-btf

# ---- several definitions

run layoutcheck check -f json -r sample.yaml sample
is "each definition of a name is judged" \
	"$(json '[.findings[] | select(.struct == "twin") | .measured]')" '["24"]'
is "and the worst counts" "$(json '.findings[] | select(.struct == "twin") | .decl.file')" '"other.c"'

# ---- hostile names

# A struct and a file whose names clear the screen.
LC_ALL=C sed 's/account/a\x1b[2Jcc/g; s/sample\.c/s\x1b[1Ae.c/g' sample >hostile
run layoutcheck show hostile
is "a hostile image is read" "$status" 0
like "its names are escaped" "$stdout" 'struct a\\x1b\[2Jcc$'
is "nothing else reaches the terminal" "$(LC_ALL=C tr -d '\012\040-\176' <"$T/stdout" | wc -c)" 0
run layoutcheck show -f json hostile
is "nor in JSON" "$(LC_ALL=C tr -d '\012\040-\176' <"$T/stdout" | wc -c)" 0
is "which keeps the name" "$(json '.types[].name | select(test("cc$"))')" '"a\u001b[2Jcc"'
printf 'a\033]0;x\007' >name
run layoutcheck show "$(cat name)"
is "nothing of the command line either" "$(LC_ALL=C tr -d '\012\040-\176' <"$T/stderr" | wc -c)" 0

done_testing
