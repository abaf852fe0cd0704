/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an open file says of itself: its build id, its debug file, its target. */
#ifndef ELF_FACTS_H
#define ELF_FACTS_H

#include "base/buf.h"
#include "elf/private.h"

/* In lower-case hexadecimal from the first note that is one, or NULL; @alignment is 4 or 8. */
const char *elf_notes_build_id(struct cursor c, unsigned alignment, struct arena *arena);

/* Of the file, or NULL. */
MUST_CHECK bool elf_build_id(struct elf_file *file, struct err *err, const char **ret);

struct elf_separate {
	struct elf_file *file; /* or NULL */
	struct buf looked;     /* the paths looked at, "a, b" */
	struct buf mismatch;   /* what was found and why it is not the one; empty: nothing */
};

/*
 * Looks for the debug file of @file. A file at such a path that cannot be read is an error. @ret
 * wants a release in either case.
 */
MUST_CHECK bool elf_separate_find(struct elf_file *file, const char *debug_dir, struct err *err,
				  struct elf_separate *ret);
void elf_separate_release(struct elf_separate *separate);

/* Fills @ret with what the file says of its target. @debug: the separate debug file, or NULL. */
MUST_CHECK bool elf_target(struct elf_file *file, struct elf_file *debug, struct arena *arena,
			   struct err *err, struct target *ret);

#endif
