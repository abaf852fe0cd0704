/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf/config.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/file.h"

enum {
	PACKED_MAX = 4 << 20, /* they are some 50 KiB */
	TEXT_MAX = 16 << 20,  /* and some 300 KiB */
};

#define START "IKCFG_ST" /* stands before it, and before 5.1 inside of the symbol */

/* ---- unpacking ------------------------------------------------------------------------------- */

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

static bool unpack(const void *data, size_t len, struct arena *arena, const struct kconfig **ret)
{
	struct buf text = BUF_INIT;
	bool ok = gunzip(data, len, &text);

	if (ok)
		*ret = kconfig_parse(text.s, text.len, arena);
	buf_release(&text);
	return ok;
}

/* ---- of a file ------------------------------------------------------------------------------- */

static bool read_config(const char *path, const struct bytes *bytes, struct arena *arena,
			struct err *err, const struct kconfig **ret)
{
	static const unsigned char gzip[] = {0x1f, 0x8b};

	if (bytes->len < sizeof gzip || memcmp(bytes->data, gzip, sizeof gzip) != 0)
		*ret = kconfig_parse((const char *)bytes->data, bytes->len, arena);
	else if (!unpack(bytes->data, bytes->len, arena, ret))
		return err_set(err, path, "is damaged, or larger than a configuration can be");
	return *ret || err_set(err, path, "has no line that begins with CONFIG_");
}

bool config_read(const char *path, struct arena *arena, struct err *err, const struct kconfig **ret)
{
	struct bytes bytes;
	bool ok;

	if (!file_read(path, TEXT_MAX, err, &bytes))
		return false;
	ok = read_config(path, &bytes, arena, err, ret);
	bytes_release(&bytes);
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

static bool unpack_config(const uint8_t *data, size_t size, struct arena *arena,
			  const struct kconfig **ret)
{
	bool marked = size >= strlen(START) && memcmp(data, START, strlen(START)) == 0;
	size_t skip = marked ? strlen(START) : 0;

	return unpack(data + skip, size - skip, arena, ret);
}

bool image_config(struct image *image, struct arena *arena, struct err *err,
		  const struct kconfig **ret)
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

const struct kconfig *running_config(const char *release, struct arena *arena)
{
	const struct kconfig *config = NULL;
	struct err err = ERR_INIT;

	if (!config_read("/proc/config.gz", arena, &err, &config) && release &&
	    !strchr(release, '/')) {
		err_release(&err);
		if (!config_read(arena_printf(arena, "/boot/config-%s", release), arena, &err,
				 &config))
			config = NULL;
	}
	err_release(&err);
	return config;
}
