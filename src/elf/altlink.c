/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding the alternate debug file, which holds what the debug info of several files has in common:
 * `dwz -m`. It is named by .gnu_debugaltlink (GDB's manual, "Debugging Information in Separate
 * Files"; a path, NUL, and the bytes of its build id), or by .debug_sup (DWARF 5, 7.3.6).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "elf/facts.h"

struct link {
	struct elf_section *section; /* NULL: there is none */
	const char *path;
	const char *id; /* what the other file is to have, in lower-case hexadecimal */
};

struct search {
	struct elf_file *file;
	struct link link;
	struct buf looked, others; /* "a, b"; "a has the build id 12ab; b has none" */
	struct elf_file *found;    /* or NULL */
};

/* The supplementary files of DWARF 5 carry their id, and what refers to them their path too. */
static bool read_sup(struct elf_file *file, struct arena *arena, struct err *err, bool *ret_is_sup,
		     struct link *ret)
{
	struct elf_section *section = elf_file_find(file, ".debug_sup");
	unsigned version, is_sup;
	struct cursor c;
	const uint8_t *id;
	uint64_t len;

	*ret = (struct link){.section = section};
	if (!section)
		return true;
	if (!elf_section_load(section, err))
		return false;
	c = elf_section_cursor(section);
	version = cursor_u16(&c);
	is_sup = (unsigned)cursor_uint(&c, 1);
	ret->path = cursor_string(&c);
	len = cursor_uleb(&c);
	id = cursor_bytes(&c, len);
	if (c.bad || version < 2 || version > 5 || is_sup > 1 || len > BUILD_ID_MAX ||
	    (!is_sup && (!*ret->path || !len)))
		return elf_section_err(err, section, "is not the name of a file and its checksum");
	*ret_is_sup = is_sup;
	ret->id = elf_hex(id, len, arena);
	return true;
}

static bool read_link(struct elf_file *file, struct err *err, struct link *ret)
{
	struct elf_section *section = elf_file_find(file, ".gnu_debugaltlink");
	bool is_sup = false;
	struct cursor c;
	uint64_t len;

	if (!section) {
		if (!read_sup(file, &file->arena, err, &is_sup, ret))
			return false;
		/* It is one itself. */
		if (is_sup)
			ret->section = NULL;
		return true;
	}
	if (!elf_section_load(section, err))
		return false;
	c = elf_section_cursor(section);
	*ret = (struct link){.section = section, .path = cursor_string(&c)};
	len = cursor_left(&c);
	if (c.bad || !*ret->path || !len || len > BUILD_ID_MAX)
		return elf_section_err(err, section, "is not the name of a file and its build id");
	ret->id = elf_hex(cursor_bytes(&c, len), len, &file->arena);
	return true;
}

/* The build id that a file has, or the checksum of one of DWARF 5; NULL: none. */
static bool id_of(struct elf_file *file, struct err *err, const char **ret)
{
	struct link sup;
	bool is_sup = false;

	if (!elf_build_id(file, err, ret))
		return false;
	if (*ret)
		return true;
	if (!read_sup(file, &file->arena, err, &is_sup, &sup))
		return false;
	*ret = is_sup ? sup.id : NULL;
	return true;
}

static bool compare(struct search *search, struct elf_file *other, struct err *err, bool *ret)
{
	const char *id;

	*ret = false;
	if (!id_of(other, err, &id))
		return false;
	*ret = id && strcmp(id, search->link.id) == 0;
	if (*ret && (other->bits != search->file->bits || other->swap != search->file->swap))
		return err_set(err, other->path, "is not of the machine of %s, which refers to it",
			       search->file->path);
	if (*ret)
		return true;
	buf_adds(&search->others, search->others.len ? ", " : "; ");
	if (id)
		buf_addf(&search->others, "%s has the build id %s", other->path, id);
	else
		buf_addf(&search->others, "%s has no build id", other->path);
	return true;
}

/* Takes the file at @path when it has the id. One that is there but cannot be read is an error. */
static bool try_path(struct search *search, const char *path, struct err *err)
{
	struct elf_file *other;
	bool is_it;

	if (search->found)
		return true;
	buf_addf(&search->looked, "%s%s", search->looked.len ? ", " : "", path);
	if (!elf_is_candidate(search->file, path))
		return true;
	if (!elf_file_open(path, err, &other))
		return false;
	if (!compare(search, other, err, &is_it)) {
		elf_file_close(other);
		return false;
	}
	if (is_it)
		search->found = other;
	else
		elf_file_close(other);
	return true;
}

/* As the section says it; a relative path begins where the file that says it is. */
static bool try_named(struct search *search, struct err *err)
{
	char *dir = NULL;
	struct buf path = BUF_INIT;
	bool ok = true;

	if (*search->link.path == '/') {
		buf_adds(&path, search->link.path);
	} else {
		/* A copied pipe has no path, hence no neighbours. */
		dir = realpath(search->file->path, NULL);
		if (dir) {
			*strrchr(dir, '/') = '\0';
			buf_addf(&path, "%s/%s", dir, search->link.path);
		}
	}
	if (path.len)
		ok = try_path(search, path.s, err);
	buf_release(&path);
	free(dir);
	return ok;
}

/*
 * Below the directory of debug files: by build id, and where distributions keep what their packages
 * share, with the path behind the last "/.dwz/".
 */
static bool try_below(struct search *search, const char *debug_dir, struct err *err)
{
	static const char dwz[] = "/.dwz/";
	const char *rest = NULL;
	struct buf path = BUF_INIT;
	bool ok = true;

	if (strlen(search->link.id) >= 4) {
		buf_addf(&path, "%s/.build-id/%.2s/%s.debug", debug_dir, search->link.id,
			 search->link.id + 2);
		ok = try_path(search, path.s, err);
	}
	for (const char *p = search->link.path; (p = strstr(p, dwz)) != NULL; p++)
		rest = p + strlen(dwz);
	if (ok && rest) {
		path.len = 0;
		buf_addf(&path, "%s%s%s", debug_dir, dwz, rest);
		ok = try_path(search, path.s, err);
	}
	buf_release(&path);
	return ok;
}

static bool try_servers(struct search *search, const struct elf_places *places, struct err *err)
{
	struct buf path = BUF_INIT;
	bool ok;

	if (!places->debuginfod || search->found)
		return true;
	ok = elf_debuginfod(search->link.id, &search->looked, err, &path) &&
	     (!path.len || try_path(search, path.s, err));
	buf_release(&path);
	return ok;
}

bool elf_alternate_find(struct elf_file *file, const struct elf_places *places, struct err *err,
			struct elf_file **ret)
{
	struct search search = {.file = file, .looked = BUF_INIT, .others = BUF_INIT};
	bool ok = read_link(file, err, &search.link);

	*ret = NULL;
	if (ok && search.link.section) {
		ok = try_named(&search, err) && try_below(&search, places->debug_dir, err) &&
		     try_servers(&search, places, err);
		if (ok && !search.found)
			ok = elf_section_err(err, search.link.section,
					     "its alternate debug file (dwz -m) with the build id "
					     "%s is at none of the paths looked at: %s%s",
					     search.link.id, search.looked.s,
					     search.others.len ? search.others.s : "");
	}
	*ret = search.found;
	buf_release(&search.looked);
	buf_release(&search.others);
	return ok;
}
