/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small pieces of YAML for packs that are written. */
#ifndef RULE_YAML_WRITE_H
#define RULE_YAML_WRITE_H

#include "base/buf.h"
#include "layout/geometry.h"

/* It can stand in a pack as a member or the name of a group: letters, digits and `_`. */
bool is_plain_name(const char *name);

/* A type as packs name it, in quotes where YAML wants them; NULL: a pack cannot name it. */
const char *pack_type_name(const struct def *def, struct arena *arena);

/* In double quotes, in @arena; NULL: it has bytes that are no text, which YAML cannot say. */
const char *yaml_quoted(const char *text, struct arena *arena);

/* "        key: [a, b, c]", broken at the width of a page, with a line's end. */
struct yaml_list {
	struct buf *out;
	size_t indent, column, n;
};
void yaml_list_begin(struct yaml_list *list, struct buf *out, size_t indent, const char *key);
void yaml_list_add(struct yaml_list *list, const char *word);
void yaml_list_end(struct yaml_list *list);

#endif
