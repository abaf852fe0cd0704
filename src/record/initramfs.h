/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file tree that a guest boots from: a cpio archive of the kernel's "newc" form
 * (Documentation/driver-api/early-userspace/buffer-format.rst of Linux), made in memory.
 * Directories above what is added are made by the way. A name that is added twice is the later one,
 * as the kernel unpacks it.
 *
 * Time stamps are 0, owners are root: the same files give the same bytes.
 */
#ifndef RECORD_INITRAMFS_H
#define RECORD_INITRAMFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct initramfs {
	struct buf out;
	uint32_t inode;
	/* Names that are there, '/' behind each directory. */
	struct initramfs_name *names;
	size_t n, cap;
};

void initramfs_init(struct initramfs *fs);
void initramfs_release(struct initramfs *fs);

/* @name is absolute; @mode has the permissions alone. */
void initramfs_add_dir(struct initramfs *fs, const char *name, uint32_t mode);
void initramfs_add_bytes(struct initramfs *fs, const char *name, uint32_t mode, const void *data,
			 size_t len);
void initramfs_add_link(struct initramfs *fs, const char *name, const char *target);
void initramfs_add_device(struct initramfs *fs, const char *name, uint32_t mode, uint32_t major,
			  uint32_t minor);

/* The file at @path, with its permissions, as @name. */
MUST_CHECK bool initramfs_add_file(struct initramfs *fs, const char *name, const char *path,
				   struct err *err);

/* A name was added already. */
bool initramfs_has(const struct initramfs *fs, const char *name);

/*
 * Appends to a plan for the guest's first process (src/init): "1" when it sets the marks itself,
 * else "0", NUL; then for each program the number of its words in decimal, NUL, and the words, a
 * NUL behind each.
 */
void initramfs_plan_begin(struct buf *plan, bool marks);
void initramfs_plan_add(struct buf *plan, const char *const *words, size_t n);
#define INITRAMFS_PLAN      "/layoutcheck/plan"
#define INITRAMFS_INIT      "/layoutcheck/init"
#define INITRAMFS_LIBRARIES "/layoutcheck/lib"

/* Ends the archive, which is then in `out`. */
void initramfs_finish(struct initramfs *fs);

#endif
