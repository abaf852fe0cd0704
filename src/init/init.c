/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first process of a guest of `layoutcheck record`, linked statically: it mounts what programs
 * expect, runs the programs that PLAN names one after the other, says on a serial line of its own
 * how each ended, and powers the guest off. record/initramfs.h has the plan, record/guest.h what is
 * said. The first that ends with another status than 0 is the last.
 *
 * It uses nothing of the other rooms, since it does not run beside them.
 */
#include <errno.h>
#include <fcntl.h>
#include <layoutcheck-marks.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define PLAN    "/layoutcheck/plan"
#define REPORT  "/dev/ttyS1"
#define BUSYBOX "/bin/busybox"

enum { MAX_PLAN = 1 << 20, MAX_WORDS = 4096, NOTE_BUILD_ID = 3 };

static int report_fd = -1;

static void __attribute__((format(printf, 1, 2))) report(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (report_fd >= 0)
		vdprintf(report_fd, fmt, ap);
	va_end(ap);
}

/* Without a word to the recorder it finds that the guest went away. */
static _Noreturn void power_off(void)
{
	if (report_fd >= 0)
		tcdrain(report_fd);
	sync();
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}

static _Noreturn void fail(const char *what)
{
	report("error %s: %s\n", what, strerror(errno));
	power_off();
}

/* All at once, NUL behind it; a file of /sys says no size beforehand. */
static char *read_file(const char *path, size_t *ret_len)
{
	char *text = malloc(MAX_PLAN + 1);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n = -1;

	while (text && fd >= 0 && (n = read(fd, text + len, MAX_PLAN - len)) > 0)
		len += (size_t)n;
	if (fd >= 0)
		close(fd);
	if (n < 0) {
		free(text);
		return NULL;
	}
	text[len] = '\0';
	*ret_len = len;
	return text;
}

/* The kernel's own word on which build it is: ELF notes, 4-byte words of this machine. */
static void report_build_id(void)
{
	size_t len, at = 0;
	char *notes = read_file("/sys/kernel/notes", &len);

	while (notes && len - at >= 12) {
		uint32_t head[3]; /* bytes of the name, of the contents, type */
		size_t data;

		memcpy(head, notes + at, sizeof head);
		if (head[0] > len || head[1] > len)
			break;
		data = at + sizeof head + ((head[0] + 3) & ~3U);
		if (data + head[1] > len)
			break;
		if (head[2] == NOTE_BUILD_ID && head[0] == 4 &&
		    memcmp(notes + at + sizeof head, "GNU", 4) == 0) {
			report("build-id ");
			for (size_t i = 0; i < head[1]; i++)
				report("%02x", (unsigned char)notes[data + i]);
			report("\n");
			break;
		}
		at = data + ((head[1] + 3) & ~3U);
		if (at > len)
			break;
	}
	free(notes);
}

static void mount_at(const char *type, const char *dir)
{
	if (mkdir(dir, 0755) != 0 && errno != EEXIST)
		fail(dir);
	if (mount(type, dir, type, 0, NULL) != 0 && errno != EBUSY)
		fail(dir);
}

static void prepare(void)
{
	struct termios line;

	mount_at("devtmpfs", "/dev");
	report_fd = open(REPORT, O_WRONLY | O_NOCTTY | O_CLOEXEC);
	if (report_fd >= 0 && tcgetattr(report_fd, &line) == 0) {
		cfmakeraw(&line);
		(void)tcsetattr(report_fd, TCSANOW, &line);
	}
	mount_at("proc", "/proc");
	mount_at("sysfs", "/sys");
	(void)mkdir("/tmp", 0); /* the root is memory already, and may have programs there */
	(void)chmod("/tmp", 01777);
	if (symlink("/proc/self/fd", "/dev/fd") != 0 && errno != EEXIST)
		fail("/dev/fd");
	(void)setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
	(void)setenv("HOME", "/root", 1);
	(void)setenv("LD_LIBRARY_PATH", "/layoutcheck/lib", 1);
}

/* Its wait status. Orphans that ended are taken away meanwhile. */
static int run(char *const *argv)
{
	pid_t child = fork(), pid;
	int status = 0;

	if (child < 0)
		fail("fork");
	if (child == 0) {
		(void)setsid();
		execvp(argv[0], argv);
		dprintf(STDERR_FILENO, "layoutcheck: %s: %s\n", argv[0], strerror(errno));
		_exit(errno == ENOENT ? 127 : 126);
	}
	do
		pid = wait(&status);
	while (pid != child && (pid > 0 || errno == EINTR));
	return status;
}

static void install_busybox(void)
{
	char *const argv[] = {(char[]){BUSYBOX}, (char[]){"--install"}, (char[]){"-s"},
			      (char[]){"/bin"}, NULL};

	if (access(BUSYBOX, X_OK) == 0 && run(argv) != 0)
		report("error " BUSYBOX ": cannot be installed\n");
}

/* The programs of the plan, as far as they succeed. */
static void run_all(const char *at, const char *end)
{
	int status = 0;

	while (at < end && status == 0) {
		char *argv[MAX_WORDS + 1];
		unsigned long n = strtoul(at, NULL, 10);

		at += strlen(at) + 1;
		if (!n || n > MAX_WORDS)
			break;
		for (unsigned long i = 0; i < n && at < end; i++, at += strlen(at) + 1)
			argv[i] = (char *)at;
		argv[n] = NULL;
		report("run\n");
		status = run(argv);
		if (WIFSIGNALED(status))
			report("signal %d\n", WTERMSIG(status));
		else
			report("exit %d\n", WEXITSTATUS(status));
	}
}

static char *read_plan(size_t *ret_len)
{
	char *plan = read_file(PLAN, ret_len);

	if (plan)
		return plan;
	fail(PLAN);
}

int main(void)
{
	bool marks;
	char *plan;
	size_t len;

	if (getpid() != 1) {
		fprintf(stderr, "layoutcheck-init: runs as the first process of a guest\n");
		return 2;
	}
	prepare();
	report_build_id();
	plan = read_plan(&len);
	install_busybox();
	marks = plan[0] == '1';
	if (marks)
		LAYOUTCHECK_START();
	run_all(plan + strlen(plan) + 1, plan + len);
	if (marks)
		LAYOUTCHECK_STOP();
	report("done\n");
	power_off();
}
