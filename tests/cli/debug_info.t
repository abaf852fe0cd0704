#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The forms in which compilers, assemblers and other tools leave debug info.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/rows.sh"
need clang gcc ld objcopy
section 'Debug info'

reads 'DWARF 5' '$ gcc -gdwarf-5 -c shape.c' shape.o

done_rows
