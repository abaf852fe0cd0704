/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layoutcheck show: types drawn by cache line, with the rules that speak of them. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "cli/common.h"
#include "cli/rules.h"
#include "cli/source.h"
#include "cli/types.h"
#include "cli/views.h"
#include "cli/what_if.h"
#include "layout/randomized.h"
#include "rule/check.h"

struct show {
	struct common common;
	struct strings types; /* names asked for, each once; in `arena` */
	struct strings what_if;
	struct edit *edits; /* as many */
	struct packs packs;
	struct arena arena;
	/* An image's source, layout and report stand at one index. */
	struct source **sources;
	struct layout **layouts;
	struct show_report *reports;
	size_t n;
	bool failed, missed; /* an image could not be read; a type is not there */
};

/* ---- reading ------------------------------------------------------------------------------- */

static bool read_types(struct show *show, struct source *source, struct err *err,
		       struct layout **ret)
{
	struct want_list names = {0};
	struct want want;
	bool ok, all = false;

	for (size_t i = 0; i < show->types.n; i++)
		want_list_add(&names, type_ref_parse(&show->arena, show->types.items[i]).name);
	check_wanted(&show->packs, source_target(source), &names);
	for (size_t i = 0; i < show->what_if.n; i++)
		all |= !edit_wanted(&show->edits[i], &names);
	want = want_list_finish(&names);
	want.all = all;
	ok = source_read(source, &want, err, ret);
	want_list_release(&names);
	return ok;
}

/* ---- views --------------------------------------------------------------------------------- */

static bool view_one(struct show *show, const struct def *def, const struct layout *layout,
		     struct err *err, struct view *ret)
{
	if (show->what_if.n)
		return what_if_view(def, layout, &show->packs, show->common.line, show->edits,
				    show->what_if.n, &show->arena, err, ret);
	views_make(def, layout, &show->packs, show->common.line, &show->arena, ret);
	return true;
}

/* The types asked for, in that order. */
static bool view_types(struct show *show, struct source *source, const struct layout *layout,
		       struct err *err, struct show_report *report)
{
	struct view *views = NULL;
	size_t n = 0, cap = 0;
	bool ok = true;

	for (size_t i = 0; i < show->types.n; i++) {
		struct type_ref ref = type_ref_parse(&show->arena, show->types.items[i]);
		struct def_list found = layout_find(layout, ref, &show->arena);

		for (size_t k = 0; k < found.n; k++) {
			ARRAY_GROW(views, n, cap);
			ok = ok && view_one(show, found.defs[k], layout, err, &views[n++]);
		}
		if (found.n)
			continue;
		types_say_missing(source, show->types.items[i]);
		show->missed = true;
	}
	report->views = views;
	report->n = n;
	return ok;
}

/* Every type as a line: its numbers and its title, nothing of its inside. */
static void view_all(struct show *show, const struct layout *layout, struct show_report *report)
{
	struct view *views = xcalloc(layout->ndefs, sizeof *views);

	for (size_t i = 0; i < layout->ndefs; i++) {
		struct arena scratch;

		arena_init(&scratch);
		view_make(&layout->defs[i], &layout->target, &scratch, &views[i]);
		views[i].title = arena_strdup(&show->arena, views[i].title);
		views[i].rows = NULL;
		views[i].nrows = 0;
		views[i].geometry.leaves.items = NULL;
		views[i].geometry.leaves.n = 0;
		views[i].geometry.gaps = NULL;
		views[i].geometry.ngaps = 0;
		arena_release(&scratch);
	}
	report->views = views;
	report->n = layout->ndefs;
	report->is_list = true;
}

