#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The README does what it says: a block whose fence names a file is that file, and a `console` block
# is a session, its commands run one after the other and their output compared.
. "$(dirname "$0")/../lib.sh"
need gcc

mkdir "$T/bin" "$T/here"
ln -s "$LAYOUTCHECK" "$T/bin/layoutcheck"
PATH=$T/bin:$PATH
export PATH

# Files become files; sessions become N.command and N.wanted.
awk -v dir="$T/here" -v out="$T" '
	/^```/ && inside { inside = 0; next }
	/^```/ {
		inside = 1
		kind = $1
		file = NF > 1 ? dir "/" $2 : ""
		next
	}
	inside && file { print > file; next }
	inside && kind == "```console" && /^\$ / {
		n++
		print substr($0, 3) > (out "/" n ".command")
		printf "" > (out "/" n ".wanted")
		next
	}
	inside && kind == "```console" { print > (out "/" n ".wanted") }' README.md

cd "$T/here" || exit 1
n=1
while [ -f "$T/$n.command" ]; do
	sh "$T/$n.command" >"$T/$n.got" 2>&1 </dev/null
	same "$(cat "$T/$n.command")" "$T/$n.got" "$T/$n.wanted"
	n=$((n + 1))
done
ok "the README has a session" test "$n" -gt 3
cd "$SRC" || exit 1

# The packages it names are those that are looked for.
for package in $(awk '$1 == "build" && ($3 == "module" || $3 == "libdwarf") { print $2 }' packages.txt); do
	ok "it names $package" grep -qw -e "$package" README.md
done

# The two commands stand at the top.
is "the first commands" "$(awk '/^```sh/ { getline; print }' README.md | head -n 2)" \
	"./bootstrap && ./layoutcheck check
./bootstrap && make check"

for link in $(sed -n 's/.*\](\([a-zA-Z.][^):]*\)).*/\1/p' README.md CONTRIBUTING.md docs/*.md); do
	ok "$link exists" test -e "$link"
done

done_testing
