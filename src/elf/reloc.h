/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a relocation of a debug section does, by machine and type. Only the kinds that compilers
 * put into debug sections: absolute addresses and offsets, thread-local offsets, and the pairs of
 * additions and subtractions of machines whose linker moves code. From the processor supplements;
 * tested against readelf, on what clang makes for a machine or on objects written by hand.
 */
#ifndef ELF_RELOC_H
#define ELF_RELOC_H

#include <stdint.h>

enum reloc_action {
	RELOC_NOTHING,
	RELOC_STORE, /* S + A */
	RELOC_DTP,   /* S + A - 0x8000: where mips and powerpc keep their thread pointer */
	RELOC_ADD,   /* what is there + S + A */
	RELOC_SUB,   /* what is there - (S + A) */
};

enum reloc_width {
	RELOC_SIX = 6,   /* the low six bits of a byte; the others stay */
	RELOC_ULEB = 16, /* a ULEB128 number whose length stays, by a pair of relocations at one
			    offset: STORE or ADD, then SUB */
};

struct reloc_kind {
	uint16_t machine; /* EM_* */
	uint16_t type;    /* R_* */
	uint8_t action;   /* enum reloc_action */
	uint8_t width;    /* 1, 2, 4 or 8 bytes, or an enum reloc_width */
};

/* NULL: unknown. Type 0 is "nothing" on every machine. */
const struct reloc_kind *reloc_kind(unsigned machine, unsigned type);

#endif
