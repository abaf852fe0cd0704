#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The manual pages are clean mdoc.
. "$(dirname "$0")/../../lib.sh"
need mandoc

for page in man/*.[1-8]; do
	run mandoc -Tlint -Wwarning "$page"
	is "$page" "$status $stdout" "0 "
done

printf '.Dd 1 May 2026\n.Dt X 1\n.Os\n.Sh NAME\n.Nm x\n.Nosuch\n' >"$T/x.1"
nok "a page with a fault is found" mandoc -Tlint -Wwarning "$T/x.1"

done_testing
