/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an open file says of itself: its build id, its debug files, its target. */
#ifndef ELF_FACTS_H
#define ELF_FACTS_H

#include "base/buf.h"
#include "elf/private.h"

enum { BUILD_ID_MAX = 64 }; /* bytes; ids are 8 to 20, a user may give others */

/* @len bytes in lower-case hexadecimal. */
const char *elf_hex(const uint8_t *bytes, size_t len, struct arena *arena);

/* In lower-case hexadecimal from the first note that is one, or NULL; @alignment is 4 or 8. */
const char *elf_notes_build_id(struct cursor c, unsigned alignment, struct arena *arena);

/* Of the file, or NULL. */
MUST_CHECK bool elf_build_id(struct elf_file *file, struct err *err, const char **ret);

/* Where debug files are looked for. */
struct elf_places {
	const char *debug_dir;
	bool debuginfod; /* then the servers of debuginfod */
};

struct elf_separate {
	struct elf_file *file; /* or NULL */
	struct buf looked;     /* the paths looked at, "a, b" */
	struct buf mismatch;   /* what was found and why it is not the one; empty: nothing */
};

/*
 * Looks for the debug file of @file. A file at such a path that cannot be read is an error. @ret
 * wants a release in either case.
 */
MUST_CHECK bool elf_separate_find(struct elf_file *file, const struct elf_places *places,
				  struct err *err, struct elf_separate *ret);
void elf_separate_release(struct elf_separate *separate);

/* Can it be another file than @file? One that is hidden from us can. */
bool elf_is_candidate(const struct elf_file *file, const char *path);

/*
 * Asks the servers of debuginfod for the file with debug info of that build id: adds its path to
 * @ret, or, when they have none, what was asked and answered to @looked. That nobody can be asked
 * is an error.
 */
MUST_CHECK bool elf_debuginfod(const char *build_id, struct buf *looked, struct err *err,
			       struct buf *ret);

/*
 * The alternate debug file that @file refers to; NULL: it refers to none. One that is not found, or
 * cannot be read, is an error.
 */
MUST_CHECK bool elf_alternate_find(struct elf_file *file, const struct elf_places *places,
				   struct err *err, struct elf_file **ret);

/* Fills @ret with what the file says of its target. @debug: the separate debug file, or NULL. */
MUST_CHECK bool elf_target(struct elf_file *file, struct elf_file *debug, struct arena *arena,
			   struct err *err, struct target *ret);

#endif
