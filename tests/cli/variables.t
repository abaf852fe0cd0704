#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules on variables: every kind fires and has a near miss, on linked programs of 64 and 32 bit and
# on an object file, whose sections have no place yet; with the neighbours named. No debug info is
# looked at for them.
. "$(dirname "$0")/../lib.sh"
need gcc strip python3 pahole

# ---- images

cp tests/fixtures/variables.c "$T/main.c"
cp tests/fixtures/variables.c "$T/other.c"
echo 'SECTIONS { .data..percpu : { *(.data..percpu) } } INSERT BEFORE .data;' >"$T/percpu.ld"
for bits in 64 32; do
	flags="-m$bits -O1 -fno-toplevel-reorder -fno-pie"
	# shellcheck disable=SC2086 # words
	(cd "$T" && gcc $flags -g -c -o "main$bits.o" main.c && gcc $flags -DOTHER -c -o "other$bits.o" other.c &&
		gcc -m$bits -nostdlib -static -no-pie -Wl,-e,0 -Wl,-T,percpu.ld -o "linked$bits" \
			"main$bits.o" "other$bits.o")
done

# ---- kinds

# try WORD RULE LINKED OBJECT [MESSAGE [CAUSE]]: the outcomes, as their first letters, - for one that
# does not apply; of the linked programs with message and cause. Those of 32 bit are the same.
cases=0
printf 'layoutcheck: 1\nvariables:\n  groups:\n    pair: [lock, jiffies]\n    data: [committed, queue]\n  rules:\n' >"$T/pack.yaml"
try() {
	cases=$((cases + 1))
	printf '    - {%s, id: "%s"}\n' "$1" "$cases" >>"$T/pack.yaml"
	printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$cases" "$1" "$2" "$3" "${4-}" "${5-}" >>"$T/cases"
}

try 'alone: committed' b b 'queue follows at +40 on its line' 'tail at +48 is there, too; committed starts a line and fills 40 of its 64 bytes: an alignment keeps only the start'
try 'alone: lock' h h 'nothing else is on its lines'
try 'alone: tail' b b 'committed stands before at -48 on its line' 'queue at -8 and wide at +48 are there, too'
try 'alone: full' h h
try 'alone: next' h h
try 'alone: last' b b 'hidden follows at +4 on its line' 'mine at +8 and count.0 at +12 are there, too; last starts a line and fills 4 of its 64 bytes: an alignment keeps only the start'
try 'alone: jiffies' h h
try 'alone: ticks' h h
try 'alone: pair' h h 'nothing else is on the lines of the variables of pair'
try 'alone: data' b b 'tail follows committed at +48 on its line'
try 'alone: [next], granule: 128' b b
try 'alone: cpu_state' b b 'cpu_flag follows at +4 on its line'
try 'alone: cpu_far' h u
try 'alone: nothing' - - 'nothing occupies nothing here'

try 'starts_line: committed' h h 'starts a line'
try 'starts_line: queue' b b 'begins at byte 40 of a line' 'committed (40 bytes) stands before it at -40'
try 'starts_line: [lock, jiffies, cpu_far, nothing]' h h
try 'starts_line: full, granule: 4096' b u
try 'starts_line: option' b u

try 'together: data' h h 'the variables of data touch 1 line'
try 'together: [committed, lock]' b b 'the variables touch 2 lines, wanted <= 1'
try 'together: [committed, lock], lines: 2' h h
try 'together: [committed, wide], lines: 2' b b 'the variables touch 3 lines, wanted <= 2'
try 'together: [jiffies, ticks]' h h
try 'together: [lock, cpu_state]' b u
try 'together: [cpu_state, cpu_flag]' h h

try 'apart: [lock, jiffies, full]' h h 'no line holds two of the 3'
try 'apart: [lock, committed, queue]' b b 'queue follows committed at +40 on its line'
try 'apart: [pair, data]' h h
try 'apart: [pair, [next, last]], granule: 4096' b u
try 'apart: [tail, wide]' b b
try 'apart: [jiffies, ticks]' b b 'jiffies and ticks are one variable'
try 'apart: [cpu_flag, lock]' h h
try 'apart: [cpu_flag, cpu_far]' h h
try 'apart: [option, lock]' h u

try 'size: {committed: 40, wide: ">= 80"}' h h 'size is 40, wanted 40'
try 'size: {committed: "< 40"}' b b 'size is 40, wanted < 40'
try 'size: {wide: {x86_64: 80, i386: 80}}' h h

