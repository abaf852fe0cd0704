/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/libraries.h"

#include <elf.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cursor.h"
#include "base/file.h"
#include "base/math.h"
#include "base/text.h"

enum {
	MAX_PROGRAM = 1 << 30,
	MAX_CONF = 1 << 20,
	MAX_DEPTH = 8, /* of files of ld.so.conf that include others */
};

static const char *const usual_dirs[] = {"/lib/x86_64-linux-gnu",
					 "/usr/lib/x86_64-linux-gnu",
					 "/lib64",
					 "/usr/lib64",
					 "/lib",
					 "/usr/lib"};

struct dirs {
	const char **items;
	size_t n;
};

struct finder {
	struct arena *arena;
	struct err *err;
	struct dirs configured;
	struct program *program;
};

static void add_dir(struct finder *finder, const char *dir, struct dirs *dirs)
{
	dirs->items = arena_grow(finder->arena, dirs->items, dirs->n, sizeof *dirs->items);
	dirs->items[dirs->n++] = dir;
}

/* ---- /etc/ld.so.conf ------------------------------------------------------------------------ */

static void read_conf(struct finder *finder, const char *path, unsigned depth);

static void read_conf_line(struct finder *finder, char *line, unsigned depth)
{
	size_t len;

	line += strspn(line, " \t");
	line[strcspn(line, "#\r")] = '\0';
	for (len = strlen(line); len && (line[len - 1] == ' ' || line[len - 1] == '\t');)
		line[--len] = '\0';
	if (text_starts_with(line, "include ") || text_starts_with(line, "include\t")) {
		const char *pattern = line + strlen("include");
		glob_t found = {0};

		pattern += strspn(pattern, " \t");
		if (glob(pattern, 0, NULL, &found) == 0)
			for (size_t i = 0; i < found.gl_pathc; i++)
				read_conf(finder, found.gl_pathv[i], depth + 1);
		globfree(&found);
	} else if (line[0] == '/') {
		add_dir(finder, arena_strdup(finder->arena, line), &finder->configured);
	}
}

/* A file that is not there adds nothing. */
static void read_conf(struct finder *finder, const char *path, unsigned depth)
{
	struct err ignored = ERR_INIT;
	struct bytes bytes;
	char *line, *end;

	if (depth > MAX_DEPTH)
		return;
	if (!file_read(path, MAX_CONF, &ignored, &bytes)) {
		err_release(&ignored);
		return;
	}
	for (line = bytes.data; *line; line = end + (*end != '\0')) {
		char *text;

		end = line + strcspn(line, "\n");
		text = arena_strndup(finder->arena, line, (size_t)(end - line));
		read_conf_line(finder, text, depth);
	}
	bytes_release(&bytes);
}

/* ---- one file ------------------------------------------------------------------------------- */

/* What the dynamic section says. */
struct needs {
	const char *interpreter;
	struct dirs names; /* DT_NEEDED */
	const char *runpath;
};

struct file {
	struct cursor bytes;
	Elf64_Ehdr header;
	const char *path;
};

static bool read_at(const struct file *file, uint64_t offset, void *ret, size_t len)
{
	struct cursor c = file->bytes;
	const uint8_t *data;

	cursor_seek(&c, offset);
	data = cursor_bytes(&c, len);
	if (data)
		memcpy(ret, data, len);
	return data;
}

static bool program_header(const struct file *file, unsigned index, Elf64_Phdr *ret)
{
	return index < file->header.e_phnum &&
	       read_at(file, add_capped(file->header.e_phoff, (uint64_t)index * sizeof *ret), ret,
		       sizeof *ret);
}

/* Where in the file the address is; UINT64_MAX: nowhere. */
static uint64_t offset_of(const struct file *file, uint64_t address)
{
	Elf64_Phdr ph;

	for (unsigned i = 0; program_header(file, i, &ph); i++)
		if (ph.p_type == PT_LOAD && address >= ph.p_vaddr &&
		    address - ph.p_vaddr < ph.p_filesz)
			return add_capped(ph.p_offset, address - ph.p_vaddr);
	return UINT64_MAX;
}

