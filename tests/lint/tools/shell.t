#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every script is clean under shellcheck, and can be run.
. "$(dirname "$0")/../../lib.sh"
need shellcheck

find . -name .git -prune -o -path ./build -prune -o -path ./tests/fuzz/corpus -prune -o -type f -print | sort | while read -r file; do
	case $file in
	*.sh | *.t) echo "$file" ;;
	*) head -n 1 "$file" | tr -d '\000' | grep -Eq '^#! ?/bin/sh' && echo "$file" ;;
	esac
done >"$T/files"

while read -r file; do
	ok "$file" shellcheck -s sh "$file"
	case $file in
	./tests/faults.sh | ./tests/lib.sh | ./tests/page.sh | ./tests/rows.sh | ./tests/told.sh | ./tests/user.sh) ;; # sourced
	*) ok "$file can be executed" test -x "$file" ;;
	esac
done <"$T/files"

is "bootstrap is among them" "$(grep -cx ./bootstrap "$T/files")" 1

printf '#!/bin/sh\nrm $1\n' >"$T/a.sh"
nok "a script with a fault is found" shellcheck -s sh "$T/a.sh"

done_testing
