/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of elf/ share: one open file (elf_file), its sections, and who does what with
 * them. Nothing here is for other rooms.
 *
 *	file.c      opens a path, tells its kind, checks every table against the size of the file
 *	archive.c   an archive: its members, each of which file.c opens
 *	foreign.c   what a file that is none of ours looks like
 *	content.c   the bytes of a section: read, decompressed
 *	symbols.c   symbol tables: see symbols.h
 *	reloc.c     relocation of debug sections in memory, by the table of reloc_kinds.c
 *	notes.c, debuglink.c, altlink.c, target.c
 *	            build ids, the separate and the alternate debug file, the target: see facts.h
 *	debuginfod.c
 *	            debug files from servers
 *	image.c     the public face: the file and its debug files
 */
#ifndef ELF_PRIVATE_H
#define ELF_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
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
	uint64_t flags, alignment; /* sh_flags, sh_addralign */
	uint64_t stored;           /* bytes in the file, compressed or not; within the file */
	uint8_t *owned;            /* malloc'd, what shown.data points to */
	/*
	 * An object file can have several debug sections of one name (a type unit each, in C++ and
	 * with -g3). They are shown as one, in the order of the file, as a linker would join them:
	 * the first stands for all, and the others are found through it.
	 */
	struct elf_section *next_part;
	struct elf_section *head; /* the first part; itself for every other section */
	uint64_t part_size;       /* of this part when unpacked */
	uint64_t base;            /* where the part begins in the joined contents */
	bool relocated;           /* a relocation table speaks of it or one of its parts */
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
	const char *build_id; /* once asked for, when there is one */
};

/* Opens @path as ELF or raw BTF. After this every section with contents lies within the file. */
MUST_CHECK bool elf_file_open(const char *path, struct err *err, struct elf_file **ret);
void elf_file_close(struct elf_file *file); /* NULL is fine */

/* The same of @size bytes at @at of @fd, which are copied; @path is what it is called. */
MUST_CHECK bool elf_file_open_part(const char *path, int fd, uint64_t at, uint64_t size,
				   struct err *err, struct elf_file **ret);

/* An image of @file, which it takes over, on failure too; no separate debug file is looked for. */
MUST_CHECK bool image_of_file(struct elf_file *file, struct err *err, struct image **ret);

/* "is a Mach-O file; only ELF is read": of contents that begin with @head, neither ELF nor BTF. */
void elf_say_content(const uint8_t *head, size_t len, struct buf *ret);

/* Has it bytes in the file? */
bool elf_section_has_bytes(const struct elf_section *section);

/* The first section of that name that has bytes, or NULL. */
struct elf_section *elf_file_find(struct elf_file *file, const char *name);

/*
 * "FILE: SECTION: sentence", and false. A macro so that whoever reads the caller, be it a static
 * analyzer, sees which it returns.
 */
void elf_section_say(struct err *err, const struct elf_section *section, const char *fmt, ...)
	PRINTF_LIKE(3, 4);
#define elf_section_err(...) (elf_section_say(__VA_ARGS__), false)

/* Must its contents be made in memory: decompressed, relocated? */
bool elf_section_is_made(const struct elf_section *section);

/*
 * For a compressed section: sets shown.size to what the compression header promises. A header that
 * cannot be read is left for elf_section_load() to complain about.
 */
void elf_section_measure(struct elf_section *section);

/* Fills shown.data, once. */
MUST_CHECK bool elf_section_load(struct elf_section *section, struct err *err);

/*
 * Hands the stored bytes of a section to @fn in windows, in order, until it returns false; each
 * begins @overlap bytes (at most 4096) before the end of the one before, so that what is no longer
 * than that is whole in one of them. With @overlap 0 a window is a multiple of 48 bytes. @at:
 * where in the section the window begins.
 */
typedef bool elf_scan_fn(void *context, const uint8_t *data, size_t len, uint64_t at);
MUST_CHECK bool elf_section_scan(const struct elf_section *section, size_t overlap, elf_scan_fn *fn,
				 void *context, struct err *err);

/*
 * In an object file: joins the parts of debug sections and marks what relocations speak of. After
 * elf_section_measure() of all.
 */
MUST_CHECK bool elf_file_join(struct elf_file *file, struct err *err);

/* Applies the relocations to contents in memory, @section being the head of its parts. */
MUST_CHECK bool elf_relocate(struct elf_section *section, uint8_t *data, struct err *err);

/* A cursor over loaded contents. */
struct cursor elf_section_cursor(const struct elf_section *section);

#endif
