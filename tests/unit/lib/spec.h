/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types for tests, from one line of text. Offsets and sizes in bits, offsets from the start of the
 * struct that holds the member:
 *
 *	a:64@0                  u64 a
 *	b[2][3]:48@64           u8 b[2][3]: the element is what the size leaves
 *	c/32:3@112              u32 c:3, a bit-field
 *	*d:64@128               void *d
 *	e:0@192                 struct {} e; a marker when its name is one
 *	f[]/16@192              u16 f[]
 *	?g:32@0                 u32 g, placed at run time
 *	struct{ ... }:64@0      anonymous; union{ ... } too
 *	h=struct{ ... }:64@0    embedded
 *	^B=struct{ ... }:64@0   base class B
 */
#ifndef TESTS_SPEC_H
#define TESTS_SPEC_H

#include "base/mem.h"
#include "layout/model.h"

/* A struct of @bytes; fails the test on a spec it cannot read. */
struct type *spec_struct(struct arena *arena, const char *name, uint64_t bytes, const char *spec);
struct type *spec_union(struct arena *arena, const char *name, uint64_t bytes, const char *spec);

/* The member of that name, anywhere in @type; fails the test when there is none. */
const struct member *spec_member(const struct type *type, const char *name);

#endif
