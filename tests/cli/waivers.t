#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What is waived is told and counted, and fails nothing; what is waived no more, or for nothing, is
# told, too. From DWARF and from BTF.
. "$(dirname "$0")/../lib.sh"
need gcc pahole jq llvm-objcopy

cd "$T" || exit 1
export LAYOUTCHECK_RULES="$T/rules.yaml"

cat >before.c <<'END'
struct grown { long a, b; } grown;
struct kept { long a; } kept;
struct pair { int read; char pad[60]; int lock; } pair;
END
sed 's/long a, b/long a, b, c/; s/char pad.60./char pad[56]/' before.c >after.c
for side in before after; do
	gcc -g -c $side.c -o $side.dwarf
	gcc -g -c $side.c -o $side.btf
	pahole -J $side.btf
	llvm-objcopy --strip-debug $side.btf
done

# rules [WAIVE-OF-GROWN [WAIVE-OF-KEPT]]: the pack, with flow mappings or nothing.
rules() {
	cat >rules.yaml <<END
layoutcheck: 1
structs:
  grown:
    rules:
      - size: 16
        why: two to a line
${1:+        waive: $1}
  kept:
    rules:
      - size: 8
${2:+        waive: $2}
  pair:
    rules:
      - apart: [read, lock]
END
}

# waivers [ENTRY]...: a waiver file.
waivers() {
	printf 'layoutcheck-waivers: 1\nwaivers:\n' >waivers.yaml
	for entry in "$@"; do
		printf '  - %s\n' "$entry" >>waivers.yaml
	done
}

check() { # check ARG...: on a day in the middle of the year
	run layoutcheck check --today 2026-06-15 "$@"
}

# finding RULE FILTER: of JSON
finding() {
	jq -c ".findings[] | select(.rule == \"$1\") | $2" "$T/stdout"
}

# change KIND FILTER: of JSON
change() {
	jq -c ".changes[] | select(.kind == \"$1\" and .struct == \"grown\") | $2" "$T/stdout"
}

counts() {
	jq -c '.summary | [.holds, .broken, .missing, .unknown, .waived, .unmatched_waivers]' \
		"$T/stdout"
}

rules
check -f json after.dwarf
is "nothing waived: 1" "$status:$(counts)" "1:[1,2,0,0,0,0]"
is "and no waiver is told" "$(finding grown/size '[.waived, .waiver]')" '[false,null]'
of_size=$(finding grown/size .fingerprint | tr -d '"')
of_apart=$(finding pair/apart/read,lock .fingerprint | tr -d '"')
run layoutcheck check -v after.dwarf
like "-v prints the start of the fingerprint" "$stdout" \
	"^    fingerprint: $(echo "$of_size" | cut -c 1-12)\$"

