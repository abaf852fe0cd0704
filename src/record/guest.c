/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/guest.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "record/workdir.h"

/* ---- starting it ---------------------------------------------------------------------------- */

enum { READ, WRITE };

struct child {
	pid_t pid;
	int output, errors; /* to read from; -1: closed, or not ours */
};

/* What the child does until it is another program; errno goes back through @failed. */
static _Noreturn void become(const struct guest_run *run, pid_t parent, const int output[2],
			     const int errors[2], int failed)
{
	bool own_input = run->is_program && !isatty(STDIN_FILENO);
	int null = own_input ? -1 : open("/dev/null", O_RDONLY);
	int code;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* it went away before it could be told of */
		_exit(1);
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	if (!run->is_program)
		dup2(output[WRITE], STDOUT_FILENO);
	dup2(errors[WRITE], STDERR_FILENO);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	execvp(run->argv[0], (char *const *)run->argv);
	code = errno;
	(void)!write(failed, &code, sizeof code);
	_exit(1);
}

static void close_pair(int pair[2])
{
	for (int i = READ; i <= WRITE; i++)
		if (pair[i] >= 0)
			close(pair[i]);
}

/* The pipe to read errno of exec from is closed by exec itself. */
static int exec_error(int failed[2])
{
	int code = 0;
	ssize_t n;

	close(failed[WRITE]);
	failed[WRITE] = -1;
	do
		n = read(failed[READ], &code, sizeof code);
	while (n < 0 && errno == EINTR);
	return n == sizeof code ? code : 0;
}

static bool start(const struct guest_run *run, struct err *err, struct child *ret)
{
	int output[2] = {-1, -1}, errors[2] = {-1, -1}, failed[2] = {-1, -1};
	pid_t parent = getpid();
	int code = 0;

	if (pipe2(output, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0 ||
	    pipe2(failed, O_CLOEXEC) != 0 || (ret->pid = fork()) < 0) {
		err_set_errno(err, run->argv[0], "cannot be started");
		close_pair(output);
		close_pair(errors);
		close_pair(failed);
		return false;
	}
	if (ret->pid == 0)
		become(run, parent, output, errors, failed[WRITE]);
	setpgid(ret->pid, ret->pid); /* both do, since neither knows who is first */
	code = exec_error(failed);
	close_pair(failed);
	ret->output = output[READ];
	ret->errors = errors[READ];
	close(output[WRITE]);
	close(errors[WRITE]);
	if (!code)
		return true;
	close(ret->output);
	close(ret->errors);
	waitpid(ret->pid, NULL, 0);
	errno = code;
	return err_set_errno(err, run->argv[0], "cannot be started");
}

/* ---- until it ends -------------------------------------------------------------------------- */

enum { KEPT = 64 * 1024, TICK_MS = 50, MS = 1000, NS = 1000000 };

static void keep(struct buf *text, const char *data, size_t len)
{
	buf_add(text, data, len);
	if (text->len > (size_t)2 * KEPT) {
		memmove(text->s, text->s + text->len - KEPT, KEPT + 1);
		text->len = KEPT;
	}
}

static void say(const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(STDERR_FILENO, data, len);

		if (n < 0 && errno != EINTR)
			return; /* nowhere to complain */
		if (n > 0) {
			data += n;
			len -= (size_t)n;
		}
	}
}

static void drain(int *fd, bool show, struct buf *text)
{
	char chunk[16 * 1024];
	ssize_t n = read(*fd, chunk, sizeof chunk);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		close(*fd);
		*fd = -1;
		return;
	}
	if (show)
		say(chunk, (size_t)n);
	keep(text, chunk, (size_t)n);
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * MS + t.tv_nsec / NS;
}

static void wait_for_output(const struct guest_run *run, struct child *child,
			    struct guest_result *ret)
{
	struct pollfd fds[] = {{.fd = child->output, .events = POLLIN},
			       {.fd = child->errors, .events = POLLIN}};

	if (poll(fds, ARRAY_SIZE(fds), TICK_MS) <= 0)
		return;
	if (fds[0].revents)
		drain(&child->output, run->verbose, &ret->output);
	if (fds[1].revents)
		drain(&child->errors, run->is_program || run->verbose, &ret->errors);
}

/* What is in the pipes when it has ended: as much as they hold, since a process that it left behind
 * could keep them open. */
static void drain_rest(const struct guest_run *run, struct child *child, struct guest_result *ret)
{
	int *const fds[] = {&child->output, &child->errors};

	for (size_t i = 0; i < ARRAY_SIZE(fds); i++) {
		if (*fds[i] < 0)
			continue;
		fcntl(*fds[i], F_SETFL, O_NONBLOCK);
		for (int turn = 0; turn < KEPT && *fds[i] >= 0; turn++) {
			struct pollfd more = {.fd = *fds[i], .events = POLLIN};

			if (poll(&more, 1, 0) <= 0)
				break;
			drain(fds[i], run->verbose || (i == 1 && run->is_program),
			      i ? &ret->errors : &ret->output);
		}
		if (*fds[i] >= 0)
			close(*fds[i]);
	}
}

