#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Which room may include which, and which library's headers: data flows one way, and each library
# has one room (docs/internals.md).
. "$(dirname "$0")/../lib.sh"

cat >"$T/rooms" <<'END'
base    base
layout  base layout
elf     base layout elf
insn    base layout insn
dwarf   base layout elf insn dwarf
btf     base layout elf btf
rule    base layout rule
perf    base layout perf
plugin  plugin
record  base layout perf record plugin
init
diff    base layout diff
c2c     base layout c2c
report  base layout diff c2c report
cli     base layout elf insn dwarf btf perf record rule diff c2c report cli
.       base cli
END

# The files that may include a library's headers; a library may have several rows.
cat >"$T/libraries" <<'END'
libelf.h gelf.h elfutils/  src/elf/
libdwarf.h dwarf.h         src/dwarf/locate
bpf/ linux/btf.h           src/btf/
yaml.h                     src/rule/
jansson.h                  src/report/
jansson.h                  src/layout/snapshot
zlib.h zstd.h              src/elf/
zstd.h                     src/perf/
capstone/                  src/insn/
sha2.h                     src/base/
END

# violations DIR: "FILE: HEADER" for each include under DIR/src that the tables do not allow.
violations() {
	(cd "$1" && find src -name '*.[ch]' | sort | xargs grep -n '^[[:space:]]*#[[:space:]]*include' /dev/null) |
		awk -v rooms="$T/rooms" -v libraries="$T/libraries" '
		BEGIN {
			while ((getline line < rooms) > 0) {
				n = split(line, w)
				for (i = 2; i <= n; i++)
					may[w[1], w[i]] = 1
				known[w[1]] = 1
			}
			while ((getline line < libraries) > 0) {
				n = split(line, w)
				for (i = 1; i < n; i++)
					owner[w[i]] = owner[w[i]] " " w[n]
			}
		}
		{
			split($0, part, ":")
			file = part[1]
			header = $0
			sub(/^[^<"]*[<"]/, "", header)
			sub(/[>"].*/, "", header)
		}
		/include[[:space:]]*"/ {
			n = split(file, f, "/")
			from = n > 2 ? f[2] : "."
			to = header
			if (!sub(/\/.*/, "", to))
				to = "(no room)"
			if (!((from, to) in may))
				print file ": " header
			next
		}
		{
			for (lib in owner)
				if ((lib ~ /\/$/ ? index(header, lib) == 1 : header == lib) &&
				    !owned(file, owner[lib]))
					print file ": " header
		}
		function owned(file, places, place, i, n) {
			n = split(places, place)
			for (i = 1; i <= n; i++)
				if (index(file, place[i]) == 1)
					return 1
			return 0
		}'
}

is "every include goes the one way" "$(violations .)" ""

# every room that is there has a row
is "every room is in the table" \
	"$(find src -mindepth 1 -maxdepth 1 -type d | sed 's|src/||' | grep -Fvx -e "$(awk '{print $1}' "$T/rooms")")" ""

# The lint itself: what it must find.
plant() {
	rm -rf "$T/tree"
	mkdir -p "$T/tree/$(dirname "$1")"
	printf '%s\n' "$2" >"$T/tree/$1"
	violations "$T/tree"
}
is "finds a step back" "$(plant src/layout/a.c '#include "rule/rule.h"')" "src/layout/a.c: rule/rule.h"
is "finds a reader that includes the other" "$(plant src/dwarf/a.h '# include "btf/btf.h"')" \
	"src/dwarf/a.h: btf/btf.h"
is "finds a judge that includes a reader" "$(plant src/rule/a.c '#include "dwarf/dwarf.h"')" \
	"src/rule/a.c: dwarf/dwarf.h"
is "finds a report that includes a judge" "$(plant src/report/a.c '#include "rule/rule.h"')" \
	"src/report/a.c: rule/rule.h"
is "finds a header named without its room" "$(plant src/elf/a.c '#include "image.h"')" \
	"src/elf/a.c: image.h"
is "finds libelf outside elf/" "$(plant src/btf/a.c '#include <gelf.h>')" "src/btf/a.c: gelf.h"
is "finds libdwarf outside locate" "$(plant src/dwarf/index.c '#include <libdwarf.h>')" \
	"src/dwarf/index.c: libdwarf.h"
is "finds libbpf outside btf/" "$(plant src/cli/a.c '#include <bpf/btf.h>')" "src/cli/a.c: bpf/btf.h"
is "finds jansson outside its two places" "$(plant src/layout/model.c '#include <jansson.h>')" \
	"src/layout/model.c: jansson.h"
is "lets the snapshot codec have it" "$(plant src/layout/snapshot.c '#include <jansson.h>')" ""
is "lets the right ones pass" \
	"$(plant src/dwarf/locate.c '#include <libdwarf.h>
#include <stdio.h>
#include "base/err.h"
#include "elf/image.h"')" ""

done_testing
