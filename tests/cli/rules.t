#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# layoutcheck rules: list, explain, lint, --kinds, and packs made of images, which hold on them.
. "$(dirname "$0")/../lib.sh"
need gcc g++ pahole python3

kinds=$(grep -o '&kind_[a-z_]*' src/rule/kinds.c | sed 's/&kind_//; s/^variable_//')

# ---- --kinds and explain

run layoutcheck rules --kinds
is "--kinds: 0, nothing on standard error" "$status:$stderr" "0:"
is "--kinds lists each kind, in the order of the table" \
	"$(echo "$stdout" | sed -n 's/^  \([a-z_]*\): .*/\1/p' | xargs)" "$(echo "$kinds" | xargs)"
like "with parameters and what they are if absent" "$stdout" '^      lines: N .*; 1 if absent'
unlike "but nothing where nothing stands in" "$stdout" '18446744073709551615'
run layoutcheck rules --kinds -f json
ok "as JSON: the same names, with arguments, parameters and help" python3 -c '
import json, sys
report = json.load(open(sys.argv[1]))
assert report["version"] == 1
assert [kind["name"] for kind in report["kinds"]] == sys.argv[2].split(), report["kinds"]
assert all(kind["help"] and kind["argument"] for kind in report["kinds"])
kinds = {kind["name"]: kind for kind in report["kinds"] if kind["of"] == "structs"}
within = [kind for kind in report["kinds"] if kind["of"] == "variables"][-1]
assert [(p["name"], p["type"]) for p in within["parameters"]] == [
    ("section", "NAME"), ("between", "[NAME, NAME]")]
together = kinds["together"]
assert together["granule"] is True and kinds["size"]["granule"] is False
assert [(p["name"], p["default"]) for p in together["parameters"]] == [("lines", 1)]
assert [(p["name"], p["type"], p["default"]) for p in kinds["group"]["parameters"]] == [
    ("bytes", "EXPRESSION", None), ("start", "EXPRESSION", None), ("lines", "N", None),
    ("members", "MEMBERS", None)]
' "$T/stdout" "$kinds"
for kind in $kinds; do
	run layoutcheck rules explain "$kind"
	is "explain $kind: 0" "$status:$stderr" "0:"
	like "explain $kind: its line" "$stdout" "^  $kind: "
done

cat >"$T/one.yaml" <<'END'
layoutcheck: 1
title: A pack
structs:
  files:
    groups:
      lookup: [fdt]
    rules:
      - apart: [lookup, lock]
        why: every lookup reads fdt
        severity: warning

      - size: "<= 704"
        origin: a mail
END
run layoutcheck rules explain -r "$T/one.yaml" files/apart/lookup,lock files/size
is "explain of rules: 0" "$status" 0
like "where it stands, how severe it is" "$stdout" \
	'^files/apart/lookup,lock: warning, .*/one.yaml:8, of files$'
like "what it says, all of it" "$stdout" '^      why: every lookup reads fdt$'
like "what its kind means" "$stdout" '^  apart: .*no line holds something of two items'
like "the other one, too" "$stdout" '^    - size: "<= 704"$'
is "and nothing twice" "$(echo "$stdout" | grep -c 'origin: a mail')" 1
run layoutcheck rules explain -r "$T/one.yaml" files/siez
is "explain of what is not there: 1" "$status" 1
like "names the nearest" "$stderr" 'no kind and no rule is called `files/siez`; did you mean `files/size`'
exits "explain of nothing: 2" 2 layoutcheck rules explain

# ---- list

run layoutcheck rules -r "$T/one.yaml"
is "without a command: the list" "$status" 0
first=$stdout
run layoutcheck rules list -r "$T/one.yaml"
is "as list has it" "$stdout" "$first"
like "a pack, its title" "$stdout" '/one.yaml: A pack$'
like "a rule, its kind, its severity" "$stdout" '^  files/apart/lookup,lock  apart  warning$'
run layoutcheck rules list -r "$T/one.yaml" -f json
ok "as JSON" python3 -c '
import json, sys
pack = json.load(open(sys.argv[1]))["packs"][0]
assert pack["title"] == "A pack" and pack["image"] is None
assert [r["id"] for r in pack["rules"]] == ["files/apart/lookup,lock", "files/size"]
assert pack["rules"][0]["why"] == "every lookup reads fdt" and pack["rules"][0]["line"] == 8
assert pack["rules"][1] == {"id": "files/size", "kind": "size", "severity": "error",
    "struct": "files", "line": 12, "why": None, "origin": "a mail"}
