#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# layoutcheck rules export --asserts: what C can assert compiles where the rules hold, and fails, each
# rule by itself, where they are broken; check says the same of the same structs.
. "$(dirname "$0")/../lib.sh"
need gcc clang pahole

cat >"$T/types.h" <<'END'
typedef unsigned long ulong_t;
struct many {
	long a, b;
	int c[4];
	struct { int x, y; } d;
	union { long u; char v; };
	long w __attribute__((aligned(64)));
	char straddling[40];
	char over[32];
	unsigned char __cacheline_group_begin__g[0];
	long g1, g2;
	unsigned char __cacheline_group_end__g[0];
	unsigned flag : 1;
	char end[];
};
struct twin { long first; long w; };
union either { long number; char bytes[16]; };
typedef struct { long only; } lone;
END
printf '#include "types.h"\nstruct many many; struct twin twin; union either either; lone one;\n' \
	>"$T/types.c"
gcc -g -c -o "$T/types.o" "$T/types.c"

# Each line a rule on `many` that holds, and one of the same kind that does not.
cat >"$T/cases" <<'END'
size: 192|size: 64
size: "% 64"|size: "% 128"
size: {x86_64: 192, default: 1}|size: {x86_64: 1, default: 192}
size: "!= 191"|size: power-of-two
bucket: 192, buckets: [96, 128, 192]|bucket: 256, buckets: [96, 192, 256]
bucket: 256, buckets: [64, 128, 256]|bucket: 128, buckets: [64, 128, 256]
align: 64|align: "> 64"
align: {w: 64, b: 8}|align: {b: 64}
align: {w: {x86_64: 64, default: 1}, b: {x86_64: 8, default: 1}}|align: {w: 64, b: {x86_64: 4, default: 8}}
offset: {b: 8, c: "% 16"}|offset: {b: 8, c: "% 32"}
offset: {d.y: 36, "c[2]": 24, v: 40}|offset: {d.y: 32}
starts_line: w|starts_line: b
starts_line: [straddling, w]|starts_line: [over, straddling]
starts_line: w, granule: 32|starts_line: w, granule: 128
together: [a, c, d.y]|together: [a, w]
together: ["c[0..3]", u]|together: [u..w]
together: [a, w, g1], lines: 3|together: [a, w, g1], lines: 2
together: [a..over], lines: 3|together: [b..over], lines: 2
apart: [[a, b], [w, straddling]]|apart: [a, b]
apart: [[a..u], w, g1]|apart: [w, over]
apart: [a, g1], granule: 128|apart: [a, w], granule: 128
classes: {read_mostly: [a, b], written: [w], cold: c}|classes: {read_mostly: [a, w], written: [straddling]}
no_straddle: [a, w, straddling]|no_straddle: [a, over]
max_lines: 3|max_lines: 2
order: [a, b, w, g1]|order: [a, w, b]
same_offset: [many.b, twin.w]|same_offset: [many.a, twin.w]
same_offset: [many.a, many.w], plus: 4 * sizeof(twin)|same_offset: [many.a, many.w], plus: 2 * sizeof(twin)
group: g, bytes: 16, start: "% 16", lines: 1, members: [g1, g2]|group: g, bytes: "< 16"
group: g|group: g, members: [g1, over]
present: [a, d.x, v]|
END
write_pack() { # write_pack FIELD FILE
	{
		printf 'layoutcheck: 1\nstructs:\n  many:\n    alloc: line\n    rules:\n'
		awk -F '|' -v field="$1" '$field != "" {
			print "      - {" $field ", id: \"case/" NR "\"}" }' "$T/cases"
	} >"$2"
}
write_pack 1 "$T/holds.yaml"
write_pack 2 "$T/broken.yaml"
count() {
	grep -c '      - ' "$1"
}
is "check has the one hold" "$(layoutcheck check -r "$T/holds.yaml" "$T/types.o" | tail -n 1 | sed 's/.*: //')" \
	"$(count "$T/holds.yaml") hold, 0 broken"
is "and the other broken" "$(layoutcheck check -r "$T/broken.yaml" "$T/types.o" | tail -n 1 | sed 's/.*: //')" \
	"0 hold, $(count "$T/broken.yaml") broken"

