#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# C11 and GNU C: every figure as the program itself has it, and what only the program has is told so.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/rows.sh"
. "$SRC/tests/told.sh"
need gcc clang
section 'C11 and GNU C'
cp "$SRC/tests/fixtures/languages/c11.c" . || exit 1

for compiler in gcc clang; do
	for version in 4 5; do
		name="C11 and GNU C, $compiler, DWARF $version"
		how="\$ $compiler -g -gdwarf-$version -o c11 c11.c"
		as_told "$name" "$how" c11 || continue
		row "$name" "$how" read
		run layoutcheck show -q -C functions c11
		like "an array of pointers to functions" "$stdout" '^ +0 +24  int \(\*three\[3\]\)\(void\);'
		[ "$compiler" = clang ] || cp c11 "dynamic$version"
	done
	run layoutcheck show -q -C atomics c11
	like "_Atomic is told, in DWARF 5" "$stdout" '^ +4 +4  _Atomic int i;'
done

cat >dynamic.yaml <<'YAML'
layoutcheck: 1
image: user
structs:
  grows:
    rules:
      - size: "<= 4096"
      - max_lines: 1
      - offset: {after: 0}
      - present: after
YAML
for version in 4 5; do
	name="members of variable length, gcc, DWARF $version"
	run layoutcheck show -q -C grows,around "dynamic$version"
	is "$name" "$(printf '%s\n' "$stdout" | grep -v ':')" \
		'struct grows (inside a function)
    no size before run time
-- line 0 ----------------------------------------------------------------------
       0         4  int n;
       4       ...  char name[];
       ?         4  int after;
       ?        24  long int more[3];

struct around (inside a function)
    no size before run time
-- line 0 ----------------------------------------------------------------------
       0         1  char c;
       8       ...  struct grows in;
       ?         4  int last;'
	run layoutcheck show -f json -C grows "dynamic$version"
	is "no figure stands for what is not known" "$(jq -c '.types[] | [.size, .lines, .holes, .padding],
		[.members[] | .offset]' "$T/stdout")" '[null,null,null,null]
[0,4,null,null]'
	run layoutcheck check --all -f json -r dynamic.yaml "dynamic$version"
	is "and no rule holds of it" "$(jq -r '.findings[] | "\(.rule) \(.outcome)"' "$T/stdout")" \
		'grows/size unknown
grows/max_lines unknown
grows/offset/after unknown
grows/present/after holds'
	row "$name" "\$ gcc -g -gdwarf-$version -o c11 c11.c" \
		'read; what is placed at run time, and sizes that depend on it, are unknown'
done

done_rows
