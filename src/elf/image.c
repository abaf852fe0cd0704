/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf/image.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "elf/private.h"

struct image {
	struct elf_file *file;
	struct target target;
};

bool image_open(const char *path, const struct image_options *options, struct err *err,
		struct image **ret)
{
	struct elf_file *file;
	struct image *image;

	(void)options;
	if (!elf_file_open(path, err, &file))
		return false;
	image = xcalloc(1, sizeof *image);
	image->file = file;
	elf_target(file, &image->target);
	*ret = image;
	return true;
}

void image_close(struct image *image)
{
	if (!image)
		return;
	elf_file_close(image->file);
	free(image);
}

const char *image_path(const struct image *image)
{
	return image->file->path;
}

enum image_kind image_kind(const struct image *image)
{
	return image->file->kind;
}

bool image_is_relocatable(const struct image *image)
{
	return image->file->type == ET_REL;
}

const struct target *image_target(const struct image *image)
{
	return &image->target;
}

bool image_section(struct image *image, const char *name, struct err *err, struct section **ret)
{
	struct elf_section *section = elf_file_find(image->file, name);

	if (section && elf_section_is_made(section) && !elf_section_load(section, err))
		return false;
	*ret = section ? &section->shown : NULL;
	return true;
}

bool image_load(struct image *image, struct section *section, struct err *err)
{
	(void)image;
	return elf_section_load((struct elf_section *)section, err);
}

/* The file whose sections are the debug info. */
static struct elf_file *debug_file(const struct image *image)
{
	return image->file;
}

/* Relocation tables are not shown: image_load() has applied them. */
static bool is_listed(const struct elf_section *section)
{
	return elf_section_has_bytes(section) && section->head == section &&
	       section->type != SHT_REL && section->type != SHT_RELA;
}

size_t image_debug_nsections(const struct image *image)
{
	const struct elf_file *file = debug_file(image);
	size_t n = 0;

	for (size_t i = 0; i < file->nsections; i++)
		n += is_listed(&file->sections[i]);
	return n;
}

struct section *image_debug_section_at(struct image *image, size_t index)
{
	struct elf_file *file = debug_file(image);

	for (size_t i = 0; i < file->nsections; i++)
		if (is_listed(&file->sections[i]) && index-- == 0)
			return &file->sections[i].shown;
	return NULL;
}
