#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Debug info that several files have in common, in a file of its own: dwz -m, as distributions do it.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/rows.sh"
need gcc dwz readelf objcopy
section 'Alternate debug files'

cat >common.h <<'END'
struct common { char tag; struct { long x, y; } at; struct common *next; unsigned low : 3, high : 5; };
struct held { char bytes[24]; double number; };
typedef struct { int first; long second; } unnamed;
static inline int sum(struct common *c) { return c->tag + c->low; }
END
cat >user.c <<'END'
#include "common.h"
struct USER { struct held held; int last; };
struct common common;
struct USER user;
unnamed both;
int look(struct common *c) { return sum(c) + user.last + both.first; }
END
for user in one two; do
	gcc -g -O1 -c -DUSER="$user" -o "$user.o" user.c
done
echo 'int main(void) { return 0; }' >main.c
gcc -c main.c

reads 'dwz -m, DWARF 4' \
	'$ for f in a b; do gcc -g -gdwarf-4 -shared -o $f shape.c; done; dwz -m common a b' a
reads 'dwz -m, DWARF 5' \
	'$ for f in a b; do gcc -g -gdwarf-5 -shared -o $f shape.c; done; dwz -m common a b' b
reads 'DWARF 5 as its standard has it: .debug_sup' \
	'$ for f in a b; do gcc -g -gdwarf-5 -shared -o $f shape.c; done; dwz --dwarf-5 -m common a b' a

done_rows
