/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files: whole or not at all, through links, with every failure noticed. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"

/* Tests stand in a directory of their own. */
static char directory[] = "/tmp/layoutcheck-unit.XXXXXX";

static int enter(void **state)
{
	(void)state;
	return mkdtemp(directory) && chdir(directory) == 0 ? 0 : -1;
}

static int leave(void **state)
{
	(void)state;
	return chdir("/") == 0 && rmdir(directory) == 0 ? 0 : -1;
}

static size_t files_here(void)
{
	DIR *dir = opendir(".");
	size_t n = 0;

	assert_non_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		n += entry->d_name[0] != '.';
	closedir(dir);
	return n;
}

static void holds(const char *path, const char *text)
{
	struct err err = ERR_INIT;
	struct bytes bytes;

	assert_true(file_read(path, 1 << 20, &err, &bytes));
	assert_string_equal(bytes.data, text);
	assert_int_equal(bytes.len, strlen(text));
	bytes_release(&bytes);
}

static void writes(const char *path, const char *text)
{
	struct err err = ERR_INIT;

	if (!file_write(path, text, strlen(text), &err))
		fail_msg("%s", err.text);
	assert_null(err.text);
}

/* The error begins with its place and holds @part. */
static void cannot_write(const char *path, const char *part)
{
	struct err err = ERR_INIT;

	assert_false(file_write(path, "text", 4, &err));
	assert_non_null(err.text);
	assert_int_equal(strncmp(err.text, path, strlen(path)), 0);
	if (!strstr(err.text, part))
		fail_msg("%s", err.text);
	err_release(&err);
}

static unsigned mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 07777;
}

static void new_and_old(void **state)
{
	mode_t mask = umask(027);

	(void)state;
	writes("report", "one\n");
	holds("report", "one\n");
	assert_int_equal(mode_of("report"), 0640);
	assert_int_equal(chmod("report", 0604), 0);
	writes("report", "two\n");
	holds("report", "two\n");
	assert_int_equal(mode_of("report"), 0604);
	writes("report", "");
	holds("report", "");
	assert_int_equal(files_here(), 1);
	umask(mask);
	unlink("report");
}

/* Whoever has the old file open goes on reading the old file. */
static void renamed_into_place(void **state)
{
	char text[8] = "";
	int fd;

	(void)state;
	writes("report", "old");
	fd = open("report", O_RDONLY);
	assert_true(fd >= 0);
	writes("report", "new");
	assert_int_equal(read(fd, text, sizeof text), 3);
	assert_memory_equal(text, "old", 3);
	close(fd);
	unlink("report");
}

