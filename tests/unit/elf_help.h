/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of elf/ share: a directory of their own, commands, and images opened or refused.
 */
#ifndef TESTS_ELF_HELP_H
#define TESTS_ELF_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "elf/image.h"

/* The exit status of a shell command, or -1. */
static inline int shell(const char *command)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

/* Group fixtures: the tests run in a new directory, which goes with them. */
static inline int enter_dir(void **state)
{
	char name[] = "/tmp/layoutcheck-elf-XXXXXX";

	if (!mkdtemp(name) || chdir(name) != 0)
		return -1;
	*state = strdup(name);
	return 0;
}

static inline int leave_dir(void **state)
{
	char command[256];

	snprintf(command, sizeof command, "rm -rf '%s'", (char *)*state);
	free(*state);
	return chdir("/") != 0 || shell(command) != 0;
}

/* Runs a shell command that must succeed. */
static inline void run(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static inline void run(const char *fmt, ...)
{
	char command[2048];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(command, sizeof command, fmt, ap);
	va_end(ap);
	if (shell(command) != 0)
		fail_msg("failed: %s", command);
}

static inline void write_file(const char *path, const void *data, size_t len)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(data, 1, len, f) != len || fclose(f) != 0)
		fail_msg("cannot write %s", path);
}

static inline void write_text(const char *path, const char *text)
{
	write_file(path, text, strlen(text));
}

static inline struct image *open_image(const char *path, const struct image_options *options)
{
	struct err err = ERR_INIT;
	struct image *image = NULL;

	if (!image_open(path, options, &err, &image))
		fail_msg("%s", err.text);
	return image;
}

/* The section, loaded. */
static inline struct section *get_section(struct image *image, const char *name)
{
	struct err err = ERR_INIT;
	struct section *section = NULL;

	if (!image_section(image, name, &err, &section) ||
	    (section && !image_load(image, section, &err)))
		fail_msg("%s", err.text);
	return section;
}

/* Opening @path must fail, with @text in the one sentence that says why. */
static inline void refuse_image(const char *path, const char *text)
{
	struct err err = ERR_INIT;
	struct image *image = NULL;

	if (image_open(path, NULL, &err, &image))
		fail_msg("%s was opened", path);
	assert_null(image);
	if (!strstr(err.text, text) || strncmp(err.text, path, strlen(path)) != 0)
		fail_msg("wanted \"%s: ... %s\", got \"%s\"", path, text, err.text);
	assert_null(strchr(err.text, '\n'));
	err_release(&err);
}

#endif
