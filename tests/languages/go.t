#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Go: every figure as the program itself has it, functions too, which are values there.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/rows.sh"
. "$SRC/tests/told.sh"
need go
section 'Go'
cp "$SRC/tests/fixtures/languages/layouts.go" . || exit 1
HOME=$T
export HOME

name='Go, sections compressed'
how='$ go build -o layouts layouts.go'
if as_told "$name" "$how" layouts; then
	row "$name" "$how" read
	run layoutcheck show -q -C main.Every layouts
	like "a function takes a pointer, and no hole is seen" "$stdout" \
		'^ +[0-9]+ bytes, [0-9]+ lines of 64, no holes, 8 bytes of padding'
fi

name='Go, for 32 bits'
how='$ GOARCH=386 go build -o layouts layouts.go'
if as_told "$name" "$how" layouts; then
	row "$name" "$how" read
fi

done_rows
