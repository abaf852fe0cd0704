/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rule packs: YAML -> struct packs. Strict: an unknown key is an error with the nearest known name,
 * a number must be a number, a rule has exactly one kind, ids are unique over all packs loaded. All
 * errors of a file are found in one run. Aliases and anchors are refused (nobody needs them here,
 * and they can be a bomb), and so are tags and second documents. Nesting and size are bounded.
 */
#ifndef RULE_PACK_H
#define RULE_PACK_H

#include "base/buf.h"
#include "rule/rule.h"

/* What is wrong with packs, as text ready for the terminal: "file:line:col: sentence", the line, a
 * caret. */
struct pack_errors {
	struct buf text;
	size_t n;
};

void pack_errors_init(struct pack_errors *errors);
void pack_errors_release(struct pack_errors *errors);

void packs_init(struct packs *packs);
void packs_release(struct packs *packs);

/* A file, or a directory: its *.yaml, recursively, sorted. Adds to @packs what is right; true when
 * nothing was wrong. */
bool packs_load(struct packs *packs, const char *path, struct pack_errors *errors);

/* The same from memory; @file is the name that messages give it. */
bool packs_parse(struct packs *packs, const char *file, const char *text, size_t len,
		 struct pack_errors *errors);

/* After all files are loaded: ids that two rules share are errors. */
bool packs_finish(struct packs *packs, struct pack_errors *errors);

#endif
