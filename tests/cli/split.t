#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Split debug info: .dwo files and .dwp packages. What is said of a program is what is said of the
# same program with its debug info in it.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/rows.sh"
need gcc clang llvm-dwp ar jq
section 'Split DWARF'

cat >other.c <<'END'
typedef struct { short x, y; } point_t;
struct other { point_t p; long l; } other;
int main(void)
{
	struct inner { char c[3]; } i = {{0}};

	return i.c[0];
}
END

for cc in gcc clang; do
	for version in 4 5; do
		flags="-gdwarf-$version -gsplit-dwarf"
		rm -f ./*.dwo ./*.dwp
		reads "DWARF $version of $cc, .dwo" "\$ $cc $flags -c shape.c other.c; $cc -o a.out shape.o other.o" a.out
		rm -f ./*.dwo && $cc -gdwarf-$version -gsplit-dwarf -fdebug-types-section -c shape.c other.c &&
			$cc -o a.out shape.o other.o && $cc -gdwarf-$version -fdebug-types-section -o plain shape.c other.c
		for want in '' '-C inner,point_t,shape,other'; do
			# shellcheck disable=SC2086 # words
			layoutcheck show -f json $want plain | jq 'del(.image)' >plain.json
			# shellcheck disable=SC2086
			run layoutcheck show -f json $want a.out
			is "DWARF $version of $cc, type units: as if it were not split ($want)" \
				"$(jq 'del(.image)' "$T/stdout")" "$(cat plain.json)"
		done
		reads "DWARF $version of $cc, .dwp" \
			"\$ $cc $flags -fdebug-types-section -c shape.c other.c; $cc -o a.out shape.o other.o; llvm-dwp -e a.out -o a.out.dwp; rm *.dwo" \
			a.out
		run layoutcheck show -f json a.out
		layoutcheck show -f json plain | jq 'del(.image)' >plain.json
		is "DWARF $version of $cc, package: as if it were not split" "$(jq 'del(.image)' "$T/stdout")" \
			"$(cat plain.json)"
	done
done
rm -f ./*.dwo ./*.dwp
reads 'an object' '$ gcc -g -gsplit-dwarf -c shape.c' shape.o
reads 'sections .dwo in the object' '$ clang -g -gsplit-dwarf=single -c shape.c' shape.o
reads 'sections .dwo in objects, behind a program' \
	'$ clang -g -gsplit-dwarf=single -c shape.c other.c; clang -o a.out shape.o other.o' a.out
reads 'an archive of objects' '$ gcc -g -gsplit-dwarf -c shape.c other.c; ar rc l.a shape.o other.o' l.a
like "with what other members have" "$(layoutcheck show l.a)" 'struct other$'

# ---- found, and not

gcc -o a.out shape.o other.o
mkdir moved && cp a.out moved && mv ./*.dwo moved
ok "a program that was moved has them beside it" layoutcheck show -C shape moved/a.out
ok "from wherever it is looked at" sh -c 'cd / && "$0" show -C shape "$1/moved/a.out"' "$LAYOUTCHECK" "$T"
here=$PWD
run layoutcheck show a.out
one_sentence "a program without its .dwo files"
is "which are counted" "$stderr" "layoutcheck: a.out: its debug info is split: 2 of 2 units have no .dwo file, the first $here/shape.dwo (neither there nor beside the program; there is no .dwp file)"
row 'a program without its .dwo files' '$ gcc -g -gsplit-dwarf shape.c; rm *.dwo' \
	'refused: `a.out: its debug info is split: 1 of 1 units have no .dwo file, the first PATH (neither there nor beside the program; there is no .dwp file)`'
cp moved/*.dwo .
sed 's/long l;/long l[2];/' other.c >newer.c && gcc -g -gsplit-dwarf -c newer.c && mv newer.dwo other.dwo
run layoutcheck show a.out
one_sentence "a .dwo file of another build"
like "is told by its id" "$stderr" '1 of 2 units have a .dwo file of another build, the first .*/other.dwo \(it has no unit 0x[0-9a-f]{16}\)'
row 'a .dwo file of another build' '$ gcc -g -gsplit-dwarf shape.c; gcc -g -gsplit-dwarf -DNEWER -c shape.c' \
	'refused: `a.out: its debug info is split: 1 of 1 units have a .dwo file of another build, the first PATH (it has no unit 0x...)`'
refuses 'a .dwo file alone' '$ gcc -g -gsplit-dwarf -c shape.c' \
	'shape.dwo: has units of split debug info alone: give the program that it belongs to' shape.dwo
cp moved/*.dwo .
run layoutcheck cu -C shape a.out
one_sentence "cu of it"

# ---- damaged

head -c 300 moved/other.dwo >other.dwo
run layoutcheck show a.out
one_sentence "a .dwo file that is cut off"
: >other.dwo
run layoutcheck show a.out
one_sentence "an empty .dwo file"
rm ./*.dwo && gcc -gdwarf-4 -gsplit-dwarf -c shape.c other.c && gcc -o a.out shape.o other.o &&
	llvm-dwp -e a.out -o whole.dwp && rm ./*.dwo
like "a package has an index" "$(readelf -SW whole.dwp)" 'debug_cu_index'
head -c 1000 whole.dwp >a.out.dwp
run layoutcheck show a.out
one_sentence "a package that is cut off"

done_rows
