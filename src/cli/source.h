/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the layouts of an image come from. Chosen are DWARF where there is any, in the file or in
 * its separate debug file, else BTF, else what --from says. A reader that fails on data that is
 * there is an error; nothing ever steps silently to the next.
 *
 * An archive is one image, made of its members; and with --join so are all operands. Parts without
 * debug info add nothing, as with a linker.
 */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include "cli/common.h"
#include "layout/model.h"

struct image;  /* elf/image.h */
struct source; /* opaque: the image, its base, the reader chosen, the target */

/* Opens the image at @path and chooses the reader. The result and all it gives are valid until
 * source_close(). */
MUST_CHECK bool source_open(const char *path, const struct common *common, struct err *err,
			    struct source **ret);
void source_close(struct source *source); /* NULL is fine */

/* As it was given. */
const char *source_path(const struct source *source);

/* NULL: it is a snapshot, or several files. */
struct image *source_image(const struct source *source);

/* It is an archive, or what --join makes of several files. */
bool source_is_joined(const struct source *source);

/*
 * What the image was built for: what the file says; for the running kernel's BTF what the kernel
 * says; for other raw BTF what --arch says, or the image it is based on. --cacheline has the last
 * word on the line.
 */
const struct target *source_target(const struct source *source);

/* Reads the types wanted. The caller frees the layout, before the source is closed. */
MUST_CHECK bool source_read(struct source *source, const struct want *want, struct err *err,
			    struct layout **ret);

/* The same of two images at once, a thread for each; when one fails, so does the whole. */
MUST_CHECK bool source_read_both(struct source *const sources[2], const struct want *const wants[2],
				 struct err *err, struct layout *ret[2]);

#endif