static void through_links(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(mkdir("sub", 0755), 0);
	writes("sub/report", "old");
	assert_int_equal(symlink("sub/report", "link"), 0);
	assert_int_equal(symlink("link", "link2"), 0);
	writes("link2", "new");
	holds("sub/report", "new");
	assert_int_equal(lstat("link2", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISLNK(st.st_mode));

	/* A dangling one makes the file it names, seen from where the link is. */
	assert_int_equal(unlink("sub/report"), 0);
	assert_int_equal(symlink("report", "sub/dangling"), 0);
	writes("sub/dangling", "made");
	holds("sub/report", "made");
	assert_int_equal(lstat("sub/dangling", &st), 0);
	assert_true(S_ISLNK(st.st_mode));

	assert_int_equal(symlink("round", "round"), 0);
	cannot_write("round", strerror(ELOOP));
	assert_int_equal(symlink("nowhere/report", "lost"), 0);
	cannot_write("lost", strerror(ENOENT));
	assert_int_equal(files_here(), 5);
	unlink("lost");
	unlink("round");
	unlink("link");
	unlink("link2");
	unlink("sub/dangling");
	unlink("sub/report");
	rmdir("sub");
}

static void devices(void **state)
{
	struct stat before, after;
	int ends[2];
	char path[64], text[8] = "";

	(void)state;
	assert_int_equal(stat("/dev/full", &before), 0);
	cannot_write("/dev/full", strerror(ENOSPC));
	assert_int_equal(stat("/dev/full", &after), 0);
	assert_true(S_ISCHR(after.st_mode) && before.st_ino == after.st_ino);
	assert_int_equal(symlink("/dev/full", "full"), 0);
	cannot_write("full", strerror(ENOSPC));
	unlink("full");
	writes("/dev/null", "away");

	assert_int_equal(pipe(ends), 0);
	snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
	writes(path, "piped");
	assert_int_equal(read(ends[0], text, sizeof text), 5);
	assert_string_equal(text, "piped");
	close(ends[0]);
	close(ends[1]);
}

static void impossible(void **state)
{
	(void)state;
	assert_int_equal(mkdir("sub", 0755), 0);
	cannot_write("sub", strerror(EISDIR));
	cannot_write("nowhere/report", strerror(ENOENT));
	cannot_write("", "");
	cannot_write("/dev/null/report", strerror(ENOTDIR));
	assert_int_equal(files_here(), 1);
	rmdir("sub");
}

/* Runs @attempt in a child, which exits 0 when file_write() refused. */
static void refused_in_child(void (*attempt)(void))
{
	int status;
	pid_t child = fork();

	if (child == 0)
		attempt();
	assert_true(child > 0 && waitpid(child, &status, 0) == child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* The disk is full half way through. */
static void half_way(void)
{
	static const char text[1000];
	struct rlimit limit = {100, 100};
	struct err err = ERR_INIT;

	signal(SIGXFSZ, SIG_IGN);
	if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
		_exit(9);
	_exit(file_write("report", text, sizeof text, &err) ||
	      !strstr(err.text, "report: cannot write"));
}

static void without_permission(void)
{
	struct err err = ERR_INIT;

	if (chmod(".", 0555) != 0 || (geteuid() == 0 && setuid(65534) != 0))
		_exit(9);
	_exit(file_write("report", "new", 3, &err) || !strstr(err.text, strerror(EACCES)));
}

static void old_stays(void **state)
{
	(void)state;
	writes("report", "old");
	refused_in_child(half_way);
	holds("report", "old");
	assert_int_equal(files_here(), 1);
	refused_in_child(without_permission);
	assert_int_equal(chmod(".", 0755), 0);
	holds("report", "old");
	assert_int_equal(files_here(), 1);
	unlink("report");
}

static void standard_output(void **state)
{
	int saved = dup(STDOUT_FILENO), ends[2];
	struct err err = ERR_INIT;
	char text[8] = "";
	bool by_dash, by_null, broken;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	fflush(stdout);
	dup2(ends[1], STDOUT_FILENO);
	by_dash = file_write("-", "a", 1, &err);
	by_null = file_write(NULL, "b", 1, &err);
	dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO);
	broken = file_write(NULL, "c", 1, &err);
	dup2(saved, STDOUT_FILENO);
	assert_true(by_dash && by_null && !broken);
	assert_int_equal(read(ends[0], text, sizeof text), 2);
	assert_string_equal(text, "ab");
	assert_int_equal(strncmp(err.text, "standard output: ", 17), 0);
	err_release(&err);
	close(ends[0]);
	close(ends[1]);
}

static void cannot_read(const char *path, size_t max, const char *part)
{
	struct err err = ERR_INIT;
	struct bytes bytes = {(char *)"untouched", 9};

	assert_false(file_read(path, max, &err, &bytes));
	if (!strstr(err.text, part))
		fail_msg("%s", err.text);
	assert_string_equal(bytes.data, "untouched");
	err_release(&err);
}

static void reading(void **state)
{
	struct err err = ERR_INIT;
	char big[200000];
	struct bytes bytes;

	(void)state;
	memset(big, 'x', sizeof big);
	assert_true(file_write("big", big, sizeof big, &err));
	assert_true(file_read("big", sizeof big, &err, &bytes));
	assert_int_equal(bytes.len, sizeof big);
	assert_memory_equal(bytes.data, big, sizeof big);
	assert_int_equal(bytes.data[bytes.len], '\0');
	bytes_release(&bytes);
	assert_null(bytes.data);
	cannot_read("big", sizeof big - 1, "larger than 199999 bytes");
	cannot_read("big", 0, "larger than 0 bytes");
	cannot_read(".", 100, strerror(EISDIR));
	cannot_read("nothing", 100, strerror(ENOENT));
	assert_true(file_read("/dev/null", 0, &err, &bytes));
	assert_int_equal(bytes.len, 0);
	assert_string_equal(bytes.data, "");
	bytes_release(&bytes);
	unlink("big");
}

static void ranges(void **state)
{
	struct err err = ERR_INIT;
	char text[4] = "";
	int fd;

	(void)state;
	writes("small", "0123456789");
	fd = open("small", O_RDONLY);
	assert_true(file_pread(fd, text, 3, 7, "small", &err));
	assert_string_equal(text, "789");
	assert_true(file_pread(fd, text, 0, 99, "small", &err));
	assert_false(file_pread(fd, text, 3, 8, "small", &err));
	assert_string_equal(err.text,
			    "small: the file ends at offset 10, where 1 more byte should be");
	err_release(&err);
	assert_false(file_pread(fd, text, 1, UINT64_MAX, "small", &err));
	assert_non_null(strstr(err.text, strerror(EINVAL)));
	err_release(&err);
	close(fd);
	assert_false(file_pread(-1, text, 1, 0, "closed", &err));
	assert_non_null(strstr(err.text, strerror(EBADF)));
	err_release(&err);
	unlink("small");
}

enum { REPORT = 1 << 20 };

static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGALRM};
enum { NSIGNALS = sizeof signals / sizeof *signals };

/* A process that writes reports of one letter under one name until it is ended. */
static pid_t writer(char letter)
{
	struct err err = ERR_INIT;
	pid_t pid = fork();
	char *report;

	if (pid)
		return pid;
	/* Whoever runs the tests in the background, or under nohup, has some of them ignored. */
	for (size_t i = 0; i < NSIGNALS; i++)
		signal(signals[i], SIG_DFL);
	report = malloc(REPORT);
	if (!report)
		_exit(1);
	memset(report, letter, REPORT);
	while (file_write("report", report, REPORT, &err))
		;
	_exit(1);
}

/* It was ended by the signal, and no sooner. */
static void ends(pid_t pid, int sig)
{
	int status;

	assert_int_equal(kill(pid, sig), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), sig);
}

