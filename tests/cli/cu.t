#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# layoutcheck cu: the smallest compile unit that defines a type, and the object that is made of it.
. "$(dirname "$0")/../lib.sh"
need gcc pahole

mkdir -p "$T/tree/lib" "$T/tree/out" "$T/beside"
cat >"$T/tree/ring.h" <<'END'
struct ring { void **slots; unsigned long head, tail; };
END
# The large one has more code, too; the small one has none.
cat >"$T/tree/large.c" <<'END'
#include "ring.h"
struct many { struct ring ring; int a, b, c, d, e, f, g, h; } many;
struct twice { int here; } twice_large;
int main(void) { return many.a + many.b; }
END
cat >"$T/tree/lib/small.c" <<'END'
#include "../ring.h"
struct ring ring;
END
cat >"$T/tree/lib/other.c" <<'END'
struct twice { long there; } twice_other;
END
cd "$T/tree" || exit 1
gcc -g -c -o large.o large.c
gcc -g -c -o lib/small.o lib/small.c
gcc -g -c -o lib/other.o "$T/tree/lib/other.c"
gcc -g -o image large.o lib/small.o lib/other.o

run layoutcheck cu -C ring image
is "0, nothing on standard error" "$status:$stderr" "0:"
like "the object, the type, the unit and its size" "$stdout" \
	"^lib/small.o: ring \(ring.h:1, 24 bytes\): lib/small.c in $T/tree, [0-9]+ bytes of .debug_info, the smallest of 2 units$"
exits "-q: the object alone" 0 layoutcheck cu -q -C ring image
is "it is the object alone" "$stdout" "lib/small.o"
run layoutcheck cu -q -C many -C twice,ring image
is "in the order asked for, each definition" "$(echo "$stdout" | xargs)" \
	"large.o large.o lib/other.o lib/small.o"
run layoutcheck cu -C many image
unlike "one unit is not the smallest of any" "$stdout" smallest
run layoutcheck cu -C ring lib/small.o
like "an object that is not linked" "$stdout" '^lib/small.o: '
run layoutcheck cu -f json -C ring,many image
ok "JSON" python3 -c '
import json, sys
report = json.load(open(sys.argv[1]))
assert report["version"] == 1 and report["image"]["source"] == "dwarf"
ring, many = report["types"]
assert (ring["name"], ring["size"], ring["cus"]) == ("ring", 24, 2)
assert ring["unit"]["object"] == "lib/small.o" and ring["unit"]["name"] == "lib/small.c"
assert ring["unit"]["comp_dir"] == sys.argv[2]
assert ring["unit"]["bytes"] < many["unit"]["bytes"]
assert ring["decl"]["line"] == 1
' "$T/stdout" "$T/tree"

# A build in another directory: below the sources, and beside them.
(cd out && gcc -g -c -o below.o "$T/tree/lib/small.c")
(cd "$T/beside" && gcc -g -c -o beside.o ../tree/lib/small.c)
(cd / && gcc -g -c -o "$T/beside/far.o" "$T/tree/lib/small.c")
exits "a build below the sources" 0 layoutcheck cu -q -C ring out/below.o
is "from the top of the tree" "$stdout" "lib/small.o"
exits "a build beside them" 0 layoutcheck cu -q -C ring "$T/beside/beside.o"
is "without the way there" "$stdout" "tree/lib/small.o"
exits "nothing in common" 0 layoutcheck cu -q -C ring --source-root "$T/tree/" "$T/beside/far.o"
is "--source-root says it" "$stdout" "lib/small.o"

# ---- what cannot be named

run layoutcheck cu -C rign image
is "no such type: 1" "$status:$stdout" "1:"
like "names the nearest" "$stderr" 'there is no type `rign`; did you mean `ring`\?$'
run layoutcheck cu image
one_sentence "no type asked for"
run layoutcheck cu -C ring image image
one_sentence "two images"
cp image btf
pahole -J btf
strip -g btf
run layoutcheck cu -C ring btf
one_sentence "BTF alone"
like "says why" "$stderr" 'btf: only DWARF tells compile units, and this is BTF$'
layoutcheck snapshot -C ring -o snapshot.json image
run layoutcheck cu -C ring snapshot.json
one_sentence "a snapshot"
gcc -g -c -fdebug-types-section -o types.o lib/small.c
run layoutcheck cu -C ring types.o
one_sentence "type units"
like "says what they are" "$stderr" '`ring` is not defined in a compile unit with a name, but in type units'
exits "a full disk: 2" 2 layoutcheck cu -C ring -o /dev/full image

# ---- what it has no use for

for option in rules=x from=dwarf arch=x86_64 cacheline=64 base=x config=x; do
	run layoutcheck cu "--$option" -C table "$T/nowhere"
	one_sentence "--$option: refused"
	like "--$option: as an option that it does not have" "$stderr" "^layoutcheck: cu: .*--${option%%=*}"
done
run layoutcheck cu --help
unlike "and its help has none of them" "$stdout" '^ .*--(rules|from|arch|cacheline|base|config)'

done_testing
