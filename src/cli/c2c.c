/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layoutcheck c2c: from the hot lines of a recording to the members that fight. */
#include "c2c/c2c.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/math.h"
#include "base/mem.h"
#include "c2c/drawing.h"
#include "cli/c2c_rules.h"
#include "cli/common.h"
#include "cli/recorded.h"
#include "cli/rules.h"
#include "cli/types.h"
#include "cli/views.h"

enum fail_on { FAIL_NEVER, FAIL_FALSE, FAIL_ANY };

struct c2c {
	struct common common;
	const char *image; /* -k */
	struct strings types;
	struct arena arena;
	bool has_top, force, perf_counts, annotate;
	uint64_t top;
	int fail_on; /* enum fail_on */
	struct packs packs;
	struct source *source;
	struct recorded recorded;
};

/* ---- which lines ----------------------------------------------------------------------------- */

static bool names_type(const struct c2c *c2c, const char *name)
{
	for (size_t i = 0; i < c2c->types.n; i++)
		if (strcmp(type_ref_parse((struct arena *)&c2c->arena, c2c->types.items[i]).name,
			   name) == 0)
			return true;
	return false;
}

static bool is_asked(const struct c2c *c2c, const struct c2c_line *line)
{
	if (!c2c->types.n || (line->object.type && names_type(c2c, line->object.type)) ||
	    (line->object.symbol && names_type(c2c, line->object.symbol)))
		return true;
	for (size_t i = 0; i < line->nrows; i++)
		if (line->rows[i].type && names_type(c2c, line->rows[i].type))
			return true;
	return false;
}

/* A name of -C that is nowhere in the recording is likely misspelt. */
static void warn_of_absent(struct c2c *c2c)
{
	const struct c2c_report *report = &c2c->recorded.report;
	struct strings all = c2c->types;

	for (size_t i = 0; i < all.n; i++) {
		bool found = false;
		struct buf text = BUF_INIT;

		c2c->types = (struct strings){&all.items[i], 1, 1};
		for (size_t k = 0; k < report->nlines && !found; k++)
			found = is_asked(c2c, &report->lines[k]);
		for (size_t k = 0; k < report->nstore_lines && !found; k++)
			found = is_asked(c2c, &report->store_lines[k]);
		buf_addf(&text, "no line holds `%s`", all.items[i]);
		if (!found)
			strings_add(&c2c->recorded.warnings,
				    arena_strndup(&c2c->arena, text.s, text.len));
		buf_release(&text);
	}
	c2c->types = all;
}

/* As perf: what has less than a thousandth of all HITM is noise. */
static bool is_hot(const struct c2c_report *report, const struct c2c_line *line)
{
	enum { PARTS = 1000 };

	return line->counts.hitm * PARTS >= report->total.hitm;
}

static const struct c2c_line *const *select_lines(struct c2c *c2c, const struct c2c_line *lines,
						  size_t n, bool all, size_t *ret_n)
{
	const struct c2c_line **chosen = arena_array(&c2c->arena, n, sizeof *chosen);
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (c2c->has_top && kept == c2c->top)
			break;
		if (is_asked(c2c, &lines[i]) &&
		    (all || c2c->has_top || is_hot(&c2c->recorded.report, &lines[i])))
			chosen[kept++] = &lines[i];
	}
	*ret_n = kept;
	return chosen;
}

/* ---- the run --------------------------------------------------------------------------------- */

enum { MOST_STORE_LINES = 10 };

static const struct c2c_drawing *draw_lines(struct c2c *c2c, const struct c2c_line *const *lines,
					    size_t n)
{
	struct c2c_drawing *drawings = arena_array(&c2c->arena, n, sizeof *drawings);
	uint64_t line_size = c2c->recorded.report.line_size;
	struct layout layout = *c2c->recorded.layout;

	layout.target.line = line_size; /* of the recording */
	for (size_t i = 0; i < n; i++) {
		const struct def *def = c2c_drawn_type(lines[i]);
		struct view *view = def ? arena_alloc(&c2c->arena, sizeof *view) : NULL;

		if (view)
			views_make(def, &layout, &c2c->packs, line_size, &c2c->arena, view);
		c2c_draw(lines[i], line_size, view, &c2c->arena, &drawings[i]);
	}
	return drawings;
}

static bool print(struct c2c *c2c)
{
	struct report_style style = common_style(&c2c->common);
	const struct recorded *recorded = &c2c->recorded;
	struct c2c_print print = {
		.layout = recorded->layout,
		.report = &recorded->report,
		.inputs = recorded->inputs,
		.ninputs = recorded->ninputs,
		.perf_counts = c2c->perf_counts,
		.warnings = recorded->warnings.items,
		.nwarnings = recorded->warnings.n,
	};
	struct buf out = BUF_INIT;
	bool written;

	print.lines = select_lines(c2c, recorded->report.lines, recorded->report.nlines, false,
				   &print.nlines);
	print.store_lines = select_lines(c2c, recorded->report.store_lines,
					 recorded->report.nstore_lines, true, &print.nstore_lines);
	if (!c2c->has_top)
		print.nstore_lines = min_u64(print.nstore_lines, MOST_STORE_LINES);
	if (c2c->common.format->draws)
		print.drawings = draw_lines(c2c, print.lines, print.nlines);
	c2c->common.format->c2c(&print, &style, &out);
	written = write_output(c2c->common.output, &out);
	buf_release(&out);
	return written;
}

