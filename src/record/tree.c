/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/tree.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "record/initramfs.h"
#include "record/libraries.h"

#define BUSYBOX "/bin/busybox"

enum { MAX_BASE = 1 << 30 };

struct tree {
	const struct tree_options *options;
	struct initramfs fs;
	struct arena arena;
	struct err *err;
	struct buf plan;
};

static bool add_once(struct tree *tree, const char *name, const char *path)
{
	return initramfs_has(&tree->fs, name) ||
	       initramfs_add_file(&tree->fs, name, path, tree->err);
}

static bool add_program(struct tree *tree, const char *name, const char *path, unsigned depth);

static bool is_shell(const char *interpreter)
{
	return strcmp(interpreter, "/bin/sh") == 0 || strcmp(interpreter, "/usr/bin/sh") == 0;
}

/* A busybox that needs nothing else is all the commands of a script. */
static bool add_shell(struct tree *tree, const char *script, const char *interpreter)
{
	struct program program;

	if (access(BUSYBOX, R_OK) != 0 ||
	    !program_read(BUSYBOX, &tree->arena, tree->err, &program) ||
	    program.kind != PROGRAM_STATIC) {
		err_release(tree->err);
		return err_set(tree->err, script,
			       "a shell script needs a static " BUSYBOX
			       " in the guest: install Debian's busybox-static");
	}
	if (!add_once(tree, BUSYBOX, BUSYBOX))
		return false;
	if (!initramfs_has(&tree->fs, interpreter))
		initramfs_add_link(&tree->fs, interpreter, BUSYBOX);
	return true;
}

static bool add_interpreter(struct tree *tree, const struct program *program, const char *path,
			    unsigned depth)
{
	enum { DEEPEST = 4 }; /* as execve() follows scripts whose interpreters are scripts */

	if (program->kind == PROGRAM_SCRIPT && is_shell(program->interpreter))
		return add_shell(tree, path, program->interpreter);
	if (depth == DEEPEST)
		return err_set(tree->err, path, "too many interpreters of interpreters");
	if (program->kind == PROGRAM_SCRIPT)
		return add_program(tree, program->interpreter, program->interpreter, depth + 1);
	return add_once(tree, program->interpreter, program->interpreter);
}

/* The file and what it needs to run. */
static bool add_program(struct tree *tree, const char *name, const char *path, unsigned depth)
{
	struct program program;

	if (!program_read(path, &tree->arena, tree->err, &program) || !add_once(tree, name, path))
		return false;
	if (program.interpreter && !add_interpreter(tree, &program, path, depth))
		return false;
	for (size_t i = 0; i < program.n; i++) {
		const struct library *library = &program.libraries[i];
		const char *slash = strrchr(library->name, '/');
		const char *place = arena_printf(&tree->arena, INITRAMFS_LIBRARIES "/%s",
						 slash ? slash + 1 : library->name);

		if (!add_once(tree, place, library->path))
			return false;
	}
	return true;
}

/* Below the root of the guest it has the absolute name it has here, so that a script finds it. */
static const char *place_of(struct tree *tree, const char *path)
{
	char *dir = path[0] == '/' ? NULL : getcwd(NULL, 0);
	const char *place = dir ? arena_printf(&tree->arena, "%s/%s", dir, path) : path;

	free(dir);
	return place;
}

static bool add_workload(struct tree *tree, const struct workload *workload)
{
	const char **words = arena_array(&tree->arena, workload->n, sizeof *words);
	const char *path;

	memcpy(words, workload->words, workload->n * sizeof *words);
	if (!tree->options->base) {
		path = program_find(words[0], &tree->arena);
		if (!path)
			return err_set(tree->err, words[0], "there is no such program");
		words[0] = place_of(tree, path);
		if (!add_program(tree, words[0], path, 0))
			return false;
	}
	initramfs_plan_add(&tree->plan, words, workload->n);
	return true;
}

/* Programs among them bring what they need. */
static bool add_more(struct tree *tree, const char *word)
{
	const char *equals = strchr(word, '=');
	const char *path =
		equals ? arena_strndup(&tree->arena, word, (size_t)(equals - word)) : word;
	const char *place = equals ? equals + 1 : place_of(tree, path);

	if (place[0] != '/' || !place[1])
		return err_set(tree->err, word, "the place in the guest is no absolute name");
	if (access(path, X_OK) == 0)
		return add_program(tree, place, path, 0);
	return add_once(tree, place, path);
}

/* The kernel takes archives one behind the other, each on a word. */
static bool add_base(const struct tree *tree, struct buf *out)
{
	enum { WORD = 4 };
	struct bytes base;

	if (!tree->options->base)
		return true;
	if (!file_read(tree->options->base, MAX_BASE, tree->err, &base))
		return false;
	buf_add(out, base.data, base.len);
	buf_pad(out, '\0', -base.len % WORD);
	bytes_release(&base);
	return true;
}

static bool fill(struct tree *tree)
{
	const struct tree_options *options = tree->options;

	initramfs_add_dir(&tree->fs, "/dev", 0755);
	initramfs_add_device(&tree->fs, "/dev/console", 0600, 5, 1);
	if (!options->base) {
		initramfs_add_dir(&tree->fs, "/bin", 0755);
		initramfs_add_dir(&tree->fs, "/root", 0700);
	}
	if (!initramfs_add_file(&tree->fs, INITRAMFS_INIT, options->init, tree->err))
		return false;
	initramfs_plan_begin(&tree->plan, options->marks);
	for (size_t i = 0; i < options->nfiles; i++)
		if (!add_more(tree, options->files[i]))
			return false;
	for (size_t i = 0; i < options->nworkloads; i++)
		if (!add_workload(tree, &options->workloads[i]))
			return false;
	initramfs_add_bytes(&tree->fs, INITRAMFS_PLAN, 0600, tree->plan.s, tree->plan.len);
	initramfs_finish(&tree->fs);
	return true;
}

bool tree_make(const struct tree_options *options, struct err *err, struct buf *out)
{
	struct tree tree = {.options = options, .err = err, .plan = BUF_INIT};
	bool ok;

	initramfs_init(&tree.fs);
	ok = add_base(&tree, out) && fill(&tree);
	if (ok)
		buf_add(out, tree.fs.out.s, tree.fs.out.len);
	initramfs_release(&tree.fs);
	buf_release(&tree.plan);
	arena_release(&tree.arena);
	return ok;
}
