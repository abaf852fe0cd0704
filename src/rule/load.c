/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From names of files and directories to packs_parse(). */
#include "rule/pack.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "rule/errors.h"
#include "rule/yaml.h"

/* What a walk over a directory has found, and where it has been: symbolic links can lead in
 * circles. */
struct walk {
	char **files;
	size_t n, cap;
	struct place {
		dev_t dev;
		ino_t ino;
	} * seen;
	size_t nseen, cap_seen;
	struct pack_errors *errors;
};

static bool load_file(struct packs *packs, const char *path, struct pack_errors *errors)
{
	struct bytes bytes;
	bool ok;

	if (!read_yaml_file(path, errors, &bytes))
		return false;
	ok = packs_parse(packs, path, bytes.data, bytes.len, errors);
	bytes_release(&bytes);
	return ok;
}

/* ---- directories ------------------------------------------------------------------------- */

static bool was_seen(struct walk *walk, const struct stat *st)
{
	for (size_t i = 0; i < walk->nseen; i++)
		if (walk->seen[i].dev == st->st_dev && walk->seen[i].ino == st->st_ino)
			return true;
	ARRAY_GROW(walk->seen, walk->nseen, walk->cap_seen);
	walk->seen[walk->nseen++] = (struct place){st->st_dev, st->st_ino};
	return false;
}

static char *join_path(const char *dir, const char *name)
{
	struct buf path = BUF_INIT;

	buf_adds(&path, dir);
	if (!text_ends_with(dir, "/"))
		buf_addc(&path, '/');
	buf_adds(&path, name);
	return buf_detach(&path);
}

static bool walk_dir(struct walk *walk, const char *dir);

/* A name that begins with a dot is an editor's or a version control's. */
static bool walk_entry(struct walk *walk, const char *dir, const char *name)
{
	char *path;
	struct stat st;
	bool ok = true, keep = false;

	if (name[0] == '.')
		return true;
	path = join_path(dir, name);
	if (stat(path, &st) != 0) {
		if (text_ends_with(name, ".yaml"))
			ok = complain_of_file(walk->errors, path, "cannot open: %s",
					      strerror(errno));
	} else if (S_ISDIR(st.st_mode)) {
		ok = walk_dir(walk, path);
	} else {
		keep = text_ends_with(name, ".yaml");
	}
	if (!keep) {
		free(path);
		return ok;
	}
	ARRAY_GROW(walk->files, walk->n, walk->cap);
	walk->files[walk->n++] = path;
	return true;
}

static int compare_entries(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* As deep as directories nest; each of them once, under the name that sorts first. */
static bool walk_dir(struct walk *walk, const char *dir)
{
	struct dirent **entries;
	struct stat st;
	bool ok = true;
	int n;

	if (stat(dir, &st) == 0 && was_seen(walk, &st))
		return true;
	n = scandir(dir, &entries, NULL, compare_entries);
	if (n < 0)
		return complain_of_file(walk->errors, dir, "cannot read: %s", strerror(errno));
	for (int i = 0; i < n; i++) {
		ok = walk_entry(walk, dir, entries[i]->d_name) && ok;
		free(entries[i]);
	}
	free(entries);
	return ok;
}

static int compare_files(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool load_dir(struct packs *packs, const char *dir, struct pack_errors *errors)
{
	struct walk walk = {.errors = errors};
	bool ok = walk_dir(&walk, dir);

	if (walk.n)
		qsort(walk.files, walk.n, sizeof *walk.files, compare_files);
	else if (ok)
		ok = complain_of_file(errors, dir, "no *.yaml in this directory");
	for (size_t i = 0; i < walk.n; i++) {
		ok = load_file(packs, walk.files[i], errors) && ok;
		free(walk.files[i]);
	}
	free(walk.files);
	free(walk.seen);
	return ok;
}

bool packs_load(struct packs *packs, const char *path, struct pack_errors *errors)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return complain_of_file(errors, path, "cannot open: %s", strerror(errno));
	return S_ISDIR(st.st_mode) ? load_dir(packs, path, errors) : load_file(packs, path, errors);
}
