/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the configuration of a kernel is found (layout/kconfig.h says what one is): a file, the
 * inside of a vmlinux with CONFIG_IKCONFIG (kernel/configs.c of Linux), the running kernel.
 */
#ifndef ELF_CONFIG_H
#define ELF_CONFIG_H

#include "elf/image.h"
#include "layout/kconfig.h"

/* Of a .config, or one that gzip has packed. */
MUST_CHECK bool config_read(const char *path, struct arena *arena, struct err *err,
			    const struct kconfig **ret);

/* Of the configuration inside of a kernel; NULL: there is none, or this file has not its bytes. */
MUST_CHECK bool image_config(struct image *image, struct arena *arena, struct err *err,
			     const struct kconfig **ret);

/* Of the running kernel's: /proc/config.gz, else /boot/config-RELEASE; NULL: neither can be read.
 */
const struct kconfig *running_config(const char *release, struct arena *arena);

#endif