try 'within: [cpu_state, cpu_far], section: .data..percpu' h h 'is in .data..percpu, wanted .data..percpu'
try 'within: lock, section: .data..percpu' b b 'is in .data, wanted .data..percpu'
try 'within: option, between: [__start_once, __stop_once]' h m 'is in what __start_once and __stop_once enclose'
try 'within: lock, between: [__start_once, __stop_once]' b m 'is before what __start_once and __stop_once enclose'
try 'within: cpu_flag, between: [cpu_state, cpu_far]' h h
try 'within: cpu_far, between: [cpu_state, cpu_far]' b b 'is behind what cpu_state and cpu_far enclose'
try 'within: lock, between: [cpu_state, cpu_far]' b u 'is elsewhere than what cpu_state and cpu_far enclose'

# ---- which variable

try 'alone: lokc' m m 'lokc is not in this image'
try 'alone: "lokc?"' - - 'lokc is not in this image'
try 'alone: lokc, optional: true' - -
try 'alone: lokc|lock' h h
try 'alone: lokc|lcok' m m 'none of lokc|lcok is in this image'
try 'alone: of_thread' u u 'of_thread is thread-local: each thread has its own'
try 'alone: count' b b 'last stands before at -12 on its line'
try 'alone: count.0' b b
try 'together: [lock, "lokc?"]' - - 'lokc is not in this image'
try 'alone: hidden' u b 'there are 2 variables hidden, those of main.c, other.c'

cat >>"$T/pack.yaml" <<'END'
structs:
  none: {optional: true, rules: [{size: 1, id: of-a-struct}]}
END

# judge IMAGE: $T/got has each case with the first letter of its worst outcome; $T/said, of those that
# want it, with message and cause. $T/wanted and $T/words are what they should be.
judge() {
	layoutcheck check -r "$T/pack.yaml" --all -f json "$T/$1" >"$T/report.json"
	python3 - "$T" "$1" <<'END'
import json, os, sys
T, image = sys.argv[1:]
found = {}
for f in json.load(open(f"{T}/report.json"))["findings"]:
    found.setdefault(f["rule"], []).append(f)
files = {name: open(f"{T}/{name}", "w") for name in ("got", "wanted", "said", "words")}
for case in open(f"{T}/cases"):
    id, rule, linked, unlinked, message, cause = case.rstrip("\n").split("\t")
    letters = [f["outcome"][0].replace("n", "-") for f in found[id]]
    worst = next(letter for letter in "bmuh-" if letter in letters)
    print(rule, worst, file=files["got"])
    print(rule, unlinked if image.endswith(".o") else linked, file=files["wanted"])
    if message and not image.endswith(".o"):
        print(rule, found[id][0]["message"], found[id][0]["cause"] if cause else "", sep="\n  ", file=files["said"])
        print(rule, message, cause, sep="\n  ", file=files["words"])
END
}
for image in linked64 linked32 main64.o; do
	judge "$image"
	same "$image: outcomes" "$T/got" "$T/wanted"
	same "$image: words" "$T/said" "$T/words"
done
report=$(cat "$T/report.json")
like "of a section that is aligned to less than a line" "$report" \
	'where in a line once will begin is not known: it is aligned to 4 bytes'
like "of the line at its end" "$report" \
	'what the linker puts beside .data..percpu, whose bytes do not fill the line, is not known'

# Each kind there is.
for kind in $(sed '1,/variable_kinds/d' src/rule/kinds.c | grep -o '&kind_[a-z_]*' | sed 's/&kind_//; s/^variable_//'); do
	for outcome in b h; do
		ok "$kind: $outcome in a case above" awk -F '\t' -v kind="$kind:" -v outcome=$outcome '
			index($2, kind) == 1 && $3 == outcome { n++ } END { exit !n }' "$T/cases"
	done
done

# ---- images that know less

# check IMAGE RULE KEY: what the key of the first finding says
check() {
	printf 'layoutcheck: 1\nvariables:\n%s' "$2" >"$T/one.yaml"
	run layoutcheck check -r "$T/one.yaml" --all -f json "$T/$1"
	said=$(echo "$stdout" | sed -n 's/^ *"outcome": "\(.*\)",$/\1/p; s/^ *"message": "\(.*\)",$/\1/p' |
		head -n 2 | paste -sd : | sed 's/:/: /')
}
alone='  rules: [{alone: lock}]
'
check linked64 "  source: main.c
  rules: [{alone: hidden}]
"
is "a file says which of several static ones" "$said" "broken: last stands before at -4 on its line"
check linked64 "  source: src/other.c
  rules: [{alone: hidden}]
"
is "as far as the symbol table knows it" "$said" "holds: nothing else is on its lines"
check linked64 "  source: gone.c
  rules: [{alone: hidden}]
"
is "another file is none" "$said" \
	"missing: hidden is not in this image for gone.c, but for main.c, other.c"
