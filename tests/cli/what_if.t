#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# show --what-if: a type as edits would have it. What compilers make of edits is compared by edits.t.
. "$(dirname "$0")/../lib.sh"
need gcc pahole jq xmllint

cd "$T" || exit 1
cat >types.c <<'END'
typedef unsigned long long u64;
struct list_head { struct list_head *next, *prev; };
typedef struct { int counter; } atomic_t;
typedef struct spinlock { unsigned val; } spinlock_t;
struct page_counter {
	long usage;
	long emin __attribute__((aligned(64)));
	long rest[6];
	long failcnt;
	long min __attribute__((aligned(64)));
	void *parent;
};
struct nest {
	atomic_t count;
	struct {
		char kind;
		union { int number; long big; };
	};
	struct { short x, y; } at[3];
	struct page_counter counter;
	spinlock_t lock;
};
struct grouped {
	int before;
	union {
		struct { int a; char b; };
		struct { int a; char b; } all;
	};
	int after;
};
union either { int i; char c[6]; };
struct message { int length; char text[]; };
struct user { struct nest nest; enum colour { RED } colour; struct grouped grouped; union either either;
	struct message *message; struct list_head list; };
struct user user;
END
cat >types.yaml <<'END'
layoutcheck: 1
structs:
  page_counter:
    rules:
      - size: "<= 192"
      - together: [emin, failcnt]
      - apart: [usage, min]
END
gcc -gdwarf-5 -c types.c -o types || exit 1
pahole --btf_encode_detached=types.btf types || exit 1

# what_if TYPE EDIT...: each as an option.
what_if() {
	type=$1
	shift
	for edit do
		set -- "$@" --what-if "$edit"
		shift
	done
	run layoutcheck show --arch x86_64 -r types.yaml -C "$type" "$@" "${IMAGE-types}"
}

# ---- what is drawn

what_if page_counter 'add u64 x after failcnt'
is "a rule that breaks is no failure of show" "$status:$stderr" "0:"
like "what was done" "$stdout" '^    what if: add u64 x after failcnt$'
like "the facts after" "$stdout" '^    256 bytes, 4 lines of 64, '
like "the facts before" "$stdout" '^    before: 192 bytes, 3 lines of 64, '
like "the rule that breaks" "$stdout" \
	'^    broken, was holds: size is 256, wanted <= 192 \[page_counter/size\]$'
like "its cause" "$stdout" '^        x \(offset 128\) opened line 2; failcnt '
unlike "no rule that fares as before" "$stdout" ', was holds: .*page_counter/apart'
like "a column more" "$stdout" '^ +offset +was +size$'
like "what is new" "$stdout" '^ +128 +new +8  u64 x;'
like "what moved" "$stdout" '^ +192 +128 +8  long int min __aligned\(64\);'
like "what did not" "$stdout" '^ +120 +8  long int failcnt;'
what_if page_counter 'move failcnt before usage'
like "move" "$stdout" '^ +0 +120 +8  long int failcnt;'
like "a rule on members that are not together any more" "$stdout" '^    broken, was holds: .*page_counter/together'
what_if page_counter 'align min 8' 'remove usage' 'align emin 1' 'align 1'
like "what was aligned" "$stdout" '^    80 bytes, '
like "what was removed" "$stdout" '^    removed: usage, was at offset 0$'
like "a rule whose member is gone" "$stdout" '^    missing, was holds: .*no member `usage`'
what_if message 'add u64 x'
like "a flexible array stays last" "$stdout" '^ +16 +4 +\.\.\.  char text\[\];'
what_if either 'add u64 x before i'
like "a union: all begins at 0" "$stdout" '^ +0 +new +8  u64 x;'
like "its size" "$stdout" '^    8 bytes, 1 line of 64, no holes'
what_if nest 'add struct list_head l before big' 'add spinlock_t s after count' 'add atomic_t a[3]' \
	'add enum colour c' 'add u32 f:3 after kind'
like "a struct, in an anonymous union" "$stdout" '^ +16 +new +16          struct list_head l;'
like "a typedef of a struct with a tag" "$stdout" '^ +4 +new +4  spinlock_t s;'
like "an array of a typedef without" "$stdout" 'new +12  atomic_t a\[3\];'
like "an enum" "$stdout" 'new +4  enum colour c;'
like "a bit-field" "$stdout" '^ +9:0 +new +:3      u32 f:3;'
what_if nest 'add u64 x after counter.failcnt' 'add short z after at.x'
like "in an embedded struct" "$stdout" '^ +64 +256  struct page_counter counter'
like "in an array of structs without a name" "$stdout" ' 18  struct \{$'
like "it is drawn in there" "$stdout" ' new +2      short z;$'
what_if grouped 'add long x after a' 'pack b'
is "what struct_group() declares twice" "$(printf '%s\n' "$stdout" | grep -c ' new .* long x;')" 2
like "in its other half, too" "$stdout" '^ +16 +new +8 +long x;'
what_if page_counter pack
like "pack" "$stdout" '^ +128 +8  long int min'

