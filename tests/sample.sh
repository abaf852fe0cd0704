#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/sample.sh DIR: makes of tests/fixtures/report in DIR
#
#	sample.c other.c sample.yaml	as they are
#	sample				both as a relocatable object for x86_64, with DWARF
#	sample.btf			its types as raw BTF
#	sample.both			sample with .BTF beside its DWARF
#	sample.stripped			sample without either
#
# by a compiler and a linker that can do so on any machine, and with no path of this one inside.
set -eu

top=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
cp "$top"/tests/fixtures/report/* "$1"
cd "$1"
for unit in sample other; do
	clang --target=x86_64-linux-gnu -gdwarf-5 -fdebug-compilation-dir=. -c "$unit.c" -o "$unit.o"
done
ld.lld -m elf_x86_64 -r -o sample sample.o other.o
rm sample.o other.o
pahole --btf_encode_detached=sample.btf sample
llvm-objcopy --add-section .BTF=sample.btf sample sample.both
llvm-objcopy --strip-debug sample sample.stripped
