/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes: what a diff has to say. A change is to a diff what a finding is to a check: every word a
 * report prints is a field here. Bytes in all words; bits in bit fields. Lines are counted from the
 * start of the type. diff/diff.h makes them.
 */
#ifndef DIFF_CHANGE_H
#define DIFF_CHANGE_H

#include "layout/finding.h"

enum change_kind {
	CHANGE_RULE_BROKEN,  /* a rule that held on the old layout does not on the new one */
	CHANGE_NEIGHBOUR,    /* a member shares a line that it did not share before */
	CHANGE_SIZE,         /* of the type, with its lines, its bucket, its objects a slab */
	CHANGE_CROSSED_LINE, /* a member begins on another line */
	CHANGE_STRADDLES,    /* a member lies on more lines than its size needs, and did not */
	CHANGE_STARTS_LINE,  /* a member no longer starts a line */
	CHANGE_GROUP,        /* a member left or entered a marker group */
	CHANGE_ALIGN,        /* another alignment was asked for, of the type or a member */
	CHANGE_HOLE_OPENED,  /* or grew */
	CHANGE_HOLE_USED,    /* or shrank */
	CHANGE_PADDING,      /* behind the last member */
	CHANGE_ADDED,
	CHANGE_REMOVED,
	CHANGE_RENAMED,   /* same offset, size and type */
	CHANGE_MOVED,     /* and stayed on its line */
	CHANGE_BITFIELD,  /* bits moved within the same bytes */
	CHANGE_TYPE,      /* another type, or another inside, of the same size */
	CHANGE_TYPE_SIZE, /* a member's type changed its size: enum, union, struct, array, ... */
	CHANGE_APPEARED,
	CHANGE_VANISHED,
	CHANGE_AMBIGUOUS, /* the name has several definitions now, and had one */
	CHANGE_MARGIN,    /* a rule still holds, with less to spare */
	CHANGE_BESIDE,    /* a variable came onto the line of another, or left it */
	CHANGE_KINDS
};

/* One row a kind: its name for --fail-kind and JSON, how bad it is unless something says otherwise,
 * one line of help. */
struct change_row {
	const char *name;
	enum severity severity;
	const char *help;
};
extern const struct change_row change_rows[CHANGE_KINDS];

/* False when there is no such kind. */
bool change_kind_find(const char *name, enum change_kind *ret);

struct change {
	enum change_kind kind;
	enum severity severity;
	const char *subject;   /* the type: "page_counter", "union sigval", "ns::T"; or variables */
	bool of_variables;     /* and then there are no definitions, and no member */
	const char *member;    /* path, or the first of a run that moved as one; NULL: the type as a
				  whole */
	const char *other;     /* the member that it met, the group that it left or entered; the
				  variable that came or left */
	const char *was, *now; /* "192", "line 1"; NULL where there is nothing to say */
	const char *message;   /* one clause: "size grew from 192 to 256 bytes" */
	const char *cause;     /* "local_watermark (offset 120, 8 bytes) filled line 1", or NULL */
	const struct def *old_def, *new_def; /* NULL on the side where it is not */
	bool has_bits; /* place on the new side, on the old one for what was removed; of a run from
			  its first member to the end of its last */
	uint64_t bit_offset, bit_size;
	bool has_cacheline;
	uint64_t cacheline;            /* that the place begins on */
	size_t members;                /* it speaks of, `member` first; 0: the type as a whole */
	const char *rule;              /* id, for CHANGE_RULE_BROKEN and CHANGE_MARGIN; else NULL */
	struct pos pack;               /* of that rule; file NULL otherwise */
	const struct finding *finding; /* of that rule on the new side; NULL otherwise */
	bool waived;
	const struct waiver *waiver; /* NULL: none; in force when `waived`, else over */
	/* Of kind, subject, member, other and rule: nothing that moves; no two are equal. */
	char fingerprint[SHA256_HEX];
};

/* A table of the worst, for whole kernels: heading, and rows with what they were and are. */
struct worst_row {
	const char *subject, *member; /* member or NULL */
	const char *was, *now, *delta;
};
struct worst_table {
	const char *heading;
	struct worst_row *rows;
	size_t n;
};

struct changes {
	struct arena arena;
	/* By subject; of an ambiguous name one definition after the other; then the worst first,
	 * then offset, then kind. */
	struct change *items;
	size_t n, cap;
	const char **warnings; /* what could not be compared, and why */
	size_t nwarnings;
	struct worst_table *worst; /* of whole images only */
	size_t nworst;
	struct {
		size_t compared, changed;               /* types that both sides have */
		size_t appeared, vanished;              /* types */
		size_t errors, warnings, notes, waived; /* changes */
	} summary;
};

/* It fails the run: an error, or with @strict any change; but not when it is waived. */
bool change_fails(const struct change *change, bool strict);

void changes_init(struct changes *changes);
void changes_release(struct changes *changes);

#endif
