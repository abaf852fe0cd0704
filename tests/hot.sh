#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/hot.sh DIR: makes of tests/fixtures/hot in DIR (HOT_DWARF=4: of that version)
#
#	hot		a program for x86_64, with DWARF
#	hot.data	a recording of it: lines of false and of true sharing, of an object that does not begin
#			on a line, of variables, of which one has a name to beware of, of nobody knows what, and one
#			that is only stored to
#
# by a compiler and a linker that can do so on any machine, and with no path of this one inside.
set -eu

top=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
build_id=0123456789abcdef0123456789abcdef01234567
mkdir -p "$1"
cp "$top"/tests/fixtures/hot/hot.c "$1"
cd "$1"
clang --target=x86_64-linux-gnu -O1 "-gdwarf-${HOT_DWARF:-5}" -fno-pic -ffunction-sections -falign-functions=64 -fno-inline \
	-nostdlib -static -fuse-ld=lld -Wl,-e,main -Wl,--build-id=0x$build_id -Wl,-Ttext=0x401000 \
	-Wl,--section-start=.shared=0x500000 -Wl,-Tbss=0x600000 -fdebug-compilation-dir=. -o hot hot.c
llvm-nm hot >symbols

# at SYMBOL [OFFSET]
at() {
	printf '0x%x' $((0x$(awk -v name="$1" '$3 == name { print $1 }' symbols) + ${2:-0}))
}

# A session, with 16 bytes of the allocator before it, and another elsewhere.
session=0x7f0000001010
other=0x7f0000002020
{
	echo "map 7 0x401000 0x1000 0x$(llvm-readelf -lW hot | awk '$1 == "LOAD" && /E/ { print substr($2, 3) }') /opt/hot"
	echo "build_id 7 $build_id /opt/hot"
	cat <<-END
		pid 7
		cpu 0
		at 1000000
		60 hitm $(at get_config) $(at counters 24)
		90 store $(at count_hit) $(at counters)
		40 hitm $(at try_lock 5) $(printf '0x%x' $((session + 16)))
		40 store $(at try_lock 5) $(printf '0x%x' $((session + 16)))
		25 hitm $(at first_session) $(printf '0x%x' $((session)))
		12 load-l1 $(at owner_of) $(printf '0x%x' $((session + 24)))
		8 load-l1 $(at get) $(printf '0x%x' $((session + 32)))
		30 hitm $(at get) $(at first)
		22 hitm 0x7f1100000040 0x7f0000009008
		5 store 0x7f1100000080 0x7f0000009010
		20 store $(at count_hit) $(at padded)
		15 hitm $(at get_config) $(at padded 88)
		30 hitm $(at try_lock 5) $(printf '0x%x' $((other + 16)))
		cpu 1
		at 2000000
		45 remote-hitm $(at get_config) $(at counters 24)
		70 store-miss $(at count_miss) $(at counters 8)
		10 load-l1 $(at get_config) $(at counters 24)
		35 remote-hitm $(at try_lock 5) $(printf '0x%x' $((session + 16)))
		30 store $(at unlock) $(printf '0x%x' $((session + 16)))
		25 store $(at set) 0x500008
		15 store-miss 0x7f1100000080 0x7f0000009010
		20 store $(at count_miss) $(at padded 8)
		30 store $(at unlock) $(printf '0x%x' $((other + 16)))
	END
} | perl "$top/tests/perfdata.pl" hot.data
rm symbols
