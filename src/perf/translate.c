/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/translate.h"

#include <stdio.h>
#include <string.h>

#include "base/math.h"

static void write_hex(const uint8_t *bytes, size_t n, char *ret)
{
	for (size_t i = 0; i < n; i++)
		(void)snprintf(ret + 2 * i, 3, "%02x", bytes[i]);
}

/* A build id may be cut to 20 bytes, or filled with zeros up to them. */
static bool same_build_id(const struct perf_image *image, const struct map_file *file)
{
	size_t n = min_u64(image->build_id_size, file->build_id_size);

	return image->build_id && n > 0 && memcmp(image->build_id, file->build_id, n) == 0;
}

static void compare_build_id(const struct perf_image *image, const struct map_file *file,
			     struct recording_facts *facts)
{
	if (!file || file->build_id_size == 0)
		return;
	write_hex(file->build_id, file->build_id_size, facts->image_build_id);
	if (image->build_id && image->build_id_size > 0)
		facts->build_id = same_build_id(image, file) ? BUILD_ID_SAME : BUILD_ID_OTHER;
}

/* ---- a kernel */

static bool symbol(const struct perf_image *image, const char *name, uint64_t *ret)
{
	return image->symbol && image->symbol(image->arg, name, ret);
}

static void init_kernel(struct translation *t, const struct kernel_map *kernel)
{
	uint64_t address;

	if (!kernel->is_set)
		return;
	if (kernel->pgoff != 0 && *kernel->symbol && symbol(t->image, kernel->symbol, &address)) {
		t->slide = kernel->pgoff - address;
		t->has_slide = true;
	} else if (kernel->start != 0 && symbol(t->image, "_text", &address)) {
		t->slide = kernel->start - address;
		t->has_slide = true;
	}
	if (!symbol(t->image, "_text", &t->start))
		t->start = kernel->start - t->slide;
	if (!symbol(t->image, "_end", &t->end))
		t->end = t->start + kernel->len;
}

static bool translate_kernel(const struct translation *t, uint64_t address, uint64_t *ret)
{
	uint64_t moved = address - t->slide;

	if (!t->has_slide || moved < t->start || moved >= t->end)
		return false;
	*ret = moved;
	return true;
}

/* ---- a program */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* How well a file of the recording goes with the image: by build id, by path, by name. */
static int likeness(const struct perf_image *image, const struct map_file *file)
{
	if (file->is_symbol || *file->path != '/')
		return 0;
	if (same_build_id(image, file))
		return 3;
	if (!image->path)
		return 0;
	if (strcmp(file->path, image->path) == 0)
		return 2;
	return strcmp(base_name(file->path), base_name(image->path)) == 0;
}

static void init_program(struct translation *t, struct maps *maps, struct recording_facts *facts)
{
	const struct map_file *with_id = NULL;
	int best = 0;

	for (size_t i = 0; i < maps_nfiles(maps); i++) {
		const struct map_file *file = maps_nth_file(maps, i);
		int like = likeness(t->image, file);

		if (like > best)
			with_id = NULL;
		best = like > best ? like : best;
		if (like == best && file->build_id_size > 0 && !with_id)
			with_id = file;
	}
	if (best == 0)
		return;
	compare_build_id(t->image, with_id, facts);
	for (size_t i = 0; i < maps_nfiles(maps); i++) {
		struct map_file *file = maps_nth_file(maps, i);

		/* BUILD_ID names the file again that a map without build id names. */
		file->is_marked = likeness(t->image, file) == best ||
				  (with_id && strcmp(file->path, with_id->path) == 0);
	}
}

/* What was added to the image's addresses where @map is a map of it. */
static bool bias_of_map(const struct translation *t, const struct map *map, uint64_t *ret)
{
	const struct perf_image *image = t->image;
	/* The first page may begin with the end of the segment before. */
	uint64_t offset = add_capped(map->pgoff, min_u64(map->len, 4096) - 1), address;

	if (!image->address_of_offset(image->arg, offset, &address)) {
		offset = map->pgoff;
		if (!image->address_of_offset(image->arg, offset, &address))
			return false;
	}
	*ret = map->start + (offset - map->pgoff) - address;
	return true;
}

