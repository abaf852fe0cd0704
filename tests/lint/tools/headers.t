#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each header compiles alone, and is guarded by its own name.
. "$(dirname "$0")/../../lib.sh"
need cc

flags=$(sed -n 's/^LIB_CFLAGS = //p' "${BUILD:-build}/config.mk")

alone() {
	# shellcheck disable=SC2086
	${CC:-cc} -std=c11 -D_GNU_SOURCE -Isrc $flags -Wall -Wextra -Werror -fsyntax-only -x c "$1"
}

guarded() {
	guard=$(echo "${1#src/}" | tr 'a-z/.' 'A-Z__')
	grep -qx "#ifndef $guard" "$1" && grep -qx "#define $guard" "$1"
}

for header in $(find src -name '*.h' | sort); do
	ok "$header compiles alone" alone "$header"
	ok "$header is guarded" guarded "$header"
done

printf 'size_t f(void);\n' >"$T/a.h"
nok "a header that needs another is found" alone "$T/a.h"

done_testing
