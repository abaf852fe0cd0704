/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rule language and packs of rules, as `rules` lists them: rows that cli/ makes of the table of
 * kinds and of packs, in text for people and in JSON for programs.
 */
#ifndef REPORT_RULES_H
#define REPORT_RULES_H

#include "base/buf.h"
#include "layout/finding.h"

struct param_row {
	const char *name;
	const char *type; /* "N", "EXPRESSION": as the manual calls it */
	uint64_t least;   /* of numbers */
	bool has_fallback;
	uint64_t fallback; /* when it is not given */
	const char *help;
};

struct kind_row {
	const char *name;
	const char *argument; /* "MEMBERS" */
	const char *help;     /* when it holds */
	bool has_granule;     /* takes `granule` */
	bool one_param;       /* must have exactly one of `params` */
	bool of_variables;    /* else of structs */
	const struct param_row *params;
	size_t nparams;
};

struct rule_row {
	const char *id, *kind;
	const char *subject; /* the struct; NULL: variables */
	enum severity severity;
	struct pos pos;
	const char *why, *origin; /* or NULL */
};

struct pack_row {
	const char *file;
	const char *title, *image; /* or NULL */
	const struct rule_row *rules;
	size_t nrules;
};

/* "  together: MEMBERS    the members touch at most N lines", and its parameters below; a heading
 * where those of variables begin behind others. */
void text_kinds(const struct kind_row *rows, size_t n, struct buf *out);

/* "rules/linux/files.yaml: Open file table", and below it each rule with kind and severity. */
void text_packs(const struct pack_row *rows, size_t n, struct buf *out);

/* {"version","kinds":[{"name","of","argument","help","granule","parameters":[...]}]} */
void json_kinds(const struct kind_row *rows, size_t n, struct buf *out);

/* {"version","packs":[{"file","title","image","rules":[{"id","kind",...}]}]} */
void json_packs(const struct pack_row *rows, size_t n, struct buf *out);

/*
 * The language as a JSON Schema, for editors: it takes every pack that layoutcheck takes. That ids
 * differ, or a group that is named is there, it does not say.
 */
void json_schema(const struct kind_row *rows, size_t n, struct buf *out);

#endif
