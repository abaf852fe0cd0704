#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Static analysis: clang-tidy with the checked-in .clang-tidy, and cppcheck.
. "$(dirname "$0")/../../lib.sh"
need clang-tidy cppcheck

printf '#define RULESDIR "/usr/share"\n#define HELPERDIR "/usr/lib"\n' >"$T/defines.h"
flags="-std=c11 -D_GNU_SOURCE -Isrc -Iinclude -include $T/defines.h
	$(sed -n 's/^LIB_CFLAGS = //p' "${BUILD:-build}/config.mk")"

tidy() {
	# shellcheck disable=SC2086
	clang-tidy --quiet --warnings-as-errors='*' "$1" -- $flags
}

# What it says of each file goes to $T/tidy/FILE, and for a bad one to FILE.bad.
tidy_all() {
	while read -r file; do
		out=$T/tidy/$(echo "$file" | tr / _)
		tidy "$file" >"$out" 2>&1 </dev/null || mv "$out" "$out.bad"
	done
}

# Two at a time: this is the slowest lint.
mkdir "$T/tidy"
find src -name '*.c' | sort >"$T/files"
awk 'NR % 2' "$T/files" | tidy_all &
awk 'NR % 2 == 0' "$T/files" | tidy_all
wait
while read -r file; do
	out=$T/tidy/$(echo "$file" | tr / _)
	if [ -f "$out" ]; then
		pass "clang-tidy: $file"
	else
		fail "clang-tidy: $file"
		diag "$(cat "$out.bad")"
	fi
done <"$T/files"

# It takes any pointer to a local that is stored for the length of a call for one that dangles:
# gcc's -Wdangling-pointer and the sanitizer look after those.
check() {
	cppcheck --quiet --std=c11 -D_GNU_SOURCE -D__x86_64__ -DLIBDWARF_API=1 \
		--include="$T/defines.h" --library=tests/lint/tools/cppcheck.cfg --enable=warning,portability,performance \
		--suppress=autoVariables --suppress=returnDanglingLifetime --inline-suppr --error-exitcode=1 -Isrc -j 2 "$@"
}
ok "cppcheck" check src

cat >"$T/a.c" <<'END'
#include <stdlib.h>
int f(const char *s);
int f(const char *s)
{
	int *p = malloc(4);
	if (!p)
		return 0;
	*p = s != NULL;
	free(p);
	return *p;
}
END
cp .clang-tidy "$T"
run tidy "$T/a.c"
like "clang-tidy finds a use after free" "$status $stdout" '^1 .*after it is freed'

cat >"$T/b.c" <<'END'
int table[3];
int f(int i);
int f(int i)
{
	if (i == 5)
		table[0] = 1;
	return table[i];
}
END
run check "$T/b.c"
like "cppcheck finds an index out of bounds" "$status $stderr" '^1 .*out of bounds'

done_testing
