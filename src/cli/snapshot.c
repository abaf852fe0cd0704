/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layoutcheck snapshot: keeps layouts as a file to compare later builds with. */
#include "layout/snapshot.h"

#include <string.h>

#include "base/mem.h"
#include "cli/common.h"
#include "cli/rules.h"
#include "cli/source.h"
#include "cli/types.h"
#include "rule/check.h"

struct snapshot {
	struct common common;
	struct strings types; /* names asked for, each once; in `arena` */
	bool all;
	struct snapshot_options options;
	struct packs packs;
	struct arena arena;
};

/* The types named, else those that the packs speak of. */
static void add_wanted(struct snapshot *snapshot, struct source *source, struct want_list *names)
{
	const struct strings *types = &snapshot->types;

	for (size_t i = 0; i < types->n; i++)
		want_list_add(names, type_ref_parse(&snapshot->arena, types->items[i]).name);
	if (!types->n)
		check_wanted(&snapshot->packs, source_target(source), names);
}

/* A type that was named must be there. Of those that packs speak of some may well not be, and the
 * snapshot says so; but one of nothing is none. */
static int check_found(struct snapshot *snapshot, struct source *source,
		       const struct layout *layout)
{
	int status = EXIT_CLEAN;

	for (size_t i = 0; i < snapshot->types.n; i++) {
		struct type_ref ref = type_ref_parse(&snapshot->arena, snapshot->types.items[i]);

		if (layout_find(layout, ref, &snapshot->arena).n)
			continue;
		types_say_missing(source, snapshot->types.items[i]);
		status = EXIT_FINDINGS;
	}
	if (layout->ndefs || status != EXIT_CLEAN)
		return status;
	say_error("%s: nothing to keep: it has no type that %s (--type names others, --all keeps "
		  "all)",
		  source_path(source), snapshot->all ? "has a name" : "a rule speaks of");
	return EXIT_CANNOT;
}

static int write_snapshot(struct snapshot *snapshot, struct source *source)
{
	struct want_list names = {0};
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;
	struct layout *layout;
	struct want want;
	int status;

	if (!snapshot->all)
		add_wanted(snapshot, source, &names);
	want = want_list_finish(&names);
	want.all = snapshot->all;
	if (!source_read(source, &want, &err, &layout)) {
		say_err(&err);
		want_list_release(&names);
		return EXIT_CANNOT;
	}
	status = check_found(snapshot, source, layout);
	if (status == EXIT_CLEAN) {
		snapshot_write(layout, &want, &snapshot->options, &out);
		if (!write_output(snapshot->common.output, &out))
			status = EXIT_CANNOT;
	}
	buf_release(&out);
	layout_free(layout);
	want_list_release(&names);
	return status;
}

static int snapshot_image(struct snapshot *snapshot)
{
	struct err err = ERR_INIT;
	struct source *source;
	int status;

	if (!source_open(snapshot->common.images.items[0], &snapshot->common, &err, &source)) {
		say_err(&err);
		return EXIT_CANNOT;
	}
	status = write_snapshot(snapshot, source);
	source_close(source);
	return status;
}

/* False: a mistake, which has been said. */
static bool check_usage(const struct snapshot *snapshot, const struct strings *words)
{
	size_t n = snapshot->common.images.n;

	if (n > 1)
		say_error("snapshot: one image is kept in a file, and %zu are given (--join makes "
			  "one of objects)",
			  n);
	else if (words->n && snapshot->all)
		say_error("snapshot: option `--type` names some types, `--all` means all");
	else if (words->n && !snapshot->types.n)
		say_error("snapshot: option `--type` names no type");
	else
		return true;
	return false;
}

static int run_snapshot(int argc, char **argv)
{
	struct snapshot snapshot = {0};
	struct strings words = {0};
	const struct option_row rows[] = {
		OPT_LIST('C', "type", "NAME[,NAME...]", &words,
			 "keep these types; repeatable (default: those that the\n"
			 "packs speak of)"),
		OPT_FLAG(0, "all", &snapshot.all, "keep every type that has a name"),
		OPT_FLAG(0, "stamp", &snapshot.options.stamp,
			 "keep release, build id, compile units and the version of\n"
			 "the program, too: they change with every build"),
		JOIN_ROW(snapshot.common),
	};
	int status;

	packs_init(&snapshot.packs);
	snapshot.options.tool = "layoutcheck " LAYOUTCHECK_VERSION;
	if (common_parse(argc, argv, &command_snapshot, rows, ARRAY_SIZE(rows), &snapshot.common,
			 &status) == COMMON_GO) {
		for (size_t i = 0; i < words.n; i++)
			types_add(&snapshot.types, words.items[i], &snapshot.arena);
		snapshot.common.wants_config = true;
		status = EXIT_CANNOT;
		if (check_usage(&snapshot, &words) &&
		    (words.n || snapshot.all ||
		     rules_load(&snapshot.common, true, &snapshot.packs)))
			status = snapshot_image(&snapshot);
	}
	strings_release(&words);
	strings_release(&snapshot.types);
	packs_release(&snapshot.packs);
	common_release(&snapshot.common);
	arena_release(&snapshot.arena);
	return status;
}

/* A snapshot is a file of its own form, not a report. */
static bool is_json(const struct format *format)
{
	return strcmp(format->name, "json") == 0;
}

const struct command command_snapshot = {
	.name = "snapshot",
	.run = run_snapshot,
	.has_format = is_json,
	.synopsis = "[options] [IMAGE...]",
	.summary = "keep layouts as a file to compare later builds with",
	.about = "Writes the structs and unions that the packs speak of, or those named with "
		 "--type, as\n"
		 "a sorted JSON file, which every command takes for an image. The same layouts "
		 "give\n"
		 "the same bytes. Without IMAGE, those of the running kernel; several only with "
		 "--join.",
};