for source in dwarf btf; do
	image=after.$source

	# ---- in a pack

	rules '{until: 2026-06-15, why: it moves, owner: fs@example.org}'
	check -f json --fail-on note $image
	is "$source: waived through its last day: the other rule fails" \
		"$status:$(counts)" "1:[1,1,0,0,1,0]"
	is "$source: who, why, until and where" "$(finding grown/size '[.outcome, .waived, .waiver]')" \
		'["broken",true,{"why":"it moves","owner":"fs@example.org","until":"2026-06-15","expired":false,"file":"'"$T"'/rules.yaml","line":7}]'
	check $image
	like "$source: text says so" "$stdout" \
		'^    waived until 2026-06-15 by fs@example.org: it moves \(.*rules.yaml:7\)$'
	like "$source: in place of the severity" "$stdout" ': waived: grown: size is 24, wanted 16 \[grown/size\]$'
	like "$source: and counts it" "$stdout" ': 1 hold, 1 broken, 1 waived$'

	rules '{until: 2026-06-14, why: it moves, owner: fs@example.org}'
	check -f json $image
	is "$source: expired: it fails again" "$status:$(counts)" "1:[1,2,0,0,0,0]"
	is "$source: expired: not waived, and the waiver is told" \
		"$(finding grown/size '[.severity, .waived, .waiver.expired]')" '["error",false,true]'
	check $image
	like "$source: expired: the finding says so" "$stdout" \
		'^    was waived until 2026-06-14 by fs@example.org, which has expired: it'

	rules '' '{why: no reason}'
	check -f json $image
	is "$source: the rule holds: the waiver is a finding" "$status:$(counts)" "1:[1,2,0,0,0,1]"
	is "$source: a warning at its place" \
		"$(finding waiver/kept/size '[.kind, .severity, .outcome, .struct, .pack.line, .waived]')" \
		'["waiver","warning","broken","kept",11,false]'
	check $image
	like "$source: which text has, too" "$stdout" \
		'rules.yaml:11: warning: kept: the waiver of kept/size silences nothing: the rule holds'

	# ---- in a file

	rules
	waivers "{fingerprint: \"$(echo "$of_size" | cut -c 1-12)\", why: it moves}" \
		"{fingerprint: \"$of_apart\", why: so be it, owner: me, until: 2026-12-31}"
	check --waivers waivers.yaml --fail-on note $image
	is "$source: all is waived by fingerprint: 0" "$status" 0
	like "$source: with the reason" "$stdout" '^    waived: it moves \(waivers.yaml:3\)$'
	like "$source: and owner and end" "$stdout" \
		'^    waived until 2026-12-31 by me: so be it \(waivers.yaml:4\)$'
	like "$source: and is counted" "$stdout" ': 1 hold, 0 broken, 2 waived$'
	check --waivers waivers.yaml --today 2027-01-01 $image
	is "$source: until one expires" "$status" 1
	like "$source: expired, from a file" "$stdout" \
		'^    was waived until 2026-12-31 by me, which has expired: so be it \(waivers.yaml:4\)$'

	check --waivers waivers.yaml --fail-on warning before.$source
	is "$source: what has been mended: a warning each" \
		"$status:$(echo "$stdout" | grep -c '^waivers.yaml:[34]: warning: ')" 1:2
	like "$source: and which rule holds" "$stdout" \
		'^waivers.yaml:3: warning: grown: waiver [0-9a-f]{12} silences nothing: grown/size holds \[waiver/'
	like "$source: counted" "$stdout" ', 2 waivers unmatched$'
	check --waivers waivers.yaml before.$source
	is "$source: which is below --fail-on error" "$status" 0
	check --waivers waivers.yaml before.$source after.$source
	unlike "$source: of several images one is enough" "$stdout" 'silences'

	waivers "{fingerprint: 0123456789ab, why: of nothing}"
	check --waivers waivers.yaml $image
	like "$source: a fingerprint of nothing" "$stdout" \
		'^waivers.yaml:3: warning: 0123456789ab: no rule has a finding of this fingerprint'
	waivers "{fingerprint: 0123456789ab, why: of nothing, of: change}"
	check --waivers waivers.yaml $image
	unlike "$source: check knows nothing of changes" "$stdout" 'fingerprint'

	# ---- diff

	rules '{why: it moves}'
	run layoutcheck diff -f json before.$source $image -C grown
	is "$source: diff: the broken rule is waived, too: 0" "$status" 0
	is "$source: diff: and told" "$(change rule_broken '[.waived, .waiver.why]')" '[true,"it moves"]'
	run layoutcheck diff --strict before.$source $image -C grown
	is "$source: diff --strict: the size has changed" "$status" 1
	run layoutcheck diff -f json before.$source $image -C grown
	is "$source: diff: unwaived are size and member" \
		"$(jq -c '[.changes[] | select(.waived | not) | .kind] | sort' "$T/stdout")" '["added","size"]'
	jq -r '.changes[] | select(.waived | not) | .fingerprint[0:12] |
		"{fingerprint: \"\(.)\", why: known, of: change}"' "$T/stdout" >entries
	waivers "$(sed -n 1p entries)" "$(sed -n 2p entries)"
	run layoutcheck diff --waivers waivers.yaml --strict --fail-kind size before.$source $image -C grown
	is "$source: diff: each of them waived: 0, with --strict and --fail-kind" "$status" 0
	like "$source: diff: text says so" "$stdout" ': waived: grown: size grew from 16 to 24 bytes \[size\]$'
	like "$source: diff: with the reason" "$stdout" '^    waived: known \(waivers.yaml:[34]\)$'
	like "$source: diff: counted" "$stdout" ': 0 errors, 0 warnings, 0 notes, 3 waived$'
	waivers "$(sed -n 1p entries)"
	run layoutcheck diff --waivers waivers.yaml --strict before.$source $image -C grown
	is "$source: diff: one of two: 1" "$status" 1
	waivers "$(sed 's/known/known, until: 2026-06-15/' entries | sed -n 1p)"
	run layoutcheck diff --waivers waivers.yaml --strict before.$source $image -C grown
	like "$source: diff: expired" "$stdout" '^    was waived until 2026-06-15, which has expired: known \('
	run layoutcheck diff --waivers waivers.yaml --today 2026-06-16 before.$source before.$source
	like "$source: diff: of no change" "$stdout" '^warning: waivers.yaml:3: [0-9a-f]{12}: no change has this fingerprint$'
	run layoutcheck diff --waivers waivers.yaml before.$source before.$source -C kept
	unlike "$source: diff: which -C may have left out" "$stdout" 'fingerprint'

	rules
	waivers "{fingerprint: \"$of_apart\", why: so be it}"
	run layoutcheck diff --waivers waivers.yaml before.$source $image -C pair -f json
	is "$source: diff: neighbours that a waived rule keeps apart" "$status:$(jq -c '[.changes[] |
		select(.waived) | .kind] | sort' "$T/stdout")" '0:["neighbour","rule_broken"]'
