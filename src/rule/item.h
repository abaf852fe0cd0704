/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Members as rules write them, `f_count|f_ref?`, `max..low`, `m[0..3]`, or variables, `jiffies_64`;
 * groups; and items of both. */
#ifndef RULE_ITEM_H
#define RULE_ITEM_H

#include "rule/read.h"

struct group_list {
	const struct group *items;
	const struct group **by_name; /* sorted */
	size_t n;
	bool of_variables; /* what is named are variables, not members */
};

/* The value of `groups:`, into @ret, in which of_variables is set. What is right of it is in @ret
 * even when it returns false. */
bool groups_parse(struct reader *reader, const struct node *node, struct group_list *ret);

/* One member, which stands at @node. A group's name is refused. */
bool ref_parse(struct reader *reader, const struct node *node, const char *name,
	       const struct group_list *groups, struct ref *ret);

/* A member, a group, or a list of them. */
bool item_parse(struct reader *reader, const struct node *node, const char *name,
		const struct group_list *groups, struct item *ret);

/* `fdt,fdtab`; a list inside a list (@inner) is joined by `+`. For ids. */
void item_describe(const struct item *item, bool inner, struct buf *buf);

#endif
