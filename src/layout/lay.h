/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a compiler does with a struct: a tree of declarations that can be changed and laid out
 * again. The attributes that it was declared with are found out from its layout, in this order:
 * none but those that the image tells; packed; #pragma pack(2), (4), (8); else member by member,
 * the least that explains where each is. What nothing but a hole tells is assumed, and said.
 * Offsets and sizes in bits, alignments in bytes.
 */
#ifndef LAYOUT_LAY_H
#define LAYOUT_LAY_H

#include "base/err.h"
#include "layout/abi.h"
#include "layout/model.h"

/* A declaration in a struct or union. */
struct slot {
	struct member member; /* bit_offset and bit_size as it is laid out */
	struct node *inner;   /* its type, or what it is an array of, when that has no name: nobody
				 else has it; else NULL */
	bool is_new;
	uint64_t was;   /* from the start of the outermost type, unless it is new */
	uint64_t asked; /* alignment of the declaration; 0: none */
	bool packed;
	uint64_t unnamed; /* bits before it that are taken for a bit-field without a name */
	bool to_unit;     /* before it is taken to be a `:0` */
};

/* A struct or union. */
struct node {
	const struct type *type; /* as it was read */
	struct slot *slots;
	size_t n;
	uint64_t least;       /* what the type itself asks for, else 1 */
	bool packed;          /* all of it: new members, too */
	uint64_t pack;        /* #pragma pack, 0: none */
	uint64_t tail;        /* bits at the end that are taken for bit-fields without a name */
	bool fits;            /* the rules give the layout that was read */
	bool changed;         /* by an edit */
	uint64_t bits, align; /* as it is laid out */
	struct node *mirror;  /* of struct_group(): declares the same members once more; or NULL */
	/* For lay.c. */
	struct node *next; /* of tree->named */
	bool touched;      /* by an edit, or by one of what it embeds */
	unsigned turn;     /* tree->turn when it was last walked over */
	const struct type *made;
};

struct tree {
	struct arena *arena;
	struct abi abi;
	uint64_t line; /* bytes: the alignment that is assumed first */
	bool knows_align;
	const char *source; /* "BTF" */
	struct node *named; /* what has a name is one, wherever it is embedded */
	size_t nslots;
	unsigned turn;        /* which walk over the nodes this is */
	const char **assumed; /* sentences */
	size_t nassumed;
};

/* False: the image does not tell of which machine it is. */
MUST_CHECK bool tree_init(struct tree *tree, const struct layout *layout, struct arena *arena,
			  struct err *err);

/* The one node of a type that has a name, or that is the outermost. */
struct node *tree_node(struct tree *tree, const struct type *type);

/* The struct or union that a member embeds, also as an array; NULL: none. */
struct node *slot_node(struct tree *tree, const struct slot *slot);

/* @node is the slot_node() of @slot, or embedded in it, however deep. */
bool slot_holds(struct tree *tree, const struct slot *slot, const struct node *node);

/* Puts @slot before the one at @at. */
void node_insert(struct tree *tree, struct node *node, size_t at, const struct slot *slot);
void node_remove(struct node *node, size_t at);

/* The size of a type as edits have left it so far. */
uint64_t tree_bits(struct tree *tree, const struct type *type);

/* Lays out what edits have changed, and what embeds it. @name is that of the root, for sentences.
 * False: @err says why no compiler would, or why it is not known what one would do. */
MUST_CHECK bool tree_lay(struct tree *tree, struct node *root, const char *name, struct err *err);

/* Adds a sentence on what the image does not tell. */
void tree_assume(struct tree *tree, const char *sentence);

/* The type as it is laid out. It and all without a name in it are made anew: see edit_was. */
const struct type *tree_type(struct tree *tree, struct node *root);

#endif