' "$T/stdout"
run layoutcheck rules list
like "the packs that came with the program" "$stdout" '^rules/linux/files.yaml: '
exits "a pack that is wrong: 2" 2 layoutcheck rules list -r tests/fixtures/rules/bad/rule.yaml
exits "an operand too many: 2" 2 layoutcheck rules list "$T/one.yaml"
run layoutcheck rules lits
one_sentence "an unknown command"
like "names the nearest" "$stderr" 'unknown command `lits`; did you mean `list`'
exits "no JSON where there is none: 2" 2 layoutcheck rules lint -f json "$T/one.yaml"
exits "--kinds and a command: 2" 2 layoutcheck rules --kinds lint
for stray in 'learn -C a -k image' 'learn -C a --asserts' 'lint --fail-on note' 'from-markers -C a' \
	'export --asserts -C a' '-C a'; do
	# shellcheck disable=SC2086 # words
	run layoutcheck rules $stray
	one_sentence "an option of another command: $stray"
done
exits "a full disk: 2" 2 layoutcheck rules list -r "$T/one.yaml" -o /dev/full

# ---- lint

cat >"$T/odd.yaml" <<'END'
layoutcheck: 1
structs:
  odd:
    groups: {used: [a, b], unused: [c]}
    rules:
      - {size: "< 0", id: l6}
      - {align: 48, id: l7}
      - {offset: {a: "< 0"}, id: l8}
      - {apart: [used, [b, c]], id: l9}
      - {classes: {read_mostly: used, written: [a, d]}, id: l10}
      - {bucket: 96, buckets: [64, 128], id: l11}
      - {max_lines: 0, id: l12}
      - {max_hole: 8, when: {kernel: [">= 6.5", "< 6.1"], bits: 64}, id: l13}
      - {present: d, id: l14}
      - {absent: d, id: l15}
  sizes:
    rules:
      - {size: ">= 100", id: l18}
      - {size: "% 64", id: l19}
      - {size: "< 128", id: l20}
  kernels:
    rules:
      - {max_hole: 9, since: 6.5, until: 6.5, id: l23}
      - {max_hole: 9, since: 6.5, when: {kernel: "< 6.4"}, id: l24}
  fine:
    groups: {used: [a, b], listed: [c], inside: [d], seldom: [e]}
    rules:
      - size: "% 48"
      - {size: "> 100", id: f1}
      - {size: "<= 144", id: f2}
      - {size: "!= 96", id: f3}
      - apart: [used, [listed, x]]
      - {group: g, members: inside}
      - classes: {read_mostly: used, written: [z], cold: [a, z], rarely_written: seldom}
      - {bucket: 128, buckets: [64, 128]}
      - {present: p, when: {bits: 64}}
      - {absent: p, when: {bits: 32}}
      - {offset: {a: "% 3"}}
      - {align: ">= 3"}
      - {max_hole: 8, when: {kernel: [">= 6.12.3", "<= 6.12"]}}
      - {max_hole: 9, when: {kernel: [">= 6.1", "< 6.5"]}, id: f4}
      - {max_hole: 9, since: 6.1, until: 6.1.1, id: f5}
END
run layoutcheck rules lint "$T/odd.yaml"
is "lint complains: 1, on standard output" "$status:$stderr" "1:"
for line in 6 7 8 9 10 11 12 15 20; do
	like "line $line can never hold" "$stdout" "^$T/odd.yaml:$line:[0-9]+: this can never hold"
done
for line in 13 23 24; do
	like "line $line: its conditions" "$stdout" "^$T/odd.yaml:$line:[0-9]+: this never applies"
done
like "line 4: a group that no rule uses" "$stdout" "^$T/odd.yaml:4:[0-9]+: no rule uses the group .unused."
is "and of nothing else" "$(echo "$stdout" | grep -c "^$T/odd.yaml:")" 13
run layoutcheck rules lint "$T/one.yaml"
is "nothing to complain of: 0" "$status" 0
like "which is said" "$stdout" '^nothing to complain of: 2 rules in 1 pack$'
exits "the packs that came with the program: 0" 0 layoutcheck rules lint
cp "$T/one.yaml" "$T/two.yaml"
run layoutcheck rules lint "$T/one.yaml" "$T/two.yaml"
is "ids that stand twice are an error: 2" "$status" 2
like "with its place" "$stderr" "two.yaml:8:[0-9]+: id .files/apart/lookup,lock. is that of"

