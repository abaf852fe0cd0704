/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshots: a layout as a small JSON file to commit and diff against, and back. Through jansson.
 *
 * The same layouts give the same bytes: sorted, no clock, no path of this machine, no order of a
 * reader. What changes with every build (release, build id, tool, how many compile units agree) is
 * written only with `stamp`, so that a committed baseline changes when a layout does.
 *
 * Form, version 1; a type and a member a line, so that diff(1) shows what a patch did:
 *
 *	{
 *	"layoutcheck_snapshot": 1,
 *	"source": "dwarf",			or "btf"
 *	"target": {...},			as in target.h; `kernel` is major.minor.patch,
 *						`config` a digest, `randomized` true or not there
 *	"knows": ["align", "decl"],		what the source can tell at all
 *	"asked": ["fdtable", ...],		all definitions of these names are here; null: of
 *						every name
 *	"defs": [{"name", "kind", "scope"?, "type", "file"?, "line"?, "cus"?}, ...],
 *	"types": [{"key", "kind", ..., "members"?: [{"name", "type", "offset", "size", ...}]}, ...]
 *	}
 *
 * A type is referred to by its key: its spelling, and where that could mean several, "#" and the
 * first digits of a digest of its contents. So a type that is added or changed touches the lines
 * that speak of it, and no other. Types stand once each, by kind and key; what is behind a pointer
 * is only spelled. Offsets and sizes are bytes (`offset`, `size`), with the rest in bits (`bit`),
 * or in bits where a number of bytes would not do (`bits`).
 */
#ifndef LAYOUT_SNAPSHOT_H
#define LAYOUT_SNAPSHOT_H

#include "base/buf.h"
#include "base/err.h"
#include "layout/model.h"

enum { SNAPSHOT_VERSION = 1, SNAPSHOT_MAX = 64 << 20 /* bytes of a file */ };

struct snapshot_options {
	bool stamp;
	const char *tool; /* name and version, for the stamp */
};

/*
 * The definitions of @want's names, or with want->all of every name, and what they hold by value.
 * From a layout that is itself of a snapshot, no more is claimed to be there than that one holds.
 */
void snapshot_write(const struct layout *layout, const struct want *want,
		    const struct snapshot_options *options, struct buf *out);

/* The first bytes of a file are those of a JSON object, which neither ELF nor BTF is. */
bool snapshot_detect(const void *data, size_t len);

/*
 * All that the file holds. @place names it in errors, which say where in it: "base.json:
 * types[12].members[3].offset: ...". Strict: a key that is not known, twice or missing, a type that
 * is not there or holds itself, a number that is none, a file that is cut off anywhere, another
 * version. The caller frees *ret.
 */
MUST_CHECK bool snapshot_read(const void *data, size_t len, const char *place, struct err *err,
			      struct layout **ret);

/* The part of a snapshot's layout that is wanted. Types and strings are @whole's, which must
 * outlive it. */
struct layout *snapshot_select(const struct layout *whole, const struct want *want);

/* ---- shared by the writer and the reader ----------------------------------------------------- */

#define SNAPSHOT_KEY "layoutcheck_snapshot"

/* By enum type_kind and enum def_kind; a NULL ends them. */
extern const char *const snapshot_type_kinds[];
extern const char *const snapshot_def_kinds[];

#endif
