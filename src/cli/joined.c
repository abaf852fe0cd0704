/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An image of several files: one reader, one machine, one layout of them all. */
#include "base/text.h"
#include "btf/btf.h"
#include "cli/source_private.h"
#include "elf/image.h"
#include "layout/join.h"

/* ---- opening --------------------------------------------------------------------------------- */

static bool part_has(const struct part *part, const struct reader *reader)
{
	return reader->from == FROM_DWARF ? part->has_dwarf : part->has_btf;
}

/* The first part that has what @reader reads; NULL: none has. */
static const struct part *first_with(const struct source *source, const struct reader *reader)
{
	for (size_t i = 0; i < source->parts.n; i++)
		if (part_has(&source->parts.items[i], reader))
			return &source->parts.items[i];
	return NULL;
}

static bool is_same_machine(const struct target *a, const struct target *b)
{
	return a->bits == b->bits && a->big_endian == b->big_endian && text_same(a->arch, b->arch);
}

static const char *machine_name(const struct target *target)
{
	return target->arch ? target->arch : target->bits == 64 ? "64 bits" : "32 bits";
}

/* Looks at one part; the machine of the first is @machine. */
static bool look_at(struct source *source, struct part *part, struct target *machine,
		    struct err *err)
{
	const struct target *target;
	struct image *image;
	bool ok = true;

	if (!part_open(part, source->common, err, &image))
		return false;
	part->has_dwarf = dwarf_present(image);
	part->has_btf = btf_present(image);
	target = image_target(image);
	if (image_kind(image) != IMAGE_ELF) {
		ok = err_set(err, part->path, "is raw BTF, and only ELF files can be joined");
	} else if (!machine->bits) {
		*machine = *target;
		machine->arch = target->arch ? arena_strdup(&source->arena, target->arch) : NULL;
	} else if (!is_same_machine(machine, target)) {
		ok = err_set(err, part->path,
			     "is for %s, and %s for %s: the parts of one program are for one "
			     "machine",
			     machine_name(target), source->parts.items[0].path,
			     machine_name(machine));
	}
	image_close(image);
	return ok;
}

/* What nobody can be shown to have looked at is said to be so; members of archives often have
 * none (assembly). */
static void warn_of_bare(const struct source *source)
{
	for (size_t i = 0; i < source->parts.n && !source->common->quiet; i++) {
		const struct part *part = &source->parts.items[i];

		if (!part->archive && !part_has(part, source->reader))
			say_error("warning: %s: has no %s, and adds nothing", part->path,
				  source->reader->name);
	}
}

static bool choose_reader(struct source *source, struct err *err)
{
	enum from from = (enum from)source->common->from;
	const struct reader *other = NULL;

	for (size_t i = 0; i < READERS && !source->reader; i++) {
		if (!first_with(source, &image_readers[i]))
			continue;
		if (from == FROM_ANY || from == image_readers[i].from)
			source->reader = &image_readers[i];
		else
			other = &image_readers[i];
	}
	if (source->reader)
		return true;
	if (source->common->only_variables && from == FROM_ANY) {
		source->reader = &symbols_reader;
		return true;
	}
	if (other)
		return err_set(err, source->path, "has no %s, but %s: --from %s reads that",
			       from == FROM_DWARF ? "DWARF" : "BTF", other->name, other->option);
	return err_set(err, source->path, "no object of it has DWARF or BTF: build with -g");
}

bool joined_open(struct source *source, const char *const *paths, size_t n, struct err *err)
{
	const struct part *first = NULL;
	struct target machine = {0};

	if (!parts_find(paths, n, source->common, err, &source->parts))
		return false;
	for (size_t i = 0; i < source->parts.n; i++)
		if (!look_at(source, &source->parts.items[i], &machine, err))
			return false;
	if (!choose_reader(source, err))
		return false;
	if (source->reader->read_part) {
		warn_of_bare(source);
		first = first_with(source, source->reader);
	}
	return part_open(first ? first : &source->parts.items[0], source->common, err,
			 &source->image) &&
	       source_open_base(source, err);
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool read_part(struct source *source, const struct part *part, const struct want *want,
		      enum dwarf_depth depth, struct join *join, struct err *err)
{
	struct layout *layout;
	struct image *image;
	bool ok;

	if (!part_open(part, source->common, err, &image))
		return false;
	ok = source->reader->read_part(source, image, want, depth, join, err, &layout);
	if (ok)
		join_add(join, layout);
	image_close(image);
	return ok;
}

static bool read_parts(struct source *source, const struct want *want, enum dwarf_depth depth,
		       struct join *join, struct err *err)
{
	for (size_t i = 0; i < source->parts.n; i++)
		if (part_has(&source->parts.items[i], source->reader) &&
		    !read_part(source, &source->parts.items[i], want, depth, join, err))
			return false;
	return true;
}

/* Functions are looked into for what no part has at its top level. */
static bool read_missing(struct source *source, const struct want *want, struct join *join,
			 struct err *err)
{
	struct want_list missing = {0};
	struct want rest = join_missing(join, want, &missing);
	bool ok;

	ok = !rest.n || read_parts(source, &rest, DWARF_INSIDE, join, err);
	want_list_release(&missing);
	return ok;
}

bool joined_read(struct source *source, const struct want *want, struct err *err,
		 struct layout **ret)
{
	struct join *join;

	if (!source->reader->read_part)
		return source->reader->read(source, want, err, ret);
	join = join_new();
	if (!read_parts(source, want, DWARF_TOP, join, err) ||
	    (source->reader->from == FROM_DWARF && !want->all &&
	     !read_missing(source, want, join, err))) {
		join_free(join);
		return false;
	}
	*ret = join_finish(join, source->path);
	return true;
}