/* What there is to warn of must not stand in a text that is kept byte for byte. */
static bool print_annotated(struct c2c *c2c)
{
	const struct strings *warnings = &c2c->recorded.warnings;
	struct buf out = BUF_INIT, said = BUF_INIT;
	struct err err = ERR_INIT;
	bool written = false;

	for (size_t i = 0; i < warnings->n && !c2c->common.quiet; i++) {
		buf_adds(&said, "warning: ");
		escape_text(&said, warnings->items[i]);
		buf_addc(&said, '\n');
	}
	say_lines(&said);
	if (recorded_annotate(&c2c->recorded, &err, &out))
		written = write_output(c2c->common.output, &out);
	else
		say_err(&err);
	buf_release(&said);
	buf_release(&out);
	return written;
}

static bool fails(const struct c2c *c2c)
{
	const struct c2c_report *report = &c2c->recorded.report;

	for (size_t i = 0; i < report->nlines; i++) {
		const struct c2c_line *line = &report->lines[i];

		if (!is_asked(c2c, line) || !is_hot(report, line))
			continue;
		if (c2c->fail_on == FAIL_ANY ||
		    (c2c->fail_on == FAIL_FALSE &&
		     (line->verdict == VERDICT_FALSE || line->verdict == VERDICT_MIXED)))
			return true;
	}
	return false;
}

static int run(struct c2c *c2c, bool asked)
{
	const struct recorded_options options = {.progress = (enum when)c2c->common.progress,
						 .line = c2c->common.line,
						 .force = c2c->force};
	const struct check_options check = {.line = c2c->common.line};
	struct err err = ERR_INIT;

	if (!c2c->image) {
		say_error("c2c: on which build it was recorded is said with -k: its vmlinux, or "
			  "the program");
		return EXIT_CANNOT;
	}
	if (asked && !c2c->types.n) {
		say_error("c2c: option `--type` names no type");
		return EXIT_CANNOT;
	}
	if (c2c->annotate && strcmp(c2c->common.format->name, "text") != 0) {
		say_error("c2c: --annotate gives back a text: not with -f %s",
			  c2c->common.format->name);
		return EXIT_CANNOT;
	}
	if (!rules_load(&c2c->common, false, &c2c->packs))
		return EXIT_CANNOT;
	if (!source_open(c2c->image, &c2c->common, &err, &c2c->source) ||
	    !recorded_open(&c2c->common.images, c2c->source, &options, &err, &c2c->recorded)) {
		say_err(&err);
		return EXIT_CANNOT;
	}
	warn_of_absent(c2c);
	c2c_add_rules(&c2c->packs, c2c->recorded.layout, &check, &c2c->recorded.report);
	if (!(c2c->annotate ? print_annotated(c2c) : print(c2c)))
		return EXIT_CANNOT;
	return fails(c2c) ? EXIT_FINDINGS : EXIT_CLEAN;
}

static void c2c_end(struct c2c *c2c)
{
	recorded_close(&c2c->recorded);
	source_close(c2c->source);
	packs_release(&c2c->packs);
	strings_release(&c2c->types);
	common_release(&c2c->common);
	arena_release(&c2c->arena);
}

static const struct choice fail_choices[] = {
	{"never", FAIL_NEVER}, {"false-sharing", FAIL_FALSE}, {"any", FAIL_ANY}, {NULL, 0}};

static int run_c2c(int argc, char **argv)
{
	struct c2c c2c = {0};
	struct strings types = {0};
	const struct option_row rows[] = {
		OPT_INPUT('k', "image", "IMAGE", &c2c.image,
			  "the vmlinux or the program that was recorded, with its\n"
			  "debug info"),
		OPT_LIST('C', "type", "NAME[,NAME...]", &types,
			 "lines that hold one of these types; repeatable"),
		OPT_NUMBER(0, "top", "N", &c2c.top, &c2c.has_top,
			   "the N hottest lines (default: those with a thousandth\n"
			   "of all HITM)"),
		OPT_FLAG(0, "perf-counts", &c2c.perf_counts,
			 "figures as `perf c2c report` has them, which counts some\n"
			 "loads twice"),
		OPT_FLAG(0, "annotate", &c2c.annotate,
			 "print the text of `perf c2c report` that was given, byte\n"
			 "for byte, with the member behind each row"),
		OPT_FLAG(0, "force", &c2c.force, "take a recording of another build"),
		OPT_CHOICE(0, "fail-on", "WHAT", &c2c.fail_on, fail_choices,
			   "exit 1 for hot lines: never (default), false-sharing or\n"
			   "any"),
	};
	int status;

	packs_init(&c2c.packs);
	if (common_parse(argc, argv, &command_c2c, rows, ARRAY_SIZE(rows), &c2c.common, &status) ==
	    COMMON_GO) {
		for (size_t i = 0; i < types.n; i++)
			types_add(&c2c.types, types.items[i], &c2c.arena);
		status = run(&c2c, types.n != 0);
	}
	strings_release(&types);
	c2c_end(&c2c);
	return status;
}

static bool has_format(const struct format *format)
{
	return format->c2c;
}

const struct command command_c2c = {
	.name = "c2c",
	.run = run_c2c,
	.synopsis = "[options] -k IMAGE [RECORDING...]",
	.summary = "name the members that fight over cache lines in a recording",
	.about =
		"Names the members of hot cache lines, and tells false from true sharing, in what\n"
		"`perf c2c record` recorded: perf.data, or the text of `perf script` or `perf c2c\n"
		"report`. Without RECORDING, perf.data. Exits 0, or 1 for what --fail-on names, "
		"or\n"
		"2 when the job could not be done.",
	.has_format = has_format,
	.operand = "perf.data",
};
