/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An image: an ELF file opened through libelf (only elf/ includes it), or raw BTF. It gives its
 * sections as bytes and what the file says about its target. Nothing is mapped: a file that is
 * truncated while it is read is a read error, not a SIGBUS.
 *
 * Formats: gABI chapter 4 and 5; .gnu_debuglink, .gnu_debugaltlink and NT_GNU_BUILD_ID as in GDB's
 * manual, "Separate Debug Files"; .debug_sup as in DWARF 5, 7.3.6.
 */
#ifndef ELF_IMAGE_H
#define ELF_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "layout/target.h"

struct section {
	const char *name;
	uint64_t address, size; /* size: of the contents, decompressed and as far as present */
	/*
	 * Where the contents are: in memory (`data`; decompressed or relocated), or in the file as
	 * they stand (`fd`, `offset`), to be read by window or loaded.
	 */
	const uint8_t *data; /* NULL: not loaded */
	int fd;
	uint64_t offset;
};

enum image_kind {
	IMAGE_ELF,
	IMAGE_RAW_BTF, /* /sys/kernel/btf/..., pahole --btf_encode_detached: one section, ".BTF" */
};

/*
 * Opaque: the file, its sections, the separate debug file. Of one thread; contents once loaded are
 * for all of them.
 */
struct image;

struct image_options {
	const char *debug_dir; /* NULL: /usr/lib/debug */
	bool no_separate;      /* do not look for a separate debug file */
	/* Ask the servers of debuginfod for debug files that are not here. */
	bool debuginfod;
};

/*
 * Opens @path, tells its kind by content, and finds its sections. An ELF file without .debug_info
 * has the separate debug file that its build id or .gnu_debuglink names opened too, when there is
 * one and it matches (build id equal, or, where one of them has none, CRC equal): its sections
 * then answer image_section(). One that does not match is left, see image_debug_mismatch(); one
 * that cannot be read is an error.
 * Anything that is neither ELF nor BTF is an error with one sentence that says what it is. A pipe
 * is copied to memory.
 */
MUST_CHECK bool image_open(const char *path, const struct image_options *options, struct err *err,
			   struct image **ret);
void image_close(struct image *image); /* NULL is fine */

const char *image_path(const struct image *image);       /* as given */
const char *image_debug_path(const struct image *image); /* of the separate debug file, or NULL */
/*
 * Why there is no separate debug file: the one that was found and does not match ("PATH is not its
 * debug file: build id ..., wanted ..."; worth a warning), and the paths looked at ("PATH, PATH").
 * NULL when there is nothing to say.
 */
const char *image_debug_mismatch(const struct image *image);
const char *image_debug_looked(const struct image *image);

/*
 * The alternate debug file (dwz -m), which the debug info of the image refers to by
 * .gnu_debugaltlink or .debug_sup: looked for when first asked for, at the path that is said there,
 * then by build id and by path below the directory of debug files. An image of its own, closed with
 * this one; NULL: it refers to none. One that is not found, or has another build id, is an error.
 */
MUST_CHECK bool image_alternate(struct image *image, struct err *err, struct image **ret);

enum image_kind image_kind(const struct image *image);

/* e_type is ET_REL: a .o or .ko, whose debug sections need relocation (image_load does it). */
bool image_is_relocatable(const struct image *image);

/*
 * What the file says of its target; strings live as long as the image. Fields nobody knows stay
 * unset: for raw BTF that is all but the byte order (see kernel.h for that of this machine).
 */
const struct target *image_target(const struct image *image);

/*
 * The section of that name: .debug_* and .BTF from wherever they are (this file, else the separate
 * one). NULL: absent or empty (SHT_NOBITS). A section read by window (data == NULL) must not be
 * compressed or need relocation: those are made in memory here, and a failure to do so is an error.
 * `.rela.debug_*` beside the sections of a linked vmlinux is never read.
 */
MUST_CHECK bool image_section(struct image *image, const char *name, struct err *err,
			      struct section **ret);

/* Its contents in memory, kept until image_close(): the same call for the second time costs
 * nothing. */
MUST_CHECK bool image_load(struct image *image, struct section *section, struct err *err);

/* The section of that name with its contents in memory; NULL: absent or empty. */
MUST_CHECK bool image_section_loaded(struct image *image, const char *name, struct err *err,
				     struct section **ret);

/*
 * For libdwarf and tests: the sections of the file that holds the debug info, in its order; those
 * without contents and the relocation tables are left out. Not loaded; `size` is that of the
 * contents all the same.
 */
size_t image_debug_nsections(const struct image *image);
struct section *image_debug_section_at(struct image *image, size_t index);

/*
 * A symbol of .symtab (else .dynsym), and the contents of [address, address + len) in the sections
 * that a running program has. False when the symbol or the bytes are not there; the sections of an
 * object file have no addresses yet, so there are none.
 */
bool image_symbol(struct image *image, const char *name, uint64_t *ret_address, uint64_t *ret_size);
bool image_read_address(struct image *image, uint64_t address, void *data, size_t len);

#endif