static const char *string_at(const struct finder *finder, const struct file *file, uint64_t offset)
{
	struct cursor c = file->bytes;
	const char *text;

	cursor_seek(&c, offset);
	text = cursor_string(&c);
	return c.bad ? NULL : arena_strdup(finder->arena, text);
}

static bool read_dynamic(struct finder *finder, const struct file *file, const Elf64_Phdr *ph,
			 struct needs *ret)
{
	uint64_t strings = UINT64_MAX;
	Elf64_Dyn dyn;

	for (int pass = 0; pass < 2; pass++)
		for (uint64_t at = 0; at + sizeof dyn <= ph->p_filesz; at += sizeof dyn) {
			const char *text;

			if (!read_at(file, add_capped(ph->p_offset, at), &dyn, sizeof dyn))
				return err_set(finder->err, file->path,
					       "the dynamic section runs past the end");
			if (dyn.d_tag == DT_NULL)
				break;
			if (pass == 0 && dyn.d_tag == DT_STRTAB)
				strings = offset_of(file, dyn.d_un.d_ptr);
			if (pass == 0 || (dyn.d_tag != DT_NEEDED && dyn.d_tag != DT_RPATH &&
					  dyn.d_tag != DT_RUNPATH))
				continue;
			text = string_at(finder, file, add_capped(strings, dyn.d_un.d_val));
			if (!text)
				return err_set(finder->err, file->path,
					       "a name in the dynamic section is not in the file");
			if (dyn.d_tag == DT_NEEDED)
				add_dir(finder, text, &ret->names);
			else
				ret->runpath = text;
		}
	return true;
}

static bool is_ours(const Elf64_Ehdr *header)
{
	return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
	       header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_machine == EM_X86_64 &&
	       (header->e_type == ET_EXEC || header->e_type == ET_DYN) &&
	       header->e_phentsize == sizeof(Elf64_Phdr);
}

static bool read_elf(struct finder *finder, const struct file *file, struct needs *ret)
{
	Elf64_Phdr ph;

	for (unsigned i = 0; i < file->header.e_phnum; i++) {
		if (!program_header(file, i, &ph))
			return err_set(finder->err, file->path,
				       "the program headers run past the end");
		if (ph.p_type == PT_INTERP &&
		    !(ret->interpreter = string_at(finder, file, ph.p_offset)))
			return err_set(finder->err, file->path,
				       "the name of the interpreter is not in the file");
		if (ph.p_type == PT_DYNAMIC && !read_dynamic(finder, file, &ph, ret))
			return false;
	}
	return true;
}

/* ---- where libraries are -------------------------------------------------------------------- */

static bool is_library(const char *path)
{
	struct err ignored = ERR_INIT;
	Elf64_Ehdr header;
	struct bytes bytes;
	bool ok = false;

	if (access(path, R_OK) != 0)
		return false;
	if (file_read(path, MAX_PROGRAM, &ignored, &bytes)) {
		struct file file = {.bytes = cursor_over(bytes.data, bytes.len, false)};

		ok = read_at(&file, 0, &header, sizeof header) && is_ours(&header);
		bytes_release(&bytes);
	}
	err_release(&ignored);
	return ok;
}

static const char *try_dir(const struct finder *finder, const char *dir, const char *name)
{
	const char *path = arena_printf(finder->arena, "%s/%s", dir, name);

	return is_library(path) ? path : NULL;
}

/* One directory of a run path, $ORIGIN in it being that of @from. */
static const char *expand(const struct finder *finder, const char *dir, const char *from)
{
	static const char *const words[] = {"$ORIGIN", "${ORIGIN}"};
	const char *slash = strrchr(from, '/');
	const char *origin =
		slash ? arena_strndup(finder->arena, from, (size_t)(slash - from)) : ".";

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const char *at = strstr(dir, words[i]);

		if (at)
			return arena_printf(finder->arena, "%.*s%s%s", (int)(at - dir), dir, origin,
					    at + strlen(words[i]));
	}
	return dir;
}

