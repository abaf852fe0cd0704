/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf/archive.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "elf/private.h"

enum { MAGIC = 8, HEADER = 60, NAME = 16, SIZE_AT = 48, SIZE = 10, END_AT = 58 };

struct member {
	const char *path;  /* "libx.a(a.o)" */
	const char *file;  /* of a thin archive: the file that is meant; else NULL */
	uint64_t at, size; /* its contents in the archive */
};

struct archive {
	struct arena arena;
	const char *path;
	struct member *members; /* the ELF files */
	size_t n, cap;
	size_t nothers;
	const char *other_path, *other_what;
	int fd;
	uint64_t size;
	bool thin;
	char *names; /* the table of long names, or NULL */
	size_t names_len;
};

/* What a header says of the member behind it. */
struct entry {
	char name[NAME + 1]; /* blanks at the end removed */
	uint64_t at, size;
};

static bool starts_with(const uint8_t *head, const char *magic)
{
	return memcmp(head, magic, MAGIC) == 0;
}

bool archive_detect(const char *path)
{
	uint8_t head[MAGIC];
	struct stat st;
	bool is;
	int fd;

	/* A pipe would lose what is read here. */
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return false;
	is = pread(fd, head, MAGIC, 0) == MAGIC &&
	     (starts_with(head, "!<arch>\n") || starts_with(head, "!<thin>\n"));
	close(fd);
	return is;
}

static bool fail(const struct archive *archive, uint64_t at, struct err *err, const char *what)
{
	return err_set(err, archive->path, "the archive is damaged at offset %llu: %s",
		       (unsigned long long)at, what);
}

/* ---- headers --------------------------------------------------------------------------------- */

/* A decimal number, blanks behind it. */
static bool read_number(const char *text, size_t len, uint64_t *ret)
{
	size_t i = 0;

	for (*ret = 0; i < len && text[i] >= '0' && text[i] <= '9'; i++)
		*ret = 10 * *ret + (uint64_t)(text[i] - '0');
	return i && strspn(text + i, " ") >= len - i;
}

static bool read_entry(const struct archive *archive, uint64_t at, struct err *err,
		       struct entry *ret)
{
	char bytes[HEADER + 1] = "";
	size_t len = NAME;

	if (archive->size - at < HEADER)
		return fail(archive, at, err, "it ends inside the header of a member");
	if (!file_pread(archive->fd, bytes, HEADER, at, archive->path, err))
		return false;
	if (memcmp(bytes + END_AT, "`\n", 2) != 0)
		return fail(archive, at, err, "there is no header of a member");
	while (len && (bytes[len - 1] == ' ' || bytes[len - 1] == '\0'))
		len--;
	memcpy(ret->name, bytes, len);
	ret->name[len] = '\0';
	bytes[SIZE_AT + SIZE] = ' ';
	if (!read_number(bytes + SIZE_AT, SIZE, &ret->size))
		return fail(archive, at, err, "the size of the member is no number");
	ret->at = at + HEADER;
	return true;
}

/* Symbol tables and the table of names are in thin archives, too; members are not. */
static bool is_table(const struct entry *entry)
{
	return strcmp(entry->name, "/") == 0 || strcmp(entry->name, "/SYM64/") == 0 ||
	       strcmp(entry->name, "//") == 0;
}

static bool check_inside(const struct archive *archive, const struct entry *entry, struct err *err)
{
	return entry->size <= archive->size - entry->at ||
	       fail(archive, entry->at, err, "a member runs past the end of the file");
}

static bool take_names(struct archive *archive, const struct entry *entry, struct err *err)
{
	free(archive->names);
	archive->names_len = (size_t)entry->size;
	archive->names = xmalloc(archive->names_len + 1);
	archive->names[archive->names_len] = '\0';
	return file_pread(archive->fd, archive->names, archive->names_len, entry->at, archive->path,
			  err);
}

/* "/123": a name that ends in "/\n" in the table; thin archives have slashes inside of it. */
static bool long_name(struct archive *archive, const struct entry *entry, struct err *err,
		      const char **ret)
{
	const char *start, *end;
	uint64_t at;

	if (!read_number(entry->name + 1, strcspn(entry->name + 1, ":"), &at) ||
	    at >= archive->names_len)
		return fail(archive, entry->at, err, "the member has no name");
	start = archive->names + at;
	end = start + strcspn(start, "\n");
	if (end > start && end[-1] == '/')
		end--;
	*ret = arena_strndup(&archive->arena, start, (size_t)(end - start));
	return true;
}

/* "#1/20": as many bytes before the contents are the name. */
static bool bsd_name(struct archive *archive, struct entry *entry, struct err *err,
		     const char **ret)
{
	char name[256] = "";
	uint64_t len;

	if (!read_number(entry->name + 3, strlen(entry->name + 3), &len) || len > entry->size ||
	    len >= sizeof name)
		return fail(archive, entry->at, err, "the member has no name");
	if (!file_pread(archive->fd, name, (size_t)len, entry->at, archive->path, err))
		return false;
	entry->at += len;
	entry->size -= len;
	*ret = arena_strdup(&archive->arena, name);
	return true;
}

