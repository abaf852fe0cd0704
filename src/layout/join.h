/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One layout of several parts: the objects of an archive or of a program that is not linked, the
 * files of split debug info. Equal definitions become one, as between the compile units of one
 * file: the first part's stays, compile units are added up. Different ones stay distinct.
 *
 * Equal is what has the same name, scope, kind and digest, so all parts must come from one reader.
 * A reader that knows the join leaves out what it has, before it decodes it:
 *
 *	struct join *join = join_new();
 *	for each part:
 *		read it; for each definition found: join_count(), else decode it
 *		join_add(join, layout of what was decoded);
 *	layout = join_finish(join, path);
 */
#ifndef LAYOUT_JOIN_H
#define LAYOUT_JOIN_H

#include "layout/model.h"

struct join; /* opaque; of one thread */

struct join *join_new(void);
void join_free(struct join *join); /* of one that is not finished; NULL is fine */

/* Adds key->cus to the equal definition that is there. False: there is none. Of @key only what
 * tells definitions apart is looked at, and its `cus`. */
bool join_count(struct join *join, const struct def *key);

/* Some definition, whatever it is like, has this name. */
bool join_has_name(const struct join *join, const char *name);

/* The names of @want that have no definition; @list holds them, and is the caller's to release. */
struct want join_missing(const struct join *join, const struct want *want, struct want_list *list);

/* Takes @part over, and with it all that its definitions point to. */
void join_add(struct join *join, struct layout *part);

/* Parts added so far. */
unsigned join_parts(const struct join *join);

/*
 * What a linker keeps one copy of wherever it stands (COMDAT: type units), by its key. True for the
 * first that asks with @key, and whenever the part that was first asks again.
 */
bool join_claim(struct join *join, uint64_t key);

/* The whole, sorted, with all that is not of definitions (target, source) from the first part;
 * there must be one. Frees @join. The caller frees the result with layout_free(). */
struct layout *join_finish(struct join *join, const char *path);

#endif