strip -g -o "$T/nodebug" "$T/linked64"
check nodebug "$alone"
is "without debug info" "$said" "holds: nothing else is on its lines"
like "which the report says" "$stdout" '"source": "symbols"'
check nodebug '  rules: [{alone: lock, when: {has: files}}]
'
is "what would need it is unknown" "$said" \
	'unknown: `has(files)` cannot be told: the image has no debug info'
printf 'layoutcheck: 1\nstructs: {files: {rules: [{size: 1}]}}\n' >"$T/struct.yaml"
exits "but a rule on a struct needs some" 2 layoutcheck check -r "$T/struct.yaml" "$T/nodebug"
strip -o "$T/stripped" "$T/linked64"
check stripped "$alone"
is "without symbols" "$said" "unknown: the image has no symbol table"
gcc -g -shared -nostdlib -Wl,-Bsymbolic -fno-toplevel-reorder -fPIC -o "$T/shared" "$T/main.c"
strip -o "$T/dynamic" "$T/shared"
check dynamic "$alone"
is "with dynamic symbols, nobody knows who else is there" "$said" \
	"unknown: local symbols are stripped: what else is on its lines is not known"
check dynamic '  rules: [{alone: committed}]
'
is "but who is known breaks the rule" "$said" "broken: queue follows at +40 on its line"
check dynamic '  rules: [{alone: mine}]
'
is "and who is not there may have been" "$said" \
	"unknown: mine is not in this image, from which local symbols are stripped"

# Raw BTF cannot tell of any: that is said once where it fails nothing.
pahole --btf_encode_detached="$T/types.btf" "$T/linked64"
several() { # several SEVERITY RULE...
	severity=$1
	shift
	{
		printf 'layoutcheck: 1\nvariables:\n  rules:\n'
		printf "    - {alone: %s, severity: $severity}\n" "$@"
	} >"$T/several.yaml"
}
told() {
	run layoutcheck check "$@" -r "$T/several.yaml" "$T/types.btf"
	told=$(grep -c 'BTF does not say where variables are' "$T/stdout")
}
several note a b c d
told
is "four notes are told as one" "$told" 1
like "which counts them" "$stdout" '^    the same of 3 more rules, the last at .*several\.yaml:7 \(-v lists them\)$'
like "as the last line does" "$stdout" ' 4 unknown'
told -v
is "-v tells each" "$told" 4
several note a b c
told
is "three are told each" "$told" 3
several error a b c d
told
is "and what fails is, however often" "$told" 4

# ---- reports

cat >"$T/report.yaml" <<'END'
layoutcheck: 1
variables:
  rules:
    - alone: committed
      why: it is written
    - apart: [lock, queue, committed]
END
for format in text markdown html github gitlab junit sarif tap json; do
	run layoutcheck check -r "$T/report.yaml" -f $format "$T/linked64"
	is "$format: two findings, which are told" "$status $(
		echo "$stdout" | grep -c 'queue follows at ') $(
		echo "$stdout" | grep -c 'queue follows committed at ')" "1 1 1"
done
run layoutcheck check -r "$T/report.yaml" -f json "$T/linked64"
ok "as JSON: where it is" python3 -c '
import json, sys
one, many = json.load(open(sys.argv[1]))["findings"]
assert one["struct"] is None and one["variables"] == "committed", one
assert int(one["address"], 16) % 64 == 0 and one["size"] == 40 and one["section"] == ".data", one
assert one["rule"] == "variables/alone/committed", one
assert many["variables"] == "lock, queue, committed" and "address" not in many, many
' "$T/stdout"
run layoutcheck check -r "$T/report.yaml" -f sarif "$T/linked64"
like "SARIF calls it a variable" "$stdout" '"kind": "variable"'
fingerprint=$(layoutcheck check -r "$T/report.yaml" -v "$T/linked64" | sed -n 's/.*fingerprint: //p' | head -n 1)
printf 'layoutcheck-waivers: 1\nwaivers: [{fingerprint: %s, why: known}]\n' "$fingerprint" >"$T/waivers.yaml"
run layoutcheck check -r "$T/report.yaml" --waivers "$T/waivers.yaml" "$T/linked64"
like "a waiver meets it" "$stdout" ': waived: committed: queue follows'
sed -i 's/alone: committed/alone: lock/' "$T/report.yaml"
fingerprint=$(layoutcheck check -r "$T/report.yaml" --all -v "$T/linked64" | sed -n 's/.*fingerprint: //p' | head -n 1)
printf 'layoutcheck-waivers: 1\nwaivers: [{fingerprint: %s, why: known}]\n' "$fingerprint" >"$T/waivers.yaml"
run layoutcheck check -r "$T/report.yaml" --waivers "$T/waivers.yaml" "$T/linked64"
like "and one of what holds is told" "$stdout" '1 waiver unmatched'

