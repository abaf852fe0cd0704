/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packs written from an image: the promises that its own source makes, or those that it keeps; and
 * from its documentation. The text is YAML that packs_parse() takes, in the order of the layout or
 * the document.
 */
#ifndef RULE_WRITE_H
#define RULE_WRITE_H

#include "base/buf.h"
#include "rule/access_table.h"
#include "rule/rule.h"

/*
 * The groups that are marked in the source (layout/groups.h): where their members are and on how
 * many lines, how many members are in none, and, where names tell how groups are accessed, that
 * those of different access share no line. @line: bytes, 0 when not known. Returns how many types
 * have any; of none nothing is written.
 */
size_t pack_write_markers(const struct layout *layout, uint64_t line, struct buf *out);

/*
 * Rules that hold for the types of @defs in this image: their sizes with slack, which members begin
 * a line, which share one. Of several definitions of a name it is the first. It comes with comments
 * for whoever makes it shorter. @line must be known.
 */
void pack_write_learned(const struct def_list *defs, uint64_t line, struct buf *out);

/*
 * Tables of how members are accessed, each of another struct: that nothing written shares a line
 * with something read mostly, and that all members are in the table. Groups have the paths on which
 * their members are accessed in their name.
 */
void pack_write_access(const struct access_table *tables, size_t n, struct buf *out);

#endif
