/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Archives of ar: what of their members can be read, each an image.
 *
 * Formats: the common one ("!<arch>\n"), with long names as GNU ("//") and as BSD ("#1/") have
 * them, and the thin one ("!<thin>\n"), whose members are files beside the archive: binutils,
 * ar(5), and bfd's archive.c on paths in thin archives. Symbol tables are passed over.
 */
#ifndef ELF_ARCHIVE_H
#define ELF_ARCHIVE_H

#include "elf/image.h"

struct archive; /* opaque */

/* The file begins like an archive. False when it cannot be read: whoever opens it says why. */
bool archive_detect(const char *path);

/* Reads the table of members, which all lie within the file. */
MUST_CHECK bool archive_open(const char *path, struct err *err, struct archive **ret);
void archive_close(struct archive *archive); /* NULL is fine; images of members stay open */

/* Members that are ELF files, in the order of the archive, and the others. */
size_t archive_nobjects(const struct archive *archive);
size_t archive_nothers(const struct archive *archive);

/* "libx.a(a.o)"; as long as the archive. */
const char *archive_object_path(const struct archive *archive, size_t index);

/* The first of those that are not ELF: its path, and what it is, a clause ("is LLVM bitcode, ...").
 * There is one. */
const char *archive_other_path(const struct archive *archive);
const char *archive_other_what(const struct archive *archive);

/* Opens one of the objects; no separate debug file is looked for. */
MUST_CHECK bool archive_open_object(const struct archive *archive, size_t index, struct err *err,
				    struct image **ret);

#endif
