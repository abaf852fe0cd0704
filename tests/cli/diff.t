#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What `diff` prints and how it ends; each kind of change is in diff_pairs.t.
. "$(dirname "$0")/../lib.sh"
need clang ld.lld pahole jq

ok "the images are made" tests/story.sh "$T/story"
cd "$T/story" || exit 1

# diff ARG...: of the two builds, with their rules
diff_story() {
	run layoutcheck diff -r story.yaml "$@" before after
}

# ---- text

diff_story
is "a promise is broken: 1" "$status:$stderr" "1:"
like "what broke, in a sentence" "$stdout" \
	'^story\.c:[0-9]+: error: counter: counter/size held and is broken: size is 256, wanted <= 192 \[rule_broken\]$'
like "and what broke it" "$stdout" \
	'^    local_watermark \(offset 120, 8 bytes\) filled line 1, failures \(offset 128\) opened line 2$'
like "where the rule stands" "$stdout" '^    story\.yaml:[0-9]+$'
like "a run is one line" "$stdout" \
	'note: files: \+8 from `table` to `mask`, pushed by `next`, which moved before it \[moved\]$'
like "members kept apart that met" "$stdout" \
	'error: files: `lock` \(written\) shares line 0 with `table` \(lookup\) now \[neighbour\]$'
like "as severe as the rule, though that was broken before" "$stdout" \
	'warning: worn: `flags` shares line 0 with `lock` now \[neighbour\]$'
unlike "which is not told again" "$stdout" 'worn/apart'
like "a margin that shrank" "$stdout" \
	'note: queue: queue/size holds with [0-9]+ bytes to spare, and had [0-9]+ \[margin\]$'
like "a rule whose struct is gone" "$stdout" \
	'^story\.c:[0-9]+: note: gone: gone/size held and has lost what it speaks of: '
like "a type that appeared" "$stdout" 'note: latest: appeared: 4 bytes, 1 line \[appeared\]$'
like "a type that vanished" "$stdout" 'note: gone: vanished: 4 bytes, 1 line \[vanished\]$'
like "a name that became ambiguous" "$stdout" \
	'warning: twin: the name has 2 different definitions, and had one \[ambiguous\]$'
unlike "what is the same is not told" "$stdout" ': still: '
like "the worst: lines" "$stdout" '^  counter +3 lines +4 lines +\+1$'
like "the worst: bytes" "$stdout" '^  counter +192 bytes +256 bytes +\+64$'
like "the last line counts" "$(tail -n 1 "$T/stdout")" \
	'^before \(DWARF, x86_64, 64-byte lines\) -> after \(DWARF, x86_64, 64-byte lines\): 8 types compared, 5 changed, 2 appeared, 1 vanished: [0-9]+ errors, [0-9]+ warnings, [0-9]+ notes$'
is "it counts the errors" "$(grep -c '^[^ ]*: error: ' "$T/stdout")" \
	"$(sed -n 's/.*vanished: \([0-9]*\) errors.*/\1/p' "$T/stdout")"

diff_story -v
like "--verbose: why there is the rule" "$stdout" '^    why: three lines, one for each way of use$'
diff_story -q
unlike "--quiet: no summary, no tables" "$stdout" '^(before|most|  [^ ])'
like "--quiet: but the changes" "$stdout" 'counter/size held'
diff_story --color always
like "--color always" "$stdout" "$(printf '\033')\\[1;31merror"

run layoutcheck diff -r story.yaml --arch x86_64 before.btf after.btf
is "from BTF: 1, too" "$status" 1
like "from BTF the place is the image" "$stdout" \
	'^after\.btf: error: counter: counter/size held and is broken: '
run layoutcheck diff -r story.yaml --arch x86_64 before after.btf
like "DWARF against BTF is told" "$stdout" \
	'^warning: after\.btf does not say how types are aligned \(BTF\): alignments are not compared$'
run layoutcheck diff -r story.yaml before.btf after
like "a machine that one side does not say is told" "$stdout" \
	'^warning: before\.btf does not say which machine it is for: it is taken to be that of after$'
run layoutcheck diff -r story.yaml before.btf after.btf
like "lines that cannot be known are told" "$stdout" '^warning: the size of a cache line is not known'
unlike "and not compared" "$stdout" 'crossed_line'

# ---- -C

diff_story -C queue,worn
is "-C: no error among these" "$status" 0
unlike "-C: nothing else" "$stdout" ': (counter|files|twin|gone): '
like "-C: is counted" "$stdout" ': 2 types compared, 2 changed, '
unlike "-C: no tables" "$stdout" '^most'
diff_story -C gone
like "-C of what is on one side" "$stdout" 'gone: vanished'
diff_story -C counter -C cuonter
is "-C of what is on no side: 2, and the rest is told" "$status:$(grep -c 'counter/size' "$T/stdout")" "2:1"
like "and what may have been meant" "$stderr" 'there is no type `cuonter`; did you mean `counter`\?$'
diff_story -C ,
one_sentence "-C of nothing"

