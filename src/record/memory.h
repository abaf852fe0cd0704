/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory of a guest of x86-64, which QEMU keeps in a file: by physical address, and by virtual
 * address through the kernel's own page tables of four levels (Intel SDM volume 3, 4.5).
 */
#ifndef RECORD_MEMORY_H
#define RECORD_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct memory {
	int fd;
	const char *path; /* not copied */
	uint64_t table;   /* physical address of the top of the page tables */
};

/*
 * Of a kernel that was booted with nokaslr, @top being the address of its init_top_pgt. The image
 * of such a kernel is where it was linked, and what was linked at 0xffffffff80000000 is physical 0.
 */
MUST_CHECK bool memory_open(const char *path, uint64_t top, struct err *err, struct memory *ret);
void memory_close(struct memory *memory);

/* Where a virtual address is; false: nowhere, or not in the file. */
MUST_CHECK bool memory_physical(const struct memory *memory, uint64_t address, uint64_t *ret);

/* @len bytes at a virtual address, which may cross pages. */
MUST_CHECK bool memory_read(const struct memory *memory, uint64_t address, void *data, size_t len);

#endif