done

# ---- what cannot be told is no reason to delete a waiver

rules
sed -i 's/^layoutcheck: 1/&\nimage: vmlinux/' rules.yaml
waivers "{fingerprint: \"$of_size\", why: it moves}"
printf 'layoutcheck: 1\nstructs: {kept: {rules: [{size: 8, id: other}]}}\n' >other.yaml
check -r rules.yaml -r other.yaml --waivers waivers.yaml after.dwarf
is "a pack for another image: nothing is said" "$status" 0
unlike "of its waivers" "$stdout" 'silences|no rule'
rules '{why: it moves}'
sed -i 's/^layoutcheck: 1/&\nimage: vmlinux/' rules.yaml
check -r rules.yaml -r other.yaml after.dwarf
unlike "nor of those in it" "$stdout" 'silences'
rules "{why: it moves}"
sed -i 's/size: 16/&\n        when: {kernel: ">= 6.0"}/' rules.yaml
check after.dwarf
like "what is unknown can be waived" "$stdout" ': waived: grown: `kernel: >= 6.0` cannot be told'
check before.dwarf nowhere
is "an image that cannot be read: 2" "$status" 2
unlike "and what it may have is not known" "$stdout" 'silences'
rules '{why: it moves}'
sed -i '/^  kept/,$d' rules.yaml
check after.dwarf
is "all that was judged is waived: 0, and that is no empty run" "$status:$stderr" "0:"
run layoutcheck check --today 2026-06-15 -f markdown after.dwarf
like "Markdown: nor there" "$stdout" '^### layoutcheck: passed'

# ---- which day it is

rules '{until: 2026-06-15, why: it moves}'
sed -i '/^  kept/,$d' rules.yaml
SOURCE_DATE_EPOCH=1781567999
export SOURCE_DATE_EPOCH
run layoutcheck check after.dwarf
is "SOURCE_DATE_EPOCH: the last second of the last day" "$status" 0
SOURCE_DATE_EPOCH=1781568000
run layoutcheck check after.dwarf
is "SOURCE_DATE_EPOCH: the next one" "$status" 1
check after.dwarf
is "--today overrides it" "$status" 0
for epoch in -1 x 0x10 1781568000.5 253402300800; do
	SOURCE_DATE_EPOCH=$epoch
	run layoutcheck check after.dwarf
	one_sentence "SOURCE_DATE_EPOCH=$epoch"
