/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that make one image: objects given with --join, and the members of archives. Each is
 * opened when it is read and closed again, so that there may be thousands.
 */
#ifndef CLI_PARTS_H
#define CLI_PARTS_H

#include "cli/common.h"

struct image;   /* elf/image.h */
struct archive; /* elf/archive.h */

struct part {
	const char *path;              /* "libx.a(a.o)" */
	const struct archive *archive; /* that it is a member of; NULL: a file */
	size_t index;                  /* its number there */
	bool has_dwarf, has_btf;       /* set by whoever opens it */
};

/* Zero bytes: there are none, the image is one file. */
struct parts {
	struct part *items;
	size_t n, cap;
	struct archive **archives;
	size_t narchives, cap_archives;
};

/*
 * Of files that are ELF or archives. An archive without any object is an error; members that are no
 * objects are warned of, once an archive. parts_release() afterwards, on failure too.
 */
MUST_CHECK bool parts_find(const char *const *paths, size_t n, const struct common *common,
			   struct err *err, struct parts *ret);
void parts_release(struct parts *parts);

/* The caller closes *ret with image_close(). */
MUST_CHECK bool part_open(const struct part *part, const struct common *common, struct err *err,
			  struct image **ret);

#endif
