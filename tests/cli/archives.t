#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Several files that make one image: archives, and the operands of --join. What is said of them is
# what is said of the object that the linker makes of them (ld -r).
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/rows.sh"
need gcc clang ar ld strip jq pahole
section 'Several objects'

# ---- inputs

cat >shared.h <<'END'
struct shared { int a; long b; };
typedef struct { char x; } nameless;
END
cat >a.c <<'END'
#include "shared.h"
struct only_a { struct shared s; char c; } in_a;
struct differs { int x; } differs;
struct shared shared;
nameless n;
int f(int len)
{
	struct inner { int q; } i = {1};
	struct grows { int head; char tail[len]; } g;

	g.head = i.q;
	return g.head;
}
END
cat >b.c <<'END'
#include "shared.h"
struct only_b { struct shared s[3]; nameless t; } in_b;
struct differs { int x, y; } differs_too;
extern struct shared shared;
int g(int len)
{
	struct inner { char q[2]; } i = {{1}};
	struct grows { int head; char tail[len]; } h;

	h.head = i.q[0] + shared.a;
	return h.head;
}
END
long=a_member_with_a_name_that_is_longer_than_the_field_for_it
echo '.section .note.GNU-stack,"",@progbits' >none.s
gcc -g -c a.c b.c && gcc -c none.s && cp b.o "$long.o" && ld -r -o linked.o a.o none.o b.o

# json ARG...: what show says of all types, but for the path.
json() {
	layoutcheck show -f json "$@" | jq 'del(.image.path)'
}

# same_as_linked NAME ARG...
same_as_linked() {
	name=$1
	shift
	json linked.o >wanted.json
	run json "$@"
	is "$name: as ld -r links them" "$stdout" "$(cat wanted.json)"
	json -C only_a,only_b,differs,inner,grows,nameless linked.o >wanted.json
	run json -C only_a,only_b,differs,inner,grows,nameless "$@"
	is "$name: some types, local ones too" "$stdout" "$(cat wanted.json)"
}

# ---- read

reads 'an archive' '$ gcc -g -c shape.c; ar rc l.a shape.o' l.a
reads 'a thin archive' '$ gcc -g -c shape.c; ar rcT thin.a shape.o' thin.a
reads 'an archive of clang' '$ clang -g -c shape.c; llvm-ar --format=bsd rc bsd.a shape.o' bsd.a
reads 'several objects on one command line' \
	'$ gcc -g -c shape.c b.c; layoutcheck show --join shape.o b.o' --join shape.o b.o
reads 'an archive with members that have no debug info' \
	'$ gcc -g -c shape.c; gcc -c -x c /dev/null -o bare.o; ar rc some.a bare.o shape.o' some.a

is "some types are in both" "$(json linked.o | jq -r '.types[] | select(.name == "shared").cus' 2>&1)" 2
is "and some have two definitions" \
	"$(json linked.o | jq '[.types[] | select(.name == "differs")] | length')" 2
ar rc whole.a a.o none.o b.o
same_as_linked "an archive" whole.a
mkdir sub && ar rcT sub/thin.a a.o none.o "$long.o"
same_as_linked "a thin archive in another directory, with a long name" sub/thin.a
rm -f long.a && ar rc long.a a.o none.o "$long.o"
same_as_linked "a long name" long.a
llvm-ar --format=bsd rc bsd2.a a.o none.o "$long.o"
same_as_linked "BSD names" bsd2.a
same_as_linked "operands" -q --join a.o none.o b.o
ar rc half.a b.o
same_as_linked "an object and an archive" -q --join a.o half.a

# Type units: the linker keeps one of those with one signature.
for version in 4 5; do
	gcc -g "-gdwarf-$version" -fdebug-types-section -c a.c -o at.o
	gcc -g "-gdwarf-$version" -fdebug-types-section -c b.c -o bt.o
	ld -r -o linked.o at.o bt.o
	rm -f types.a && ar rc types.a at.o bt.o
	same_as_linked "type units of version $version" types.a
done
ld -r -o linked.o a.o none.o b.o

# ---- one layout

cat >pack.yaml <<'END'
layoutcheck: 1
structs:
  only_a: {rules: [size: 24]}
  only_b: {rules: [size: 56]}
  differs: {rules: [size: 4]}
END
exits "rules are judged on all members at once" 1 layoutcheck check -r pack.yaml whole.a
like "a definition that one of them has breaks one" "$stdout" 'differs'
unlike "and nothing is missing" "$stdout" 'missing'
exits "so they are on operands" 1 layoutcheck check -q -r pack.yaml --join a.o b.o
unlike "of which none lacks what another has" "$stdout" 'missing'
exits "without --join each is on its own" 1 layoutcheck check -r pack.yaml a.o b.o
like "and lacks it" "$stdout" 'missing'

