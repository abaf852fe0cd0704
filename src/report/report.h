/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports: values -> bytes. A format is a row of the table: one function for each thing that can be
 * printed. A renderer computes nothing and appends to a buffer; cli/ writes the buffer when all is
 * done. Every foreign string passes through base/escape.h here, and nowhere else.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/buf.h"
#include "c2c/c2c.h"
#include "diff/diff.h"
#include "layout/finding.h"
#include "layout/view.h"

enum { REPORT_WIDTH = 100 }; /* columns, where no terminal says */

/* How it is drawn. */
struct report_style {
	bool color;   /* text only */
	bool quiet;   /* no headings, warnings, summary; text only */
	bool verbose; /* the reason and origin of rules, the place of types in a list; in the
			 formats for CI changes that are notes, too */
	size_t width; /* columns that prose is wrapped at, 0: REPORT_WIDTH; text only */
	bool several; /* images were asked for: JSON is an array, text says of which one it is */
	const char *const *unread; /* images asked for that could not be read */
	size_t nunread;
};

/* One definition, or a name without one, that something remarkable was found of (report/ci.h). */
struct check_type {
	const char *subject;
	const struct def *def;   /* NULL: it is missing */
	const struct view *view; /* NULL then */
	const size_t *findings;  /* failures first; a mark's number is the place here, from 1 */
	size_t n;
	bool fails; /* the first is a failure */
};

/* What `check` has to say of one image. */
struct check_report {
	const struct layout *layout; /* image, target, source */
	uint64_t line;               /* bytes, in force; 0: unknown */
	const struct findings *findings;
	const char *const *warnings; /* said once, before the findings */
	size_t nwarnings;
	/* As the exit status sees it: what is below `fail_on` fails nothing, nor unknown when that
	 * is allowed. */
	enum severity fail_on;
	bool allow_unknown;
	bool has_margin; /* --margin: what holds with less than `margin` bytes to spare is a note */
	uint64_t margin;
	/* When the format draws; what fails first. */
	const struct check_type *types;
	size_t ntypes;
};

/* What `show` has to say of one image: whole types, or the list of all. */
struct show_report {
	const struct layout *layout;
	uint64_t line;
	const struct view *views;
	size_t n;
	bool is_list; /* a line each; the views have no rows */
};

/* One type that changed, and the run of changes->items that speaks of it. */
struct diff_type {
	const char *subject;
	const struct def *old_def, *new_def; /* NULL on the side where it is not */
	bool is_remarkable;                  /* asked for, or more than notes are said of it */
	/* NULL there, and both when the format does not draw, the type is not remarkable, or there
	 * are worse ones enough. A mark's number is the place in `changes`, from 1. */
	const struct view *before, *after;
	const struct change *changes;
	size_t n;
};

/* Two members that a recording of the old build saw fight, or that a new layout brings together. */
struct diff_hot {
	const char *subject, *written, *read;
	uint64_t hitm; /* samples of the pair; of one that is made, the loads that will meet it */
	const char *fate; /* "fixed", "stays", "made", or "gone": a member is not there */
};

/* What `diff` has to say of two images. */
struct diff_report {
	const struct layout *before, *after;
	uint64_t line; /* bytes, of both; 0: unknown */
	unsigned cpus; /* for which objects per slab are told; 0: they are not */
	const struct changes *changes;
	const struct diff_type *types; /* those that changed, in the order of the changes */
	size_t ntypes;
	bool has_recording;
	const struct diff_hot *hot; /* the most HITM first */
	size_t nhot;
	/* When the format draws: remarkable ones, the worst first; `ndrawn` have views. */
	const struct diff_type *const *ranked;
	size_t nranked, ndrawn;
	bool strict;                /* as the exit status sees it: any change fails */
	const char *const *missing; /* types asked for that are on no side */
	size_t nmissing;
};

/* A recording that `c2c` was given. */
struct c2c_input {
	const char *path;
	const char *kind; /* "perf.data", "perf script text", "perf c2c report" */
	const char *release, *arch, *cpuid, *cmdline; /* as it says; or NULL */
	uint64_t samples;
	bool verified; /* its build id is that of the image */
};

/* What `c2c` has to say of recordings. */
struct c2c_print {
	const struct layout *layout; /* of the image */
	const struct c2c_report *report;
	const struct c2c_input *inputs;
	size_t ninputs;
	const struct c2c_line *const *lines; /* those to be shown, of report->lines */
	size_t nlines;
	const struct c2c_drawing *drawings; /* of them, when the format draws (c2c/drawing.h) */
	const struct c2c_line *const *store_lines;
	size_t nstore_lines;
	bool perf_counts; /* figures as perf counts them */
	const char *const *warnings;
	size_t nwarnings;
};

/* Reports on @n images; with style->several false @n is 1. */
struct format {
	const char *name, *help;
	bool draws;        /* it wants views of the types that are spoken of, and drawings */
	bool tells_unread; /* `check` has something to say of images that could not be read */
	bool wants_all;    /* `check` wants the rules that hold or do not apply, without --all */
	/* NULL where there is nothing to say in this format. */
	void (*check)(const struct check_report *reports, size_t n,
		      const struct report_style *style, struct buf *out);
	void (*show)(const struct show_report *reports, size_t n, const struct report_style *style,
		     struct buf *out);
	void (*diff)(const struct diff_report *report, const struct report_style *style,
		     struct buf *out);
	void (*c2c)(const struct c2c_print *print, const struct report_style *style,
		    struct buf *out);
};

extern const struct format *const formats[]; /* the default first; ends with NULL */
const struct format *format_find(const char *name);

#endif
