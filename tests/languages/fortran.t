#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Fortran: every figure as the program itself has it, and descriptors where arrays lie elsewhere.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/rows.sh"
. "$SRC/tests/told.sh"
need gfortran
section 'Fortran'
cp "$SRC/tests/fixtures/languages/layouts.f90" . || exit 1

for version in 4 5; do
	name="Fortran, DWARF $version"
	how="\$ gfortran -g -gdwarf-$version -o layouts layouts.f90"
	as_told "$name" "$how" layouts || continue
	row "$name" "$how" read

	# A descriptor has the address, the offset, the type, the span, and three words for each
	# dimension: nothing is left between it and the next member.
	run layoutcheck show -q -C record layouts
	like "an allocatable member is its descriptor" "$stdout" '^ +16 +64  real\(kind=8\) vector\[\]'
	like "a pointer to an array, too" "$stdout" '^ +88 +88  real\(kind=8\) matrix\[\]\[\]'
	like "of records, too" "$stdout" '^ +184 +64  struct inner many\[\]'
	unlike "none is endless" "$stdout" '\.\.\.'
	like "text is spelled as Fortran does" "$stdout" '^ +4 +5  character\(5\) name;'
	like "text of any length is elsewhere" "$stdout" '^ +176 +8  character\(:\) \*deferred;'
	layoutcheck snapshot -q -C record -o saved layouts
	run layoutcheck show -q -f json -C record saved
	is "a snapshot has them" \
		"$(jq -c '[.types[].members[] | select(.name == "vector" or .name == "name") | .size]' "$T/stdout")" \
		'[5,64]'
done

done_rows
