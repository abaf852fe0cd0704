/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/sections.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cursor.h"
#include "base/file.h"
#include "base/mem.h"
#include "dwarf/foreign.h"

const char *unit_section_name(const struct sections *sections, enum unit_section section)
{
	if (sections->split)
		return section == SECTION_TYPES ? ".debug_types.dwo" : ".debug_info.dwo";
	return section == SECTION_TYPES ? ".debug_types" : ".debug_info";
}

enum { NAME_MAX = 32 };

/* The section that stands for ".debug_NAME" in this set. */
static const char *name_of(const struct sections *s, const char *name, char buffer[NAME_MAX])
{
	snprintf(buffer, NAME_MAX, ".debug_%s%s", name, s->split ? ".dwo" : "");
	return buffer;
}

bool section_bytes(struct image *image, const char *name, struct err *err,
		   struct span_of_bytes *ret)
{
	struct section *section;

	if (!image_section_loaded(image, name, err, &section))
		return false;
	if (!section)
		return true;
	*ret = (struct span_of_bytes){section->data, section->size};
	return true;
}

/* The same for strings, which must all end inside the section. */
static bool load_strings(struct image *image, const char *name, const struct sections *s,
			 struct err *err, struct span_of_bytes *ret)
{
	char buffer[NAME_MAX];

	name = name_of(s, name, buffer);
	if (!section_bytes(image, name, err, ret))
		return false;
	if (ret->size && ret->data[ret->size - 1] != '\0')
		return err_set(err, s->path, "%s: the last string has no end", name);
	return true;
}

/* Relocated and compressed contents are made in memory; the others are left in the file. */
static bool find_units(struct image *image, const char *name, struct err *err, struct section **ret)
{
	if (!image_section(image, name, err, ret))
		return false;
	return !*ret || !image_is_relocatable(image) || image_load(image, *ret, err);
}

/* All but the units and the alternate file. */
static bool open_set(struct image *image, struct err *err, struct sections *s)
{
	const char *debug = image_debug_path(image);
	char name[NAME_MAX];

	s->path = debug ? debug : image_path(image);
	s->swap = image_target(image)->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	return section_bytes(image, name_of(s, "abbrev", name), err, &s->abbrev) &&
	       load_strings(image, "str", s, err, &s->str) &&
	       load_strings(image, "line_str", s, err, &s->line_str) &&
	       section_bytes(image, name_of(s, "str_offsets", name), err, &s->str_offsets) &&
	       find_units(image, name_of(s, "line", name), err, &s->line);
}

static bool open_info(struct image *image, enum unit_section section, struct err *err,
		      struct sections *s)
{
	const char *path = sections_of(s, section)->path;

	return find_units(image, ".debug_info", err, &s->units[section]) &&
	       (s->units[section] || err_set(err, path, "it has no .debug_info"));
}

static bool open_alternate(struct image *image, struct err *err, struct sections *s)
{
	struct image *alternate;

	if (!image_alternate(image, err, &alternate))
		return false;
	if (!alternate)
		return true;
	s->alternate = xcalloc(1, sizeof *s->alternate);
	s->alternate->directory = directory_new();
	return open_set(alternate, err, s->alternate) &&
	       open_info(alternate, SECTION_ALTERNATE, err, s);
}

bool sections_open(struct image *image, struct err *err, struct sections *ret)
{
	struct sections s = {.directory = directory_new()};

	if (open_set(image, err, &s) && open_info(image, SECTION_INFO, err, &s) &&
	    find_units(image, ".debug_types", err, &s.units[SECTION_TYPES]) &&
	    open_alternate(image, err, &s)) {
		*ret = s;
		return true;
	}
	sections_close(&s);
	return false;
}

bool sections_open_split(struct image *image, const struct split *split, struct err *err,
			 struct sections *ret)
{
	struct sections s = {.directory = directory_new(), .split = split};

	if (open_set(image, err, &s) &&
	    find_units(image, ".debug_info.dwo", err, &s.units[SECTION_INFO]) &&
	    find_units(image, ".debug_types.dwo", err, &s.units[SECTION_TYPES]) &&
	    (s.units[SECTION_INFO] || err_set(err, s.path, "it has no .debug_info.dwo"))) {
		*ret = s;
		return true;
	}
	sections_close(&s);
	return false;
}

void sections_close(struct sections *sections)
{
	directory_free(sections->directory);
	if (sections->alternate)
		directory_free(sections->alternate->directory);
	free(sections->alternate);
}

bool sections_read(const struct sections *sections, const struct section *section, uint64_t offset,
		   uint64_t len, void *buffer, struct err *err, const uint8_t **ret)
{
	if (section->data) {
		*ret = section->data + offset;
		return true;
	}
	*ret = buffer;
	return file_pread(section->fd, buffer, len, section->offset + offset, sections->path, err);
}

bool sections_unit_size(const struct sections *sections, enum unit_section section, uint64_t offset,
			struct err *err, uint64_t *ret)
{
	const struct section *s = sections->units[section];
	uint64_t left = s->size - offset;
	uint8_t buffer[12];
	const uint8_t *bytes;
	struct cursor c;
	char place[512];
	uint64_t len;

	len = left < sizeof buffer ? left : sizeof buffer;
	if (!sections_read(sections, s, offset, len, buffer, err, &bytes))
		return false;
	snprintf(place, sizeof place, "%s: %s+0x%" PRIx64, sections_of(sections, section)->path,
		 unit_section_name(sections, section), offset);
	c = cursor_over(bytes, len, sections->swap);
	len = cursor_u32(&c);
	if (len == 0xffffffff)
		len = cursor_u64(&c);
	else if (len >= 0xfffffff0)
		return err_set(err, place, "unit length 0x%" PRIx64 " is reserved", len);
	if (c.bad || len > left - cursor_offset(&c))
		return err_set(err, place, "the unit runs past the end of the section");
	*ret = len + cursor_offset(&c);
	return true;
}