# ---- JSON and HTML

run layoutcheck show -f json -r types.yaml -C page_counter --what-if 'add u64 x after failcnt' types
is "JSON: the edit" "$(jq -c '.types[0].what_if | [.edits, .before.size, .removed, .assumed]' stdout)" \
	'[["add u64 x after failcnt"],192,[],[]]'
is "JSON: the rule" "$(jq -c '.types[0].what_if.rules[0] | [.rule, .before, .after]' stdout)" \
	'["page_counter/size","holds","broken"]'
is "JSON: where members were" "$(jq -c '[.types[0].members[] | [.name, .was.offset]]' stdout)" \
	'[["usage",0],["emin",64],["rest",72],["failcnt",120],["x",null],["min",128],["parent",136]]'
is "JSON: what is new was nowhere" "$(jq -c '.types[0].members[4] | [has("was"), .was]' stdout)" \
	'[true,null]'
run layoutcheck show -f json -C page_counter types
is "JSON: nothing of it without" "$(jq -c '[.. | objects | select(has("was") or has("what_if"))]' stdout)" '[]'
run layoutcheck show -f html -r types.yaml -C page_counter --what-if 'add u64 x after failcnt' types
like "HTML: a column more" "$stdout" '<th class="n">was</th>'
like "HTML: before and after" "$stdout" '<b>before</b> 192 bytes'
like "HTML: the rule" "$stdout" '<span class="error">broken</span>, was holds: size is 256'
ok "HTML: it is well-formed" xmllint --noout stdout

# ---- BTF does not tell alignments

IMAGE=types.btf
what_if page_counter 'add u64 x after failcnt'
is "BTF" "$status:$stderr" "0:"
like "BTF: that some are not known is said" "$stdout" '^    assumed: BTF does not tell which alignments were asked for'
like "BTF: and what is taken for one" "$stdout" \
	'^    assumed: page_counter: `emin` is taken to be aligned to 64 bytes, by nothing but where it is$'
like "BTF: and what may be one" "$stdout" \
	'^    assumed: `min` began line 2 and does not any more: it is taken not to be aligned$'
what_if page_counter 'align min 64' 'add u64 x after failcnt'
like "BTF: with that the same comes of it" "$stdout" '^ +192 +128 +8  long int min;'
unlike "BTF: and nothing is assumed of it" "$stdout" 'assumed: `min`'
run layoutcheck show -r types.yaml -C nest --what-if pack types.btf
one_sentence "BTF without a machine"
like "it says what to give" "$stderr" 'the machine is not known.*--arch'
unset IMAGE

# ---- what cannot be done

refused() {
	wanted=$1
	shift
	what_if "$@"
	one_sentence "refused: $*"
	like "why: $wanted" "$stderr" "$wanted"
}
refused 'column 11: `after` or `before`' page_counter 'add u64 x afer usage'
refused 'has no member `failcount`; did you mean `failcnt`\?$' page_counter 'add u64 x after failcount'
refused 'has a member `usage` already$' page_counter 'add u64 usage'
refused 'has a member `number` already$' nest 'add u64 number'
refused 'has no type `struct lizt`$' page_counter 'add struct lizt l'
refused 'has no type `zpinlock_t`$' page_counter 'add zpinlock_t l'
refused '`struct list_head` cannot be a bit-field$' page_counter 'add struct list_head l:3'
refused 'a bit-field of `u8` cannot have 9 bits$' page_counter 'add u8 l:9'
refused '`text` is a flexible array, which is always last$' message 'add u64 x after text'
refused '`text` is a flexible array, which is always last$' message 'move text before length'
refused '`x` is a flexible array, which is always last$' page_counter 'add u64 x[] before usage'
refused 'cannot be moved beside itself$' page_counter 'move usage after usage'
refused 'cannot be moved into itself$' nest 'move counter after counter.usage'
refused 'cannot be moved into itself$' user 'move nest after nest.counter.usage'
refused 'cannot be moved into itself$' grouped 'move all after a'
refused 'cannot be put into itself$' page_counter 'add struct page_counter x'
refused 'cannot be put into itself$' nest 'add struct nest x[2] after counter.usage'
refused '`usage` of page_counter is no struct' page_counter 'remove usage.x'
run layoutcheck show --what-if pack types
one_sentence "which type is not said"
like "it says so" "$stderr" 'option `--what-if` edits one type, which `--type` names$'
exits "two types" 2 layoutcheck show -C nest,user --what-if pack types
cat >class.cc <<'END'
struct base { base(); long a; char b; };
struct derived : base { char c; } derived;
END
g++ -gdwarf-5 -c class.cc -o class || exit 1
run layoutcheck show -C derived --what-if 'add u64 x' class
one_sentence "a class"
like "it says so" "$stderr" 'derived: a class with bases is not laid out as C does$'

done_testing
