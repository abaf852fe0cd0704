/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf/image.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "base/text.h"
#include "elf/facts.h"
#include "elf/private.h"
#include "elf/symbols.h"
#include "elf/symtab.h"

struct image {
	struct arena arena;
	struct elf_file *file;
	struct elf_separate separate; /* all zero when it was not looked for */
	struct target target;
	struct elf_places places;
	struct image *alternate; /* NULL: not looked for, or there is none */
	struct section **listed; /* of the file that holds the debug info */
	size_t nlisted;
};

/* The file that holds the debug info. */
static struct elf_file *debug_file(const struct image *image)
{
	return image->separate.file ? image->separate.file : image->file;
}

/* Relocation tables are not shown: image_load() has applied them. */
static bool is_listed(const struct elf_section *section)
{
	return elf_section_has_bytes(section) && section->head == section &&
	       section->type != SHT_REL && section->type != SHT_RELA;
}

static void list_sections(struct image *image)
{
	struct elf_file *file = debug_file(image);

	image->listed = arena_array(&image->arena, file->nsections, sizeof *image->listed);
	for (size_t i = 0; i < file->nsections; i++)
		if (is_listed(&file->sections[i]))
			image->listed[image->nlisted++] = &file->sections[i].shown;
}

static bool wants_separate(struct elf_file *file, const struct image_options *options)
{
	return file->kind == IMAGE_ELF && !(options && options->no_separate) &&
	       !elf_file_find(file, ".debug_info");
}

static bool fill(struct image *image, const struct image_options *options, struct err *err)
{
	image->places = (struct elf_places){"/usr/lib/debug", options && options->debuginfod};
	if (options && options->debug_dir)
		image->places.debug_dir = arena_strdup(&image->arena, options->debug_dir);
	if (wants_separate(image->file, options) &&
	    !elf_separate_find(image->file, &image->places, err, &image->separate))
		return false;
	list_sections(image);
	return elf_target(image->file, image->separate.file, &image->arena, err, &image->target);
}

/* Takes over @file. */
static bool open_file(struct elf_file *file, const struct image_options *options, struct err *err,
		      struct image **ret)
{
	struct image *image = xcalloc(1, sizeof *image);

	image->file = file;
	buf_init(&image->separate.looked);
	buf_init(&image->separate.mismatch);
	if (!fill(image, options, err)) {
		image_close(image);
		return false;
	}
	*ret = image;
	return true;
}

bool image_open(const char *path, const struct image_options *options, struct err *err,
		struct image **ret)
{
	struct elf_file *file;

	return elf_file_open(path, err, &file) && open_file(file, options, err, ret);
}

bool image_of_file(struct elf_file *file, struct err *err, struct image **ret)
{
	static const struct image_options alone = {.no_separate = true};

	return open_file(file, &alone, err, ret);
}

bool image_alternate(struct image *image, struct err *err, struct image **ret)
{
	struct elf_file *file = NULL;

	if (!image->alternate) {
		if (!elf_alternate_find(debug_file(image), &image->places, err, &file))
			return false;
		if (file && !image_of_file(file, err, &image->alternate))
			return false;
	}
	*ret = image->alternate;
	return true;
}

void image_close(struct image *image)
{
	if (!image)
		return;
	image_close(image->alternate);
	elf_separate_release(&image->separate);
	elf_file_close(image->file);
	arena_release(&image->arena);
	free(image);
}

const char *image_path(const struct image *image)
{
	return image->file->path;
}

const char *image_debug_path(const struct image *image)
{
	return image->separate.file ? image->separate.file->path : NULL;
}

const char *image_debug_mismatch(const struct image *image)
{
	return image->separate.mismatch.len ? image->separate.mismatch.s : NULL;
}

