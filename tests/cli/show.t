#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What `show` prints: drawings, lists, JSON; the same from DWARF and from BTF.
. "$(dirname "$0")/../lib.sh"
need clang ld.lld llvm-objcopy pahole jq

ok "the images are made" tests/sample.sh "$T/sample"
cd "$T/sample" || exit 1

json() {
	jq -c "$1" "$T/stdout"
}

# ---- drawings

run layoutcheck show -C account sample
like "the title" "$stdout" '^struct account$'
like "the facts" "$stdout" \
	'^    128 bytes, 2 lines of 64, 2 holes of 7 bytes, 40 bytes of padding, aligned to 64$'
like "the declaration" "$stdout" '^    sample\.c:[0-9]+, in 1 compile unit$'
like "a line" "$stdout" '^-- line 1 -+$'
like "a member" "$stdout" '^ +8 +16  struct list hash;'
like "a hole" "$stdout" '^ +5 +3  \(hole\)$'
like "padding" "$stdout" '^ +88 +40  \(padding\)$'
like "a straddle" "$stdout" '^ +56 +16  struct list lru; +straddles to line 1$'
run layoutcheck show -C packet sample
like "a bit-field" "$stdout" '^ +0:4 +:4  unsigned int length:4;$'
like "a bit hole" "$stdout" '^ +1:1 +:23  \(bit hole\)$'
like "an anonymous union" "$stdout" '^ +8 +8  union \{$'
like "a struct in it" "$stdout" '^ +8 +4      struct \{$'
like "its member" "$stdout" '^ +10 +1          char scope;$'
like "a function pointer" "$stdout" '^ +16 +8  int \(\*deliver\)\(struct packet \*, const char \*\);$'
like "what goes on over lines" "$stdout" '^ +24 +130  unsigned char header\[130\]; +to line 2$'
like "a flexible array" "$stdout" '^ +176 +\.\.\.  char payload\[\];$'
run layoutcheck show -C table sample
like "a member with an alignment" "$stdout" '^ +64 +4  int lock __aligned\(64\);$'

# Remarks stand in one column, as a terminal has them.
cat >wide.c <<'END'
struct wide {
	char plain[66];
	char größe[66];
	char 漢字[66];
} wide;
END
clang --target=x86_64-linux-gnu -gdwarf-5 -c wide.c -o wide || exit 1
run layoutcheck show -q -C wide wide
is "names of wide letters" "$(printf '%s\n' "$stdout" | grep 66 | sed 's/.*66  //')" \
	'char plain[66];           to line 1
char größe[66];           to line 2
char 漢字[66];            to line 3'

# A struct without a name that a member declares.
cat >slots.c <<'END'
struct table {
	char used;
	struct {
		char key;
		int value;
		union { char c; long l; } held;
	} slots[2] __attribute__((aligned(16)));
	const struct { int value; } one;
	int value;
} table;
END
cat >slots.yaml <<'END'
layoutcheck: 1
structs:
  table:
    groups:
      all: [slots, one]
    rules:
      - offset: {slots: 16}
      - offset: {"slots[1].value": 1}
      - offset: {one.value: 64}
      - together: all
END
clang --target=x86_64-linux-gnu -gdwarf-5 -c slots.c -o slots || exit 1
run layoutcheck show -q -r slots.yaml -C table slots
is "it is drawn, with its holes" "$(printf '%s\n' "$stdout" | sed '1,/^-- line 0/d; s/  *$//')" \
	'       0         1  char used;
       1        15  (hole)
      16        32  struct {                   group all, offset: 16, together: all
      16         1      char key;
      17         3      (hole)
      20         4      int value;             offset: 1 (broken)
      24         8      union {
      24         1          char c;
      24         8          long l;
                        } held;
                    } slots[2] __aligned(16);
      48         4  const struct {             group all, together: all
      48         4      int value;             offset: 64 (broken)
                    } one;
      52         4  int value;
      56         8  (padding)'
run layoutcheck show -f json -r slots.yaml -C table slots
is "JSON: with what is in it" "$(json '[.types[0].members[1] | .name, .type, .members[1].name,
	.members[1].offset, .members[2].members[1].name]')" '["slots","struct {...}[2]","value",20,"l"]'
run layoutcheck show -f html -C table slots
like "HTML: in the table" "$stdout" '<pre>\} slots\[2\] __aligned\(16\);</pre>'
like "HTML: one box in the map" "$stdout" '<b>struct \{\.\.\.\} slots\[2\] __aligned\(16\);</b>'
is "HTML: none for what is in it" "$(grep -c '<b>int value;</b>' "$T/stdout")" 1

# ---- rules beside members

run layoutcheck show -r sample.yaml -C account sample
like "a rule that is broken" "$stdout" '  unsigned int flags; .*apart.*\(broken\)'
like "two members of one rule" "$stdout" '  int lock; .*apart.*\(broken\)'
like "a rule on the struct as a whole" "$stdout" '^    size.*\(broken\)$'
run layoutcheck show -r sample.yaml -C table sample
like "a rule that holds" "$stdout" '  int lock __aligned\(64\); +starts_line'
run layoutcheck show -v -r sample.yaml -C table sample
like "its id" "$stdout" '\[table/starts_line/lock\]'
run layoutcheck show -f json -r sample.yaml -C table sample
is "in JSON" "$(json '[.types[0].members[] | select(.name == "lock").rules[] | .rule] |
	contains(["table/starts_line/lock"])')" true

