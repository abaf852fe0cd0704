/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which types hold which others, and where: an index over all of a layout. Bytes. */
#ifndef C2C_EMBED_H
#define C2C_EMBED_H

#include "base/mem.h"
#include "layout/model.h"

/* @outer holds one of that name at @offset, and with @count above 1 an array of them. */
struct holder {
	const struct def *outer;
	uint64_t offset, stride, count;
};

struct embed {
	struct embed_name {
		const char *name;
		struct holder holder;
	} * items; /* by name, then outer name, then offset */
	size_t n, cap;
};

/* NULL: a layout without types. */
void embed_init(const struct layout *layout, struct embed *ret);
void embed_release(struct embed *embed);

/* How many holders there are of a type of that name, the first in @ret, which may be NULL; those
 * behind it follow. */
size_t embed_holders(const struct embed *embed, const char *name, const struct embed_name **ret);

/* Whether @outer holds one of that name at @offset, be it in an array. */
bool embed_holds(const struct embed *embed, const struct def *outer, const char *name,
		 uint64_t offset);

#endif
