/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshots: a layout as a small JSON file to commit and diff against, and back. Through jansson.
 *
 * The same layouts give the same bytes: sorted, no clock, no path of this machine, no thread order.
 * Build id, release and tool version are written only with `stamp`, so that a committed baseline
 * does not change with every build; a digest of the configuration, when there is one, always is.
 *
 * Form (version 1): {"layoutcheck_snapshot":1, "target":{...}, "source":"DWARF", "types":[...],
 * "defs":[...]}: types are shared, each written once, in an order that depends on nothing but their
 * contents.
 */
#ifndef LAYOUT_SNAPSHOT_H
#define LAYOUT_SNAPSHOT_H

#include "base/buf.h"
#include "base/err.h"
#include "layout/model.h"

struct snapshot_options {
	bool stamp;
	const char *config_digest; /* or NULL */
	uint64_t line;             /* in force, bytes; 0: unknown */
};

void snapshot_write(const struct layout *layout, const struct snapshot_options *options,
		    struct buf *out);

/* The bytes look like a snapshot (and not like ELF or BTF): an object whose first key is ours. */
bool snapshot_detect(const void *data, size_t len);

/*
 * @place names the file in errors. Everything is checked: a type out of range, a cycle by value, a
 * number that is none, an unknown version is one sentence. What is wanted is kept as a reader keeps
 * it.
 */
MUST_CHECK bool snapshot_read(const void *data, size_t len, const char *place,
			      const struct want *want, struct err *err, struct layout **ret);

#endif
