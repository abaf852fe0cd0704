/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layoutcheck rules from-markers, learn, import: packs made of images and documents. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "cli/rules_cmd.h"
#include "cli/source.h"
#include "cli/types.h"
#include "rule/write.h"
#include "rule/yaml_write.h"

/* ---- from-markers ---------------------------------------------------------------------------- */

static int write_markers(const struct common *common, struct source *source,
			 const struct layout *layout)
{
	struct buf out = BUF_INIT;
	int status = EXIT_FINDINGS;

	if (pack_write_markers(layout, layout->target.line, &out))
		status = write_output(common->output, &out) ? EXIT_CLEAN : EXIT_CANNOT;
	else
		say_error("%s: no type has groups that its source marks", source_path(source));
	buf_release(&out);
	return status;
}

int rules_from_markers(const struct common *common, const char *path)
{
	struct err err = ERR_INIT;
	struct source *source;
	struct layout *layout;
	int status = EXIT_CANNOT;

	if (!source_open(path, common, &err, &source)) {
		say_err(&err);
		return EXIT_CANNOT;
	}
	if (source_read(source, &want_all, &err, &layout)) {
		status = write_markers(common, source, layout);
		layout_free(layout);
	} else {
		say_err(&err);
	}
	source_close(source);
	return status;
}

/* ---- learn ----------------------------------------------------------------------------------- */

/* Definitions of all types asked for. */
struct found {
	const struct def **items;
	size_t n, cap;
};

static bool find_all(struct source *source, const struct layout *layout,
		     const struct strings *types, struct arena *arena, struct found *ret)
{
	bool ok = true;

	for (size_t i = 0; i < types->n; i++) {
		struct def_list defs =
			layout_find(layout, type_ref_parse(arena, types->items[i]), arena);

		if (!defs.n) {
			types_say_missing(source, types->items[i]);
			ok = false;
		}
		for (size_t k = 0; k < defs.n; k++) {
			if (!pack_type_name(defs.defs[k], arena)) {
				say_error("%s: no pack can name the type `%s`", source_path(source),
					  types->items[i]);
				ok = false;
			}
			ARRAY_GROW(ret->items, ret->n, ret->cap);
			ret->items[ret->n++] = defs.defs[k];
		}
	}
	return ok;
}

static int write_learned(const struct common *common, struct source *source,
			 const struct layout *layout, const struct strings *types)
{
	struct buf out = BUF_INIT;
	struct found found = {0};
	struct arena arena;
	int status = EXIT_FINDINGS;

	arena_init(&arena);
	if (find_all(source, layout, types, &arena, &found)) {
		const struct def_list list = {found.items, found.n};

		pack_write_learned(&list, layout->target.line, &out);
		status = write_output(common->output, &out) ? EXIT_CLEAN : EXIT_CANNOT;
	}
	free(found.items);
	arena_release(&arena);
	buf_release(&out);
	return status;
}

static int learn_from(const struct common *common, struct source *source,
		      const struct strings *types)
{
	struct err err = ERR_INIT;
	struct want_list names = {0};
	struct layout *layout;
	struct arena arena;
	struct want want;
	int status = EXIT_CANNOT;

	if (!source_target(source)->line) {
		say_error("%s: the size of a cache line is not known: give --arch or --cacheline",
			  source_path(source));
		return EXIT_CANNOT;
	}
	arena_init(&arena);
	for (size_t i = 0; i < types->n; i++)
		want_list_add(&names, type_ref_parse(&arena, types->items[i]).name);
	want = want_list_finish(&names);
	if (source_read(source, &want, &err, &layout)) {
		status = write_learned(common, source, layout, types);
		layout_free(layout);
	} else {
		say_err(&err);
	}
	want_list_release(&names);
	arena_release(&arena);
	return status;
}

int rules_learn(const struct common *common, const struct strings *types, const char *path)
{
	struct err err = ERR_INIT;
	struct source *source;
	int status;

	if (!source_open(path, common, &err, &source)) {
		say_err(&err);
		return EXIT_CANNOT;
	}
	status = learn_from(common, source, types);
	source_close(source);
	return status;
}

/* ---- import ---------------------------------------------------------------------------------- */

/* A document of 6.12 has 19 kB. */
enum { MOST_DOCUMENT = 1 << 20 };

/* The table of @path, behind @n others that are there. */
static bool import_one(const char *path, const char *type, struct arena *arena, struct err *err,
		       struct access_table *tables, size_t n)
{
	struct bytes bytes;
	bool ok;

	if (!file_read(path, MOST_DOCUMENT, err, &bytes))
		return false;
	ok = access_table_read(path, bytes.data, bytes.len, type, arena, err, &tables[n]);
	bytes_release(&bytes);
	for (size_t i = 0; ok && i < n; i++)
		if (strcmp(tables[i].type, tables[n].type) == 0)
			ok = err_set(err, path, "%s has one of `%.60s`, too", tables[i].file,
				     tables[n].type);
	return ok;
}

int rules_import(const struct common *common, const char *type, const char *const *paths, size_t n)
{
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;
	struct access_table *tables;
	struct arena arena;
	bool ok = true;

	arena_init(&arena);
	tables = arena_array(&arena, n, sizeof *tables);
	for (size_t i = 0; i < n && ok; i++)
		ok = import_one(paths[i], type, &arena, &err, tables, i);
	if (ok) {
		pack_write_access(tables, n, &out);
		ok = write_output(common->output, &out);
	} else {
		say_err(&err);
	}
	buf_release(&out);
	arena_release(&arena);
	return ok ? EXIT_CLEAN : EXIT_CANNOT;
}
