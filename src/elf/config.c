/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf/config.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"

enum {
	PACKED_MAX = 4 << 20, /* they are some 50 KiB */
	TEXT_MAX = 16 << 20,  /* and some 300 KiB */
};

#define START "IKCFG_ST" /* stands before it, and before 5.1 inside of the symbol */

/* ---- the digest ------------------------------------------------------------------------------ */

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char *config_digest(const char *text, size_t len, struct arena *arena)
{
	char *copy = arena_strndup(arena, text, len), digest[SHA256_HEX];
	const char **lines = NULL;
	size_t n = 0, cap = 0;
	struct buf sorted = BUF_INIT;

	for (char *line = copy, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!text_starts_with(line, "CONFIG_"))
			continue;
		ARRAY_GROW(lines, n, cap);
		lines[n++] = line;
	}
	if (!n)
		return NULL;
	qsort(lines, n, sizeof *lines, compare_lines);
	for (size_t i = 0; i < n; i++)
		buf_addf(&sorted, "%s\n", lines[i]);
	hash_sha256_bytes(sorted.s, sorted.len, digest);
	buf_release(&sorted);
	free(lines);
	return arena_strdup(arena, digest);
}

/* What follows the packed stream is not looked at. */
static bool gunzip(const void *data, size_t len, struct buf *ret)
{
	enum { GZIP = 16 + MAX_WBITS };
	z_stream z = {.next_in = (Bytef *)(uintptr_t)data, .avail_in = (uInt)len};
	unsigned char chunk[16384];
	int status;

	if (len > PACKED_MAX)
		return false;
	if (inflateInit2(&z, GZIP) != Z_OK)
		die_oom();
	do {
		z.next_out = chunk;
		z.avail_out = sizeof chunk;
		status = inflate(&z, Z_NO_FLUSH);
		buf_add(ret, chunk, sizeof chunk - z.avail_out);
	} while (status == Z_OK && ret->len <= TEXT_MAX);
	inflateEnd(&z);
	return status == Z_STREAM_END && ret->len <= TEXT_MAX;
}

bool config_digest_packed(const void *data, size_t len, struct arena *arena, const char **ret)
{
	struct buf text = BUF_INIT;
	bool ok = gunzip(data, len, &text);

	if (ok)
		*ret = config_digest(text.s, text.len, arena);
	buf_release(&text);
	return ok;
}

/* ---- of an image ----------------------------------------------------------------------------- */

/* Where it is, and how many bytes it and what follows it may be. */
static bool find_config(struct image *image, uint64_t *ret_address, uint64_t *ret_size)
{
	uint64_t end, none;

	if (!image_symbol(image, "kernel_config_data", ret_address, ret_size))
		return false;
	if (!*ret_size && image_symbol(image, "kernel_config_data_end", &end, &none) &&
	    end > *ret_address)
		*ret_size = end - *ret_address;
	return true;
}

static bool unpack_config(const uint8_t *data, size_t size, struct arena *arena, const char **ret)
{
	bool marked = size >= strlen(START) && memcmp(data, START, strlen(START)) == 0;
	size_t skip = marked ? strlen(START) : 0;

	return config_digest_packed(data + skip, size - skip, arena, ret);
}

bool image_config(struct image *image, struct arena *arena, struct err *err, const char **ret)
{
	const struct target *target = image_target(image);
	uint64_t address, size;
	bool ok = true;
	uint8_t *data;

	*ret = NULL;
	if (!target->module || strcmp(target->module, "vmlinux") != 0 ||
	    !find_config(image, &address, &size))
		return true;
	if (size > PACKED_MAX)
		return err_set(err, image_path(image), "kernel_config_data has %llu bytes",
			       (unsigned long long)size);
	data = xcalloc(size + 1, 1);
	/* A file of debug info has the symbol alone. */
	if (image_read_address(image, address, data, size))
		ok = unpack_config(data, size, arena, ret);
	free(data);
	return ok || err_set(err, image_path(image),
			     "kernel_config_data is no configuration that gzip has packed");
}

/* ---- of the running kernel ------------------------------------------------------------------- */

const char *running_config(const char *release, struct arena *arena)
{
	const char *digest = NULL;
	struct err err = ERR_INIT;
	struct bytes bytes;

	if (file_read("/proc/config.gz", PACKED_MAX, &err, &bytes)) {
		if (!config_digest_packed(bytes.data, bytes.len, arena, &digest))
			digest = NULL;
		bytes_release(&bytes);
	}
	err_release(&err);
	if (!digest && release && !strchr(release, '/') &&
	    file_read(arena_printf(arena, "/boot/config-%s", release), TEXT_MAX, &err, &bytes)) {
		digest = config_digest(bytes.data, bytes.len, arena);
		bytes_release(&bytes);
	}
	err_release(&err);
	return digest;
}
