/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The snapshot reader's questions about JSON: each is answered, or fails with the place in the
 * file.
 */
#ifndef LAYOUT_SNAPSHOT_JSON_H
#define LAYOUT_SNAPSHOT_JSON_H

#include <jansson.h>

#include "base/err.h"
#include "layout/model.h"

/* A type of the file; the type itself is in parser->types at that index. */
struct entry {
	const char *key;
	size_t index;
};

struct parser {
	const char *file; /* for errors */
	struct err *err;
	struct layout *layout;
	struct arena *arena; /* the layout's */
	struct type *types;
	struct entry *sorted; /* by key */
	size_t ntypes;
	unsigned char *state; /* of each type: see check_depth() */
	unsigned *depth;
	/* Where in the file we are: "target", "types[12]", "types[12].members[3]". */
	const char *object, *list, *inner;
	size_t at, inner_at;
};

/* Fills the error and returns false; @key may be NULL. */
bool snap_fail(struct parser *p, const char *key, const char *fmt, ...) PRINTF_LIKE(3, 4);

enum need { MAY_LACK, MUST_HAVE };

/* The value is an object, and has no keys but these, which end with a NULL. */
MUST_CHECK bool snap_keys(struct parser *p, const json_t *object, const char *const *keys);

/*
 * The value of a key. False: it is missing and must not be, or is of another kind. One that may
 * lack and does leaves *ret (*ret_has says so); snap_find() sets it to NULL.
 */
MUST_CHECK bool snap_find(struct parser *p, const json_t *object, const char *key, enum need need,
			  const json_t **ret);
MUST_CHECK bool snap_text(struct parser *p, const json_t *object, const char *key, enum need need,
			  const char **ret);
MUST_CHECK bool snap_number(struct parser *p, const json_t *object, const char *key, enum need need,
			    uint64_t max, bool *ret_has, uint64_t *ret);
MUST_CHECK bool snap_list(struct parser *p, const json_t *object, const char *key,
			  const json_t **ret);
/* What is not true is not written. */
MUST_CHECK bool snap_flag(struct parser *p, const json_t *object, const char *key, bool *ret);
/* An index into @words, which end with a NULL. */
MUST_CHECK bool snap_word(struct parser *p, const json_t *object, const char *key,
			  const char *const *words, int *ret);
/* In bits: of `size`, in bytes, or of `bits`; not both. */
MUST_CHECK bool snap_size(struct parser *p, const json_t *object, bool *ret_has, uint64_t *ret);

#endif
