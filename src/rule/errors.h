/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Complaints about a pack: collected while it is read, printed in the order of its lines.
 *
 *	rules/files.yaml:12:9: unknown key `serverity`; did you mean `severity`?
 *	        serverity: note
 *	        ^
 *
 * Sentences may hold foreign text as it is: it is escaped here, once, when it is printed.
 */
#ifndef RULE_ERRORS_H
#define RULE_ERRORS_H

#include <stddef.h>

#include "base/err.h"
#include "base/file.h"
#include "rule/pack.h"

/* The bytes of a pack and the name that messages give it. A NUL stands behind `len` bytes. */
struct source {
	const char *file;
	const char *text;
	size_t len;
};

struct complaint {
	unsigned line, col; /* from 1; line 0: the file as a whole */
	size_t nth;         /* keeps those of one place in the order they were made */
	char *sentence;     /* owned */
};

struct complaints {
	struct complaint *items;
	size_t n, cap;
};

void complaints_init(struct complaints *list);
void complaints_release(struct complaints *list);

/* One clause that begins in lower case, without a full stop. */
void complain(struct complaints *list, unsigned line, unsigned col, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

/* Adds all of @list, in order, to @errors: the first hundred drawn, the others counted. */
void complaints_print(struct complaints *list, const struct source *source,
		      struct pack_errors *errors);

/* One about a file as a whole; false. */
bool complain_of_file(struct pack_errors *errors, const char *file, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

/* Reads a file of YAML whole; false when it cannot be, which has been complained about. */
bool read_yaml_file(const char *path, struct pack_errors *errors, struct bytes *ret);

#endif
