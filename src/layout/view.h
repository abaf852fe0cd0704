/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A view: one type as rows ready to print. `show` renders them; it computes nothing. Bytes, as in
 * every output.
 */
#ifndef LAYOUT_VIEW_H
#define LAYOUT_VIEW_H

#include "layout/finding.h"
#include "layout/geometry.h"
#include "layout/groups.h"
#include "layout/view_edit.h"

enum view_kind {
	VIEW_LINE,   /* before the first row that begins on a line: `line`, `offset` of its first
			byte */
	VIEW_MEMBER, /* one member; a named embedded struct too (its own members are not expanded,
			unless its type has no name: `head`) */
	VIEW_OPEN,   /* an anonymous struct or union begins; its rows follow one level deeper */
	VIEW_CLOSE,
	VIEW_MARKER, /* a cache-line group marker, named */
	VIEW_GAP,    /* a hole, bit hole or padding: `gap` */
};

/* One rule that speaks of a member: drawn beside it. */
struct view_note {
	const char *rule;
	enum outcome outcome;
	const char *text; /* "starts_line", "apart: lookup from written" */
};

/* Something to point out where it is: a broken rule, a change. */
struct view_mark {
	size_t number; /* in the list that a report has beside the drawing, from 1 */
	enum severity severity;
	const char *word; /* "broken", "added" */
	const char *text; /* the sentence; NULL: the first of these rows has it */
};

/* Samples that a recording has of a member, or of something in it. */
struct view_seen {
	const char *name; /* "files_struct.fd_array[3]" */
	uint64_t hitm, loads, stores;
};

/* Those on one line, in all and one by one. */
struct view_heat {
	uint64_t hitm, loads, stores;
	uint64_t all_hitm; /* of the whole line */
	const struct view_seen *seen;
	size_t nseen;
};

/* Members that belong together: a group of a pack, or what lies between two markers. */
struct view_group {
	const char *name;
	enum group_class access; /* of what lies between markers: as the name tells */
	size_t members;          /* rows that are in it */
	bool has_lines;          /* something in it has a place on a line */
	uint64_t first_line, last_line;
};

enum view_moved { VIEW_STAYS, VIEW_MOVED, VIEW_NEW };

struct view_row {
	enum view_kind kind;
	unsigned depth;   /* levels of anonymous nesting: indentation */
	const char *name; /* NULL: anonymous */
	const char *type; /* spelling, so that "type name" reads as C where it can: arrays and
			     functions are in `decl` */
	const char *decl; /* "unsigned long close_on_exec_init[1]", "int (*probe)(struct device *)",
			     "int flag:3" */
	const struct member *member; /* that it draws; NULL: none */
	enum view_moved moved;       /* by an edit */
	uint64_t was;                /* VIEW_MOVED: the offset before */
	unsigned was_bit;            /* and of a bit-field the bit */
	uint64_t offset, size; /* bytes from the outermost type; size rounded up for bit-fields */
	/*
	 * VIEW_MEMBER whose type is declared in place, "struct": the rows up to a VIEW_CLOSE, whose
	 * `decl` is "slots[4]", are `inside`. Of an array they draw the first element.
	 */
	const char *head;
	bool inside;
	const char *path; /* inside: "slots.next" */
	bool is_union;    /* VIEW_OPEN: its rows lie over each other */
	bool is_bitfield, is_flexible, is_dynamic;
	unsigned bit_offset, bit_size; /* bit-fields: bits from byte `offset` */
	const char *base;              /* "base class" or "virtual base class"; NULL: it is none */
	bool has_align;
	uint64_t align;
	uint64_t line;      /* that its first byte lies on; 0 when the line size is unknown */
	bool crosses;       /* it goes on past the end of that line; not said of VIEW_OPEN, whose
			       rows tell */
	uint64_t last_line; /* when it crosses: the line that its last byte lies on */
	bool straddles;     /* it lies on more lines than its size needs; nor this */
	enum gap_kind gap;  /* VIEW_GAP: sizes in `size`, or `bit_size` for bit gaps */
	const struct view_note *notes;
	size_t nnotes;
	const size_t *groups; /* indices of the view's */
	size_t ngroups;
	const char *access; /* how it is accessed, as `classes` or the name of its group tells:
			       "read_mostly", "written"; NULL: not told */
	const struct view_mark *marks;
	size_t nmarks;
	const struct view_heat *heat; /* of recordings; NULL: none */
};

struct view {
	const struct def *def;
	const char *title; /* "struct fdtable" */
	struct geometry geometry;
	struct view_row *rows;
	size_t nrows;
	const struct view_note *notes; /* rules that speak of the type as a whole */
	size_t nnotes;
	struct view_group *groups; /* of rows between markers to begin with */
	size_t ngroups;
	const struct view_mark *marks; /* of the type as a whole */
	size_t nmarks;
	const struct view_edit *edit; /* NULL: it is as it was read */
};

/*
 * Rows in order of offset at each level, alternatives of a union in source order, what has no fixed
 * offset last. A gap stands in the innermost struct that holds all of it. Everything in @arena.
 */
void view_make(const struct def *def, const struct target *target, struct arena *arena,
	       struct view *ret);

/* The row draws the member of that spot, or one that it lies in: alternatives of a union share
 * bits. Without a path, whatever is there, gaps too. */
bool view_row_is(const struct view_row *row, const struct spot *spot);

/* Adds the rows to the group of that name. */
void view_group(struct view *view, const char *name, const struct spot *spot, struct arena *arena);

/* view_make() calls this: rows between two markers of a cache-line group are in that group. */
void view_group_markers(struct view *view, struct arena *arena);

/* Marks the rows; @spot NULL, or nowhere in the view: the type as a whole. */
void view_mark(struct view *view, const struct spot *spot, const struct view_mark *mark,
	       struct arena *arena);

/* Marks @n members in the order they are drawn in, from the one of that path on. */
void view_mark_run(struct view *view, const char *path, size_t n, const struct view_mark *mark,
		   struct arena *arena);

#endif
