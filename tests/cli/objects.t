#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Object files of other machines: each has its own kinds of relocation.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/rows.sh"
need clang gcc readelf ld.lld
section 'Objects of other machines'

# object MACHINE TARGET: of clang's own assembler.
object() {
	reads "$1" "\$ clang --target=$2 -fintegrated-as -g -c shape.c" shape.o
}

object x86-64 x86_64-linux-gnu
object 'x86-64 with 32-bit pointers (x32)' x86_64-linux-gnux32
object i386 i386-linux-gnu
object arm64 aarch64-linux-gnu
object arm armv7-linux-gnueabihf
object ppc64le powerpc64le-linux-gnu
object ppc64 powerpc64-linux-gnu
object ppc32 powerpc-linux-gnu
object s390x s390x-linux-gnu
object riscv64 riscv64-linux-gnu
object riscv32 riscv32-linux-gnu
object mips mips-linux-gnu
object 'mips64, n32' mips64-linux-gnuabin32
object mips64 mips64-linux-gnuabi64
object sparc64 sparcv9-linux-gnu
object sparc sparc-linux-gnu
object m68k m68k-linux-gnu
object hexagon hexagon-linux-musl
object VE ve-linux-gnu
object bpf bpf
object 'bpf, big-endian' bpfeb

# Two bytes are an int there, and a pointer.
cat >small.c <<'END'
struct small {
	char kind;
	struct small *next;
	long stamp __attribute__((aligned(4)));
} small;
_Static_assert(sizeof(struct small) == 8 && __builtin_offsetof(struct small, stamp) == 4, "");
END
small='small 8
kind 0
next NEXT
stamp 4'
shows 'avr' '$ clang --target=avr -g -c small.c' "$(echo "$small" | sed s/NEXT/1/)" -C small small.o
shows 'msp430' '$ clang --target=msp430 -g -c small.c' "$(echo "$small" | sed s/NEXT/2/)" -C small small.o

# ---- additions and subtractions of a linker that shortens code

cat >relaxed.c <<'END'
#include "shape.c"
int sum(struct shape *s) { return s->next ? sum(s->next) + s->after : s->kind; }
END
reads 'riscv64: pairs of `ADD` and `SUB` relocations' \
	'$ clang --target=riscv64-linux-gnu -mrelax -g -O1 -c relaxed.c' relaxed.o
like "they are there" "$(readelf -rW relaxed.o | sed -n '/\.rela\.debug_/,$p')" R_RISCV_SUB32
reads 'riscv64: linked, its relocations kept' \
	'$ ld.lld -e 0 --emit-relocs relaxed.o -o linked' linked
row 'riscv, loongarch: `ULEB128` pairs' 'written by hand' read tests/unit/elf_reloc.c
row 'alpha, arc, csky, hppa, ia64, loongarch, microblaze, nios2, openrisc, sh, xtensa' \
	'written by hand; read as readelf does' read tests/unit/elf_reloc.c

# ---- what nobody has told us of

refuses 'a machine with relocations of unknown kinds (lanai)' \
	'$ clang --target=lanai -fintegrated-as -gdwarf-4 -c shape.c' \
	'shape.o: .debug_info: the relocation at offset 0x6 is of type 4, which is unknown for machine 244' \
	shape.o

done_rows
