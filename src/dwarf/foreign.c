/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/foreign.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/search.h"
#include "dwarf/constants.h"

/* ---- the directory --------------------------------------------------------------------------- */

struct signature {
	uint64_t signature, offset;
	uint8_t section;
};

struct directory {
	pthread_mutex_t lock;
	bool filled;
	char *error;     /* why it could not be */
	uint64_t *units; /* offsets in .debug_info of its file, ascending */
	size_t nunits, cap_units;
	struct signature *signatures; /* sorted */
	size_t nsignatures, cap_signatures;
};

struct directory *directory_new(void)
{
	struct directory *directory = xcalloc(1, sizeof *directory);

	pthread_mutex_init(&directory->lock, NULL);
	return directory;
}

void directory_free(struct directory *directory)
{
	if (!directory)
		return;
	pthread_mutex_destroy(&directory->lock);
	free(directory->units);
	free(directory->signatures);
	free(directory->error);
	free(directory);
}

static bool add_unit(struct directory *d, const struct reader *reader, enum unit_section section,
		     uint64_t offset, uint64_t size)
{
	const struct section *s = reader->sections->units[section];
	uint8_t buffer[64]; /* longer than the longest header */
	const uint8_t *bytes;
	struct unit unit;

	if (section != SECTION_TYPES) {
		ARRAY_GROW(d->units, d->nunits, d->cap_units);
		d->units[d->nunits++] = offset;
	}
	if (size > sizeof buffer)
		size = sizeof buffer;
	if (!sections_read(reader->sections, s, offset, size, buffer, reader->err, &bytes) ||
	    !unit_read_header(reader, section, offset, bytes, size, &unit))
		return false;
	if (unit.type == DW_UT_type) {
		ARRAY_GROW(d->signatures, d->nsignatures, d->cap_signatures);
		d->signatures[d->nsignatures++] =
			(struct signature){unit.signature, offset, (uint8_t)section};
	}
	return true;
}

/* By signature, then place: of several units with one signature the first is taken. */
static int compare_signatures(const void *left, const void *right)
{
	const struct signature *a = left, *b = right;

	if (a->signature != b->signature)
		return a->signature < b->signature ? -1 : 1;
	if (a->section != b->section)
		return a->section - b->section;
	return (a->offset > b->offset) - (a->offset < b->offset);
}

static bool add_units(struct directory *d, const struct reader *reader, enum unit_section section)
{
	const struct section *s = reader->sections->units[section];
	uint64_t size;

	for (uint64_t offset = 0; s && offset < s->size; offset += size)
		if (!sections_unit_size(reader->sections, section, offset, reader->err, &size) ||
		    !add_unit(d, reader, section, offset, size))
			return false;
	return true;
}

static bool fill(struct directory *d, const struct reader *reader, enum unit_section section)
{
	if (!add_units(d, reader, section) ||
	    (section == SECTION_INFO && !add_units(d, reader, SECTION_TYPES)))
		return false;
	if (d->nsignatures)
		qsort(d->signatures, d->nsignatures, sizeof *d->signatures, compare_signatures);
	return true;
}

/*
 * That of the file whose .debug_info @section is. The thread that comes first fills it; all of them
 * get the same answer. NULL: an error was set.
 */
static const struct directory *directory_of(const struct reader *reader, enum unit_section section)
{
	struct directory *d = sections_of(reader->sections, section)->directory;

	pthread_mutex_lock(&d->lock);
	if (!d->filled) {
		d->filled = true;
		if (!fill(d, reader, section))
			d->error = xstrdup(reader->err->text);
	}
	pthread_mutex_unlock(&d->lock);
	if (d->error)
		err_set(reader->err, NULL, "%s", d->error);
	return d->error ? NULL : d;
}

/* The unit of .debug_info that @offset lies in: the last one that does not begin behind it. */
static uint64_t unit_around(const struct directory *d, uint64_t offset)
{
	size_t low = 0, high = d->nunits;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (d->units[middle] <= offset)
			low = middle;
		else
			high = middle;
	}
	return d->units[low];
}

