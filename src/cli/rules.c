/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/rules.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "rule/check.h"

#ifndef RULESDIR
#error "RULESDIR, where `make install` puts the packs, comes from the Makefile"
#endif

/* The directory of @path, which it shortens; false at the root. */
static bool to_parent(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash || slash == path)
		return false;
	*slash = '\0';
	return true;
}

static bool has(const char *dir, const char *name)
{
	struct buf path = BUF_INIT;
	bool found;

	buf_addf(&path, "%s/%s", dir, name);
	found = access(path.s, R_OK) == 0;
	buf_release(&path);
	return found;
}

/* As a person there would write it: relative to the working directory, where it lies below that. */
static void add_relative(struct buf *out, const char *path)
{
	char cwd[PATH_MAX];
	size_t len;

	if (getcwd(cwd, sizeof cwd)) {
		len = strlen(cwd);
		if (strncmp(path, cwd, len) == 0 && path[len] == '/')
			path += len + 1;
	}
	buf_adds(out, path);
}

/*
 * rules/ of the build tree: ./layoutcheck lies at its top, build/asan/layoutcheck two levels down.
 * The source file tells it from any other directory that happens to have a rules/.
 */
static bool find_in_tree(struct buf *out)
{
	enum { LEVELS = 3 };
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

	if (n <= 0)
		return false;
	path[n] = '\0';
	for (int level = 0; level < LEVELS && to_parent(path); level++) {
		struct buf rules = BUF_INIT;

		if (!has(path, "src/layoutcheck.c") || !has(path, "rules"))
			continue;
		buf_addf(&rules, "%s/rules", path);
		add_relative(out, rules.s);
		buf_release(&rules);
		return true;
	}
	return false;
}

/* What there is in words for all --rules or all of the variable; each mistake is a line in
 * @errors. */
static bool load_variable(const char *paths, struct packs *packs, struct pack_errors *errors)
{
	bool ok = true;

	while (*paths) {
		struct buf path = BUF_INIT;
		size_t len = strcspn(paths, ":");

		buf_add(&path, paths, len);
		if (len)
			ok = packs_load(packs, path.s, errors) && ok;
		buf_release(&path);
		paths += len + (paths[len] == ':');
	}
	return ok;
}

static bool load_options(const struct strings *paths, struct packs *packs,
			 struct pack_errors *errors)
{
	bool ok = true;

	for (size_t i = 0; i < paths->n; i++)
		ok = packs_load(packs, paths->items[i], errors) && ok;
	return ok;
}

/* The packs that came with the program. */
static bool load_default(bool need, struct packs *packs, struct pack_errors *errors)
{
	struct buf path = BUF_INIT;
	bool ok = true;

	if (find_in_tree(&path) || access(RULESDIR, F_OK) == 0)
		ok = packs_load(packs, path.len ? path.s : RULESDIR, errors);
	else if (need)
		say_error("there are no rule packs in " RULESDIR ": give one with --rules");
	ok = ok && (path.len || !need || access(RULESDIR, F_OK) == 0);
	buf_release(&path);
	return ok;
}

/* Of a directory of packs, too. */
static bool spares_packs(const struct common *common, const struct packs *packs)
{
	for (size_t i = 0; common->output && i < packs->n; i++)
		if (file_is_same(packs->items[i].file, common->output)) {
			say_error("%s: option `--output`: the report would replace %s, which is "
				  "read",
				  common->command->name, packs->items[i].file);
			return false;
		}
	return true;
}

bool rules_load(struct common *common, bool need, struct packs *ret)
{
	const char *variable = getenv("LAYOUTCHECK_RULES");
	struct pack_errors errors;
	bool ok;

	pack_errors_init(&errors);
	packs_init(ret);
	if (common->rules.n)
		ok = load_options(&common->rules, ret, &errors);
	else if (variable && *variable)
		ok = load_variable(variable, ret, &errors);
	else
		ok = load_default(need, ret, &errors);
	ok = packs_finish(ret, &errors) && ok;
	say_lines(&errors.text);
	pack_errors_release(&errors);
	common->wants_config = common->wants_config || check_asks_config(ret);
	common->only_variables = ret->n && !check_asks_types(ret);
	return ok && spares_packs(common, ret);
}
