/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From addresses as they were at run time to those of the image that is asked about: the slide of a
 * kernel, the places a program was loaded to.
 */
#ifndef PERF_TRANSLATE_H
#define PERF_TRANSLATE_H

#include "perf/maps.h"
#include "perf/perf.h"

/* The map of the kernel's text, as its record says. */
struct kernel_map {
	bool is_set;
	uint64_t start, len;
	uint64_t pgoff;     /* run-time address of `symbol`; 0: hidden */
	const char *symbol; /* "_text" */
};

struct translation {
	const struct perf_image *image; /* NULL: nothing is translated */
	const struct maps *maps;
	uint64_t kernel_start; /* run-time address; UINT64_MAX: not known */
	bool has_slide;
	uint64_t slide;
	uint64_t start, end; /* of a kernel's image, its own addresses */
};

/*
 * Finds the slide of a kernel, or marks the files that are the program (so maps_sort() comes
 * after), and says in @facts how the build id compares. @kernel_file: the kernel as BUILD_ID names
 * it, or NULL.
 */
void translation_init(struct translation *translation, const struct perf_image *image,
		      struct maps *maps, const struct kernel_map *kernel,
		      const struct map_file *kernel_file, struct recording_facts *facts);

/*
 * Sets what is known of where the addresses of @access lie, at @time: image_ip and image_address
 * where the image has them, object or symbol of the code unless they are set, is_shared, and the
 * bit PERF_NOMAP.
 */
void translate(const struct translation *translation, uint64_t time, struct access *access);

#endif
