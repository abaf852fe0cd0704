/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a guest is made of and how it is run, without one: archives, programs, kernels, emulators.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/scratch.h"
#include "record/guest.h"
#include "record/initramfs.h"
#include "record/kernel.h"
#include "record/libraries.h"
#include "record/machine.h"
#include "record/tree.h"
#include "record/workdir.h"

static struct err err;

static void fails_with(const char *words)
{
	assert_non_null(err.text);
	if (!strstr(err.text, words))
		fail_msg("`%s` lacks `%s`", err.text, words);
	err_release(&err);
}

/* ---- archives ------------------------------------------------------------------------------- */

/* Busybox or perl would do; this reads what the format's document says. */
static const char *find_entry(const struct buf *archive, const char *name, unsigned *ret_mode,
			      unsigned *ret_len)
{
	enum {
		HEAD = 110,
		FIELD = 8,
		MODE = 6 + FIELD,
		SIZE = 6 + 6 * FIELD,
		NAME = 6 + 11 * FIELD
	};
	size_t at = 0;

	while (at + HEAD <= archive->len) {
		const char *head = archive->s + at;
		char digits[FIELD + 1] = "";
		unsigned numbers[3];
		const int places[3] = {MODE, SIZE, NAME};

		assert_memory_equal(head, "070701", 6);
		for (int i = 0; i < 3; i++) {
			memcpy(digits, head + places[i], FIELD);
			numbers[i] = (unsigned)strtoul(digits, NULL, 16);
		}
		assert_int_equal(head[HEAD + numbers[2] - 1], '\0');
		at = (at + HEAD + numbers[2] + 3) / 4 * 4;
		*ret_mode = numbers[0];
		*ret_len = numbers[1];
		if (strcmp(head + HEAD, name) == 0)
			return archive->s + at;
		at = (at + numbers[1] + 3) / 4 * 4;
	}
	assert_int_equal(at, archive->len);
	return NULL;
}

static void archives(void **state)
{
	struct initramfs fs;
	unsigned mode, len;
	const char *data;

	(void)state;
	initramfs_init(&fs);
	initramfs_add_bytes(&fs, "/a/b/file", 0640, "hello", 5);
	initramfs_add_link(&fs, "/a/link", "b/file");
	initramfs_add_device(&fs, "/dev/console", 0600, 5, 1);
	assert_true(initramfs_has(&fs, "/a/b"));
	assert_false(initramfs_has(&fs, "/a/c"));
	initramfs_finish(&fs);

	data = find_entry(&fs.out, "a/b/file", &mode, &len);
	assert_non_null(data);
	assert_int_equal(mode, S_IFREG | 0640);
	assert_int_equal(len, 5);
	assert_memory_equal(data, "hello", 5);
	assert_non_null(find_entry(&fs.out, "a/b", &mode, &len));
	assert_int_equal(mode, S_IFDIR | 0755);
	data = find_entry(&fs.out, "a/link", &mode, &len);
	assert_memory_equal(data, "b/file", len);
	assert_int_equal(mode, S_IFLNK | 0777);
	assert_non_null(find_entry(&fs.out, "dev/console", &mode, &len));
	assert_int_equal(mode, S_IFCHR | 0600);
	assert_non_null(find_entry(&fs.out, "TRAILER!!!", &mode, &len));
	assert_null(find_entry(&fs.out, "nothing", &mode, &len));
	initramfs_release(&fs);
}

static void trees(void **state)
{
	const char *const words[] = {scratch_path("dynamic"), "one", ""};
	const struct workload workload = {words, 3};
	struct tree_options options = {
		.init = "/bin/true", .workloads = &workload, .nworkloads = 1, .marks = true};
	struct buf out = BUF_INIT, place = BUF_INIT;
	unsigned mode, len;
	const char *data;

	(void)state;
	assert_true(tree_make(&options, &err, &out));
	buf_addf(&place, "1%c3%c%s%cone%c%c", 0, 0, words[0], 0, 0, 0);
	data = find_entry(&out, "layoutcheck/plan", &mode, &len);
	assert_non_null(data);
	assert_int_equal(len, place.len);
	assert_memory_equal(data, place.s, len);
	assert_non_null(find_entry(&out, "layoutcheck/lib/libmine.so", &mode, &len));
	assert_non_null(find_entry(&out, "layoutcheck/lib/libc.so.6", &mode, &len));
	assert_non_null(find_entry(&out, "lib64/ld-linux-x86-64.so.2", &mode, &len));
	assert_non_null(find_entry(&out, words[0] + 1, &mode, &len));
	assert_int_equal(mode & 0111, 0111);
	buf_release(&out);
	buf_release(&place);

	options.base = scratch_path("base");
	scratch_write("base", "12345");
	assert_true(tree_make(&options, &err, &out));
	assert_memory_equal(out.s,
			    "12345\0\0\0"
			    "070701",
			    14);
	buf_release(&out);
}

