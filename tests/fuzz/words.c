/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small languages: lists of types, a kernel's configuration, dates. */
#include <string.h>

#include "base/date.h"
#include "base/mem.h"
#include "cli/types.h"
#include "fuzz.h"
#include "layout/kconfig.h"

static void look_up(const struct kconfig *config, const char *line, struct arena *arena)
{
	size_t len = strcspn(line, "=");
	const char *name = arena_strndup(arena, line, len);

	if (kconfig_is_name(name, len) && line[len])
		fuzz_want(kconfig_value(config, name), "a line is found by its name");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;
	struct strings types = {0};
	const struct kconfig *config;
	const char *text;

	arena_init(&arena);
	text = arena_strndup(&arena, (const char *)data, size);
	types_add(&types, text, &arena);
	for (size_t i = 0; i < types.n; i++)
		fuzz_want(type_ref_parse(&arena, types.items[i]).name, "a type has a name");
	strings_release(&types);
	config = kconfig_parse(text, size, &arena);
	for (size_t i = 0; config && i < config->n; i++)
		look_up(config, config->lines[i], &arena);
	if (date_is_valid(text))
		fuzz_want(strlen(text) == DATE_TEXT - 1, "a date is as long as a date");
	arena_release(&arena);
	return 0;
}
