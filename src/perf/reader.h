/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside of perf/: what a reader of one kind of recording is. The table of them is in recording.c;
 * they are tried in its order, and the first whose probe() says yes has the recording.
 */
#ifndef PERF_READER_H
#define PERF_READER_H

#include "base/mem.h"
#include "perf/input.h"
#include "perf/perf.h"

enum { PROBE_BYTES = 1 << 16 };

struct recording_reader;

struct recording {
	const struct recording_reader *reader;
	struct input input; /* at its first byte when open() is called */
	struct arena arena; /* of the facts' strings, and of what a reader keeps to the end */
	struct recording_facts facts;
	void *state; /* the reader's own; NULL until it sets it */
};

/* What recording_read() was called with. */
struct recording_run {
	const struct perf_image *image; /* NULL: no address is translated */
	const struct perf_progress *progress;
	access_fn *fn;
	void *arg;
};

struct recording_reader {
	enum recording_kind kind;
	/* Do these first bytes, at most PROBE_BYTES, look like it? Never reads on. */
	bool (*probe)(const uint8_t *head, size_t len);
	/* Reads the headers, if there are any, and fills the facts that are known without
	 * samples. NULL: there is nothing to do. */
	bool (*open)(struct recording *recording, struct err *err);
	bool (*read)(struct recording *recording, const struct recording_run *run, struct err *err);
	/* Frees the state; called after a failed open() too. NULL: there is nothing to do. */
	void (*close)(struct recording *recording);
};

#endif
