/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding the separate debug file, by build id and by .gnu_debuglink, in the places of GDB's
 * manual, "Debugging Information in Separate Files".
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/file.h"
#include "elf/facts.h"

struct search {
	struct elf_file *file;
	const char *build_id; /* of the file, or NULL */
	const char *link;     /* name in .gnu_debuglink, or NULL */
	uint32_t link_crc;
	struct elf_separate *found;
};

static bool crc_of(const struct elf_file *file, struct err *err, uint32_t *ret)
{
	enum { STEP = 1 << 20 };
	uint8_t *step = xmalloc(STEP);
	uLong crc = crc32(0, NULL, 0);
	bool ok = true;

	for (uint64_t at = 0; ok && at < file->size; at += STEP) {
		size_t len = file->size - at < STEP ? (size_t)(file->size - at) : STEP;

		ok = file_pread(file->fd, step, len, at, file->path, err);
		if (ok)
			crc = crc32(crc, step, (uInt)len);
	}
	free(step);
	*ret = (uint32_t)crc;
	return ok;
}

static void add_sentence(struct buf *buf, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void add_sentence(struct buf *buf, const char *fmt, ...)
{
	va_list ap;

	if (buf->len)
		buf_adds(buf, "; ");
	va_start(ap, fmt);
	buf_vaddf(buf, fmt, ap);
	va_end(ap);
}

/* Is @debug the separate file? When not, says why in found->mismatch. */
static bool compare(struct search *search, struct elf_file *debug, bool by_link, struct err *err,
		    bool *ret)
{
	struct buf *why = &search->found->mismatch;
	const char *id;
	uint32_t crc;

	*ret = false;
	if (!elf_build_id(debug, err, &id))
		return false;
	if (id && search->build_id) {
		*ret = strcmp(id, search->build_id) == 0;
		if (!*ret)
			add_sentence(why, "%s is not its debug file: build id %s, wanted %s",
				     debug->path, id, search->build_id);
	} else if (!by_link) {
		add_sentence(why, "%s is not its debug file: no build id", debug->path);
	} else {
		if (!crc_of(debug, err, &crc))
			return false;
		*ret = crc == search->link_crc;
		if (!*ret)
			add_sentence(why, "%s is not its debug file: CRC %08x, wanted %08x",
				     debug->path, crc, search->link_crc);
	}
	if (*ret && !elf_file_find(debug, ".debug_info")) {
		add_sentence(why, "%s has no .debug_info", debug->path);
		*ret = false;
	}
	return true;
}

/* Nothing, no regular file, or the file itself is none. */
bool elf_is_candidate(const struct elf_file *file, const char *path)
{
	struct stat own, other;

	if (stat(path, &other) != 0)
		return errno == EACCES || errno == EIO;
	return S_ISREG(other.st_mode) && fstat(file->fd, &own) == 0 &&
	       (own.st_dev != other.st_dev || own.st_ino != other.st_ino);
}

/* Takes the file at @path when it matches. A file that is there but cannot be read is an error. */
static bool try_path(struct search *search, const char *path, bool by_link, struct err *err)
{
	struct elf_file *debug;
	bool matches;

	if (search->found->file)
		return true;
	if (search->found->looked.len)
		buf_adds(&search->found->looked, ", ");
	buf_adds(&search->found->looked, path);
	if (!elf_is_candidate(search->file, path))
		return true;
	if (!elf_file_open(path, err, &debug))
		return false;
	if (!compare(search, debug, by_link, err, &matches)) {
		elf_file_close(debug);
		return false;
	}
	if (matches)
		search->found->file = debug;
	else
		elf_file_close(debug);
	return true;
}

static bool try_build_id(struct search *search, const char *debug_dir, struct err *err)
{
	struct buf path = BUF_INIT;
	bool ok;

	if (!search->build_id || strlen(search->build_id) < 4)
		return true;
	buf_addf(&path, "%s/.build-id/%.2s/%s.debug", debug_dir, search->build_id,
		 search->build_id + 2);
	ok = try_path(search, path.s, false, err);
	buf_release(&path);
	return ok;
}

static bool try_beside(struct search *search, const char *dir, const char *below, struct err *err)
{
	struct buf path = BUF_INIT;
	bool ok;

	buf_addf(&path, "%s%s/%s", dir, below, search->link);
	ok = try_path(search, path.s, true, err);
	buf_release(&path);
	return ok;
}

static bool try_link(struct search *search, const char *debug_dir, struct err *err)
{
	char *dir = search->link ? realpath(search->file->path, NULL) : NULL;
	struct buf global = BUF_INIT;
	bool ok;

	/* A copied pipe has no path, hence no neighbours. */
	if (!dir)
		return true;
	*strrchr(dir, '/') = '\0';
	buf_addf(&global, "%s%s", debug_dir, dir);
	ok = try_beside(search, dir, "", err) && try_beside(search, dir, "/.debug", err) &&
	     try_beside(search, global.s, "", err);
	buf_release(&global);
	free(dir);
	return ok;
}

static bool try_servers(struct search *search, const struct elf_places *places, struct err *err)
{
	struct buf path = BUF_INIT;
	bool ok;

	if (!places->debuginfod || search->found->file || !search->build_id)
		return true;
	ok = elf_debuginfod(search->build_id, &search->found->looked, err, &path) &&
	     (!path.len || try_path(search, path.s, false, err));
	buf_release(&path);
	return ok;
}

/* The name, NULs up to a multiple of 4, and the CRC in the byte order of the file. */
static bool read_link(struct search *search, struct err *err)
{
	struct elf_section *section = elf_file_find(search->file, ".gnu_debuglink");
	const char *name;
	struct cursor c;
	uint32_t crc;

	if (!section)
		return true;
	if (!elf_section_load(section, err))
		return false;
	c = elf_section_cursor(section);
	name = cursor_string(&c);
	cursor_seek(&c, (cursor_offset(&c) + 3) / 4 * 4);
	crc = cursor_u32(&c);
	if (c.bad || !*name || strchr(name, '/'))
		return elf_section_err(err, section, "is not the name of a file and its CRC");
	search->link = name;
	search->link_crc = crc;
	return true;
}

bool elf_separate_find(struct elf_file *file, const struct elf_places *places, struct err *err,
		       struct elf_separate *ret)
{
	struct search search = {.file = file, .found = ret};

	buf_init(&ret->looked);
	buf_init(&ret->mismatch);
	ret->file = NULL;
	return elf_build_id(file, err, &search.build_id) && read_link(&search, err) &&
	       try_build_id(&search, places->debug_dir, err) &&
	       try_link(&search, places->debug_dir, err) && try_servers(&search, places, err);
}

void elf_separate_release(struct elf_separate *separate)
{
	elf_file_close(separate->file);
	buf_release(&separate->looked);
	buf_release(&separate->mismatch);
}