static void translate_program(const struct translation *t, const struct map *code, uint64_t time,
			      struct access *access)
{
	const struct perf_image *image = t->image;
	uint64_t bias = 0;
	bool has_bias = false;

	if (!image->address_of_offset || access->mode == MODE_GUEST)
		return;
	if (code && code->file->is_marked && access->has_ip &&
	    image->address_of_offset(image->arg, access->ip - code->start + code->pgoff,
				     &access->image_ip)) {
		access->has_image_ip = has_bias = true;
		bias = access->ip - access->image_ip;
	}
	if (!access->has_address || image->start >= image->end)
		return;
	if (!has_bias) {
		const struct map *map = maps_find_marked(t->maps, access->pid, time);

		has_bias = map && bias_of_map(t, map, &bias);
	}
	if (has_bias && access->address - bias >= image->start &&
	    access->address - bias < image->end) {
		access->image_address = access->address - bias;
		access->has_image_address = true;
	}
}

/* ---- both */

void translation_init(struct translation *translation, const struct perf_image *image,
		      struct maps *maps, const struct kernel_map *kernel,
		      const struct map_file *kernel_file, struct recording_facts *facts)
{
	*translation = (struct translation){
		.image = image,
		.maps = maps,
		.kernel_start = kernel->is_set ? kernel->start : UINT64_MAX,
	};
	if (!image)
		return;
	if (image->is_kernel) {
		init_kernel(translation, kernel);
		compare_build_id(image, kernel_file, facts);
		facts->has_slide = translation->has_slide;
		facts->slide = translation->slide;
	} else {
		init_program(translation, maps, facts);
	}
}

/* The map of an address; a kernel's code also touches the user's memory. */
static const struct map *map_of(const struct translation *t, const struct access *access,
				uint64_t address, uint64_t time)
{
	const struct map *map = NULL;

	if (address >> 63 || access->mode == MODE_KERNEL)
		map = maps_find(t->maps, MAPS_KERNEL, address, time);
	if (!map && !(address >> 63) && access->mode != MODE_GUEST)
		map = maps_find(t->maps, access->pid, address, time);
	return map;
}

static void translate_to_kernel(const struct translation *t, struct access *access)
{
	if (access->has_ip)
		access->has_image_ip = translate_kernel(t, access->ip, &access->image_ip);
	if (access->has_address)
		access->has_image_address =
			translate_kernel(t, access->address, &access->image_address);
}

/*
 * Would perf find both maps? It looks for the data only where the code is, in the kernel or in the
 * process, and takes the kernel's own map to be without end.
 */
static bool perf_has_maps(const struct translation *t, const struct access *access,
			  const struct map *code, const struct map *memory)
{
	bool in_kernel = access->address >> 63;

	if (maps_nfiles(t->maps) == 0) /* none were recorded: nothing can be said */
		return true;
	if (in_kernel != (access->mode == MODE_KERNEL) || !code)
		return false;
	return memory || (in_kernel && access->address >= t->kernel_start);
}

void translate(const struct translation *translation, uint64_t time, struct access *access)
{
	const struct map *code = NULL, *memory = NULL;

	if (access->has_ip)
		code = map_of(translation, access, access->ip, time);
	if (access->has_address)
		memory = map_of(translation, access, access->address, time);
	if (code && code->file->is_symbol && !access->symbol)
		access->symbol = code->file->path;
	else if (code && !code->file->is_symbol && !access->object)
		access->object = code->file->path;
	access->is_shared = memory && memory->is_shared && !(access->address >> 63);
	access->is_private = memory && memory->is_private;
	if (access->is_shared)
		maps_shared(translation->maps, memory, access->address, &access->shared_pid,
			    &access->shared_address);
	if (access->has_address && access->op != ACCESS_OTHER &&
	    !perf_has_maps(translation, access, code, memory))
		access->perf_counts |= UINT64_C(1) << PERF_NOMAP;
	if (translation->image && translation->image->is_kernel)
		translate_to_kernel(translation, access);
	else if (translation->image)
		translate_program(translation, code, time, access);
}