# ---- packs of images

gcc -g -c -o "$T/dwarf.o" tests/fixtures/kinds.c
cp "$T/dwarf.o" "$T/btf.o"
pahole -J "$T/btf.o"
cat >"$T/words.c" <<'END'
struct words { int on, off, y, null; char no[80]; struct { int true_, false_; }; } words;
union pair { int a; long b; } pair;
typedef struct { long a __attribute__((aligned(64))), b; char more[]; } tail;
tail *t;
struct empty { } empty;
END
gcc -g -c -o "$T/words.o" "$T/words.c"

learn() { # learn IMAGE SOURCE TYPES RULES: RULES is how many hold
	run layoutcheck rules learn -C "$3" --from "$2" -o "$T/learned.yaml" "$T/$1"
	is "learn $3 from $2: 0" "$status:$stderr" "0:"
	run layoutcheck check -r "$T/learned.yaml" --from "$2" --fail-on note "$T/$1"
	is "all that was learned holds" "$status" 0
	like "$4 rules" "$stdout" ": $4 hold, 0 broken"
	exits "and lint has nothing to say of it" 0 layoutcheck rules lint "$T/learned.yaml"
}
types=files,table,counter,straddle,flexible,bits,nested,marked
learn dwarf.o dwarf $types 27
learn btf.o btf $types 27
learn words.o dwarf 'words,union pair,tail,empty' 12
cat >"$T/names.cc" <<'END'
template <char C> struct Q { int a; };
namespace one { struct same { int a; Q<'"'> q; }; struct null { int a; } null; }
namespace two { struct same { long a, b; }; }
one::same s;
two::same t;
END
g++ -g -c -o "$T/names.o" "$T/names.cc"
learn names.o dwarf "one::same,two::same,Q<'\\\"'>,one::null" 10
run layoutcheck rules learn -C files "$T/dwarf.o"
like "sizes have room to the end of the line" "$stdout" '^      - size: "<= 704"$'
like "what begins a line" "$stdout" '^      - starts_line: lock$'
like "what stands on one" "$stdout" '^      on_line_2: \[lock, next_fd, words\]$'
like "with words for who edits it" "$stdout" '^# Most of it is chance'
run layoutcheck rules learn -C filez "$T/dwarf.o"
is "learn of what is not there: 1" "$status" 1
like "names the nearest" "$stderr" 'filez.*files'
exits "learn of nothing: 2" 2 layoutcheck rules learn "$T/dwarf.o"
exits "learn from no image: 2" 2 layoutcheck rules learn -C files "$T/none"

# A build that moves something breaks what was learned from the one before.
run layoutcheck rules learn -C files -o "$T/learned.yaml" "$T/dwarf.o"
sed 's/int lock LINE;/int lock;/' tests/fixtures/kinds.c >"$T/moved.c"
gcc -g -c -o "$T/moved.o" "$T/moved.c"
run layoutcheck check -r "$T/learned.yaml" "$T/moved.o"
is "it breaks where a member moves" "$status" 1
like "and says so" "$stdout" 'files/starts_line/lock'

for source in dwarf btf; do
	run layoutcheck rules from-markers --from $source -o "$T/$source.yaml" "$T/$source.o"
	is "from-markers of $source: 0" "$status:$stderr" "0:"
	like "a group with its members" "$(cat "$T/$source.yaml")" \
		'^      marked_write: \[counts, tag\]$'
	run layoutcheck check -r "$T/$source.yaml" --from $source --all "$T/$source.o"
	is "it is a pack: 0" "$status" 0
	like "$source: that finds what --kernel-groups does" "$stdout" \
		'warning: marked: .* \[marked/apart/marked_read,marked_write\]'
	exits "and lint has nothing to say of it" 0 layoutcheck rules lint "$T/$source.yaml"
done
same "DWARF and BTF make the same pack" "$T/dwarf.yaml" "$T/btf.yaml"
exits "from-markers of what has none: 1" 1 layoutcheck rules from-markers "$T/words.o"
exits "of two images: 2" 2 layoutcheck rules from-markers "$T/dwarf.o" "$T/btf.o"

done_testing
