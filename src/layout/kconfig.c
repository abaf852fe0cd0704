/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "layout/kconfig.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/text.h"

#define PREFIX "CONFIG_"

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *digest_of(const char **lines, size_t n, struct arena *arena)
{
	struct buf sorted = BUF_INIT;
	char digest[SHA256_HEX];

	for (size_t i = 0; i < n; i++)
		buf_addf(&sorted, "%s\n", lines[i]);
	hash_sha256_bytes(sorted.s, sorted.len, digest);
	buf_release(&sorted);
	return arena_strdup(arena, digest);
}

const struct kconfig *kconfig_parse(const char *text, size_t len, struct arena *arena)
{
	char *copy = arena_strndup(arena, text, len);
	const char **lines = NULL;
	size_t n = 0, cap = 0;
	struct kconfig *config;

	for (char *line = copy, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!text_starts_with(line, PREFIX))
			continue;
		ARRAY_GROW(lines, n, cap);
		lines[n++] = line;
	}
	if (!n)
		return NULL;
	qsort(lines, n, sizeof *lines, compare_lines);
	config = arena_alloc(arena, sizeof *config);
	config->lines = arena_copy(arena, lines, n * sizeof *lines);
	config->n = n;
	config->digest = digest_of(lines, n, arena);
	free(lines);
	return config;
}

/* By their names alone: "CONFIG_HZ" against "CONFIG_HZ=250" is equal. */
static int compare_name(const void *key, const void *line)
{
	const char *name = key, *text = *(const char *const *)line;
	size_t len = strlen(name);
	int order = strncmp(name, text, len);

	if (order || text[len] == '=')
		return order;
	return '=' < (unsigned char)text[len] ? -1 : 1;
}

const char *kconfig_value(const struct kconfig *config, const char *name)
{
	const char *const *line =
		bsearch(name, config->lines, config->n, sizeof *config->lines, compare_name);

	return line ? *line + strlen(name) + 1 : NULL;
}

bool kconfig_is_name(const char *name, size_t len)
{
	if (len <= strlen(PREFIX) || !text_starts_with(name, PREFIX))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '_')
			return false;
	return true;
}
