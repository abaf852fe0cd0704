/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arguments that speak of more than members of the struct: places in other types, distances, and
 * members by how they are accessed. */
#ifndef RULE_PLACE_H
#define RULE_PLACE_H

#include "rule/item.h"

/* A list of at least two like `page.flags`; one of the types is that of @block. */
bool places_parse(struct reader *reader, const struct node *list, const char *name,
		  const struct block *block, struct rule *rule);

/* `64`, `sizeof(page)` or `2 * sizeof(page)`. */
bool distance_parse(struct reader *reader, const struct node *node, const char *name,
		    struct distance *ret);

/* `{read_mostly: MEMBERS, written: MEMBERS, ...}` as the items of @rule, labelled by class. */
bool classes_parse(struct reader *reader, const struct node *map, const char *name,
		   const struct group_list *groups, struct rule *rule);

#endif
