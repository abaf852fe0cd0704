/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Edits, a line each, up to a NUL; then a snapshot, of which every type is edited so. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/what_if.h"
#include "fuzz.h"
#include "layout/snapshot.h"
#include "rule/pack.h"

enum { MOST_EDITS = 16 };

/* The lines of @text that are edits; what is none says why. */
static size_t parse(const char *text, struct arena *arena, struct edit *edits)
{
	struct err err = ERR_INIT;
	size_t n = 0;

	while (*text && n < MOST_EDITS) {
		size_t len = strcspn(text, "\n");
		bool ok = edit_parse(arena_strndup(arena, text, len), arena, &err, &edits[n]);

		fuzz_answer(ok, &err);
		n += ok;
		text += len + (text[len] == '\n');
	}
	return n;
}

static void apply(const struct layout *layout, const struct edit *edits, size_t n,
		  struct arena *arena)
{
	static const struct packs none;

	for (size_t i = 0; i < layout->ndefs; i++) {
		struct err err = ERR_INIT;
		struct view view;

		fuzz_answer(what_if_view(&layout->defs[i], layout, &none, 64, edits, n, arena, &err,
					 &view),
			    &err);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t words = strnlen((const char *)data, size);
	size_t rest = words < size ? size - words - 1 : 0;
	struct edit edits[MOST_EDITS];
	struct layout *layout = NULL;
	struct err err = ERR_INIT;
	struct arena arena;
	size_t n;
	bool ok;

	arena_init(&arena);
	n = parse(arena_strndup(&arena, (const char *)data, words), &arena, edits);
	if (n && rest) {
		ok = snapshot_read((const char *)data + words + 1, rest, "snapshot", &err, &layout);
		fuzz_answer(ok, &err);
		if (ok)
			apply(layout, edits, n, &arena);
	}
	layout_free(layout);
	arena_release(&arena);
	return 0;
}
