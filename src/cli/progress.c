/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/progress.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "base/escape.h"

enum { PATIENCE_MS = 500, REDRAW_MS = 1000 };

/* The thread that waits and draws; it lives from progress_begin() to progress_end(). */
static struct {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool runs, over;
	struct buf text;  /* escaped */
	atomic_uint told; /* percent and one more; 0: it was not told */
} ticker = {.lock = PTHREAD_MUTEX_INITIALIZER, .text = BUF_INIT};

static void draw(unsigned seconds)
{
	struct buf line = BUF_INIT;
	unsigned told = atomic_load(&ticker.told);

	buf_addf(&line, "\r%s ...", ticker.text.s);
	if (told)
		buf_addf(&line, " %u %%%s", told - 1, seconds ? "," : "");
	if (seconds)
		buf_addf(&line, " %u s", seconds);
	say_lines(&line);
	buf_release(&line);
}

static void wipe(void)
{
	static const char erase_line[] = "\r\033[K";
	struct buf line = BUF_INIT;

	buf_adds(&line, erase_line);
	say_lines(&line);
	buf_release(&line);
}

static void add_ms(struct timespec *time, long ms)
{
	time->tv_nsec += ms % 1000 * 1000000;
	time->tv_sec += ms / 1000 + time->tv_nsec / 1000000000;
	time->tv_nsec %= 1000000000;
}

static void *tick(void *unused)
{
	struct timespec next;
	unsigned ms = PATIENCE_MS;
	bool drawn = false;

	(void)unused;
	clock_gettime(CLOCK_MONOTONIC, &next);
	add_ms(&next, PATIENCE_MS);
	pthread_mutex_lock(&ticker.lock);
	while (!ticker.over) {
		if (pthread_cond_timedwait(&ticker.wake, &ticker.lock, &next) == 0)
			continue;
		draw(ms / 1000);
		drawn = true;
		ms += REDRAW_MS;
		add_ms(&next, REDRAW_MS);
	}
	pthread_mutex_unlock(&ticker.lock);
	if (drawn)
		wipe();
	return NULL;
}

static void start_ticker(void)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&ticker.wake, &attr);
	pthread_condattr_destroy(&attr);
	ticker.over = false;
	ticker.runs = pthread_create(&ticker.thread, NULL, tick, NULL) == 0;
	if (!ticker.runs)
		pthread_cond_destroy(&ticker.wake);
}

void progress_begin(enum when when, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	if (when == WHEN_NEVER || (when == WHEN_AUTO && !isatty(STDERR_FILENO)))
		return;
	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	buf_adds(&ticker.text, "layoutcheck: ");
	escape_text(&ticker.text, text.s);
	buf_release(&text);
	atomic_store(&ticker.told, 0);
	if (when == WHEN_AUTO) {
		start_ticker();
		return;
	}
	buf_addc(&ticker.text, '\n');
	say_lines(&ticker.text);
}

void progress_tell(uint64_t done, uint64_t all)
{
	enum { ALL = 100 };
	uint64_t percent = ALL;

	if (!all)
		return;
	if (done < all)
		percent = done < UINT64_MAX / ALL ? done * ALL / all : done / (all / ALL);
	atomic_store(&ticker.told, (unsigned)percent + 1);
}

void progress_end(void)
{
	if (ticker.runs) {
		pthread_mutex_lock(&ticker.lock);
		ticker.over = true;
		pthread_cond_signal(&ticker.wake);
		pthread_mutex_unlock(&ticker.lock);
		pthread_join(ticker.thread, NULL);
		pthread_cond_destroy(&ticker.wake);
		ticker.runs = false;
	}
	buf_release(&ticker.text);
}
