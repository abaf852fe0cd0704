#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The README does what it says.
. "$(dirname "$0")/../lib.sh"
. tests/page.sh
need gcc

run_page README.md
cd "$SRC" || exit 1

# The packages it names are those that are looked for.
for package in $(awk '$1 == "build" && ($3 == "module" || $3 == "libdwarf") { print $2 }' packages.txt); do
	ok "it names $package" grep -qw -e "$package" README.md
done

# The two commands stand at the top.
is "the first commands" "$(awk '/^```sh/ { getline; print }' README.md | head -n 2)" \
	"./bootstrap && ./layoutcheck check
./bootstrap && make check"

for page in README.md CONTRIBUTING.md docs/*.md; do
	for link in $(sed -n 's/.*\](\([a-zA-Z.][^):]*\)).*/\1/p' "$page"); do
		ok "$page: $link exists" test -e "$(dirname "$page")/$link"
	done
done

done_testing
