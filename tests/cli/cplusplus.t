#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# C++: every figure as the program itself has it, through both compilers and two versions of DWARF.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/rows.sh"
. "$SRC/tests/told.sh"
need g++ clang++
section 'C++'
cp "$SRC/tests/fixtures/languages/classes.cc" . || exit 1

for compiler in g++ clang++; do
	for version in 4 5; do
		name="classes as the program has them, $compiler, DWARF $version"
		how="\$ $compiler -std=c++20 -g -gdwarf-$version -o classes classes.cc"
		as_told "$name" "$how" classes || continue
		row "classes, $compiler, DWARF $version" "$how" read

		run layoutcheck show -q -C diamond,statics,pointers classes
		like "a base without its virtual ones" "$stdout" '^ +0 +12  struct left; +base class$'
		like "what may hold those is no padding" "$stdout" '^ +29 +19  \(not known\)$'
		like "holes are not known" "$stdout" \
			'^    48 bytes, 1 line of 64, holes and padding not known$'
		unlike "static members are no members" "$stdout" 'shared|constant|inside'
		like "a pointer to a member" "$stdout" '  int first::\*member;$'
		like "one to a method" "$stdout" '  int \(first::\*method\)\(int, char\);$'
	done
done

run layoutcheck show -q -C left classes
like "a virtual base" "$stdout" '^ +\? +16  struct origin; +virtual base class$'
run layoutcheck show -q -C thing classes
is "a name in several scopes means all of them" "$(printf '%s\n' "$stdout" | grep '^struct')" \
	'struct nest::thing
struct space::thing
struct space::within::thing'
run layoutcheck show -q -C deep classes
is "one at the top hides others" "$(printf '%s\n' "$stdout" | grep '^struct')" 'struct deep'
run layoutcheck show -q classes
like "classes in classes are listed" "$stdout" ' struct nest::thing::deep$'
like "what is not known is not 0 there" "$stdout" '^ +48 +1 +\? +\? +\?  struct diamond$'

cat >classes.yaml <<'YAML'
layoutcheck: 1
image: user
structs:
  left:
    alloc: line
    rules:
      - max_padding: 19
      - max_padding: 20
        id: enough
      - max_hole: 19
      - offset: {o: 16}
      - alone: l
      - size: 32
  both:
    rules:
      - offset: {b: 16}
  "row<space::thing, 3>":
    rules:
      - offset: {end: 48}
  nest::thing:
    rules:
      - offset: {low.d: 4}
YAML
run layoutcheck check --all -f json -r classes.yaml classes
is "what is placed at run time is unknown to rules, what is not is judged" \
	"$(jq -r '.findings[] | "\(.rule) \(.outcome) \(.margin)"' "$T/stdout")" \
	'left/max_padding unknown null
enough holds null
left/max_hole unknown null
left/offset/o unknown null
left/alone/l broken null
left/size holds null
both/offset/b holds 0
row<space::thing, 3>/offset/end holds 0
nest::thing/offset/low.d holds 0'

ok "a base that is only declared" g++ -g -c -o declared.o "$SRC/tests/fixtures/languages/declared.cc"
exits "a base that is only declared: read" 0 layoutcheck show -q -f json -C near,middle declared.o
is "a base that is only declared: its end is not known, what follows is" \
	"$(jq -r '.types[] | "\(.name) \(.size)", (.members[] | "  \(.type) \(.offset) \(.size)")' "$T/stdout")" \
	'near 32
  struct middle 0 24
  long int 24 8
middle 24
  struct far 0 0
  long int 16 8'

done_rows