static bool show_image(struct show *show, const char *path, struct err *err)
{
	struct source *source;
	struct layout *layout;
	struct show_report *report = &show->reports[show->n];
	bool ok;

	if (!source_open(path, &show->common, err, &source))
		return false;
	ok = show->types.n ? read_types(show, source, err, &layout)
			   : source_read(source, &want_all, err, &layout);
	if (!ok) {
		source_close(source);
		return false;
	}
	if (!show->common.quiet && layout_is_randomized(layout, &show->arena))
		say_error("warning: %s: %s", path, randomized_warning);
	*report = (struct show_report){.layout = layout, .line = layout->target.line};
	show->sources[show->n] = source;
	show->layouts[show->n] = layout;
	if (show->types.n)
		ok = view_types(show, source, layout, err, report);
	else
		view_all(show, layout, report);
	if (ok) {
		show->n++;
		return true;
	}
	free((void *)report->views);
	layout_free(layout);
	source_close(source);
	return false;
}

static int show_images(struct show *show)
{
	struct report_style style = common_style(&show->common);
	size_t n = show->common.images.n;
	struct buf out = BUF_INIT;
	bool written = true;

	show->sources = xcalloc(n, sizeof *show->sources);
	show->layouts = xcalloc(n, sizeof *show->layouts);
	show->reports = xcalloc(n, sizeof *show->reports);
	for (size_t i = 0; i < n; i++) {
		struct err err = ERR_INIT;

		if (!show_image(show, show->common.images.items[i], &err)) {
			say_err(&err);
			show->failed = true;
		}
	}
	style.several = n > 1;
	if (show->n) {
		show->common.format->show(show->reports, show->n, &style, &out);
		written = write_output(show->common.output, &out);
	}
	buf_release(&out);
	if (show->failed || !written)
		return EXIT_CANNOT;
	return show->missed ? EXIT_FINDINGS : EXIT_CLEAN;
}

static void show_release(struct show *show)
{
	for (size_t i = 0; i < show->n; i++) {
		free((void *)show->reports[i].views);
		layout_free(show->layouts[i]);
		source_close(show->sources[i]);
	}
	free(show->reports);
	free(show->layouts);
	free(show->sources);
	packs_release(&show->packs);
	strings_release(&show->types);
	strings_release(&show->what_if);
	common_release(&show->common);
	arena_release(&show->arena);
}

static int run_show(int argc, char **argv)
{
	struct show show = {0};
	struct strings words = {0};
	const struct option_row rows[] = {
		OPT_LIST('C', "type", "NAME[,NAME...]", &words,
			 "draw these types; repeatable (default: list all)"),
		OPT_LIST(0, "what-if", "EDIT", &show.what_if,
			 "draw the type as it would be with one change, and judge its\n"
			 "rules again; repeatable, in order. An EDIT is\n"
			 "  add TYPE NAME[N] [after|before MEMBER], or NAME:BITS\n"
			 "  move MEMBER after|before MEMBER\n"
			 "  remove MEMBER\n"
			 "  align [MEMBER] N\n"
			 "  pack [MEMBER]"),
		JOIN_ROW(show.common),
	};
	int status;

	packs_init(&show.packs);
	if (common_parse(argc, argv, &command_show, rows, ARRAY_SIZE(rows), &show.common,
			 &status) == COMMON_GO) {
		for (size_t i = 0; i < words.n; i++)
			types_add(&show.types, words.items[i], &show.arena);
		status = EXIT_CANNOT;
		if (words.n && !show.types.n)
			say_error("show: option `--type` names no type");
		else if (show.what_if.n && show.types.n != 1)
			say_error("show: option `--what-if` edits one type, which `--type` names");
		else if (what_if_parse(show.what_if.items, show.what_if.n, &show.arena,
				       &show.edits) &&
			 rules_load(&show.common, false, &show.packs))
			status = show_images(&show);
	}
	strings_release(&words);
	show_release(&show);
	return status;
}

static bool has_format(const struct format *format)
{
	return format->show;
}

const struct command command_show = {
	.name = "show",
	.run = run_show,
	.synopsis = "[options] [IMAGE...]",
	.summary = "draw types by cache line, or list all",
	.about =
		"Draws the structs and unions of a binary by cache line, with offsets, sizes, "
		"holes,\n"
		"padding, straddles and the rules that speak of each member; without --type lists\n"
		"all of them. Without IMAGE, those of the running kernel.",
	.has_format = has_format,
};
