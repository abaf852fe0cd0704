/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debug files from servers. debuginfod-find(1) is asked: it knows the servers, keeps what it
 * fetched, and prints the path. Whoever did not ask for this does not come here.
 */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "elf/facts.h"

enum { OUTPUT_MAX = 4096, STDOUT = 0, STDERR = 1 };

/* Starts it with these files as its standard output and error. */
static int spawn(const char *build_id, const int fds[2], pid_t *ret)
{
	const char *const argv[] = {"debuginfod-find", "debuginfo", build_id, NULL};
	posix_spawn_file_actions_t actions;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fds[STDOUT], STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, fds[STDERR], STDERR_FILENO);
	/* The strings are not written to: the type lacks the const. */
	error = posix_spawnp(ret, argv[0], &actions, NULL, (char *const *)(uintptr_t)argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* The last line of a file, without its newline. */
static void last_line(int fd, char line[OUTPUT_MAX])
{
	ssize_t len = pread(fd, line, OUTPUT_MAX - 1, 0);
	const char *start;

	line[len > 0 ? len : 0] = '\0';
	while (*line && line[strlen(line) - 1] == '\n')
		line[strlen(line) - 1] = '\0';
	start = strrchr(line, '\n');
	if (start)
		memmove(line, start + 1, strlen(start));
}

/* Why there is no file: it says so itself, but not that it has nobody to ask. */
static void add_answer(int fd, const char *build_id, struct buf *looked)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	char line[OUTPUT_MAX];

	last_line(fd, line);
	if (!urls || !*urls)
		snprintf(line, sizeof line, "DEBUGINFOD_URLS names no server");
	buf_addf(looked, "%sdebuginfod-find debuginfo %s (%s)", looked->len ? ", " : "", build_id,
		 *line ? line : "failed");
}

/* 0, or what went wrong in starting it. */
static int ask(const char *build_id, const int fds[2], int *ret_status)
{
	pid_t pid = -1;
	int error = spawn(build_id, fds, &pid);

	while (!error && waitpid(pid, ret_status, 0) < 0)
		if (errno != EINTR)
			error = errno;
	return error;
}

bool elf_debuginfod(const char *build_id, struct buf *looked, struct err *err, struct buf *ret)
{
	int fds[2] = {memfd_create("stdout", MFD_CLOEXEC), memfd_create("stderr", MFD_CLOEXEC)};
	char line[OUTPUT_MAX];
	int status = 0, error = errno;

	if (fds[STDOUT] >= 0 && fds[STDERR] >= 0)
		error = ask(build_id, fds, &status);
	if (error == ENOENT) {
		err_set(err, NULL,
			"--debuginfod: there is no debuginfod-find, which comes with the package "
			"debuginfod");
	} else if (error) {
		err_set(err, NULL, "--debuginfod: debuginfod-find cannot be run: %s",
			strerror(error));
	} else if (!status) {
		last_line(fds[STDOUT], line);
		buf_adds(ret, line);
	} else {
		add_answer(fds[STDERR], build_id, looked);
	}
	for (unsigned i = 0; i < 2; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	return !error;
}