static bool name_of(struct archive *archive, struct entry *entry, struct err *err, const char **ret)
{
	size_t len = strlen(entry->name);

	if (entry->name[0] == '/')
		return long_name(archive, entry, err, ret);
	if (text_starts_with(entry->name, "#1/"))
		return bsd_name(archive, entry, err, ret);
	if (len && entry->name[len - 1] == '/')
		len--;
	*ret = arena_strndup(&archive->arena, entry->name, len);
	return true;
}

/* ---- members --------------------------------------------------------------------------------- */

/* Paths in a thin archive are from where the archive is. */
static const char *beside(struct archive *archive, const char *name)
{
	const char *slash = strrchr(archive->path, '/');

	if (!slash || *name == '/')
		return name;
	return arena_printf(&archive->arena, "%.*s/%s", (int)(slash - archive->path), archive->path,
			    name);
}

/* The first bytes of the member, as many as there are up to @max. */
static bool read_head(const struct archive *archive, const struct member *member, uint8_t *head,
		      size_t max, struct err *err, size_t *ret)
{
	int fd = member->file ? open(member->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
			      : archive->fd;
	uint64_t size = member->size < max ? member->size : max;
	bool ok;

	if (fd < 0)
		return err_set_errno(err, member->path, "cannot open %s", member->file);
	ok = file_pread(fd, head, (size_t)size, member->at, member->path, err);
	if (member->file)
		close(fd);
	*ret = (size_t)size;
	return ok;
}

static bool add_member(struct archive *archive, const struct entry *entry, const char *name,
		       struct err *err)
{
	struct member member = {
		.path = arena_printf(&archive->arena, "%s(%s)", archive->path, name),
		.at = archive->thin ? 0 : entry->at,
		.size = entry->size};
	uint8_t head[16] = {0};
	size_t len = 0;

	if (archive->thin)
		member.file = beside(archive, name);
	if (!read_head(archive, &member, head, sizeof head, err, &len))
		return false;
	if (len >= SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0) {
		ARRAY_GROW(archive->members, archive->n, archive->cap);
		archive->members[archive->n++] = member;
		return true;
	}
	if (!archive->nothers++) {
		struct buf what = BUF_INIT;

		elf_say_content(head, len, &what);
		archive->other_path = member.path;
		archive->other_what = arena_strdup(&archive->arena, what.s);
		buf_release(&what);
	}
	return true;
}

/* BSD's symbol tables have names of members. */
static bool is_bsd_table(const char *name)
{
	return text_starts_with(name, "__.SYMDEF");
}

static bool read_member(struct archive *archive, struct entry entry, struct err *err)
{
	const char *name = NULL;

	if (strcmp(entry.name, "//") == 0)
		return take_names(archive, &entry, err);
	if (is_table(&entry))
		return true;
	return name_of(archive, &entry, err, &name) &&
	       (is_bsd_table(name) || add_member(archive, &entry, name, err));
}

static bool read_members(struct archive *archive, struct err *err)
{
	uint64_t at = MAGIC;

	while (at < archive->size) {
		struct entry entry;
		uint64_t inside;

		if (!read_entry(archive, at, err, &entry))
			return false;
		inside = archive->thin && !is_table(&entry) ? 0 : entry.size;
		if ((inside && !check_inside(archive, &entry, err)) ||
		    !read_member(archive, entry, err))
			return false;
		at = entry.at + inside + (inside & 1); /* the next one is at an even offset */
	}
	return true;
}

/* ---- opening --------------------------------------------------------------------------------- */

bool archive_open(const char *path, struct err *err, struct archive **ret)
{
	struct archive *archive = xcalloc(1, sizeof *archive);
	uint8_t head[MAGIC];
	off_t end;
	bool ok;

	arena_init(&archive->arena);
	archive->path = arena_strdup(&archive->arena, path);
	archive->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	end = archive->fd < 0 ? -1 : lseek(archive->fd, 0, SEEK_END);
	if (end < 0) {
		err_set_errno(err, path, "cannot open");
		archive_close(archive);
		return false;
	}
	archive->size = (uint64_t)end;
	ok = file_pread(archive->fd, head, MAGIC, 0, path, err);
	archive->thin = ok && starts_with(head, "!<thin>\n");
	if (!ok || !read_members(archive, err)) {
		archive_close(archive);
		return false;
	}
	*ret = archive;
	return true;
}

void archive_close(struct archive *archive)
{
	if (!archive)
		return;
	if (archive->fd >= 0)
		close(archive->fd);
	free(archive->members);
	free(archive->names);
	arena_release(&archive->arena);
	free(archive);
}

size_t archive_nobjects(const struct archive *archive)
{
	return archive->n;
}

size_t archive_nothers(const struct archive *archive)
{
	return archive->nothers;
}

const char *archive_object_path(const struct archive *archive, size_t index)
{
	return archive->members[index].path;
}

const char *archive_other_path(const struct archive *archive)
{
	return archive->other_path;
}

const char *archive_other_what(const struct archive *archive)
{
	return archive->other_what;
}

bool archive_open_object(const struct archive *archive, size_t index, struct err *err,
			 struct image **ret)
{
	const struct member *member = &archive->members[index];
	struct elf_file *file;

	if (member->file ? !elf_file_open(member->file, err, &file)
			 : !elf_file_open_part(member->path, archive->fd, member->at, member->size,
					       err, &file))
		return false;
	return image_of_file(file, err, ret);
}
