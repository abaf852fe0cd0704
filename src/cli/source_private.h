/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What source.c and joined.c share: an open source. Nothing here is for other files. */
#ifndef CLI_SOURCE_PRIVATE_H
#define CLI_SOURCE_PRIVATE_H

#include "cli/parts.h"
#include "cli/source.h"
#include "dwarf/dwarf.h"

struct join; /* layout/join.h */

struct source {
	struct image *image, *base; /* NULL for a snapshot */
	struct parts parts;         /* several make the image; `image` is the first to be read */
	const char *path;           /* as it was given */
	const struct common *common;
	struct layout *snapshot; /* all that it holds; NULL for an image */
	const struct reader *reader;
	struct target target;
	struct arena arena; /* strings of the target */
	enum when progress;
	const char *source_root;
};

enum { READERS = 2 };

struct reader {
	const char *name, *option; /* "DWARF", as --from has it */
	enum from from;
	bool (*present)(struct image *image);
	bool (*read)(struct source *source, const struct want *want, struct err *err,
		     struct layout **ret);
	/* Of a part: what @join does not have, and perhaps more. */
	bool (*read_part)(struct source *source, struct image *image, const struct want *want,
			  enum dwarf_depth depth, struct join *join, struct err *err,
			  struct layout **ret);
};

/* Those of images, in the order in which they are tried. */
extern const struct reader image_readers[READERS];

/* That of an image without types: what is asked of them is unknown. */
extern const struct reader symbols_reader;

/*
 * Opens an image of several files at @paths, and chooses its reader; source->image and source->base
 * are those of the first part that is read.
 */
MUST_CHECK bool joined_open(struct source *source, const char *const *paths, size_t n,
			    struct err *err);

/* The parts' layouts as one. */
MUST_CHECK bool joined_read(struct source *source, const struct want *want, struct err *err,
			    struct layout **ret);

/* Only BTF of modules stands on another image. */
MUST_CHECK bool source_open_base(struct source *source, struct err *err);

#endif
