/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The configuration that a kernel was built with, as a digest that two builds can be compared by:
 * SHA-256 of the lines of its .config that begin with CONFIG_, sorted, as
 *
 *	grep ^CONFIG_ .config | LC_ALL=C sort | sha256sum
 *
 * has it. Of a vmlinux with CONFIG_IKCONFIG it is inside (kernel/configs.c of Linux).
 */
#ifndef ELF_CONFIG_H
#define ELF_CONFIG_H

#include "base/mem.h"
#include "elf/image.h"

/* Of a configuration as text, in @arena; NULL: it has no such line. */
const char *config_digest(const char *text, size_t len, struct arena *arena);

/* The same of one that gzip has packed; false: it is damaged, or too large to be one. */
MUST_CHECK bool config_digest_packed(const void *data, size_t len, struct arena *arena,
				     const char **ret);

/* Of the configuration inside of a kernel; NULL: there is none, or this file has not its bytes. */
MUST_CHECK bool image_config(struct image *image, struct arena *arena, struct err *err,
			     const char **ret);

/* Of the running kernel's: /proc/config.gz, else /boot/config-RELEASE; NULL: neither can be read.
 */
const char *running_config(const char *release, struct arena *arena);

#endif
