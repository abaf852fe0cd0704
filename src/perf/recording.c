/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "perf/data.h"
#include "perf/reader.h"
#include "perf/report.h"
#include "perf/script.h"

static const struct recording_reader *const readers[] = {
	&reader_perf_data,
	&reader_report,
	&reader_script,
	NULL,
};

static bool find_reader(struct recording *recording, struct err *err)
{
	const uint8_t *head;
	size_t len;

	if (!input_peek(&recording->input, PROBE_BYTES, err, &head, &len))
		return false;
	if (len == 0)
		return err_set(err, recording->input.place, "it is empty");
	for (size_t i = 0; readers[i]; i++)
		if (readers[i]->probe(head, len < PROBE_BYTES ? len : PROBE_BYTES)) {
			recording->reader = readers[i];
			recording->facts.kind = readers[i]->kind;
			return true;
		}
	return err_set(err, recording->input.place,
		       "neither a perf.data nor the text of perf script with addr and data_src or "
		       "of perf c2c report --stdio");
}

bool recording_open(const char *path, struct err *err, struct recording **ret)
{
	struct recording *recording = xcalloc(1, sizeof *recording);

	arena_init(&recording->arena);
	if (!input_open(path, err, &recording->input)) {
		arena_release(&recording->arena);
		free(recording);
		return false;
	}
	if (!find_reader(recording, err) ||
	    (recording->reader->open && !recording->reader->open(recording, err))) {
		recording_close(recording);
		return false;
	}
	*ret = recording;
	return true;
}

void recording_close(struct recording *recording)
{
	if (!recording)
		return;
	if (recording->reader && recording->reader->close)
		recording->reader->close(recording);
	input_release(&recording->input);
	arena_release(&recording->arena);
	free(recording);
}

const struct recording_facts *recording_facts(const struct recording *recording)
{
	return &recording->facts;
}

bool recording_read(struct recording *recording, const struct perf_image *image,
		    const struct perf_progress *progress, access_fn *fn, void *arg, struct err *err)
{
	struct recording_run run = {image, progress, fn, arg};

	return recording->reader->read(recording, &run, err);
}
