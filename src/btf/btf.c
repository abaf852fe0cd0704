// SPDX-License-Identifier: GPL-2.0-or-later
#include "btf/btf.h"

#include "btf/load.h"

/* The section's contents; *ret NULL when there is none. */
static bool find_btf(struct image *image, struct err *err, struct section **ret)
{
	return image_section_loaded(image, ".BTF", err, ret);
}

bool btf_present(struct image *image)
{
	struct err err = ERR_INIT;
	struct section *section = NULL;
	/* One that cannot be read is there: btf_read() says what is wrong with it. */
	bool present = !image_section(image, ".BTF", &err, &section) || section;

	err_release(&err);
	return present;
}

/*
 * A module built outside the kernel's tree can have the few types of its vmlinux that it needs in
 * .BTF.base, by name and size only; its own BTF counts from those. On any other base the numbers
 * would lead to other types.
 */
static bool check_base(struct image *image, struct err *err)
{
	struct section *section;

	if (!image_section(image, ".BTF.base", err, &section))
		return false;
	return !section || err_set(err, image_path(image),
				   "its BTF stands on a distilled base (.BTF.base), which is not "
				   "supported");
}

bool btf_is_split(struct image *image)
{
	struct err err = ERR_INIT;
	struct section *section = NULL;
	struct btf_scan scan;
	bool split = check_base(image, &err) && find_btf(image, &err, &section) && section &&
		     btf_scan(section->data, section->size, 1, image_path(image), &err, &scan) &&
		     scan.is_split;

	err_release(&err);
	return split;
}

static bool get_bytes(struct image *image, struct err *err, struct btf_bytes *ret)
{
	struct section *section;

	if (!find_btf(image, err, &section))
		return false;
	if (!section)
		return err_set(err, image_path(image), "it has no BTF");
	*ret = (struct btf_bytes){section->data, section->size, image_path(image)};
	return true;
}

static const char *copy(struct arena *arena, const char *s)
{
	return s ? arena_strdup(arena, s) : NULL;
}

/* What the file says beats what its BTF lets guess. */
static void set_target(struct layout *layout, const struct target *from)
{
	struct target target = *from;

	target.release = copy(&layout->arena, from->release);
	target.build_id = copy(&layout->arena, from->build_id);
	target.module = copy(&layout->arena, from->module);
	target.arch = copy(&layout->arena, from->arch);
	target.big_endian = layout->target.big_endian;
	if (!target.bits)
		target.bits = layout->target.bits;
	layout->target = target;
}

bool btf_read(struct image *image, struct image *base, const struct want *want,
	      const struct btf_options *options, struct err *err, struct layout **ret)
{
	const struct target *target = image_target(image);
	unsigned bits = target->bits ? target->bits : options->pointer_bits;
	struct btf_bytes own, under;
	struct layout *layout;

	if (!get_bytes(image, err, &own) || !check_base(image, err) ||
	    (base && !get_bytes(base, err, &under)))
		return false;
	if (!btf_load(&own, base ? &under : NULL, want, bits, err, &layout))
		return false;
	layout->path = arena_strdup(&layout->arena, image_path(image));
	set_target(layout, target);
	*ret = layout;
	return true;
}