# ---- diff

(cd "$T" && gcc -O1 -fno-toplevel-reorder -fno-pie -g -DAFTER -c -o after.o main.c &&
	gcc -nostdlib -static -no-pie -Wl,-e,0 -Wl,-T,percpu.ld -o after after.o other64.o)
cat >"$T/diff.yaml" <<'END'
layoutcheck: 1
variables:
  rules:
    - together: [committed, queue]
    - alone: committed
    - alone: last
END
diff_says() { # diff_says ARG...: each change, with its cause
	run layoutcheck diff -q -r "$T/diff.yaml" "$@"
	sed 's/^[^ ][^ ]* //' "$T/stdout" | grep -v diff.yaml
}
cat >"$T/wanted" <<'END'
warning: committed: `fresh` came onto its line, at +40 [beside]
    it is new
note: committed: `queue` left its line, where it was at +40 [beside]
    it is on another line
error: committed, queue: variables/together/committed,queue held and is broken: the variables touch 2 lines, wanted <= 1 [rule_broken]
note: last: `count` left its line, where it was at +12 [beside]
    it is on another line
note: last: `hidden` left its line, where it was at +4 [beside]
    it is on another line
note: last: `mine` left its line, where it was at +8 [beside]
    it is on another line
warning: queue: `count` came onto its line, at +12 [beside]
    it was on another line
warning: queue: `hidden` came onto its line, at +4 [beside]
    it was on another line
warning: queue: `mine` came onto its line, at +8 [beside]
    it was on another line
note: queue: `committed` left its line, where it was at -40 [beside]
    it is on another line
note: queue: `tail` left its line, where it was at +8 [beside]
    it is on another line
END
diff_says "$T/linked64" "$T/after" >"$T/got"
same "diff: who came and left" "$T/got" "$T/wanted"
is "diff: a broken rule fails" "$(diff_says "$T/linked64" "$T/linked64"; echo "$status")" 0
diff_says -C files "$T/linked64" "$T/after" >"$T/got"
unlike "diff: not when types are asked for" "$(cat "$T/got")" '\[beside\]'
diff_says --variables .data "$T/linked64" "$T/after" >"$T/got"
like "diff: of all variables of a section" "$(cat "$T/got")" \
	'^warning: mine: `queue` came onto its line, at -'
diff_says --variables .data..percpu "$T/linked64" "$T/after" >"$T/got"
is "diff: of those of each CPU, which stay" "$(grep -c cpu_ "$T/got")" 0
diff_says "$T/main64.o" "$T/after.o" >"$T/got"
is "diff: of object files, where sections are aligned enough" "$(grep -c '^[a-z]*: committed: ' "$T/got")" 2
for section in .nosuch ''; do
	run layoutcheck diff --variables "$section" "$T/linked64" "$T/after"
	one_sentence "diff: a section that is not there: \"$section\""
done
run layoutcheck snapshot --all -o "$T/after.snapshot" "$T/linked64"
run layoutcheck diff --variables .data "$T/after.snapshot" "$T/after"
one_sentence "diff: an image that does not tell variables"
cat >"$T/numbered.c" <<'END'
int f(void) { static int count = 1; return count++; }
int g(void) { static int sum = 1; return sum++; }
#ifdef AFTER
int h(void) { static int fresh = 1; return fresh++; }
#endif
END
for side in before after; do
	flags=
	[ $side = before ] || flags=-DAFTER
	gcc $flags -nostdlib -static -no-pie -Wl,-e,0 -o "$T/numbered.$side" "$T/numbered.c"
	strip --strip-debug "$T/numbered.$side"
done
printf 'layoutcheck: 1\nvariables:\n  rules:\n    - alone: count\n' >"$T/numbered.yaml"
run layoutcheck diff -q -r "$T/numbered.yaml" --variables .data "$T/numbered.before" "$T/numbered.after"
is "diff: numbers behind names that move, and each variable once" \
	"$(grep -o '[a-z]*: `fresh` came' "$T/stdout" | tr '\n' ';')" 'count: `fresh` came;sum: `fresh` came;'
run layoutcheck diff -r "$T/diff.yaml" -f json "$T/linked64" "$T/after"
like "as JSON: of variables" "$stdout" '"variables": "committed"'
for format in markdown html github gitlab junit sarif tap; do
	run layoutcheck diff -r "$T/diff.yaml" -f $format "$T/linked64" "$T/after"
	is "$format: fails" "$status" 1
	like "$format: who came" "$stdout" 'fresh.* came onto its line'
done

run layoutcheck rules export --asserts "$T/report.yaml"
like "what C cannot assert" "$stdout" 'not asserted: where variables lie is up to the linker'

done_testing