static bool has_ended(struct child *child, int *ret_status)
{
	return waitpid(child->pid, ret_status, WNOHANG) == child->pid;
}

/* Asked first, since a script has to tidy up; then made to. */
static void end_group(struct child *child, int *ret_status)
{
	enum { TURNS = 50, TURN_NS = 10 * NS };
	bool ended = false;

	kill(-child->pid, SIGTERM);
	for (int turn = 0; turn < TURNS && !ended; turn++) {
		ended = has_ended(child, ret_status);
		if (!ended)
			nanosleep(&(struct timespec){.tv_nsec = TURN_NS}, NULL);
	}
	kill(-child->pid, SIGKILL);
	while (!ended && waitpid(child->pid, ret_status, 0) < 0 && errno == EINTR)
		;
}

static enum guest_end follow(const struct guest_run *run, struct child *child,
			     struct guest_result *ret)
{
	int64_t end = now_ms() + (int64_t)run->seconds * MS, next = 0;

	while (!has_ended(child, &ret->wait_status)) {
		enum guest_end why = GUEST_ENDED;
		int64_t now = now_ms();

		if (run->seconds && now >= end)
			why = GUEST_TIMEOUT;
		else if (workdir_signal() || (now >= next && run->tick && !run->tick(run->arg)))
			why = GUEST_STOPPED;
		if (why != GUEST_ENDED) {
			end_group(child, &ret->wait_status);
			return why;
		}
		if (now >= next)
			next = now + TICK_MS;
		wait_for_output(run, child, ret);
	}
	kill(-child->pid, SIGKILL); /* what it left behind */
	return GUEST_ENDED;
}

bool guest_run(const struct guest_run *run, struct err *err, struct guest_result *ret)
{
	struct child child;

	*ret = (struct guest_result){.output = BUF_INIT, .errors = BUF_INIT};
	if (!start(run, err, &child))
		return false;
	ret->end = follow(run, &child, ret);
	drain_rest(run, &child, ret);
	return true;
}

void guest_result_release(struct guest_result *result)
{
	buf_release(&result->output);
	buf_release(&result->errors);
}

/* ---- what it said --------------------------------------------------------------------------- */

/* The text up to the end of the line, without control bytes. */
static char *line_text(const char *s, size_t len)
{
	struct buf line = BUF_INIT;

	for (size_t i = 0; i < len && s[i] != '\n'; i++)
		if ((unsigned char)s[i] >= ' ' && s[i] != 0x7f)
			buf_addc(&line, s[i]);
	return buf_detach(&line);
}

char *guest_panic(const struct guest_result *result)
{
	static const char words[] = "Kernel panic - not syncing: ";
	const struct buf *text = &result->output;
	const char *at = memmem(text->s, text->len, words, sizeof words - 1);

	if (!at)
		return NULL;
	at += sizeof words - 1;
	return line_text(at, (size_t)(text->s + text->len - at));
}

char *guest_last_line(const struct buf *text)
{
	size_t end = text->len, begin;

	for (;;) {
		char *line;

		while (end && text->s[end - 1] == '\n')
			end--;
		for (begin = end; begin && text->s[begin - 1] != '\n'; begin--)
			;
		line = line_text(text->s + begin, end - begin);
		if (line[strspn(line, " ")] || !begin)
			return line;
		free(line);
		end = begin;
	}
}

static int small_number(const char *s)
{
	uint64_t value;

	return text_to_u64(s, &value) && value < 256 ? (int)value : 255;
}

static void copy_text(char ret[GUEST_TEXT], const char *text)
{
	size_t len = strnlen(text, GUEST_TEXT - 1);

	memcpy(ret, text, len);
	ret[len] = '\0';
}

static void parse_line(const char *line, struct guest_status *ret)
{
	if (text_starts_with(line, "build-id ")) {
		copy_text(ret->build_id, line + strlen("build-id "));
	} else if (strcmp(line, "run") == 0) {
		ret->started++;
	} else if (text_starts_with(line, "exit ")) {
		ret->ended++;
		ret->signal = 0;
		ret->exit = small_number(line + strlen("exit "));
	} else if (text_starts_with(line, "signal ")) {
		ret->ended++;
		ret->exit = -1;
		ret->signal = small_number(line + strlen("signal "));
	} else if (strcmp(line, "done") == 0) {
		ret->done = true;
	} else if (text_starts_with(line, "error ")) {
		copy_text(ret->error, line + strlen("error "));
	}
}

void guest_status_parse(const char *text, size_t len, struct guest_status *ret)
{
	const char *end;

	*ret = (struct guest_status){0};
	for (; (end = memchr(text, '\n', len)); len -= (size_t)(end + 1 - text), text = end + 1) {
		char *line = line_text(text, (size_t)(end - text));

		parse_line(line, ret);
		free(line);
	}
}