exits "an archive against what was linked of it" 0 layoutcheck diff whole.a linked.o
like "has no change" "$stdout" '0 changed, 0 appeared, 0 vanished'
sed 's/char c;/char c[9];/' a.c >a2.c && gcc -g -c a2.c && rm -f new.a && ar rc new.a a2.o b.o
run layoutcheck diff whole.a new.a
like "two archives are compared" "$stdout" 'only_a'
exits "a snapshot of an archive" 0 layoutcheck snapshot --all -o archive.json whole.a
exits "is one of the whole" 0 layoutcheck diff archive.json linked.o
like "with nothing left out" "$stdout" '0 changed, 0 appeared, 0 vanished'
exits "a snapshot of operands" 0 layoutcheck snapshot --all -q --join -o joined.json a.o none.o b.o
same "is the same" archive.json joined.json

cat >variables.yaml <<'END'
layoutcheck: 1
variables:
  rules: [alone: shared]
END
exits "where variables of several objects will be is not known" 2 \
	layoutcheck check -r variables.yaml whole.a
like "which is no pass" "$stdout$stderr" '1 unknown'
like "and the reason is given" "$(layoutcheck check --all -r variables.yaml whole.a 2>&1)" \
	'where the linker puts the variables of several objects is not known'

# ---- BTF

cp a.o abtf.o && cp b.o bbtf.o
pahole -J abtf.o && pahole -J bbtf.o && strip -g abtf.o bbtf.o && rm -f btf.a && ar rc btf.a abtf.o none.o bbtf.o
exits "BTF of members is joined, too" 0 layoutcheck show -f json btf.a
is "into one list" "$(jq -r '[.types[].name] | join(" ")' "$T/stdout")" \
	"differs differs grows inner inner nameless only_a only_b shared"
like "of that reader" "$stdout" '"source": "btf"'
run layoutcheck show --from btf whole.a
one_sentence "an archive without it"
like "which has the other" "$stderr" 'whole.a: has no BTF, but DWARF: --from dwarf reads that'

# ---- passed over

echo 'not an object' >text
cp whole.a mixed.a && ar q mixed.a text pack.yaml
exits "members that are no ELF are passed over" 0 layoutcheck show mixed.a
is "and told once" "$stderr" "layoutcheck: warning: mixed.a(text): is neither ELF nor BTF: begins with \"not an o\"; it is passed over, and so are 1 more members that are not ELF"
run layoutcheck show -q mixed.a
is "or not at all" "$stderr" ""
run layoutcheck show --join a.o none.o
is "an operand that adds nothing is told" "$stderr" \
	"layoutcheck: warning: none.o: has no DWARF, and adds nothing"

# ---- refused

gcc -m32 -g -c a.c -o narrow.o && ar rc machines.a a.o narrow.o
ar rc empty.a && echo 'int i;' >i.c
refuses 'an archive of two machines' '$ ar rc machines.a a.o narrow.o' \
	'machines.a(narrow.o): is for i386, and machines.a(a.o) for x86_64: the parts of one program are for one machine' \
	machines.a
refuses 'an archive without debug info' '$ gcc -c -x c /dev/null -o bare.o; ar rc bare.a bare.o' \
	'bare.a: no object of it has DWARF or BTF: build with -g' bare.a
refuses 'an archive of bitcode' '$ clang -g -flto -c i.c; ar rc bitcode.a i.o' \
	'bitcode.a(i.o): is LLVM bitcode, not a compiled object; the archive has no member that is ELF' \
	bitcode.a
refuses 'an archive without members' '$ ar rc empty.a' 'empty.a: is an archive without members' empty.a
refuses 'objects of two machines' '$ gcc -g -c a.c; gcc -m32 -g -c a.c -o narrow.o' \
	'narrow.o: is for i386, and a.o for x86_64: the parts of one program are for one machine' \
	--join a.o narrow.o
run layoutcheck show --join a.o archive.json
one_sentence "a snapshot cannot be joined"
run layoutcheck cu -C shared whole.a
one_sentence "cu of an archive"
run layoutcheck c2c -k whole.a /dev/null
one_sentence "c2c of an archive"
mv a.o gone.o
run layoutcheck show sub/thin.a
one_sentence "a thin archive whose member is gone"
like "which is named" "$stderr" 'sub/thin.a\(\.\./a.o\): cannot open .*No such file'

done_rows
