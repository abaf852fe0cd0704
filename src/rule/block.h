/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structs, variables and rules: what stands under `structs:` and `variables:`. */
#ifndef RULE_BLOCK_H
#define RULE_BLOCK_H

#include "rule/item.h"

struct block_list {
	struct block *items;
	size_t n, cap;
};

/*
 * The value of a struct's name, @key: a mapping, or a list of them. Adds to @list (malloc'd) what
 * is right: a rule that is wrong is left out, the others of its struct stay.
 */
void blocks_parse(struct reader *reader, const struct node *key, const struct node *value,
		  struct block_list *list);

/* The value of `variables:`, whose key is @key: a mapping, or a list of them. */
void variables_parse(struct reader *reader, const struct node *key, const struct node *value,
		     struct block_list *list);

/* One rule, an element of `rules:`. */
bool rule_parse(struct reader *reader, const struct node *node, const struct block *block,
		const struct group_list *groups, struct rule *ret);

#endif
