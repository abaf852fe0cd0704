/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a C compiler of the target knows of scalars: their sizes by name, and their alignment as
 * members of a struct. From the psABI of each machine, and ADJUST_FIELD_ALIGN of gcc for i386,
 * where members of 8 bytes are aligned to 4. Bytes.
 */
#ifndef LAYOUT_ABI_H
#define LAYOUT_ABI_H

#include "layout/model.h"

struct abi {
	uint64_t pointer; /* of a pointer, and of long */
	uint64_t most;    /* no scalar is aligned to more */
	bool halves;      /* i386: what is larger than 4 is aligned to 4, but for 16 */
	bool big_endian;
};

/* False: the machine is not known, or not how wide its pointers are. */
bool abi_of(const struct target *target, struct abi *ret);

/* Of a type that is no array, struct or union, without what is asked for by an attribute; 1 of what
 * has no size. */
uint64_t abi_align(const struct abi *abi, const struct type *type);

/*
 * The size of the scalar of that name: those of C ("unsigned long", words in any order), of
 * stdint.h and of the kernel ("u64", "__le32", "size_t"). 0: it is none of them.
 */
uint64_t abi_size(const struct abi *abi, const char *name);

#endif
