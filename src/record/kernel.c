/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/kernel.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cursor.h"
#include "base/file.h"
#include "base/text.h"

enum {
	MAX_KERNEL = 1 << 30,
	HEADER_MAGIC = 0x202,   /* "HdrS" */
	HEADER_VERSION = 0x20e, /* where the version line is, from SETUP */
	SETUP = 0x200,
};

static const char *version_line(struct cursor c, struct arena *arena)
{
	const uint8_t *magic;
	const char *line;
	uint16_t at;

	cursor_seek(&c, HEADER_MAGIC);
	magic = cursor_bytes(&c, 4);
	if (!magic || memcmp(magic, "HdrS", 4) != 0)
		return NULL;
	cursor_seek(&c, HEADER_VERSION);
	at = cursor_u16(&c);
	cursor_seek(&c, SETUP + (uint64_t)at);
	line = cursor_string(&c);
	return c.bad || !at || !*line ? NULL : arena_strdup(arena, line);
}

bool kernel_version_line(const char *path, struct arena *arena, struct err *err, const char **ret)
{
	struct bytes bytes;
	const char *line;

	if (!file_read(path, MAX_KERNEL, err, &bytes))
		return false;
	line = version_line(cursor_over(bytes.data, bytes.len, false), arena);
	bytes_release(&bytes);
	if (!line)
		return err_set(err, path, "no bzImage of x86, as /boot has them under vmlinuz-*");
	*ret = line;
	return true;
}

const char *kernel_release(const char *line, struct arena *arena)
{
	return arena_strndup(arena, line, strcspn(line, " "));
}

/* What stands behind "#" and the number of the build, which Debian takes out of vmlinux. */
static const char *behind_number(const char *text)
{
	const char *at = strchr(text, '#');

	if (!at)
		return NULL;
	at++;
	return at + strspn(at, "0123456789 ");
}

bool kernel_is_same_build(const char *line, const char *banner)
{
	static const char prefix[] = "Linux version ";
	const char *number = strchr(line, '#');
	const char *built = behind_number(line), *wanted = behind_number(banner);
	size_t head;

	if (!built || !wanted || !text_starts_with(banner, prefix))
		return false;
	head = (size_t)(number - line);
	banner += sizeof prefix - 1;
	return strncmp(line, banner, head) == 0 && strncmp(built, wanted, strlen(built)) == 0 &&
	       (wanted[strlen(built)] == '\n' || !wanted[strlen(built)]);
}

const char *kernel_cache(struct arena *arena)
{
	const char *dir = getenv("LAYOUTCHECK_KERNELS");

	if (dir && *dir)
		return arena_strdup(arena, dir);
	dir = getenv("XDG_CACHE_HOME");
	if (dir && *dir)
		return arena_printf(arena, "%s/layoutcheck-kernels", dir);
	dir = getenv("HOME");
	if (dir && *dir)
		return arena_printf(arena, "%s/.cache/layoutcheck-kernels", dir);
	return NULL;
}

const char *const *kernel_places(const char *path, const char *release, struct arena *arena,
				 size_t *ret_n)
{
	enum { MOST = 6 };
	const char **places = arena_array(arena, MOST, sizeof *places);
	const char *cache = kernel_cache(arena), *slash;
	char *real = realpath(path, NULL), *boot;
	size_t n = 0;

	slash = real ? strrchr(real, '/') : NULL;
	if (slash)
		places[n++] =
			arena_printf(arena, "%.*s/vmlinux-%s", (int)(slash - real), real, release);
	boot = real ? strstr(real, "/arch/x86/boot/") : NULL;
	if (boot)
		places[n++] = arena_printf(arena, "%.*s/vmlinux", (int)(boot - real), real);
	places[n++] = arena_printf(arena, "/usr/lib/debug/boot/vmlinux-%s", release);
	places[n++] = arena_printf(arena, "/usr/lib/debug/lib/modules/%s/vmlinux", release);
	places[n++] = arena_printf(arena, "/lib/modules/%s/build/vmlinux", release);
	if (cache)
		places[n++] = arena_printf(arena, "%s/vmlinux-%s", cache, release);
	free(real);
	*ret_n = n;
	return places;
}
