/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel that a guest boots, and the vmlinux of the same build. A bzImage says which build it
 * is in one line ("6.1.0-57-cloud-amd64 (host) #1 SMP ..."); its build id is inside of what it has
 * compressed, and is only known when the guest says it (record/guest.h).
 *
 * Format: Documentation/arch/x86/boot.rst of Linux.
 */
#ifndef RECORD_KERNEL_H
#define RECORD_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/mem.h"

/* The version line of the bzImage at @path, in @arena. Anything else is an error. */
MUST_CHECK bool kernel_version_line(const char *path, struct arena *arena, struct err *err,
				    const char **ret);

/* Its first word. */
const char *kernel_release(const char *version_line, struct arena *arena);

/*
 * Can the version line be of the build whose linux_banner is @banner ("Linux version ...")?
 * Release, builder and what follows "#" and its number are the same.
 */
bool kernel_is_same_build(const char *version_line, const char *banner);

/*
 * Paths where the vmlinux with debug info of the bzImage at @path may be, likeliest first: beside
 * it, in the build tree it was made in, where Debian's packages put it, in the cache. Some are
 * there.
 */
const char *const *kernel_places(const char *path, const char *release, struct arena *arena,
				 size_t *ret_n);

/* Where fetched kernels are: $LAYOUTCHECK_KERNELS, else $XDG_CACHE_HOME/layoutcheck-kernels, else
 * ~/.cache/layoutcheck-kernels. NULL: none of the variables is set. */
const char *kernel_cache(struct arena *arena);

#endif
