/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BTF types -> types and definitions of the model, one by one as they are asked for, each once. The
 * bytes have been through btf_scan(), so records and references are sound; what they mean is
 * checked here (a struct that contains itself, a member without a size).
 */
#ifndef BTF_CONVERT_H
#define BTF_CONVERT_H

#include "base/err.h"
#include "base/hash.h"
#include "layout/model.h"
#include "layout/spell.h"

struct btf; /* libbpf's */

struct converter {
	const struct btf *btf;
	unsigned pointer_bits; /* 0: not known, and a pointer is then an error */
	const char *place;     /* for errors */
	struct err *err;
	struct arena *arena; /* where types live */
	/* Bytes of names there may be: they can be shared, and begin within others, so that a small
	 * file could have gigabytes. */
	uint64_t most_named;
	/* By type number; NULL and zeros: not yet converted. */
	const struct type **types;
	struct hash128 *digests;
	struct spelling *spellings;
	unsigned depth;
	uint64_t named; /* bytes of names that were copied */
};

/* Everything but the tables is set by the caller. */
void converter_init(struct converter *c);
void converter_release(struct converter *c);

/* The type of that number, void (0) included; NULL is an error. */
const struct type *convert_type(struct converter *c, uint32_t id);

/* Its name (libbpf's memory) if type @id is a definition: a named struct or union, or the typedef
 * of an anonymous one; else NULL. Converts nothing. */
const char *definition_name(const struct btf *btf, uint32_t id);

/* Converts a definition. */
MUST_CHECK bool convert_definition(struct converter *c, uint32_t id, struct def *ret);

#endif
