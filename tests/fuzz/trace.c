/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the plugin of a recorder leaves; the recording that is made of it is one that can be read.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "perf/perf.h"
#include "record/convert.h"

static bool count(void *arg, const struct access *access)
{
	*(uint64_t *)arg += access->n;
	return true;
}

static char *no_build_id(const char *path)
{
	(void)path;
	return NULL;
}

static void read_back(const struct converted *made)
{
	struct recording *recording = NULL;
	struct err err = ERR_INIT;
	uint64_t samples = 0;

	if (!recording_open(fuzz_file((const uint8_t *)made->perf_data.s, made->perf_data.len),
			    &err, &recording) ||
	    !recording_read(recording, NULL, NULL, count, &samples, &err))
		fuzz_want(false, err.text);
	fuzz_want(samples == made->samples, "all samples are read again");
	recording_close(recording);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const argv[] = {"layoutcheck", "record", NULL};
	const struct convert_subject subject = {
		.release = "6.1.0",
		.argv = argv,
		.memory = (uint64_t)1 << 30,
		.text = 0xffffffff81000000,
		.text_end = 0xffffffff82000000,
		.comm = "program",
		.build_id_of = no_build_id,
	};
	struct trace trace;
	struct converted made;
	struct err err = ERR_INIT;
	bool ok = trace_read(fuzz_file(data, size), &err, &trace);

	fuzz_answer(ok, &err);
	if (!ok)
		return 0;
	convert(&trace, &subject, &made);
	read_back(&made);
	converted_release(&made);
	trace_release(&trace);
	return 0;
}
