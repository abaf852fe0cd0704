/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * YAML as a tree of nodes that know their place. The part of YAML that packs need: one document of
 * scalars, lists and mappings with words as keys. No anchors, aliases, tags or second documents; a
 * key stands once. Nothing is typed here: a scalar is its text, and whether it was quoted.
 */
#ifndef RULE_YAML_H
#define RULE_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "rule/errors.h"

enum {
	YAML_MOST_BYTES = 4 * 1024 * 1024,
	YAML_MOST_DEPTH = 32, /* lists and mappings inside each other */
};

enum node_kind {
	NODE_BAD, /* stood here and was complained about: say no more of it */
	NODE_SCALAR,
	NODE_LIST,
	NODE_MAP,
};

struct node {
	enum node_kind kind;
	unsigned line, col; /* of its first character, from 1; columns count characters */
	bool quoted;        /* a scalar in quotes, or a block scalar */
	const char *text;   /* of a scalar: valid UTF-8 without a NUL */
	const struct node *const *items; /* a list's, or of a mapping key, value, key, value, ... */
	size_t n;                        /* items, or pairs */
};

/* The i-th key and value of a mapping. A key is a scalar. */
const struct node *node_key(const struct node *map, size_t i);
const struct node *node_value(const struct node *map, size_t i);

/*
 * Complains about each scalar among @nodes (every @stride-th of @n is looked at) that stood before:
 * "@what `x` stands twice: first at 3:5". True when there was none.
 */
bool nodes_differ(const struct node *const *nodes, size_t n, size_t stride, const char *what,
		  struct complaints *complaints);

/*
 * The document's root, in @arena; NULL when @source cannot be read as YAML to its end, which has
 * then been complained about. Other complaints leave a tree that can be looked at.
 */
const struct node *yaml_parse(const struct source *source, struct arena *arena,
			      struct complaints *complaints);

#endif
