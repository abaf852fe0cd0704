#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Rust: every figure as the program itself has it, through variants too.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/rows.sh"
. "$SRC/tests/told.sh"
need rustc
section 'Rust'
cp "$SRC/tests/fixtures/languages/layouts.rs" . || exit 1

for level in 0 2; do
	name="Rust, -C opt-level=$level"
	how="\$ rustc -g -C opt-level=$level -o layouts layouts.rs"
	row_made "$name" "$how" || continue
	as_told "$name" 'told above' layouts
	row "$name" "$how" read

	# A rule's path leads into the variant: what a value of it has, where the program says.
	./layouts variants >of-variants
	awk 'BEGIN { print "layoutcheck: 1\nimage: user\nstructs:\n  layouts::kinds::Shape:\n    rules:" }
		{ print "      - offset: {" substr($2, length("layouts::kinds::Shape.") + 1) ": " $3 "}" }' \
		of-variants >variants.yaml
	run layoutcheck check --all -f json -r variants.yaml layouts
	is "members of variants are where a value has them" \
		"$(jq -r '.findings[] | "\(.outcome) \(.member)"' "$T/stdout" | sort)" \
		"$(sed 's/^variant layouts::kinds::Shape\./holds /; s/ [0-9]* [0-9]*$//' of-variants | sort)"
	is "there are some" "$(grep -c . of-variants)" 4
done

run layoutcheck show -q -C layouts::kinds::Shape layouts
is "an enum is a union of what tells its variants apart, and of them" \
	"$(printf '%s\n' "$stdout" | sed -n 's/ __aligned([0-9]*)//; s/  */ /g; s/^ //; 4,$p')" \
	'0 16 union {
0 1 u8 (discriminant);
0 16 struct {
0 16 struct Empty Empty;
};
0 16 struct {
0 16 struct Circle Circle;
};
0 16 struct {
0 16 struct Rect Rect;
};
};'
like "and has no holes" "$stdout" '^ +16 bytes, 1 line of 64, no holes'
run layoutcheck show -q -C layouts::kinds::Shape::Rect layouts
like "a variant is a type of its own" "$stdout" '^ +1 +1  u8 tag'
run layoutcheck show -q -C Holder layouts
like "a niche takes no room" "$stdout" '^ +[0-9]+ +8  struct Option<alloc::boxed::Box<u32'

done_rows
