/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Archives and their members; and packages of split DWARF, whose indexes are tables as well. */
#include <stdlib.h>

#include "dwarf/package.h"
#include "elf/archive.h"
#include "fuzz.h"

static void open_members(const struct archive *archive)
{
	size_t n = archive_nobjects(archive);

	for (size_t i = 0; i < n; i++) {
		struct err err = ERR_INIT;
		struct image *image = NULL;

		fuzz_want(*archive_object_path(archive, i), "a member has a name");
		fuzz_answer(archive_open_object(archive, i, &err, &image), &err);
		image_close(image);
	}
	if (archive_nothers(archive)) {
		fuzz_want(*archive_other_path(archive), "what is no object has a name");
		fuzz_want(*archive_other_what(archive), "and is something");
	}
}

static void open_archive(const char *path)
{
	struct archive *archive = NULL;
	struct err err = ERR_INIT;
	bool ok = archive_open(path, &err, &archive);

	fuzz_answer(ok, &err);
	if (ok)
		open_members(archive);
	archive_close(archive);
}

static void open_package(const char *path)
{
	const struct image_options options = {.no_separate = true};
	struct image *image = NULL;
	struct err err = ERR_INIT;
	/* Of the program whose package it is only the byte order matters. */
	const struct sections program = {.path = path};
	struct split split = {.program = &program};
	bool ok = image_open(path, &options, &err, &image);

	if (ok && image_kind(image) != IMAGE_ELF) {
		image_close(image);
		return;
	}
	ok = ok && package_read(image, &err, &split);
	fuzz_answer(ok, &err);
	for (size_t i = 0; ok && i < split.ncontributions; i++)
		fuzz_want(split_contribution(&split, split.contributions[i].section,
					     split.contributions[i].unit) != NULL,
			  "a unit of the index is found by its place");
	free(split.contributions);
	image_close(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);

	if (archive_detect(path))
		open_archive(path);
	else
		open_package(path);
	return 0;
}
