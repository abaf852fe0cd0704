/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/workdir.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

static const int signals[] = {SIGHUP, SIGINT, SIGTERM};
static struct sigaction before[ARRAY_SIZE(signals)];
static volatile sig_atomic_t caught;

static void remember(int number)
{
	if (!caught)
		caught = number;
}

int workdir_signal(void)
{
	return caught;
}

bool workdir_begin(struct err *err, struct workdir *ret)
{
	const char *parent = getenv("TMPDIR");
	struct sigaction action = {.sa_handler = remember};
	struct buf name = BUF_INIT;

	buf_addf(&name, "%s/layoutcheck-record.XXXXXX", parent && *parent ? parent : "/tmp");
	if (!mkdtemp(name.s)) {
		err_set_errno(err, name.s, "cannot make a directory");
		buf_release(&name);
		return false;
	}
	ret->dir = buf_detach(&name);
	caught = 0;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		sigaction(signals[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
	return true;
}

char *workdir_path(const struct workdir *workdir, const char *name)
{
	struct buf path = BUF_INIT;

	buf_addf(&path, "%s/%s", workdir->dir, name);
	return buf_detach(&path);
}

static void remove_files(const struct workdir *workdir)
{
	DIR *dir = opendir(workdir->dir);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		(void)unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	(void)rmdir(workdir->dir);
}

void workdir_end(struct workdir *workdir)
{
	int number = caught;

	if (!workdir->dir)
		return;
	remove_files(workdir);
	free(workdir->dir);
	workdir->dir = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &before[i], NULL);
	caught = 0;
	if (number)
		raise(number);
}
