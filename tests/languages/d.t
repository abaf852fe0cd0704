#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# D: every figure as the program itself has it.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/rows.sh"
. "$SRC/tests/told.sh"
need gdc
section 'D'
cp "$SRC/tests/fixtures/languages/layouts.d" . || exit 1

for version in 4 5; do
	name="D, DWARF $version"
	how="\$ gdc -g -gdwarf-$version -o layouts layouts.d"
	as_told "$name" "$how" layouts || continue
	row "$name" "$how" read
	run layoutcheck show -q -C layouts::Derived layouts
	like "a class begins with its base" "$stdout" '^ +0 +21  class Base; +base class$'
done

done_rows