const char *image_debug_looked(const struct image *image)
{
	return image->separate.looked.len ? image->separate.looked.s : NULL;
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
	struct elf_file *debug = debug_file(image);
	struct elf_section *section = NULL;

	/* All of the DWARF from one file: its sections speak of each other by offset. */
	if (!text_starts_with(name, ".debug_"))
		section = elf_file_find(image->file, name);
	if (!section)
		section = elf_file_find(debug, name);
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

bool image_section_loaded(struct image *image, const char *name, struct err *err,
			  struct section **ret)
{
	return image_section(image, name, err, ret) && (!*ret || image_load(image, *ret, err));
}

size_t image_debug_nsections(const struct image *image)
{
	return image->nlisted;
}

struct section *image_debug_section_at(struct image *image, size_t index)
{
	return index < image->nlisted ? image->listed[index] : NULL;
}

static bool find_symbol(struct elf_file *file, const char *name, uint64_t *ret_address,
			uint64_t *ret_size)
{
	struct err err = ERR_INIT;
	struct elf_symbol symbol;
	bool found;

	if (!elf_symbol_find(file, name, &err, &found, &symbol) || !found) {
		err_release(&err);
		return false;
	}
	*ret_address = symbol.value;
	*ret_size = symbol.size;
	return true;
}

bool image_symbol(struct image *image, const char *name, uint64_t *ret_address, uint64_t *ret_size)
{
	return find_symbol(image->file, name, ret_address, ret_size) ||
	       (image->separate.file &&
		find_symbol(image->separate.file, name, ret_address, ret_size));
}

bool image_read_address(struct image *image, uint64_t address, void *data, size_t len)
{
	return image->file->type != ET_REL &&
	       elf_read(image->file, SHN_UNDEF, address, data, len) == len;
}

/* Symbols of the file itself say more than those that a debug file was left with. NULL: none. */
static struct elf_section *symbol_table(struct image *image)
{
	struct elf_section *table = elf_file_find(image->file, ".symtab");

	if (!table)
		table = elf_file_find(debug_file(image), ".symtab");
	if (!table)
		table = elf_file_find(image->file, ".dynsym");
	return table;
}

bool symtab_read(struct image *image, struct err *err, struct symtab *ret)
{
	struct elf_section *table = symbol_table(image);

	*ret = (struct symtab){0};
	return !table || elf_symtab_read(table, err, ret);
}

bool image_data(struct image *image, struct arena *arena, struct err *err, struct data_table *ret)
{
	struct elf_section *table = symbol_table(image);

	*ret = (struct data_table){0};
	if (table)
		return elf_data_read(table, arena, err, ret);
	ret->unknown =
		image->file->kind == IMAGE_RAW_BTF
			? "BTF does not say where variables are: an image with a symbol table "
			  "does"
			: "the image has no symbol table";
	return true;
}

bool image_address_of_offset(const struct image *image, uint64_t offset, uint64_t *ret)
{
	for (size_t i = 0; i < image->file->nsections; i++) {
		const struct elf_section *section = &image->file->sections[i];

		if (!(section->flags & SHF_ALLOC) || !elf_section_has_bytes(section) ||
		    offset < section->shown.offset ||
		    offset - section->shown.offset >= section->stored)
			continue;
		*ret = section->shown.address + (offset - section->shown.offset);
		return true;
	}
	return false;
}

void image_extent(const struct image *image, uint64_t *ret_start, uint64_t *ret_end)
{
	uint64_t start = UINT64_MAX, end = 0;

	for (size_t i = 0; i < image->file->nsections; i++) {
		const struct elf_section *section = &image->file->sections[i];
		uint64_t section_end = add_capped(section->shown.address, section->stored);

		if (!(section->flags & SHF_ALLOC) || (section->flags & SHF_TLS))
			continue;
		if (section->type == SHT_NOBITS)
			section_end = add_capped(section->shown.address, section->shown.size);
		start = min_u64(start, section->shown.address);
		end = max_u64(end, section_end);
	}
	*ret_start = end ? start : 0;
	*ret_end = end;
}