static const struct signature *find_signature(const struct directory *d, uint64_t signature)
{
	size_t at = FIRST_FROM(d->signatures, d->nsignatures, signature, signature);

	if (at == d->nsignatures || d->signatures[at].signature != signature)
		return NULL;
	return &d->signatures[at];
}

/* ---- units that were fetched ----------------------------------------------------------------- */

struct fetched {
	struct unit unit;
	uint8_t *buffer; /* NULL: the section is in memory */
	unsigned pins;
	uint64_t used;
};

/* Units and bytes beyond which those that nobody uses are given up. */
enum { FETCHED_KEPT = 64, BYTES_KEPT = 8 << 20 };

struct foreign {
	struct fetched **items;
	size_t n, cap;
	uint64_t bytes;
};

static void forget(struct reader *reader, size_t i)
{
	struct foreign *foreign = reader->foreign;
	struct fetched *fetched = foreign->items[i];

	foreign->bytes -= fetched->unit.size;
	unit_close(reader, &fetched->unit);
	free(fetched->buffer);
	free(fetched);
	foreign->items[i] = foreign->items[--foreign->n];
}

void foreign_release(struct reader *reader)
{
	if (!reader->foreign)
		return;
	while (reader->foreign->n)
		forget(reader, 0);
	free(reader->foreign->items);
	free(reader->foreign);
	reader->foreign = NULL;
}

static void make_room(struct reader *reader)
{
	struct foreign *foreign = reader->foreign;

	while (foreign->n >= FETCHED_KEPT || foreign->bytes > BYTES_KEPT) {
		size_t oldest = foreign->n;

		for (size_t i = 0; i < foreign->n; i++)
			if (!foreign->items[i]->pins &&
			    (oldest == foreign->n ||
			     foreign->items[i]->used < foreign->items[oldest]->used))
				oldest = i;
		if (oldest == foreign->n)
			return;
		forget(reader, oldest);
	}
}

static bool read_unit(struct reader *reader, enum unit_section section, uint64_t offset,
		      struct fetched *fetched)
{
	const struct section *s = reader->sections->units[section];
	const uint8_t *bytes;
	uint64_t size;

	if (!sections_unit_size(reader->sections, section, offset, reader->err, &size))
		return false;
	if (!s->data)
		fetched->buffer = xmalloc(size);
	if (sections_read(reader->sections, s, offset, size, fetched->buffer, reader->err,
			  &bytes) &&
	    unit_open(reader, section, offset, bytes, size, &fetched->unit))
		return true;
	free(fetched->buffer);
	return false;
}

bool fetch_unit(struct reader *reader, enum unit_section section, uint64_t offset,
		const struct unit **ret)
{
	struct foreign *foreign;
	struct fetched *fetched = NULL;

	if (!reader->foreign)
		reader->foreign = xcalloc(1, sizeof *reader->foreign);
	foreign = reader->foreign;
	for (size_t i = 0; i < foreign->n && !fetched; i++)
		if (foreign->items[i]->unit.offset == offset &&
		    foreign->items[i]->unit.section == section)
			fetched = foreign->items[i];
	if (!fetched) {
		make_room(reader);
		fetched = xcalloc(1, sizeof *fetched);
		if (!read_unit(reader, section, offset, fetched)) {
			free(fetched);
			return false;
		}
		ARRAY_GROW(foreign->items, foreign->n, foreign->cap);
		foreign->items[foreign->n++] = fetched;
		foreign->bytes += fetched->unit.size;
	}
	fetched->pins++;
	fetched->used = ++reader->clock;
	*ret = &fetched->unit;
	return true;
}

void fetch_done(struct reader *reader, const struct unit *unit)
{
	for (size_t i = 0; i < reader->foreign->n; i++)
		if (&reader->foreign->items[i]->unit == unit)
			reader->foreign->items[i]->pins--;
}

/* ---- references ------------------------------------------------------------------------------ */

static bool is_inside(const struct unit *unit, uint64_t at)
{
	return at >= unit->root && at < unit->size;
}