static const char *find_library(const struct finder *finder, const char *name, const char *from,
				const char *runpath)
{
	const char *path = NULL;

	if (strchr(name, '/'))
		return is_library(name) ? name : NULL;
	while (runpath && *runpath && !path) {
		size_t len = strcspn(runpath, ":");
		const char *dir = arena_strndup(finder->arena, runpath, len);

		path = try_dir(finder, expand(finder, dir, from), name);
		runpath += len + (runpath[len] == ':');
	}
	for (size_t i = 0; i < finder->configured.n && !path; i++)
		path = try_dir(finder, finder->configured.items[i], name);
	for (size_t i = 0; i < ARRAY_SIZE(usual_dirs) && !path; i++)
		path = try_dir(finder, usual_dirs[i], name);
	return path;
}

static bool has_library(const struct program *program, const char *name)
{
	for (size_t i = 0; i < program->n; i++)
		if (strcmp(program->libraries[i].name, name) == 0)
			return true;
	return false;
}

static bool add_libraries(struct finder *finder, const struct needs *needs, const char *from)
{
	struct program *program = finder->program;

	for (size_t i = 0; i < needs->names.n; i++) {
		const char *name = needs->names.items[i], *path;

		if (has_library(program, name))
			continue;
		path = find_library(finder, name, from, needs->runpath);
		if (!path)
			return err_set(finder->err, from, "needs %s, which is not found", name);
		program->libraries = arena_grow(finder->arena, program->libraries, program->n,
						sizeof *program->libraries);
		program->libraries[program->n++] = (struct library){name, path};
	}
	return true;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static bool read_script(struct finder *finder, const struct file *file)
{
	struct cursor c = file->bytes;
	const char *line, *newline;
	size_t len;

	cursor_skip(&c, strlen("#!"));
	line = (const char *)c.pos;
	newline = memchr(line, '\n', cursor_left(&c));
	len = newline ? (size_t)(newline - line) : cursor_left(&c);
	line = arena_strndup(finder->arena, line, len);
	line += strspn(line, " \t");
	len = strcspn(line, " \t\r");
	if (!len)
		return err_set(finder->err, file->path, "a script that names no interpreter");
	finder->program->kind = PROGRAM_SCRIPT;
	finder->program->interpreter = arena_strndup(finder->arena, line, len);
	return true;
}

static bool read_file(struct finder *finder, const char *path, bool is_program)
{
	struct needs needs = {0};
	struct file file = {.path = path};
	struct bytes bytes;
	bool ok;

	if (!file_read(path, MAX_PROGRAM, finder->err, &bytes))
		return false;
	file.bytes = cursor_over(bytes.data, bytes.len, false);
	if (is_program && bytes.len > 2 && memcmp(bytes.data, "#!", 2) == 0) {
		ok = read_script(finder, &file);
	} else if (!read_at(&file, 0, &file.header, sizeof file.header) || !is_ours(&file.header)) {
		ok = err_set(finder->err, path, "neither a program of x86-64 nor a script");
	} else {
		ok = read_elf(finder, &file, &needs) && add_libraries(finder, &needs, path);
		if (is_program && needs.interpreter) {
			finder->program->kind = PROGRAM_DYNAMIC;
			finder->program->interpreter = needs.interpreter;
		}
	}
	bytes_release(&bytes);
	return ok;
}

bool program_read(const char *path, struct arena *arena, struct err *err, struct program *ret)
{
	struct finder finder = {.arena = arena, .err = err, .program = ret};

	*ret = (struct program){.kind = PROGRAM_STATIC};
	read_conf(&finder, "/etc/ld.so.conf", 0);
	if (!read_file(&finder, path, true))
		return false;
	/* Those of libraries stand behind them, so that the list ends when all have been read. */
	for (size_t i = 0; i < ret->n; i++)
		if (!read_file(&finder, ret->libraries[i].path, false))
			return false;
	return true;
}

const char *program_find(const char *word, struct arena *arena)
{
	const char *path = getenv("PATH");

	if (strchr(word, '/'))
		return access(word, X_OK) == 0 ? word : NULL;
	while (path && *path) {
		size_t len = strcspn(path, ":");
		const char *file = arena_printf(arena, "%.*s/%s", (int)len, path, word);

		if (len && access(file, X_OK) == 0)
			return file;
		path += len + (path[len] == ':');
	}
	return NULL;
}
