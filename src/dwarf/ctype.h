/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types as somebody sees them who follows pointers: of each only what is asked, each DIE once.
 * Typedefs and qualifiers are looked through. Offsets and sizes are in BYTES.
 *
 * Decoding a layout (decode.h) is another matter: it makes all of a type and nothing behind its
 * pointers, here it is the reverse.
 */
#ifndef DWARF_CTYPE_H
#define DWARF_CTYPE_H

#include "base/mem.h"
#include "dwarf/foreign.h"
#include "dwarf/memo.h"

enum ctype_kind { CTYPE_SCALAR, CTYPE_POINTER, CTYPE_COMPOSITE, CTYPE_ARRAY, CTYPE_FUNCTION };

struct ctype_member {
	const char *name;         /* NULL: anonymous */
	uint64_t offset, size;    /* size 0: none, or not known */
	bool is_last_array;       /* it may go on behind its end */
	const struct ctype *type; /* NULL: void, or of no known kind */
};

struct ctype {
	uint8_t kind;
	bool is_union, is_declaration;
	bool has_size;
	uint64_t size;
	const char *name;  /* of the tag or base type; NULL: anonymous */
	const char *alias; /* of an anonymous type, the first typedef that led to it; or NULL */
	const char *word;  /* "struct", "union", "enum", ...; NULL: none */
	struct place place;
	/* Filled when asked for. */
	bool has_target, has_members;
	const struct ctype *target;
	struct ctype_member *members;
	size_t nmembers;
	const char *spelling, *source;
	uint32_t query; /* which file query answers `source`, + 1; 0: none was made */
};

struct ctypes {
	struct reader *reader;
	struct arena *arena;
	struct memo known; /* by place: number in `items` */
	struct ctype **items;
	size_t n, cap;
	unsigned nesting, steps;
	/* Units that types were found in, held until ctypes_end(). */
	const struct unit **held;
	size_t nheld, cap_held;
};

void ctypes_init(struct ctypes *types, struct reader *reader, struct arena *arena);
void ctypes_release(struct ctypes *types);

/* Forgets all types and lets go of the units: the end of work on one compile unit. */
void ctypes_end(struct ctypes *types);

/*
 * The type that an attribute of the DIE at @from refers to, typedefs and qualifiers taken off. NULL
 * in *ret: void, or a type that goes in circles.
 */
MUST_CHECK bool ctype_of(struct ctypes *types, struct place from, const struct value *ref,
			 const struct ctype **ret);

/* What @ref refers to, its unit held until ctypes_end(). */
MUST_CHECK bool ctypes_follow(struct ctypes *types, struct place from, const struct value *ref,
			      struct place *ret);

/* What a pointer points to, an array is made of, a function returns; NULL: void. */
MUST_CHECK bool ctype_target(struct ctypes *types, const struct ctype *type,
			     const struct ctype **ret);

/* What an array is made of in the end, and any other type itself; NULL: void. */
MUST_CHECK bool ctype_element(struct ctypes *types, const struct ctype *type,
			      const struct ctype **ret);

/* "struct files_struct", "unsigned int", "struct page *". Never NULL. */
MUST_CHECK bool ctype_spelling(struct ctypes *types, const struct ctype *type, const char **ret);

/* An object of @inner, or one like it, can be at @offset of @outer (or of an array of them). */
MUST_CHECK bool ctype_holds(struct ctypes *types, const struct ctype *outer, int64_t offset,
			    const struct ctype *inner, bool *ret);

/*
 * The pointers that can be at @offset of @type (or of an array of them): several in a union, where
 * a number may be there instead as well. At most POINTERS_MAX.
 */
enum { POINTERS_MAX = 6 };
struct ctype_pointers {
	const struct ctype *items[POINTERS_MAX];
	size_t n;
	bool or_number;
};
MUST_CHECK bool ctype_pointers_at(struct ctypes *types, const struct ctype *type, int64_t offset,
				  struct ctype_pointers *ret);

/* Something that is no struct, union or array begins at @offset of @type and has @size bytes. */
MUST_CHECK bool ctype_fits(struct ctypes *types, const struct ctype *type, int64_t offset,
			   uint32_t size, bool *ret);

#endif
