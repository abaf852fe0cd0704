/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Progress on a terminal: nothing for what is over at once, a line for what takes a while, and
 * nothing left of it. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/progress.h"

/* A terminal in place of standard error: its other side, and what stood there before. */
static int terminal, saved;

static int open_terminal(void **state)
{
	int slave;

	(void)state;
	terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	assert_true(terminal >= 0);
	assert_int_equal(grantpt(terminal), 0);
	assert_int_equal(unlockpt(terminal), 0);
	slave = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	assert_true(slave >= 0);
	saved = dup(STDERR_FILENO);
	assert_int_equal(dup2(slave, STDERR_FILENO), STDERR_FILENO);
	close(slave);
	return 0;
}

static int close_terminal(void **state)
{
	(void)state;
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(terminal);
	return 0;
}

/* What has reached the terminal. */
static const char *shown(void)
{
	static char text[4096];
	ssize_t n = read(terminal, text, sizeof text - 1);

	text[n > 0 ? n : 0] = '\0';
	return text;
}

static long now_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void wait_ms(long ms)
{
	const struct timespec time = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&time, NULL);
}

/* The next that reaches the terminal, however busy the machine is. */
static const char *wait_shown(void)
{
	const char *text = shown();

	for (int i = 0; !*text && i < 2000; i++) {
		wait_ms(10);
		text = shown();
	}
	return text;
}

static void test_over_at_once(void **state)
{
	(void)state;
	progress_begin(WHEN_AUTO, "reading it");
	progress_end();
	assert_string_equal(shown(), "");
}

static void test_takes_a_while(void **state)
{
	long start = now_ms();

	(void)state;
	progress_begin(WHEN_AUTO, "reading %s", "vmlinux\033[2J");
	assert_string_equal(wait_shown(), "\rlayoutcheck: reading vmlinux\\x1b[2J ...");
	assert_true(now_ms() - start >= 500);
	assert_string_equal(wait_shown(), "\rlayoutcheck: reading vmlinux\\x1b[2J ... 1 s");
	assert_true(now_ms() - start >= 1500);
	progress_end();
	assert_string_equal(wait_shown(), "\r\033[K");
}

static void test_percent(void **state)
{
	(void)state;
	progress_begin(WHEN_AUTO, "reading it");
	progress_tell(3, 0);
	assert_string_equal(wait_shown(), "\rlayoutcheck: reading it ...");
	progress_tell(371, 1000);
	assert_string_equal(wait_shown(), "\rlayoutcheck: reading it ... 37 %, 1 s");
	progress_tell(UINT64_MAX / 4 * 3, UINT64_MAX);
	assert_string_equal(wait_shown(), "\rlayoutcheck: reading it ... 75 %, 2 s");
	progress_tell(7, 7);
	progress_end();
	assert_string_equal(wait_shown(), "\r\033[K");
	progress_begin(WHEN_AUTO, "another");
	assert_string_equal(wait_shown(), "\rlayoutcheck: another ...");
	progress_end();
}

static void test_always_and_never(void **state)
{
	(void)state;
	progress_begin(WHEN_ALWAYS, "reading it");
	assert_string_equal(shown(), "layoutcheck: reading it\r\n");
	progress_end();
	assert_string_equal(shown(), "");
	progress_begin(WHEN_NEVER, "reading it");
	wait_ms(700);
	progress_end();
	assert_string_equal(shown(), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_over_at_once, open_terminal, close_terminal),
		cmocka_unit_test_setup_teardown(test_takes_a_while, open_terminal, close_terminal),
		cmocka_unit_test_setup_teardown(test_percent, open_terminal, close_terminal),
		cmocka_unit_test_setup_teardown(test_always_and_never, open_terminal,
						close_terminal),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
