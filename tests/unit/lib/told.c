/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/told.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"

static struct layout *kernel(const char *path)
{
	struct layout *layout = model_new("x86_64", 64, SOURCE_DWARF);

	layout->path = path;
	layout->target.has_kernel = true;
	layout->target.kernel = (struct kernel_version){6, 12, 0};
	return layout;
}

void sides_init(struct sides *sides)
{
	*sides = (struct sides){.before = kernel("old"), .after = kernel("new")};
	arena_init(&sides->arena);
	changes_init(&sides->changes);
}

void sides_release(struct sides *sides)
{
	changes_release(&sides->changes);
	layout_free(sides->before);
	layout_free(sides->after);
	arena_release(&sides->arena);
}

void sides_define(struct sides *sides, const char *name, uint64_t old_size, const char *old,
		  uint64_t new_size, const char *new)
{
	if (old)
		model_define(sides->before, name, old_size, old);
	if (new)
		model_define(sides->after, name, new_size, new);
}

static bool is_left_out(const char *but, const char *kind)
{
	const char *found = but ? strstr(but, kind) : NULL;
	size_t len = strlen(kind);

	for (; found; found = strstr(found + 1, kind))
		if ((found == but || found[-1] == ' ') && (!found[len] || found[len] == ' '))
			return true;
	return false;
}

void expect_told(struct sides *sides, const char *but, const char *expected)
{
	struct buf told = BUF_INIT;

	changes_release(&sides->changes);
	diff_run(sides->before, sides->after, &sides->options, &sides->changes);
	for (size_t i = 0; i < sides->changes.n; i++) {
		const struct change *change = &sides->changes.items[i];
		const char *kind = change_rows[change->kind].name;

		if (!is_left_out(but, kind))
			buf_addf(&told, "%s%s %s: %s [%s]", told.len ? "\n" : "",
				 severity_name(change->severity), change->subject, change->message,
				 kind);
	}
	assert_string_equal(told.s, expected);
	buf_release(&told);
}

const struct change *only_change(const struct sides *sides, enum change_kind kind)
{
	const struct change *found = NULL;

	for (size_t i = 0; i < sides->changes.n; i++) {
		if (sides->changes.items[i].kind != kind)
			continue;
		assert_null(found);
		found = &sides->changes.items[i];
	}
	assert_non_null(found);
	return found;
}
