/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/parts.h"

#include <stdlib.h>

#include "base/mem.h"
#include "elf/archive.h"
#include "elf/image.h"

static void add_part(struct parts *parts, struct part part)
{
	ARRAY_GROW(parts->items, parts->n, parts->cap);
	parts->items[parts->n++] = part;
}

/* Another language's metadata, bitcode, text: nothing can be said of what is in it. */
static void warn_of_others(const struct archive *archive, const struct common *common)
{
	size_t n = archive_nothers(archive);

	if (!n || common->quiet)
		return;
	if (n == 1)
		say_error("warning: %s: %s; it is passed over", archive_other_path(archive),
			  archive_other_what(archive));
	else
		say_error("warning: %s: %s; it is passed over, and so are %zu more members that "
			  "are not ELF",
			  archive_other_path(archive), archive_other_what(archive), n - 1);
}

static bool add_archive(struct parts *parts, const char *path, const struct common *common,
			struct err *err)
{
	struct archive *archive;
	size_t n;

	if (!archive_open(path, err, &archive))
		return false;
	ARRAY_GROW(parts->archives, parts->narchives, parts->cap_archives);
	parts->archives[parts->narchives++] = archive;
	n = archive_nobjects(archive);
	if (!n && !archive_nothers(archive))
		return err_set(err, path, "is an archive without members");
	if (!n)
		return err_set(err, archive_other_path(archive),
			       "%s; the archive has no member that is ELF",
			       archive_other_what(archive));
	warn_of_others(archive, common);
	for (size_t i = 0; i < n; i++)
		add_part(parts, (struct part){.path = archive_object_path(archive, i),
					      .archive = archive,
					      .index = i});
	return true;
}

bool parts_find(const char *const *paths, size_t n, const struct common *common, struct err *err,
		struct parts *ret)
{
	for (size_t i = 0; i < n; i++)
		if (!archive_detect(paths[i]))
			add_part(ret, (struct part){.path = paths[i]});
		else if (!add_archive(ret, paths[i], common, err))
			return false;
	return true;
}

void parts_release(struct parts *parts)
{
	for (size_t i = 0; i < parts->narchives; i++)
		archive_close(parts->archives[i]);
	free(parts->archives);
	free(parts->items);
	*parts = (struct parts){0};
}

bool part_open(const struct part *part, const struct common *common, struct err *err,
	       struct image **ret)
{
	const struct image_options options = {.debug_dir = common->debug_dir,
					      .debuginfod = common->debuginfod};

	if (part->archive)
		return archive_open_object(part->archive, part->index, err, ret);
	return image_open(part->path, &options, err, ret);
}