static void is_one_report(void)
{
	struct err err = ERR_INIT;
	struct bytes bytes;

	assert_true(file_read("report", REPORT, &err, &bytes));
	assert_int_equal(bytes.len, REPORT);
	for (size_t i = 1; i < bytes.len; i++)
		if (bytes.data[i] != bytes.data[0])
			fail_msg("two reports in one file, from byte %zu", i);
	bytes_release(&bytes);
}

static void wait_for_report(void)
{
	while (access("report", F_OK) != 0)
		usleep(100);
}

static void ended_by_signals(void **state)
{
	(void)state;
	for (size_t i = 0; i < 40; i++) {
		pid_t pid = writer('x');

		wait_for_report();
		usleep((useconds_t)(i * 50));
		ends(pid, signals[i % NSIGNALS]);
		is_one_report();
		assert_int_equal(files_here(), 1);
		unlink("report");
	}
}

static void two_writers(void **state)
{
	pid_t a = writer('a'), b = writer('b');

	(void)state;
	wait_for_report();
	for (size_t i = 0; i < 100; i++)
		is_one_report();
	ends(a, SIGTERM);
	ends(b, SIGTERM);
	is_one_report();
	assert_int_equal(files_here(), 1);
	unlink("report");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(new_and_old),     cmocka_unit_test(renamed_into_place),
		cmocka_unit_test(through_links),   cmocka_unit_test(devices),
		cmocka_unit_test(impossible),      cmocka_unit_test(old_stays),
		cmocka_unit_test(standard_output), cmocka_unit_test(reading),
		cmocka_unit_test(ranges),          cmocka_unit_test(ended_by_signals),
		cmocka_unit_test(two_writers),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, enter, leave);
}