/* ---- programs ------------------------------------------------------------------------------- */

static void programs(void **state)
{
	struct program program;
	struct arena arena = {0};

	(void)state;
	assert_true(program_read(scratch_path("static"), &arena, &err, &program));
	assert_int_equal(program.kind, PROGRAM_STATIC);
	assert_int_equal(program.n, 0);

	assert_true(program_read(scratch_path("dynamic"), &arena, &err, &program));
	assert_int_equal(program.kind, PROGRAM_DYNAMIC);
	assert_string_equal(program.interpreter, "/lib64/ld-linux-x86-64.so.2");
	assert_int_equal(program.n, 3);
	assert_string_equal(program.libraries[0].name, "libmine.so");
	assert_string_equal(program.libraries[1].name, "libc.so.6");
	assert_string_equal(program.libraries[2].name, "ld-linux-x86-64.so.2");

	assert_false(program_read(scratch_path("lost"), &arena, &err, &program));
	fails_with("lost: needs libmine.so, which is not found");

	scratch_write("script", "#! /usr/bin/env sh\necho\n");
	assert_true(program_read(scratch_path("script"), &arena, &err, &program));
	assert_int_equal(program.kind, PROGRAM_SCRIPT);
	assert_string_equal(program.interpreter, "/usr/bin/env");

	scratch_write("text", "echo\n");
	assert_false(program_read(scratch_path("text"), &arena, &err, &program));
	fails_with("text: neither a program of x86-64 nor a script");
	arena_release(&arena);
}

/* Every prefix of a program, and each of its first bytes changed: an answer or an error. */
static void hostile_programs(void **state)
{
	enum { HEADS = 1024, STEP = 97 };
	struct bytes whole = scratch_read("small");
	const char *path = scratch_path("prefix");
	unsigned refused = 0;

	(void)state;
	for (size_t len = 0; len < whole.len; len += len < HEADS ? 7 : STEP) {
		struct arena arena = {0};
		struct program program;
		FILE *file = fopen(path, "wb");

		assert_non_null(file);
		assert_int_equal(fwrite(whole.data, 1, len, file), len);
		assert_int_equal(fclose(file), 0);
		refused += !program_read(path, &arena, &err, &program);
		err_release(&err);
		arena_release(&arena);
	}
	assert_true(refused > 10);
	for (size_t at = 0; at < HEADS; at += 3) {
		struct arena arena = {0};
		struct program program;
		FILE *file = fopen(path, "wb");

		whole.data[at] ^= 0xff;
		assert_non_null(file);
		assert_int_equal(fwrite(whole.data, 1, whole.len, file), whole.len);
		assert_int_equal(fclose(file), 0);
		whole.data[at] ^= 0xff;
		if (!program_read(path, &arena, &err, &program))
			assert_non_null(err.text);
		err_release(&err);
		arena_release(&arena);
	}
	bytes_release(&whole);
}

/* ---- kernels -------------------------------------------------------------------------------- */

static void version_lines(void **state)
{
	static const char line[] = "6.1.0-57-cloud-amd64 (a@b) #1 SMP Debian 6.1.192-3";
	struct arena arena = {0};
	char image[0x400] = {0};
	const char *found;
	FILE *file;

	(void)state;
	memcpy(image + 0x202, "HdrS", 4);
	image[0x20e] = 0x10;
	memcpy(image + 0x210, line, sizeof line);
	for (size_t len = 0; len <= sizeof image; len += 16) {
		file = fopen(scratch_path("bzImage"), "wb");
		assert_non_null(file);
		assert_int_equal(fwrite(image, 1, len, file), len);
		assert_int_equal(fclose(file), 0);
		if (len >= 0x210 + sizeof line) {
			assert_true(
				kernel_version_line(scratch_path("bzImage"), &arena, &err, &found));
			assert_string_equal(found, line);
		} else {
			assert_false(
				kernel_version_line(scratch_path("bzImage"), &arena, &err, &found));
			fails_with("no bzImage of x86");
		}
	}
	assert_string_equal(kernel_release(line, &arena), "6.1.0-57-cloud-amd64");
	arena_release(&arena);
}