/* .debug_info of the file that @unit is in. */
static enum unit_section info_of(const struct unit *unit)
{
	return unit->section == SECTION_ALTERNATE ? SECTION_ALTERNATE : SECTION_INFO;
}

/* The unit at @address of a .debug_info. */
static bool find_unit(struct reader *reader, struct place from, enum unit_section section,
		      uint64_t address, uint64_t *ret)
{
	const struct directory *d;

	if (!reader->sections->units[section])
		return unit_fail(reader, from.unit, from.at,
				 "a reference to an alternate debug file (dwz -m), but neither "
				 ".gnu_debugaltlink nor .debug_sup names one");
	if (address >= reader->sections->units[section]->size)
		return unit_fail(
			reader, from.unit, from.at,
			"a reference to 0x%" PRIx64 ", behind the end of .debug_info%s", address,
			section == SECTION_ALTERNATE ? " of the alternate debug file" : "");
	d = directory_of(reader, section);
	if (!d)
		return false;
	*ret = unit_around(d, address);
	return true;
}

static bool follow_address(struct reader *reader, struct place from, enum unit_section section,
			   uint64_t address, struct place *ret)
{
	const struct unit *unit = from.unit;
	uint64_t offset;

	if (unit->section == section && address >= unit->offset &&
	    is_inside(unit, address - unit->offset)) {
		*ret = (struct place){unit, (uint32_t)(address - unit->offset)};
		return true;
	}
	if (!find_unit(reader, from, section, address, &offset) ||
	    !fetch_unit(reader, section, offset, &unit))
		return false;
	*ret = (struct place){unit, (uint32_t)(address - offset)};
	if (is_inside(unit, address - offset))
		return true;
	fetch_done(reader, unit);
	return unit_fail(reader, from.unit, from.at,
			 "a reference to 0x%" PRIx64 ", which is no DIE", address);
}

bool find_import(struct reader *reader, struct place from, const struct value *ref,
		 enum unit_section *ret_section, uint64_t *ret_offset)
{
	*ret_section = info_of(from.unit);
	*ret_offset = UINT64_MAX;
	if (ref->kind == VALUE_REF_ALT && *ret_section == SECTION_INFO)
		*ret_section = SECTION_ALTERNATE;
	else if (ref->kind != VALUE_REF_ADDR)
		return true;
	return find_unit(reader, from, *ret_section, ref->u, ret_offset);
}

static bool follow_signature(struct reader *reader, struct place from, uint64_t signature,
			     struct place *ret)
{
	enum unit_section section = info_of(from.unit);
	const struct signature *found;
	const struct directory *d;

	if (from.unit->type == DW_UT_type && from.unit->signature == signature) {
		*ret = (struct place){from.unit, from.unit->type_at};
		return true;
	}
	d = directory_of(reader, section);
	if (!d)
		return false;
	found = find_signature(d, signature);
	if (!found)
		return unit_fail(reader, from.unit, from.at,
				 "no type unit has the signature 0x%016" PRIx64, signature);
	if (!fetch_unit(reader, found->section, found->offset, &ret->unit))
		return false;
	ret->at = ret->unit->type_at;
	return true;
}

bool follow_far(struct reader *reader, struct place from, const struct value *ref,
		struct place *ret)
{
	switch (ref->kind) {
	case VALUE_REF:
		return unit_fail(reader, from.unit, from.at,
				 "a reference to 0x%" PRIx64 " leaves the unit", ref->u);
	case VALUE_REF_ADDR:
		return follow_address(reader, from, info_of(from.unit), ref->u, ret);
	case VALUE_REF_ALT:
		if (from.unit->section == SECTION_ALTERNATE)
			return unit_fail(reader, from.unit, from.at,
					 "an alternate debug file that refers to another one");
		return follow_address(reader, from, SECTION_ALTERNATE, ref->u, ret);
	case VALUE_REF_SIG:
		return follow_signature(reader, from, ref->u, ret);
	default:
		return unit_fail(reader, from.unit, from.at, "a reference of an unexpected form");
	}
}
