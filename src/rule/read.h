/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From nodes to values. Each function complains, in one sentence at the node, about what does not
 * fit, and then returns false with its result untouched; a NODE_BAD is refused in silence. `name`
 * is what messages call the value: the key it stands behind.
 */
#ifndef RULE_READ_H
#define RULE_READ_H

#include <stdint.h>

#include "rule/yaml.h"

struct reader {
	struct arena *arena;  /* of the packs: what is read lives here */
	struct arena scratch; /* nodes, and what else the next file need not see */
	struct source source;
	struct complaints complaints;
	size_t refs; /* members read, those that groups bring included */
};

/* A complaint about @at. */
void oops(struct reader *reader, const struct node *at, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* "; did you mean `x`?" or "", for the end of a complaint. */
const char *did_you_mean(struct reader *reader, const char *word, const char *const *known,
			 size_t n);

/* "a, b, c" in the scratch arena. */
const char *listed(struct reader *reader, const char *const *words, size_t n);

/* A mapping's keys: the caller says which may stand there, and gets what stood there. */
struct slot {
	const char *name;
	bool required;
	const char *refusal;      /* not NULL: may not stand there, and why: "is a second kind" */
	const struct node *value; /* NULL: absent */
};

/* @what begins the sentence: "a pack", "`fdtable`". False when @map is no mapping, or has an
 * unknown key, or lacks a required one.
 */
bool read_slots(struct reader *reader, const struct node *map, const char *what, struct slot *slots,
		size_t n);

/* What all others test first: not bad, not empty. */
bool read_present(struct reader *reader, const struct node *node, const char *name);

/* A list, a mapping, or a scalar, of at least one element or character. */
bool read_kind(struct reader *reader, const struct node *node, const char *name,
	       enum node_kind kind);

/* Text. Plain numbers, true and false are none: YAML takes them for something else. */
bool read_text(struct reader *reader, const struct node *node, const char *name, const char **ret);

/* A plain number of at least @least. */
bool read_number(struct reader *reader, const struct node *node, const char *name, uint64_t least,
		 uint64_t *ret);

/* The same, and a power of two. */
bool read_power_of_two(struct reader *reader, const struct node *node, const char *name,
		       uint64_t *ret);

/* true or false. */
bool read_bool(struct reader *reader, const struct node *node, const char *name, bool *ret);

/* One of @words; its index. */
bool read_choice(struct reader *reader, const struct node *node, const char *name,
		 const char *const *words, size_t n, size_t *ret);

/* A type as rules name it: "fdtable", "union sigval", "ns::T". */
bool read_type_name(struct reader *reader, const struct node *at, const char *text,
		    struct type_ref *ret);

/* Digits: decimal or 0x, nothing before or behind, and no leading 0 that could mean octal. */
bool is_number(const char *text, uint64_t *ret);

#endif
