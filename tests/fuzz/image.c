/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ELF with DWARF or BTF, raw BTF, snapshots: told apart by content, as commands do. */
#include <string.h>

#include "cli/source.h"
#include "cli/types.h"
#include "cli/views.h"
#include "fuzz.h"
#include "layout/snapshot.h"
#include "rule/pack.h"

/* What was read can be kept, and read again as the same. */
static void keep(const struct layout *layout)
{
	static const struct snapshot_options options = {.stamp = false};
	struct buf first = BUF_INIT, second = BUF_INIT;
	struct layout *again = NULL;
	struct err err = ERR_INIT;

	snapshot_write(layout, &want_all, &options, &first);
	if (first.len <= SNAPSHOT_MAX) {
		if (!snapshot_read(first.s, first.len, "snapshot", &err, &again))
			fuzz_want(false, err.text);
		snapshot_write(again, &want_all, &options, &second);
		fuzz_want(first.len == second.len && memcmp(first.s, second.s, first.len) == 0,
			  "a snapshot of a snapshot is the same");
		layout_free(again);
	}
	buf_release(&first);
	buf_release(&second);
}

/* Draws them all, in every format that can. */
static void draw(const struct layout *layout)
{
	static const struct packs none;
	struct arena arena;
	struct view *views;
	struct show_report report = {.layout = layout, .line = 64, .n = layout->ndefs};

	arena_init(&arena);
	views = arena_array(&arena, layout->ndefs, sizeof *views);
	for (size_t i = 0; i < layout->ndefs; i++)
		views_make(&layout->defs[i], layout, &none, report.line, &arena, &views[i]);
	report.views = views;
	for (size_t i = 0; formats[i]; i++) {
		struct report_style style = {0};
		struct buf out = BUF_INIT;

		if (formats[i]->show)
			formats[i]->show(&report, 1, &style, &out);
		buf_release(&out);
	}
	arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct common common = {.progress = WHEN_NEVER, .quiet = true, .debug_dir = "/"};
	struct source *source = NULL;
	struct layout *layout = NULL;
	struct err err = ERR_INIT;
	bool ok = source_open(fuzz_file(data, size), &common, &err, &source) &&
		  source_read(source, &want_all, &err, &layout);

	fuzz_answer(ok, &err);
	if (ok) {
		keep(layout);
		draw(layout);
	}
	layout_free(layout);
	source_close(source);
	return 0;
}