static void builds(void **state)
{
	static const char line[] = "6.1.0-57 (a@b) #1 SMP Debian 6.1.192-3";
	static const struct {
		const char *banner;
		bool same;
	} cases[] = {
		{"Linux version 6.1.0-57 (a@b) (gcc) #1 SMP Debian 6.1.192-3\n", true},
		{"Linux version 6.1.0-57 (a@b) (gcc (D 1) 12, GNU ld) # SMP Debian 6.1.192-3",
		 true},
		{"Linux version 6.1.0-56 (a@b) (gcc) #1 SMP Debian 6.1.192-3\n", false},
		{"Linux version 6.1.0-57 (a@c) (gcc) #1 SMP Debian 6.1.192-3\n", false},
		{"Linux version 6.1.0-57 (a@b) (gcc) #1 SMP Debian 6.1.192-4\n", false},
		{"Linux version 6.1.0-57 (a@b) (gcc) #1 SMP Debian 6.1.192-33\n", false},
		{"Linux version 6.1.0-57 (a@b)", false},
		{"", false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (kernel_is_same_build(line, cases[i].banner) != cases[i].same)
			fail_msg("`%s`", cases[i].banner);
}

/* ---- machines ------------------------------------------------------------------------------- */

static bool has_word(const char *const *argv, const char *word)
{
	for (; *argv; argv++)
		if (strcmp(*argv, word) == 0)
			return true;
	return false;
}

static void machines(void **state)
{
	struct arena arena = {0};
	struct machine machine = {.qemu = "qemu",
				  .kernel = "k",
				  .initramfs = "i",
				  .status = "/a,b/status",
				  .cpus = 4,
				  .memory = 512,
				  .plugin = {.path = "p.so",
					     .trace = "/a,b/trace",
					     .ram = "/r",
					     .line = 64,
					     .quantum = 40,
					     .marks = true,
					     .from = 0x1000}};
	const char *const words[] = {"prog", "-x"};
	const struct workload program = {words, 2};

	(void)state;
	assert_true(has_word(machine_argv(&machine, &arena), "4"));
	assert_true(has_word(machine_argv(&machine, &arena), "file,id=status,path=/a,,b/status"));
	assert_true(has_word(machine_argv(&machine, &arena),
			     "file=p.so,out=/a,,b/trace,ram=/r,line=64,quantum=40,marks=1,user=0,"
			     "from=0x1000"));
	assert_true(has_word(machine_user_argv(&machine, &program, &arena), "-x"));
	arena_release(&arena);
}

/* ---- emulators ------------------------------------------------------------------------------ */

static bool run_shell(const char *script, struct guest_run run, struct guest_result *ret)
{
	const char *const argv[] = {"sh", "-c", script, NULL};

	run.argv = argv;
	return guest_run(&run, &err, ret);
}

static void runs(void **state)
{
	struct guest_result result;
	char *line;

	(void)state;
	assert_true(run_shell("echo out; echo err >&2; exit 3", (struct guest_run){0}, &result));
	assert_int_equal(result.end, GUEST_ENDED);
	assert_int_equal(WEXITSTATUS(result.wait_status), 3);
	assert_string_equal(result.output.s, "out\n");
	assert_string_equal(result.errors.s, "err\n");
	guest_result_release(&result);

	assert_true(
		run_shell("echo '[ 1.0] Kernel panic - not syncing: no \033[1minit'; echo; echo x",
			  (struct guest_run){0}, &result));
	line = guest_panic(&result);
	assert_string_equal(line, "no [1minit");
	free(line);
	line = guest_last_line(&result.output);
	assert_string_equal(line, "x");
	free(line);
	guest_result_release(&result);

	assert_false(guest_run(&(struct guest_run){.argv = (const char *const[]){"/nothing", NULL}},
			       &err, &result));
	fails_with("/nothing: cannot be started: No such file");
}

/* What wrote its number into the file is not there any more. */
static void is_gone(const char *name)
{
	struct bytes text = scratch_read(name);
	long pid = strtol(text.data, NULL, 10);

	assert_true(pid > 1);
	for (int i = 0; i < 200 && kill((pid_t)pid, 0) == 0; i++)
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	assert_int_not_equal(kill((pid_t)pid, 0), 0);
	bytes_release(&text);
}

static void ends_in_time(void **state)
{
	struct guest_result result;
	struct buf script = BUF_INIT;

	(void)state;
	buf_addf(&script, "trap '' TERM; sleep 60 & echo $! >%s; wait; wait", scratch_path("pid"));
	assert_true(run_shell(script.s, (struct guest_run){.seconds = 1}, &result));
	assert_int_equal(result.end, GUEST_TIMEOUT);
	guest_result_release(&result);
	is_gone("pid");
	buf_release(&script);
}

static bool enough(void *arg)
{
	return --*(int *)arg > 0;
}

static void ends_when_told(void **state)
{
	struct guest_result result;
	int turns = 3;

	(void)state;
	assert_true(run_shell("exec sleep 60", (struct guest_run){.tick = enough, .arg = &turns},
			      &result));
	assert_int_equal(result.end, GUEST_STOPPED);
	assert_int_equal(turns, 0);
	guest_result_release(&result);
}

static void leaves_nothing_behind(void **state)
{
	struct guest_result result;
	struct buf script = BUF_INIT;

	(void)state;
	buf_addf(&script, "sleep 60 & echo $! >%s", scratch_path("pid"));
	assert_true(run_shell(script.s, (struct guest_run){0}, &result));
	assert_int_equal(result.end, GUEST_ENDED);
	guest_result_release(&result);
	is_gone("pid");
	buf_release(&script);
}

static bool interrupt(void *arg)
{
	(void)arg;
	raise(SIGINT);
	return true;
}

static volatile sig_atomic_t interrupted;

static void note(int number)
{
	interrupted = number;
}

static void signals(void **state)
{
	struct sigaction action = {.sa_handler = note}, old;
	struct workdir dir = {0};
	struct guest_result result;
	char *file;

	(void)state;
	sigaction(SIGINT, &action, &old);
	assert_true(workdir_begin(&err, &dir));
	file = xstrdup(dir.dir);
	assert_int_equal(access(file, R_OK), 0);
	assert_true(run_shell("exec sleep 60", (struct guest_run){.tick = interrupt}, &result));
	assert_int_equal(result.end, GUEST_STOPPED);
	guest_result_release(&result);
	assert_int_equal(workdir_signal(), SIGINT);
	assert_int_equal(interrupted, 0);
	workdir_end(&dir);
	assert_int_equal(interrupted, SIGINT);
	assert_int_not_equal(access(file, R_OK), 0);
	sigaction(SIGINT, &old, NULL);
	free(file);
}

static void statuses(void **state)
{
	static const char said[] = "build-id 01d2\nrun\nexit 0\nrun\nsignal 11\ndone\nexit";
	struct guest_status status;

	(void)state;
	for (size_t len = 0; len < sizeof said; len++)
		guest_status_parse(said, len, &status);
	guest_status_parse(said, sizeof said - 1, &status);
	assert_string_equal(status.build_id, "01d2");
	assert_int_equal(status.started, 2);
	assert_int_equal(status.ended, 2);
	assert_int_equal(status.signal, 11);
	assert_true(status.done);
	guest_status_parse(said, strlen("build-id 01d2\nrun\nexit 0"), &status);
	assert_int_equal(status.ended, 0);
}

static int compile(void **state)
{
	if (scratch_make(state) != 0)
		return -1;
	scratch_write("mine.c", "int mine(void) { return 0; }\n");
	scratch_write("main.c", "int mine(void);\nint main(void) { return mine(); }\n");
	scratch_run("mkdir sub && gcc -shared -fPIC -o sub/libmine.so mine.c");
	scratch_run("gcc -o dynamic main.c -Lsub -lmine '-Wl,-rpath,$ORIGIN/sub'");
	scratch_run("gcc -o lost main.c -Lsub -lmine");
	scratch_run("gcc -static -o static main.c mine.c");
	scratch_run("gcc -s -o small main.c mine.c");
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(archives),      cmocka_unit_test(trees),
		cmocka_unit_test(programs),      cmocka_unit_test(hostile_programs),
		cmocka_unit_test(version_lines), cmocka_unit_test(builds),
		cmocka_unit_test(machines),      cmocka_unit_test(runs),
		cmocka_unit_test(ends_in_time),  cmocka_unit_test(ends_when_told),
		cmocka_unit_test(signals),       cmocka_unit_test(leaves_nothing_behind),
		cmocka_unit_test(statuses),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, compile, scratch_remove);
}