# compile COMPILER HEADER: sets $errors, the rules that fail, and $status.
compile() {
	printf '#include "types.h"\n#include "%s"\n' "$2" >"$T/unit.c"
	limit=
	[ "$1" != clang ] || limit=-ferror-limit=0
	run "$1" -std=gnu11 -Wall -Wextra -Werror $limit -c -o /dev/null "$T/unit.c"
	errors=$(echo "$stderr" | sed -n 's/.*static assertion failed.*"\(case[^"]*\)".*/\1/p;
		s/.*static assertion failed.*: \(case[^":]*\).*/\1/p; s/.*static_assert failed.*"\(case[^"]*\)".*/\1/p' | sort -u)
}

for pack in holds broken; do
	run layoutcheck rules export --asserts -o "$T/$pack.h" "$T/$pack.yaml"
	is "export of what is $pack: 0, nothing said" "$status:$stdout$stderr" "0:"
	unlike "nothing is left out" "$(cat "$T/$pack.h")" 'left out|not asserted'
done
sed -n 's/.*id: "\(.*\)"}/\1/p' "$T/broken.yaml" | sort >"$T/wanted"
for compiler in gcc clang; do
	compile $compiler holds.h
	is "$compiler compiles what holds" "$status:$stderr" "0:"
	compile $compiler broken.h
	isnt "$compiler does not compile what is broken" "$status" 0
	echo "$errors" >"$T/got"
	same "and each rule is an error" "$T/got" "$T/wanted"
	is "and nothing else is" "$(echo "$stderr" | grep -c 'error:')" "$(count "$T/broken.yaml")"
done

# ---- what becomes a comment

cat >"$T/rest.yaml" <<'END'
layoutcheck: 1
title: "*/ int bad; /*"
structs:
  many:
    alloc: {cache: many}
    rules:
      - {waste: 0, id: c1}
      - {alone: w, id: c2}
      - {objects_per_slab: 1, order: 0, id: c16}
      - {max_hole: 8, id: c3}
      - {max_padding: 100, id: c4}
      - {absent: z, id: c5}
      - {complete: [a], id: c6}
      - {max_ungrouped: 3, id: c15}
      - {apart: [a, w], severity: warning, id: c7}
      - {apart: [a, w], waive: {why: later}, id: c8}
      - {apart: [a, w], optional: true, id: c9}
      - {starts_line: w|z, id: c10}
      - {present: "int);", id: c18}
      - {same_offset: [many.a, "m*/.a"], id: c19}
      - {apart: [a, w], when: has(many.a), id: c11}
      - {apart: [a, w], when: {sizeof(twin): 16}, id: c12}
      - {apart: [a, w], when: {config: CONFIG_NAME=abc}, id: c13}
      - {size: 192, id: a1, why: "*/ /* \e[31m ??/"}
      - {apart: [[a, z?], w], id: a2}
      - {size: 1, when: {arch: [s390x, arm]}, id: a3}
      - {size: 1, when: {bits: 32}, id: a4}
      - {size: 1, when: {kernel: "< 6.5"}, id: a5}
      - {size: 1, when: {config: CONFIG_SMALL}, id: a6}
      - {size: 192, when: {not: {config: CONFIG_SMALL}}, id: a7}
      - {size: 192, when: {config: CONFIG_HZ=250}, id: a8}
      - {size: 1, when: {config: CONFIG_HZ=300}, id: a9}
  ns::other:
    rules:
      - {size: 8, id: c14}
  "many<int>":
    rules:
      - {size: 8, id: c20}
  union either:
    rules:
      - {size: 16, id: a10}
  typedef lone:
    rules:
      - {size: 8, id: a11}
variables:
  rules:
    - {alone: many, id: c17}
END
run layoutcheck rules export --asserts "$T/rest.yaml"
is "rules that C cannot say: 0" "$status:$stderr" "0:"
echo "$stdout" >"$T/rest.h"
is "each is a comment that says why" "$(grep -c '^ \* not asserted: ' "$T/rest.h")" 20
is "the others are asserted" "$(grep -c '^LAYOUTCHECK_ASSERT' "$T/rest.h")" 11
like "a kind" "$stdout" '^ \* not asserted: C cannot list the other members$'
like "variables" "$stdout" '^ \* not asserted: where variables lie is up to the linker$'
like "a condition" "$stdout" 'not asserted: `has\(many.a\)`: C cannot ask what is there$'
like "a name that C does not have" "$stdout" '^ \* `int\);` is left out: it is no name in C$'
like "a member that may be absent" "$stdout" '^ \* `z` is left out: it may be absent, and C cannot ask$'
like "where objects begin" "$stdout" 'asserted of an object that begins on a line; `check` judges all'
like "options" "$stdout" '^#if \(defined\(CONFIG_SMALL\) \|\| defined\(CONFIG_SMALL_MODULE\)\)$'
like "versions, where there are any" "$stdout" '^#if defined\(LINUX_VERSION_CODE\) && \(LINUX_VERSION_CODE >> 8\) < 0x605$'
for compiler in gcc clang; do
	printf '#define CONFIG_HZ 250\n#include "types.h"\n#include "rest.h"\n' >"$T/unit.c"
	exits "$compiler compiles it" 0 $compiler -Wall -Wextra -Werror -c -o /dev/null "$T/unit.c"
	exits "and not for the kernel before 6.5" 1 \
		$compiler -DLINUX_VERSION_CODE=0x06041f -c -o /dev/null "$T/unit.c"
	exits "but for 6.5" 0 $compiler -DLINUX_VERSION_CODE=0x060500 -c -o /dev/null "$T/unit.c"
	exits "and not with that option" 1 $compiler -DCONFIG_SMALL=1 -c -o /dev/null "$T/unit.c"
done

run layoutcheck rules export --asserts --fail-on warning "$T/rest.yaml"
is "--fail-on warning: one more" "$(grep -c '^LAYOUTCHECK_ASSERT' "$T/stdout")" 12
run layoutcheck rules export --asserts --cacheline 128 "$T/rest.yaml"
like "--cacheline" "$stdout" '^#define LAYOUTCHECK_LINE 128$'

for kind in $(sed '/NULL/q' "$SRC/src/rule/kinds.c" | grep -o '&kind_[a-z_]*' | sed 's/&kind_//'); do
	ok "$kind is in a case above" \
		grep -qE "(^|[{|])$kind: " "$T/cases" "$T/rest.yaml"
done

# ---- with an image

cat >"$T/like.yaml" <<'END'
layoutcheck: 1
structs:
  many:
    rules:
      - {apart: [a, z|w], id: l1}
      - {apart: [a, w], when: has(many.a), id: l2}
      - {size: 1, when: {not: has(many.a)}, id: l3}
      - {order: [a, flag, b], id: l4}
      - {order: [a, b, end], id: l5}
      - {starts_line: flag, id: l6}
      - {apart: [a, w], optional: true, id: l7}
  either: [{rules: [{size: 16, id: l8}]}]
  lone: {rules: [{size: 8, id: l9}]}
  gone: {rules: [{size: 8, id: l10}]}
END
run layoutcheck rules export --asserts -k "$T/types.o" -o "$T/like.h" "$T/like.yaml"
is "-k: 0" "$status:$stderr" "0:"
is "more can be asserted" "$(grep -c '^LAYOUTCHECK_ASSERT' "$T/like.h")" 8
like "bit-fields are left out" "$(cat "$T/like.h")" '`flag` is left out: offsetof\(\) takes no bit-field$'
like "flexible arrays, too" "$(cat "$T/like.h")" '`end` is left out: a flexible array has no size$'
like "a type that it does not have" "$(cat "$T/like.h")" 'not asserted: the image does not have the type$'
like "a union by its name" "$(cat "$T/like.h")" 'sizeof\(union either\) == 16'
for compiler in gcc clang; do
	compile $compiler like.h
	is "$compiler compiles it" "$status:$stderr" "0:"
done

# ---- usage

run layoutcheck rules export "$T/holds.yaml"
one_sentence "no form"
run layoutcheck rules export --asserts tests/fixtures/rules/bad/rule.yaml
is "a wrong pack: 2" "$status:$stdout" "2:"
run layoutcheck rules export --asserts -k README.md "$T/holds.yaml"
one_sentence "no image"
exits "a full disk: 2" 2 layoutcheck rules export --asserts -o /dev/full "$T/holds.yaml"
printf 'layoutcheck: 1\nstructs: {many: {rules: [absent: z]}}\n' >"$T/none.yaml"
exits "nothing to assert: 1" 1 layoutcheck rules export --asserts "$T/none.yaml"
like "says so" "$stderr" 'none of the 1 rules can be asserted$'

done_testing
