#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/story.sh DIR: makes of tests/fixtures/diff/story* in DIR
#
#	before after		both builds as relocatable objects for x86_64, with DWARF
#	before.btf after.btf	their types as raw BTF
#	story.yaml		as it is
#
# by a compiler and a linker that can do so on any machine, and with no path of this one inside.
set -eu

top=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
cp "$top"/tests/fixtures/diff/story* "$1"
cd "$1"
for side in before after; do
	flag=-UAFTER
	[ "$side" = before ] || flag=-DAFTER
	for unit in story story_other; do
		clang --target=x86_64-linux-gnu -gdwarf-5 -fdebug-compilation-dir=. $flag -c "$unit.c" \
			-o "$unit.o"
	done
	ld.lld -m elf_x86_64 -r -o "$side" story.o story_other.o
	pahole --btf_encode_detached="$side.btf" "$side"
done
rm story.o story_other.o
