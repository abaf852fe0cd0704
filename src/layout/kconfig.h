/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The configuration that a kernel was built with: the lines of its .config that begin with CONFIG_.
 * What is not set has no such line. Format: Documentation/kbuild/kconfig.rst of Linux.
 */
#ifndef LAYOUT_KCONFIG_H
#define LAYOUT_KCONFIG_H

#include "base/mem.h"

struct kconfig {
	const char *const *lines; /* "CONFIG_HZ=250", sorted by bytes */
	size_t n;
	/*
	 * By which two builds can be compared: SHA-256 of the lines, as
	 *	grep ^CONFIG_ .config | LC_ALL=C sort | sha256sum
	 * has it.
	 */
	const char *digest;
};

/* Of text, in @arena; NULL: it has no such line. */
const struct kconfig *kconfig_parse(const char *text, size_t len, struct arena *arena);

/* What stands behind `=`: "y", "m", "250", "\"a string\""; NULL: @name ("CONFIG_HZ") is not set. */
const char *kconfig_value(const struct kconfig *config, const char *name);

/* "CONFIG_" and letters, digits or underscores: @len bytes at @name. */
bool kconfig_is_name(const char *name, size_t len);

#endif