# ---- groups and classes of access

run layoutcheck show -r sample.yaml -C account sample
like "a group of the pack" "$stdout" '^    group booking: 3 members, lines 0 to 1$'
like "on one line" "$stdout" '^    group lookup: 2 members, line 0$'
like "beside a member" "$stdout" '  int lock; +group booking, apart from lookup \(broken\)$'
like "not beside others" "$stdout" '  char state;$'
run layoutcheck show -f json -r sample.yaml -C account sample
is "JSON: the groups" "$(json '.types[0].groups[1]')" \
	'{"name":"booking","access":null,"members":3,"first_line":0,"last_line":1}'
is "JSON: of a member" "$(json '[.types[0].members[] | select(.name == "lock").groups]')" \
	'[["booking"]]'
cat >marked.c <<'END'
struct marked {
	char __cacheline_group_begin__take_read[0];
	long queue, mask;
	char __cacheline_group_end__take_read[0];
	long hits __attribute__((aligned(64)));
	long other;
} marked;
END
cat >marked.yaml <<'END'
layoutcheck: 1
structs:
  marked:
    groups:
      hot: [queue, hits]
    rules:
      - classes:
          read_mostly: [queue]
          written: [hits]
      - together: hot
        lines: 2
END
clang --target=x86_64-linux-gnu -gdwarf-5 -c marked.c -o marked || exit 1
pahole --btf_encode_detached=marked.btf marked || exit 1
for image in marked marked.btf; do
	run layoutcheck show --arch x86_64 -r marked.yaml -C marked "$image"
	like "$image: a group of the source" "$stdout" '^    group take_read \(read\): 2 members, line 0$'
	like "$image: in two groups" "$stdout" \
		' queue; +group take_read \(read\), group hot, classes: read_mostly, together: hot$'
	like "$image: in one of the source" "$stdout" ' mask; +group take_read \(read\)$'
	like "$image: a class" "$stdout" '  group hot, classes: written, together: hot$'
	run layoutcheck show -f json --arch x86_64 -r marked.yaml -C marked "$image"
	is "$image: JSON: access" "$(json '[.types[0].members[] | [.name, .groups, .access]]')" \
		'[["queue",["take_read","hot"],"read_mostly"],["mask",["take_read"],"read"],["hits",["hot"],"written"],["other",null,null]]'
	run layoutcheck show -f html --arch x86_64 -r marked.yaml -C marked "$image"
	like "$image: HTML" "$stdout" 'group take_read \(read\)\. group hot\. '
done

# ---- the list

run layoutcheck show sample
is "a list" "$status:$stderr" "0:"
like "it has a heading" "$stdout" '^ +size +lines +holes +hole bytes +padding  type$'
like "a struct" "$stdout" '^ +128 +2 +2 +7 +40  struct account$'
like "a union" "$stdout" '^ +8 +1 +0 +0 +0  union number$'
like "a typedef" "$stdout" '^ +4 +1 +0 +0 +0  typedef counter_t$'
run layoutcheck show -q sample
is "sorted by name" "$(awk '{ print $NF }' "$T/stdout")" "$(awk '{ print $NF }' "$T/stdout" | LC_ALL=C sort)"
is "without a heading" "$(head -n 1 "$T/stdout" | awk '{ print $1 }')" 128
run layoutcheck show -v sample
like "-v: where it is declared" "$stdout" 'struct table  sample\.c:[0-9]+$'

# ---- JSON

run layoutcheck show -f json -C packet,table sample
is "JSON: version, line" "$(json '[.version, .line]')" '[1,64]'
is "JSON: the keys of a type are always there" \
	"$(json '[.types[] | ["name","kind","size","align","decl","cus","holes","hole_bytes",
		"padding","lines","members"] - keys] | unique')" '[[]]'
is "JSON: the keys of a member are always there" \
	"$(json '[.types[] | recurse(.members[]?) | select(has("offset")) |
		["name","type","offset","size","line","align"] - keys] | unique')" '[[]]'
is "JSON: a bit-field" \
	"$(json '.types[0].members[1] | [.name, .offset, .size, .bit_offset, .bit_size]')" \
	'["length",0,1,4,4]'
is "JSON: an anonymous struct in an anonymous union" \
	"$(json '.types[0].members[3] | [.name, .members[1].name, .members[1].members[1].name,
		.members[1].members[1].offset]')" '[null,null,"scope",10]'
is "JSON: an alignment" "$(json '.types[1].members[2] | [.name, .align, .line]')" '["lock",64,1]'
is "JSON: an alignment of the type" "$(json '.types[1].align')" 64
run layoutcheck show -f json sample
is "JSON: the list has no members" "$(json '[.types[] | has("members")] | unique')" '[false]'

# ---- the same from BTF, but for what BTF cannot know

for image in sample sample.btf; do
	run layoutcheck show -f json --arch x86_64 -C account,packet,table,number,counter_t "$image"
	jq '.image = null | .types |= map(.align = null | .decl = null | .cus = null) |
		walk(if type == "object" and has("align") then .align = null else . end)' \
		"$T/stdout" >"of-$image"
done
same "DWARF and BTF agree" of-sample of-sample.btf
run layoutcheck show -f json --arch x86_64 -C table sample.btf
is "BTF has no alignment" "$(json '.types[0] | [.align, .members[2].align]')" '[null,null]'
is "BTF has no declaration" "$(json '.types[0].decl')" null

done_testing