# ---- exit status

run layoutcheck diff -r story.yaml before before
is "the same image: 0, nothing but the count" "$status:$(wc -l <"$T/stdout")" "0:1"
run layoutcheck diff -r story.yaml --strict before before
is "the same image, --strict: 0" "$status" 0
diff_story -C queue --strict
is "--strict: any change" "$status" 1
diff_story -C queue --fail-kind removed,renamed
is "--fail-kind of kinds that are not there" "$status" 0
diff_story -C queue --fail-kind removed,straddles
is "--fail-kind of one that is" "$status" 1
like "it is an error then" "$stdout" 'error: queue: `gate.owner` straddles'
diff_story -C queue --fail-kind ''
is "--fail-kind of none" "$status $stderr" "2 layoutcheck: diff: option \`--fail-kind\` names no kind"
diff_story -C queue --fail-kind straddels
one_sentence "--fail-kind of what is no kind"
like "and which was meant" "$stderr" 'there is no kind `straddels`; did you mean `straddles`\?$'
run layoutcheck diff before
one_sentence "one image"
run layoutcheck diff before after before
one_sentence "three images"
run layoutcheck diff before nowhere
one_sentence "an image that is not there"
run layoutcheck diff -r story.yaml before after -o /dev/full
is "a full disk: 2" "$status" 2

clang --target=aarch64-linux-gnu -g -c story.c -o other
run layoutcheck diff -r story.yaml before other
one_sentence "another machine"
like "is named" "$stderr" 'before is for x86_64 and other for aarch64: their layouts cannot be compared$'

# ---- --cpus

diff_story --cpus 4
unlike "objects a slab of what is no kernel: not known" "$stdout" 'a slab, '
diff_story --cpus 0
one_sentence "--cpus 0"

# ---- check --baseline

run layoutcheck check -r story.yaml after
unlike "check alone does not know what changed" "$stdout" 'was put behind'
run layoutcheck check -r story.yaml --baseline before after
is "with --baseline the verdict is the same" "$status" 1
like "the cause is the diff's" "$(grep -A1 'files/apart' "$T/stdout")" \
	'^    lock \(offset 4, 4 bytes\) was put behind `count`$'
like "of the size, too" "$(grep -A1 'counter/size' "$T/stdout")" \
	'^    local_watermark \(offset 120, 8 bytes\) filled line 1, failures \(offset 128\) opened line 2$'
run layoutcheck check -r story.yaml --baseline before.btf --arch x86_64 after
like "what cannot be compared is told" "$stdout" \
	'^after: warning: before\.btf does not say how types are aligned'
run layoutcheck check -r story.yaml --baseline other after
one_sentence "a baseline for another machine"
run layoutcheck check -r story.yaml --baseline nowhere after
one_sentence "a baseline that is not there"

# ---- JSON

diff_story -f json
is "JSON: 1, too" "$status" 1
is "the keys" "$(jq -c 'keys_unsorted' "$T/stdout")" \
	'["version","old","new","line","cpus","warnings","changes","worst","hot","summary"]'
is "the images" "$(jq -c '[.old.path, .new.path, .old.source, .line, .cpus]' "$T/stdout")" \
	'["before","after","dwarf",64,null]'
is "a broken rule" "$(jq -c '.changes[] | select(.rule == "counter/size") |
	[.struct, .kind, .severity, .old, .new, .pack.file, .decl.file, .waived]' "$T/stdout")" \
	'["counter","rule_broken","error","holds","broken","story.yaml","story.c",false]'
is "a run" "$(jq -c '.changes[] | select(.struct == "files" and .member == "table" and
	.kind == "moved") | [.members, .old, .new, .offset, .size, .cacheline]' "$T/stdout")" \
	'[2,"offset 8","offset 16",16,16,0]'
is "what appeared was declared nowhere" "$(jq -c '.changes[] | select(.kind == "appeared" and
	.struct == "latest") | [.old_decl, .decl.file, .old, .new]' "$T/stdout")" \
	'[null,"story.c",null,"4"]'
is "the summary counts" "$(jq '.summary | .errors + .warnings + .notes + .waived' "$T/stdout")" \
	"$(jq '.changes | length' "$T/stdout")"
is "fingerprints differ" "$(jq -r '.changes[] | .fingerprint' "$T/stdout" | sort | uniq -d | wc -l)" 0
cp "$T/stdout" first
diff_story -f json
same "the same bytes again" first "$T/stdout"

done_testing
