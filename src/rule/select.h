/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a pack is about in an image: is it for this image at all, and which definitions do its
 * blocks mean.
 */
#ifndef RULE_SELECT_H
#define RULE_SELECT_H

#include "rule/rule.h"

/* `image: vmlinux` is a kernel, `module:NAME` that module (- and _ are one), `user` anything else;
 * a pack without `image:` is for all. */
bool pack_applies(const struct pack *pack, const struct target *target);

struct selection {
	struct def_list defs; /* empty: missing */
	const char *missing;  /* why, one clause; NULL when there is one */
	bool untold; /* the image may have one: this is a snapshot that was taken without it */
	/*
	 * `source:` was given and the image does not say where types are declared (BTF): `defs` are
	 * all of the name, and which of them is meant cannot be told.
	 */
	bool unverified;
};

/*
 * All distinct definitions of the block's type; with `source:` those declared in that file, which
 * may be written from any directory down (linux/fdtable.h for include/linux/fdtable.h).
 */
void select_defs(const struct block *block, const struct layout *layout, struct arena *arena,
		 struct selection *ret);

/* "280 bytes, include/linux/console.h:302, 1204 CUs" of what is known. */
const char *def_describe(const struct def *def, struct arena *arena);

#endif
