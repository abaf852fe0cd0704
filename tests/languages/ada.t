#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Ada: every figure as the program itself has it, and discriminants.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/rows.sh"
. "$SRC/tests/told.sh"
need gnatmake
section 'Ada'
cp "$SRC/tests/fixtures/languages/layouts.adb" "$SRC/tests/fixtures/languages/shapes.ads" . || exit 1

for version in 4 5; do
	name="Ada, DWARF $version"
	how="\$ gnatmake -q -f -g -gdwarf-$version layouts.adb"
	as_told "$name" "$how" layouts || continue
	row "$name" "$how" read
	run layoutcheck show -q -C shapes__sized layouts
	like "an array as long as its discriminant says has no end before run time" "$stdout" \
		'^ +8 +\.\.\.  integer data\[\];'
	like "nor has its record a size" "$stdout" '^ +no size before run time'
	run layoutcheck show -q -C shapes__bits layouts
	like "a representation clause is as it says" "$stdout" '^ +0:7 +:1  boolean y:1;'
done

done_rows
