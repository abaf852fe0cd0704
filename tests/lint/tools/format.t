#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The C sources are as clang-format with the checked-in .clang-format leaves them.
. "$(dirname "$0")/../../lib.sh"
need clang-format

find src tests/unit tests/fuzz bench -name '*.[ch]' 2>/dev/null | sort >"$T/files"
while read -r file; do
	ok "$file" clang-format --dry-run -Werror "$file"
done <"$T/files"

cp .clang-format "$T"
printf 'int  f( void ){return 1;}\n' >"$T/a.c"
nok "a file that is not formatted is found" clang-format --dry-run -Werror "$T/a.c"

done_testing
