/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The model: what a reader found, the same from DWARF, BTF or a snapshot.
 *
 * Units. Offsets and sizes are in BITS, `align` is in BYTES. A member's offset is from the start of
 * the type that directly holds it (types are shared between their users); whatever leaves the model
 * (struct span, view rows, findings) is from the start of the outermost type. On both byte orders
 * bit 0 of a bit-field's offset is the first bit of the storage in address order, as
 * DW_AT_data_bit_offset counts.
 *
 * Unknown is a value of its own (`has_size`, `has_align`, `has_decl`), never 0.
 *
 * Lifetime. Everything hangs on the arena of one struct layout and is valid until layout_free(). It
 * is read-only after the reader returns: every later room takes const pointers.
 */
#ifndef LAYOUT_MODEL_H
#define LAYOUT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "layout/target.h"

enum type_kind {
	TYPE_VOID,
	TYPE_BASE, /* int, char, bool, float */
	TYPE_ENUM,
	TYPE_POINTER, /* pointers, references, pointers to members; the target's layout is never
			 followed */
	TYPE_FUNCTION,
	TYPE_ARRAY,  /* one dimension; int a[2][3] is an array of 2 of an array of 3 */
	TYPE_STRUCT, /* C++ classes and Rust structs too */
	TYPE_UNION,
	TYPE_TYPEDEF,
	TYPE_QUALIFIER,  /* const, volatile, restrict, _Atomic */
	TYPE_INCOMPLETE, /* declared only: the size is not known */
};

struct type {
	enum type_kind kind;
	const char *name;     /* the tag or typedef name, without "struct"; NULL when anonymous */
	const char *spelling; /* as C writes it, for people: "struct file *", "unsigned long[4]" */
	size_t name_at; /* bytes of the spelling that stand before a declared name, 0: all (see
			   layout/spell.h) */
	bool has_size, has_align;
	uint64_t bits;
	/*
	 * Bytes. Of a struct or union: the larger of what the reader saw on the type
	 * (DW_AT_alignment) and on its members, explicit alignments only. gcc copies a member's
	 * alignment to the struct, clang does not. Absent when nothing was explicit, or when the
	 * source cannot tell (BTF).
	 */
	uint64_t align;
	/*
	 * Array element, typedef or qualifier target, what a pointer points to, what a function
	 * returns; NULL for void and elsewhere. Behind a pointer, and in a function's type, it
	 * serves the spelling alone (layout/spell.h): a reader may leave it NULL once `spelling` is
	 * there, and may put a TYPE_INCOMPLETE with the name where a struct stands; no room looks
	 * for a layout there.
	 */
	const struct type *target;
	bool has_count; /* an array without a count is T[] */
	uint64_t count; /* elements of an array; TYPE_ARRAY only */
	const struct member
		*members; /* struct and union, in the order of the source of the layout */
	size_t nmembers;
	const struct type *const *params; /* TYPE_FUNCTION, for the spelling; NULL entries: void */
	size_t nparams;
	bool is_variadic;
	/* A struct whose members lie in an order that shows __randomize_layout is not told here:
	 * see layout/geometry.h. */
};

struct member {
	const char *name; /* NULL: anonymous struct or union, or an unnamed base class */
	const struct type *type;
	uint64_t bit_offset; /* from the start of the type that holds it */
	uint64_t bit_size; /* 0: occupies nothing (empty struct, zero-length array, flexible array)
			    */
	bool is_bitfield;
	/*
	 * From its offset to infinity: T[] anywhere, and a zero-length array that is the last
	 * member of its struct (BTF writes both alike, and the kernel uses both for the same
	 * thing), except cache-line markers. So does what has no size before run time.
	 */
	bool is_flexible;
	bool is_base;   /* C++ inheritance */
	bool is_marker; /* __cacheline_group_begin__X and friends: zero-size, no member to a rule or
			   a hole */
	bool is_dynamic; /* placed by an expression (virtual base, VLA): bit_offset means nothing */
	bool has_align;
	uint64_t align; /* bytes: DW_AT_alignment of this member */
};

enum def_kind { DEF_STRUCT, DEF_UNION, DEF_TYPEDEF, DEF_ANY };

