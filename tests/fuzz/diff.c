/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two snapshots with a NUL between them: what has become of the first, and back, in every format
 * that does not draw. */
#include <string.h>

#include "diff/diff.h"
#include "fuzz.h"
#include "layout/snapshot.h"
#include "report/report.h"

static void print(const struct layout *before, const struct layout *after,
		  const struct changes *changes)
{
	const struct diff_report report = {
		.before = before,
		.after = after,
		.line = 64,
		.cpus = 4,
		.changes = changes,
	};

	for (size_t i = 0; formats[i]; i++) {
		struct report_style style = {0};
		struct buf out = BUF_INIT;

		if (formats[i]->diff && !formats[i]->draws)
			formats[i]->diff(&report, &style, &out);
		buf_release(&out);
	}
}

static size_t compare(const struct layout *before, const struct layout *after)
{
	const struct diff_options options = {.cpus = 4};
	struct changes changes;
	struct arena arena;
	size_t n = 0;

	arena_init(&arena);
	changes_init(&changes);
	if (!diff_refusal(before, after, &options, &arena)) {
		diff_run(before, after, &options, &changes);
		n = changes.n;
		print(before, after, &changes);
	}
	changes_release(&changes);
	arena_release(&arena);
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	size_t words = strnlen(text, size), rest = words < size ? size - words - 1 : 0;
	struct layout *first = NULL, *second = NULL;
	struct err err = ERR_INIT;
	bool ok = snapshot_read(text, words, "first", &err, &first);

	fuzz_answer(ok, &err);
	if (ok && rest) {
		ok = snapshot_read(text + words + 1, rest, "second", &err, &second);
		fuzz_answer(ok, &err);
		if (ok) {
			fuzz_want(compare(first, first) == 0, "what is the same has not changed");
			compare(first, second);
			compare(second, first);
		}
	}
	layout_free(second);
	layout_free(first);
	return 0;
}
