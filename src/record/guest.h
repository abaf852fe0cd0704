/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs an emulator to its end, or to ours: in a process group of its own that is ended whole when
 * the time is over, when a signal came (record/workdir.h) or when the caller has had enough; it
 * does not outlive the recorder even when that is killed. Nothing of it is left when guest_run()
 * returns.
 *
 * What the first process of a guest (src/init) says, lines on the second serial port:
 *
 *	build-id HEX    of the kernel that runs
 *	run             a program was started
 *	exit N          it ended so
 *	signal N        or so
 *	done            all that was to be run has been; the guest powers itself off
 *	error TEXT      it could not go on
 */
#ifndef RECORD_GUEST_H
#define RECORD_GUEST_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct guest_run {
	const char *const *argv; /* up to a NULL; argv[0] is looked for in PATH */
	unsigned seconds;        /* to run at most; 0: as long as it takes */
	/* Its output and errors go to ours, and it has our standard input unless that is a
	 * terminal. Else its output is the guest's console: kept, and shown on standard error if
	 * `verbose`. */
	bool is_program;
	bool verbose;
	/* Called about 20 times a second; false ends the run. Or NULL. */
	bool (*tick)(void *arg);
	void *arg;
};

enum guest_end {
	GUEST_ENDED,   /* by itself */
	GUEST_TIMEOUT, /* killed: the time was over */
	GUEST_STOPPED, /* killed: `tick` had enough, or a signal came */
};

struct guest_result {
	enum guest_end end;
	int wait_status;           /* as waitpid() gives it */
	struct buf output, errors; /* the last of what it wrote, 64 KiB or more */
};

/* False: it could not be started. */
MUST_CHECK bool guest_run(const struct guest_run *run, struct err *err, struct guest_result *ret);
void guest_result_release(struct guest_result *result);

/* What the kernel said when it panicked ("Attempted to kill init! ..."), malloc'd; NULL: it did
 * not. */
char *guest_panic(const struct guest_result *result);

/* The last line that has something in it, without control bytes, malloc'd; "" when there is none.
 */
char *guest_last_line(const struct buf *text);

enum { GUEST_TEXT = 256 };

struct guest_status {
	char build_id[GUEST_TEXT]; /* in hexadecimal; empty: not said */
	unsigned started, ended;   /* programs */
	bool done;
	int exit;   /* of the last that ended; -1 when a signal ended it */
	int signal; /* 0: none did */
	char error[GUEST_TEXT];
};

/* What was said until now in @len bytes of @text; half a line at the end is left. */
void guest_status_parse(const char *text, size_t len, struct guest_status *ret);

#endif
