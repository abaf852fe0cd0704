/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of elf/ share: one open file (elf_file), its sections, and who does what with
 * them. Nothing here is for other rooms.
 *
 *	file.c      opens a path, tells its kind, checks every table against the size of the file
 *	content.c   the bytes of a section: read, decompressed
 *	target.c    the facts about the target
 *	image.c     the public face: the file and its separate debug file
 */
#ifndef ELF_PRIVATE_H
#define ELF_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/err.h"
#include "base/mem.h"
#include "elf/image.h"

struct elf_file;

struct elf_section {
	struct section shown; /* first: a struct section * handed out is a struct elf_section * */
	struct elf_file *file;
	uint32_t name;             /* sh_name */
	unsigned type, link, info; /* sh_type, sh_link, sh_info */
	bool zdebug;               /* named .zdebug_* in the file: see content.c */
	uint64_t flags;            /* sh_flags */
	uint64_t stored;           /* bytes in the file, compressed or not; within the file */
	uint8_t *owned;            /* malloc'd, what shown.data points to */
};

struct elf_file {
	struct arena arena; /* names, and this struct's arrays */
	const char *path;   /* as given */
	enum image_kind kind;
	int fd;
	uint64_t size;                /* of the file, when it was opened */
	unsigned type, machine;       /* e_type, e_machine; 0 for raw BTF */
	unsigned bits;                /* 32 or 64; 0 for raw BTF */
	bool big_endian, swap;        /* swap: not the byte order of this machine */
	struct elf_section *sections; /* all, by section number; raw BTF has one */
	size_t nsections;
};

/* Opens @path as ELF or raw BTF. After this every section with contents lies within the file. */
MUST_CHECK bool elf_file_open(const char *path, struct err *err, struct elf_file **ret);
void elf_file_close(struct elf_file *file); /* NULL is fine */

/* Has it bytes in the file? */
bool elf_section_has_bytes(const struct elf_section *section);

/* The first section of that name that has bytes, or NULL. */
struct elf_section *elf_file_find(struct elf_file *file, const char *name);

/* "FILE: SECTION: sentence". */
bool elf_section_err(struct err *err, const struct elf_section *section, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

/* Must its contents be made in memory: decompressed, relocated? */
bool elf_section_is_made(const struct elf_section *section);

/*
 * For a compressed section: sets shown.size to what the compression header promises. A header that
 * cannot be read is left for elf_section_load() to complain about.
 */
void elf_section_measure(struct elf_section *section);

/* Fills shown.data, once. */
MUST_CHECK bool elf_section_load(struct elf_section *section, struct err *err);

/* A cursor over loaded contents. */
struct cursor elf_section_cursor(const struct elf_section *section);

/* Fills @ret with what the file says of its target. */
void elf_target(const struct elf_file *file, struct target *ret);

#endif
