/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/split.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/math.h"
#include "base/mem.h"
#include "base/search.h"
#include "dwarf/package.h"

struct skeleton *split_skeleton(const struct split *split, uint64_t id)
{
	size_t at = FIRST_FROM(split->skeletons, split->n, id, id);

	return at < split->n && split->skeletons[at].id == id ? &split->skeletons[at] : NULL;
}

/* Nothing but the last one that does not begin behind the unit can be its own. */
const struct contribution *split_contribution(const struct split *split, enum unit_section section,
					      uint64_t offset)
{
	static const struct contribution whole;
	size_t low = 0, high = split->ncontributions;

	if (!high)
		return &whole;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct contribution *c = &split->contributions[middle];

		if (c->section < section || (c->section == section && c->unit <= offset))
			low = middle + 1;
		else
			high = middle;
	}
	return low && split->contributions[low - 1].section == section
		       ? &split->contributions[low - 1]
		       : NULL;
}

/* ---- files ----------------------------------------------------------------------------------- */

struct search {
	struct image *image;
	const struct sections *program;
	struct skeleton *skeletons; /* by id */
	struct skeleton **order;    /* of the program */
	size_t n;
	split_read_fn *read;
	void *arg;
	struct err *err;
	struct arena arena;
};

static int compare_ids(const void *left, const void *right)
{
	return compare_u64(((const struct skeleton *)left)->id,
			   ((const struct skeleton *)right)->id);
}

static int compare_units(const void *left, const void *right)
{
	return compare_u64((*(struct skeleton *const *)left)->unit,
			   (*(struct skeleton *const *)right)->unit);
}

static bool read_image(struct search *s, struct image *image)
{
	struct split split = {.program = s->program, .skeletons = s->skeletons, .n = s->n};
	struct sections sections;
	bool ok = package_read(image, s->err, &split) &&
		  sections_open_split(image, &split, s->err, &sections);

	if (ok) {
		ok = s->read(s->arg, image, &sections, s->err);
		sections_close(&sections);
	}
	free(split.contributions);
	return ok;
}

static bool read_file(struct search *s, const char *path)
{
	static const struct image_options alone = {.no_separate = true};
	struct image *image;
	bool ok;

	if (!image_open(path, &alone, s->err, &image))
		return false;
	ok = read_image(s, image);
	image_close(image);
	return ok;
}

static bool read_own(struct search *s)
{
	struct section *section;

	if (!image_section(s->image, ".debug_info.dwo", s->err, &section))
		return false;
	return !section || read_image(s, s->image);
}

/* A package is named after the program, or after its separate debug file. */
static bool read_packages(struct search *s)
{
	const char *const paths[] = {image_path(s->image), image_debug_path(s->image)};

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		const char *path;

		if (!paths[i])
			continue;
		path = arena_printf(&s->arena, "%s.dwp", paths[i]);
		if (access(path, F_OK) == 0)
			return read_file(s, path);
	}
	return true;
}

/* ---- .dwo files ------------------------------------------------------------------------------ */

static const char *in_directory(struct search *s, const char *dir, const char *name)
{
	return !dir || *name == '/' ? name : arena_printf(&s->arena, "%s/%s", dir, name);
}

/* Where the compiler put it, else beside the program: a build that was moved. NULL: nowhere. */
static const char *find_file(struct search *s, const struct skeleton *skeleton)
{
	const char *path = image_path(s->image), *slash = strrchr(path, '/');
	const char *name = skeleton->dwo_name, *base = strrchr(name, '/');
	const char *here = slash ? arena_strndup(&s->arena, path, (size_t)(slash - path)) : ".";
	const char *const tries[] = {in_directory(s, skeleton->comp_dir, name),
				     in_directory(s, here, name),
				     in_directory(s, here, base ? base + 1 : name)};

	for (size_t i = 0; i < ARRAY_SIZE(tries); i++)
		if (access(tries[i], F_OK) == 0)
			return tries[i];
	return NULL;
}

/* Skeletons that have no unit, and the first of them. */
struct lost {
	size_t n;
	const struct skeleton *first;
	const char *path; /* of its file */
};

static void lose(struct lost *lost, const struct skeleton *skeleton, const char *path)
{
	if (!lost->n++) {
		lost->first = skeleton;
		lost->path = path;
	}
}

static bool tell_missing(struct search *s, const struct lost *lost)
{
	const char *name = in_directory(s, lost->first->comp_dir, lost->first->dwo_name);

	return err_set(s->err, image_path(s->image),
		       "its debug info is split: %zu of %zu units have no .dwo file, the first %s "
		       "(neither there nor beside the program; there is no .dwp file)",
		       lost->n, s->n, name);
}

static bool tell_stale(struct search *s, const struct lost *lost)
{
	return err_set(s->err, image_path(s->image),
		       "its debug info is split: %zu of %zu units have a .dwo file of another "
		       "build, the first %s (it has no unit 0x%016llx)",
		       lost->n, s->n, lost->path, (unsigned long long)lost->first->id);
}

static bool read_dwos(struct search *s)
{
	const char **paths = arena_array(&s->arena, s->n, sizeof *paths);
	struct lost missing = {0}, stale = {0};

	for (size_t i = 0; i < s->n; i++) {
		if (s->order[i]->is_read)
			continue;
		paths[i] = find_file(s, s->order[i]);
		if (!paths[i])
			lose(&missing, s->order[i], NULL);
	}
	if (missing.n)
		return tell_missing(s, &missing);
	for (size_t i = 0; i < s->n; i++) {
		if (s->order[i]->is_read)
			continue;
		if (!read_file(s, paths[i]))
			return false;
		if (!s->order[i]->is_read)
			lose(&stale, s->order[i], paths[i]);
	}
	return !stale.n || tell_stale(s, &stale);
}

bool split_each(struct image *image, const struct sections *program, struct skeleton *skeletons,
		size_t n, split_read_fn *read, void *arg, struct err *err)
{
	struct search s = {.image = image,
			   .program = program,
			   .skeletons = skeletons,
			   .n = n,
			   .read = read,
			   .arg = arg,
			   .err = err};
	bool ok;

	qsort(skeletons, n, sizeof *skeletons, compare_ids);
	s.order = arena_array(&s.arena, n, sizeof(struct skeleton *));
	for (size_t i = 0; i < n; i++) {
		skeletons[i].is_read = false;
		s.order[i] = &skeletons[i];
	}
	qsort(s.order, n, sizeof(struct skeleton *), compare_units);
	ok = read_own(&s) && read_packages(&s) && read_dwos(&s);
	arena_release(&s.arena);
	return ok;
}
