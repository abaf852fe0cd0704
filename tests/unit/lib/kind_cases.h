/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cases of tests/unit/kinds.c, which says how they are tried. */
#ifndef UNIT_LIB_KIND_CASES_H
#define UNIT_LIB_KIND_CASES_H

#include "layout/finding.h"

struct kind_case {
	const char *kind;
	uint64_t size;
	const char *members;
	const char *rule;
	enum outcome outcome;
	const char *message, *cause; /* in full */
	const char *margin;          /* NULL: none */
	const char *note;            /* part of the first; NULL: none */
	const char *block;
	const char *arch; /* NULL: x86_64 with lines of 64, kernel 6.12 */
	enum layout_source source;
	bool no_line;
};

struct kind_cases {
	const struct kind_case *items;
	size_t n;
};

/* Ends with one of no cases. */
extern const struct kind_cases more_cases[];

/* fdtable of 2.6.14: `next` does not fit the first line. */
#define FDTABLE_72                                                                                 \
	"max_fds@0:4 next_fd@8:4 fd@16:8 close_on_exec@24:8 open_fds@32:8 rcu@40:=pair "           \
	"free_files@56:8 next@64:8"
/* ... and of today. */
#define FDTABLE_56                                                                                 \
	"max_fds@0:4 fd@8:8 close_on_exec@16:8 open_fds@24:8 full_fds_bits@32:8 rcu@40:=pair"
#endif
