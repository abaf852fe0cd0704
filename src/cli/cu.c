/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layoutcheck cu: the smallest compile unit that defines a type. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "cli/common.h"
#include "cli/source.h"
#include "cli/types.h"
#include "dwarf/dwarf.h"
#include "dwarf/units.h"
#include "report/units.h"

struct cu {
	struct common common;
	struct strings types; /* names asked for, each once; in `arena` */
	struct arena arena;
	struct unit_row *rows;
	size_t n, cap;
	bool missed;   /* a type is not there */
	bool unitless; /* no unit is known for one */
};

/* ---- the object ------------------------------------------------------------------------------ */

/* Bytes of @path up to behind the last slash that both have in common. */
static size_t common_directories(const char *path, const char *other)
{
	size_t ret = 0;

	for (size_t i = 0; path[i] && path[i] == other[i]; i++) {
		if (path[i] == '/')
			ret = i + 1;
		if (path[i + 1] == '/' && !other[i + 1])
			ret = i + 2;
	}
	return ret;
}

/* Of a directory and a slash; 0: @path does not lie below it. */
static size_t below(const char *path, const char *dir)
{
	size_t len = dir ? strlen(dir) : 0;

	while (len && dir[len - 1] == '/')
		len--;
	return len && strncmp(path, dir, len) == 0 && path[len] == '/' ? len + 1 : 0;
}

/*
 * The object as make puts it: beside the source, from the top of the tree. That is what
 * --source-root says, else the directory of the build, else what is above both, unless that is all
 * there is.
 */
static const char *object_of(const struct cu *cu, const struct least_unit *unit,
			     struct arena *arena)
{
	const char *path = unit->unit, *slash, *dot;
	size_t skip = below(path, cu->common.source_root);

	if (!skip)
		skip = below(path, unit->comp_dir);
	if (!skip && *path == '/' && unit->comp_dir) {
		skip = common_directories(path, unit->comp_dir);
		skip = skip > 1 ? skip : 0;
	}
	path += skip;
	while (text_starts_with(path, "../") || text_starts_with(path, "./"))
		path = strchr(path, '/') + 1;
	slash = strrchr(path, '/');
	dot = strrchr(slash ? slash : path, '.');
	return arena_printf(arena, "%.*s.o", (int)(dot ? (size_t)(dot - path) : strlen(path)),
			    path);
}

/* ---- one image ------------------------------------------------------------------------------- */

static void add_row(struct cu *cu, const struct def *def, const struct least_units *units)
{
	const struct least_unit *least = least_unit_of(units, def);
	struct unit_row row = {.def = def};

	if (least && least->unit) {
		row.object = object_of(cu, least, &cu->arena);
		row.unit = least->unit;
		row.comp_dir = least->comp_dir;
		row.bytes = least->bytes;
	} else {
		say_error("`%s` is not defined in a compile unit with a name, but in type units "
			  "perhaps, which do not say whose they are",
			  def->name);
		cu->unitless = true;
	}
	ARRAY_GROW(cu->rows, cu->n, cu->cap);
	cu->rows[cu->n++] = row;
}

static void add_rows(struct cu *cu, struct source *source, const struct layout *layout,
		     const struct least_units *units)
{
	for (size_t i = 0; i < cu->types.n; i++) {
		struct type_ref ref = type_ref_parse(&cu->arena, cu->types.items[i]);
		struct def_list found = layout_find(layout, ref, &cu->arena);

		for (size_t k = 0; k < found.n; k++)
			add_row(cu, found.defs[k], units);
		if (found.n)
			continue;
		types_say_missing(source, cu->types.items[i]);
		cu->missed = true;
	}
}

static int report(struct cu *cu, const struct layout *layout)
{
	struct report_style style = common_style(&cu->common);
	struct buf out = BUF_INIT;
	bool ok;

	if (strcmp(cu->common.format->name, "json") == 0)
		json_units(layout, cu->rows, cu->n, &out);
	else
		text_units(cu->rows, cu->n, &style, &out);
	ok = write_output(cu->common.output, &out);
	buf_release(&out);
	if (!ok || cu->unitless)
		return EXIT_CANNOT;
	return cu->missed ? EXIT_FINDINGS : EXIT_CLEAN;
}

static int name_units(struct cu *cu, struct source *source)
{
	struct err err = ERR_INIT;
	struct want_list names = {0};
	struct least_units units;
	struct layout *layout = NULL;
	struct want want;
	int status = EXIT_CANNOT;

	for (size_t i = 0; i < cu->types.n; i++)
		want_list_add(&names, type_ref_parse(&cu->arena, cu->types.items[i]).name);
	want = want_list_finish(&names);
	if (source_read(source, &want, &err, &layout) &&
	    dwarf_least_units(source_image(source), &want, &err, &cu->arena, &units)) {
		add_rows(cu, source, layout, &units);
		status = report(cu, layout);
	} else {
		say_err(&err);
	}
	layout_free(layout);
	want_list_release(&names);
	return status;
}

static int cu_of_image(struct cu *cu)
{
	const char *path = cu->common.images.items[0];
	struct err err = ERR_INIT;
	struct source *source;
	int status = EXIT_CANNOT;

	if (!source_open(path, &cu->common, &err, &source)) {
		say_err(&err);
		return EXIT_CANNOT;
	}
	if (source_image(source) && dwarf_present(source_image(source)))
		status = name_units(cu, source);
	else if (source_is_joined(source))
		say_error("%s: is several objects, and cu looks at one", path);
	else
		say_error("%s: only DWARF tells compile units, and this is %s", path,
			  source_image(source) ? "BTF" : "a snapshot");
	source_close(source);
	return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* False: a mistake, which has been said. */
static bool check_usage(const struct cu *cu)
{
	if (!cu->types.n)
		say_error("cu: of what type? Name it with -C");
	else if (cu->common.images.n > 1)
		say_error("cu: one image is looked at, and %zu are given", cu->common.images.n);
	else
		return true;
	return false;
}

static int run_cu(int argc, char **argv)
{
	struct cu cu = {0};
	struct strings words = {0};
	const struct option_row rows[] = {
		OPT_LIST('C', "type", "NAME[,NAME...]", &words, "of these types; repeatable"),
	};
	int status;

	if (common_parse(argc, argv, &command_cu, rows, ARRAY_SIZE(rows), &cu.common, &status) ==
	    COMMON_GO) {
		for (size_t i = 0; i < words.n; i++)
			types_add(&cu.types, words.items[i], &cu.arena);
		status = check_usage(&cu) ? cu_of_image(&cu) : EXIT_CANNOT;
	}
	free(cu.rows);
	strings_release(&words);
	strings_release(&cu.types);
	common_release(&cu.common);
	arena_release(&cu.arena);
	return status;
}

static bool has_format(const struct format *format)
{
	return strcmp(format->name, "text") == 0 || strcmp(format->name, "json") == 0;
}

/* Only DWARF tells units, and lines and rules are not looked at. */
static const char *const unused[] = {"rules", "from", "arch", "cacheline", "base", "config", NULL};

const struct command command_cu = {
	.name = "cu",
	.run = run_cu,
	.synopsis = "[options] -C TYPE [IMAGE]",
	.summary = "name the smallest compile unit that defines a type",
	.about = "Names, for each definition of TYPE in IMAGE, the smallest compile unit that has "
		 "it,\n"
		 "and the object that make builds of it: what to build to see a layout without\n"
		 "linking. With -q the objects alone.",
	.has_format = has_format,
	.unused = unused,
};
