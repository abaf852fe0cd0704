#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Structs larger than anybody writes: figures known beforehand, through DWARF and BTF, soon enough.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/rows.sh"
need gcc clang pahole timeout
section 'Limits of size'

# repeat N TEXT: N times, & being the number.
repeat() {
	seq 0 $(($1 - 1)) | sed "s/.*/$2/" | tr -d '\n'
}

long=$(repeat 20000 n)
{
	echo "struct holes { $(repeat 300 'char c&; int i&; ') } holes;"
	echo "struct tail { long l; char c __attribute__((aligned(8388608))); } tail;"
	echo "struct $long { int ${long}m; char c; } name;"
	echo "struct deep { $(repeat 100 'struct { char c&; ') int leaf; $(repeat 100 '}; ') } deep;"
	echo "struct in0 { int leaf; char c; };"
	awk 'BEGIN { for (i = 1; i < 100; i++) printf "struct in%d { char c%d; struct in%d m%d; };\n", i, i, i - 1, i }'
	echo "struct in99 in;"
	echo "union many_ways { $(repeat 1000 'struct { char c&; long l&[&]; }; ') } ways;"
	echo "struct cell { unsigned a : 3, b : 9, c : 21; unsigned char d : 5; };"
	echo "struct cells { struct cell c[65536]; unsigned x : 7;"
	echo "	struct { unsigned long e : 33; } f[8192]; } cells;"
} >limits.c
echo "struct many { $(repeat 70000 'int m&; ') } many;" >many.c
echo "struct many { $(repeat 35000 'int m&; ') int more; $(repeat 70000 'int m&; ' |
	sed 's/^.*int m34999; //') } many;" >more.c
cat >large.c <<'C'
struct large { char first; char body[4194288]; long z; int q : 5, r : 9; char last; } large;
C

types=holes,tail,$long,deep,in99,many_ways,cells
wanted='struct holes: 2400 bytes, 300 holes of 900 bytes
struct tail: 16777216 bytes, 1 hole of 8388600 bytes, 8388607 bytes of padding
struct NAME: 8 bytes, no holes, 3 bytes of padding
struct deep: 404 bytes, 100 holes of 300 bytes
struct in99: 404 bytes, 1 hole of 3 bytes
union many_ways: 8000 bytes, 1 hole of 7 bytes
struct cells: 589832 bytes, 1 hole of 4 bytes, 1 bit hole of 25 bits'

# "struct NAME: FIGURES" of each type, its lines and alignment left out.
figures_of() {
	timeout 60 "$LAYOUTCHECK" show -q "$@" | awk '
		/^(struct|union) [^ ]+$/ { name = $0; if (length(name) > 20000) name = "struct NAME"; next }
		name { sub(/^ +/, ""); sub(/, [0-9]+ lines? of 64/, ""); sub(/, aligned to [0-9]+$/, "")
			print name ": " $0; name = "" }'
}

# limits WHAT HOW FILE ARG...
limits() {
	what=$1
	row_made "$what" "$2" || return 0
	row_how=$2
	shift 2
	is "$what" "$(figures_of -C "$types" "$@")" "$wanted"
	row "300 holes, 8 MiB of padding, 20,000 letters, 100 levels, 1,000 alternatives, 65,536 arrays of bit-fields, $what" \
		"$row_how" read
}

limits 'gcc' '$ gcc -g -c limits.c' limits.o
cp limits.o dwarf.o
limits 'clang, DWARF 4' '$ clang -gdwarf-4 -c limits.c' limits.o
limits 'BTF of pahole' '$ gcc -g -c limits.c && pahole -J limits.o' --from btf limits.o
limits 'BTF of clang' '$ clang -target bpf -g -c limits.c' --from btf limits.o
for format in text html; do
	exits "they are drawn as $format" 0 timeout 60 "$LAYOUTCHECK" show -f $format -o drawn -C "$types" dwarf.o
	ok "not as nothing" test "$(wc -c <drawn)" -gt 100000
done
exits "a snapshot is taken" 0 timeout 60 "$LAYOUTCHECK" snapshot -o limits.json -C "$types" dwarf.o
is "it has the same figures" "$(figures_of -C "$types" limits.json)" "$wanted"
exits "and is no change" 0 timeout 60 "$LAYOUTCHECK" diff -q -C "$types" limits.json dwarf.o
is "in no way" "$stdout" ""

# ---- 70,000 members

row_made many '$ gcc -g -c many.c' && is "70,000 members" "$(figures_of -C many many.o)" \
	'struct many: 280000 bytes, no holes'
row '70,000 members' '$ gcc -g -c many.c' read
row_made more '$ gcc -g -c more.c'
exits "one more in the middle" 0 timeout 60 "$LAYOUTCHECK" diff many.o more.o
like "is found" "$stdout" 'many: \+4 from `m35000` on, opened by `more`'
exits "a snapshot of them" 0 timeout 60 "$LAYOUTCHECK" snapshot -C many -o many.json many.o
exits "is the same" 0 timeout 60 "$LAYOUTCHECK" diff -q many.json many.o
cat >many.yaml <<'YAML'
layoutcheck: 1
image: user
structs:
  many:
    alloc: line
    rules:
      - apart: [m0, m35000, m69999]
      - max_hole: 0
      - offset: {m69999: 279996}
YAML
exits "rules on them" 0 timeout 60 "$LAYOUTCHECK" check -q -r many.yaml many.o
cp many.o dwarf.o
refuses '70,000 members in BTF of pahole 1.24, which counts to 65,535 and drops the others' \
	'$ gcc -g -c many.c && pahole -J many.o' \
	'many.o: BTF type 1 has more members than BTF can count, and lacks the others; --from dwarf reads its DWARF' \
	--from btf -C many many.o
row_made "clang" '$ clang -target bpf -g -c many.c'
exits "clang leaves such a struct out" 1 layoutcheck show --from btf -C many many.o
row '70,000 members in BTF of clang, which leaves such a struct out' '$ clang -target bpf -g -c many.c' \
	'there is no such type (exit status 1)'

# ---- 4 MiB

row_made "4 MiB" '$ gcc -g -c large.c'
is "a struct of 4 MiB" "$(figures_of -C large large.o)" \
	'struct large: 4194312 bytes, 1 hole of 7 bytes, 1 bit hole of 2 bits, 5 bytes of padding'
row 'a struct of 4 MiB' '$ gcc -g -c large.c' read
row_made "4 MiB" '$ clang -target bpf -g -c large.c'
is "in BTF what lies behind 2 MiB beside bit-fields is not known" \
	"$(figures_of --from btf -C large large.o)" \
	'struct large: 4194312 bytes, holes and padding not known'
row 'a struct of 4 MiB with bit-fields in BTF, which counts their offsets to 2 MiB' \
	'$ clang -target bpf -g -c large.c' 'read; offsets that are not sure, holes and padding are unknown'

done_rows