done
unset SOURCE_DATE_EPOCH
run layoutcheck check after.dwarf
is "without any, the clock's" "$status" "$([ "$(date -u +%Y%m%d)" -gt 20260615 ] && echo 1 || echo 0)"
for day in 2026-13-01 2026-02-29 2026-6-15 yesterday ''; do
	run layoutcheck check --today "$day" after.dwarf
	one_sentence "--today $day"
	run layoutcheck diff --today "$day" before.dwarf after.dwarf
	one_sentence "diff --today $day"
done
check --today 2024-02-29 after.dwarf
is "a leap day" "$status" 0

# ---- wrong files

# wrong NAME SENTENCE [ENTRY]...
wrong() {
	name=$1
	sentence=$2
	shift 2
	waivers "$@"
	for command in 'check' 'diff before.dwarf'; do
		# shellcheck disable=SC2086 # two words
		run layoutcheck $command --today 2026-06-15 --waivers waivers.yaml after.dwarf
		is "$name: 2, and nothing is printed (${command%% *})" "$status:$stdout" "2:"
		like "$name: $sentence" "$stderr" "^waivers.yaml:[0-9]+:[0-9]+: $sentence"
	done
}
rules
wrong "without a reason" 'a waiver needs `why`' "{fingerprint: $of_size}"
wrong "without a fingerprint" 'a waiver needs `fingerprint`' "{why: x}"
wrong "eleven digits" '`fingerprint` must be 12 to 64 digits of 0 to 9 and a to f' "{fingerprint: aaaaaaaaaaa, why: x}"
wrong "no digits" '`fingerprint` must be 12' "{fingerprint: ABCDEFABCDEF, why: x}"
wrong "a number" '`fingerprint` must be text: put 123456789012 in quotes' "{fingerprint: 123456789012, why: x}"
wrong "no day" '`until` must be a day, as 2026-12-31, not `2026-02-30`' "{fingerprint: aaaaaaaaaaaa, why: x, until: 2026-02-30}"
wrong "an unknown key" 'unknown key `untill`; did you mean `until`[?]' "{fingerprint: aaaaaaaaaaaa, why: x, untill: 2026-02-03}"
wrong "of what" '`of` must be one of finding, change, not `rule`' "{fingerprint: aaaaaaaaaaaa, why: x, of: rule}"
wrong "twice" 'fingerprint aaaaaaaaaaaab stands twice: first at 4:5' \
	"{fingerprint: bbbbbbbbbbbb, why: x}" "{fingerprint: aaaaaaaaaaaa, why: x}" "{fingerprint: aaaaaaaaaaaab, why: x}"
run layoutcheck check --waivers rules.yaml after.dwarf
like "a pack is no waiver file" "$stderr" 'a waiver file needs `layoutcheck-waivers`'
run layoutcheck check --waivers nowhere.yaml after.dwarf
one_sentence "a file that is not there"
printf 'layoutcheck-waivers: 2\nnew: 1\n' >waivers.yaml
run layoutcheck check --waivers waivers.yaml after.dwarf
like "a later form" "$stderr" 'version 2 of waiver files is not known here; 1 is'
printf 'layoutcheck-waivers: 1\nwaivers: []\n' >waivers.yaml
run layoutcheck check --waivers waivers.yaml before.dwarf
is "an empty list is fine" "$status" 0
rules '{until: 2026-06-15, owner: me}'
run layoutcheck check after.dwarf
like "waive: without a reason" "$stderr" '^.*rules.yaml:7:16: `waive` needs `why`'

done_testing