/* One distinct definition of a name. Two definitions of one name have layouts that differ. */
struct def {
	const char *name;  /* "fdtable"; of a typedef'd anonymous struct the typedef's name */
	const char *scope; /* "ns1::ns2" for one in a namespace, "()" for one inside a function,
			      NULL at the top level */
	enum def_kind
		kind; /* DEF_TYPEDEF: `type` is the anonymous struct or union behind the typedef */
	const struct type *type; /* TYPE_STRUCT or TYPE_UNION, complete */
	bool has_decl;
	const char *file; /* as the compiler recorded it, "./" and build directory removed */
	unsigned line;
	unsigned cus;    /* compile units that agree; 1 from BTF */
	uint64_t digest; /* equal for equal layouts of one reader; tells definitions apart in
			    messages */
};

/* SOURCE_SYMBOLS: there are no types, only where variables are. */
enum layout_source { SOURCE_DWARF, SOURCE_BTF, SOURCE_SNAPSHOT, SOURCE_SYMBOLS };

struct want;       /* below */
struct data_table; /* layout/data.h */

struct layout {
	struct arena arena;
	const char *path; /* of the image, as the user named it */
	enum layout_source source;
	enum layout_source origin; /* SOURCE_SNAPSHOT: what the snapshot was taken from */
	/* SOURCE_SNAPSHOT: the names that it has all definitions of, of SOURCE_SYMBOLS none; NULL
	 * elsewhere, where what was asked for and is not there is not in the image. */
	const struct want *recorded;
	struct target target;
	bool knows_align, knows_decl; /* what this source can tell at all */
	/* Sorted by name, scope (none first), kind, then the most CUs first, then file, line,
	 * digest. */
	struct def *defs;
	size_t ndefs;
	const struct data_table *data; /* NULL: they were not asked for */
};

/* "DWARF", "BTF", "snapshot", "symbols". */
const char *layout_source_name(enum layout_source source);

/* False: a snapshot that was taken without this name, whose image may well have it; or symbols. */
bool layout_tells_of(const struct layout *layout, const char *name);

/* Where its facts come from, which says what it cannot know: of a snapshot what that was taken
 * from. */
enum layout_source layout_origin(const struct layout *layout);

struct layout *layout_new(void);
void layout_free(struct layout *layout); /* NULL is fine */

/* Puts defs in the order stated above; readers call it last. */
void layout_sort(struct layout *layout);

/* ---- which types are asked for
 * -------------------------------------------------------------------- */

/*
 * "fdtable", "struct fdtable", "union sigval", "typedef atomic_t", "ns::T". An unqualified name
 * means a struct or union tag, or, when the image has no such tag, the typedef of an anonymous
 * struct or union.
 */
struct type_ref {
	enum def_kind kind; /* DEF_ANY: unqualified */
	const char *scope;  /* "ns" of "ns::T", or NULL */
	const char *name;
};

struct type_ref type_ref_parse(struct arena *arena, const char *text);

/* What a reader has to load. */
struct want {
	bool all;       /* every named struct and union, and every typedef of an anonymous one */
	bool variables; /* where variables are, too: whoever calls a reader sees to it */
	/* Names without qualifier or scope, sorted, each once: a reader may give more than was
	 * asked, never less. */
	const char *const *names;
	size_t n;
};

bool want_has(const struct want *want, const char *name);

struct want_list {          /* collects names in any order */
	const char **names; /* not copied: must outlive the list */
	size_t n, cap;
};

void want_list_add(struct want_list *list, const char *name);
struct want want_list_finish(struct want_list *list); /* sorts; valid until release */
void want_list_release(struct want_list *list);

/* Definitions that @ref names, a run of layout->defs (not copied): see layout_find. */
struct def_list {
	const struct def **defs;
	size_t n;
};

/*
 * All distinct definitions of @ref, in the arena given. Top-level ones hide those in namespaces and
 * functions (Rust's bindings twins do not make a C name ambiguous); tags hide typedefs. Empty:
 * missing.
 */
struct def_list layout_find(const struct layout *layout, struct type_ref ref, struct arena *arena);

/* ---- small questions
 * ------------------------------------------------------------------------------ */

/* Typedefs and qualifiers removed. Never NULL: void for NULL, and for a circle of typedefs. */
const struct type *type_strip(const struct type *type);

/* The struct or union that a member of this type embeds: through typedefs and qualifiers, not
 * arrays; else NULL. */
const struct type *type_composite(const struct type *type);

/* "struct", "union" or "typedef" as a word before a name; "type" for DEF_ANY. */
const char *def_kind_word(enum def_kind kind);

/* __cacheline_group_begin__X, __cacheline_group_end__X, __cacheline_group_pad__X: see
 * linux/cache.h. */
bool is_marker_name(const char *name);

#endif
