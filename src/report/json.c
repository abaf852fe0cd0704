/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/json.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/escape.h"
#include "base/math.h"

const struct format format_json = {.name = "json",
				   .help = "for programs",
				   .check = json_check,
				   .show = json_show,
				   .diff = json_diff,
				   .c2c = json_c2c};

static json_t *have(json_t *value)
{
	if (!value)
		die_oom();
	return value;
}

json_t *json_new_object(void)
{
	return have(json_object());
}

json_t *json_new_array(void)
{
	return have(json_array());
}

json_t *json_text(const char *s)
{
	char *escaped;
	json_t *value;

	if (!s)
		return json_null();
	escaped = escape_utf8(s);
	value = have(json_string(escaped));
	free(escaped);
	return value;
}

json_t *json_number(uint64_t value)
{
	return have(json_integer((json_int_t)min_u64(value, INT64_MAX)));
}

json_t *json_number_or_null(bool known, uint64_t value)
{
	return known ? json_number(value) : json_null();
}

json_t *json_truth(bool value)
{
	return json_boolean(value);
}

void json_put(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new_nocheck(object, key, value) != 0)
		die_oom();
}

void json_push(json_t *array, json_t *value)
{
	if (json_array_append_new(array, value) != 0)
		die_oom();
}

/* As --from spells them. */
static const char *source_word(enum layout_source source)
{
	switch (source) {
	case SOURCE_DWARF:
		return "dwarf";
	case SOURCE_BTF:
		return "btf";
	case SOURCE_SNAPSHOT:
		return "snapshot";
	case SOURCE_SYMBOLS:
		return "symbols";
	}
	return NULL;
}

json_t *json_image(const struct layout *layout)
{
	json_t *image = json_new_object();

	json_put(image, "path", json_text(layout->path));
	json_put(image, "arch", json_text(layout->target.arch));
	json_put(image, "source", json_text(source_word(layout->source)));
	json_put(image, "build_id", json_text(layout->target.build_id));
	return image;
}

json_t *json_decl(const struct def *def)
{
	json_t *decl;

	if (!def || !def->has_decl)
		return json_null();
	decl = json_new_object();
	json_put(decl, "file", json_text(def->file));
	json_put(decl, "line", json_number(def->line));
	return decl;
}

json_t *json_waiver(const struct waiver *waiver, bool in_force)
{
	json_t *object;

	if (!waiver)
		return json_null();
	object = json_new_object();
	json_put(object, "why", json_text(waiver->why));
	json_put(object, "owner", json_text(waiver->owner));
	json_put(object, "until", json_text(waiver->until));
	json_put(object, "expired", json_truth(!in_force));
	json_put(object, "file", json_text(waiver->pos.file));
	json_put(object, "line", json_number(waiver->pos.line));
	return object;
}

static int append(const char *data, size_t len, void *out)
{
	buf_add(out, data, len);
	return 0;
}

void json_add(json_t *value, struct buf *out)
{
	/* ASCII only: names from binaries can hold characters that reorder a terminal's line. Of
	 * reals, which are shares and means, so many digits: else it is for the library to say. */
	enum { DIGITS = 6 };
	size_t flags = JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(DIGITS);

	if (json_dump_callback(value, append, out, flags) != 0)
		die_oom();
	buf_addc(out, '\n');
	json_decref(value);
}

void json_print(json_t *array, const struct report_style *style, struct buf *out)
{
	if (!style->several) {
		json_t *only = json_incref(json_array_get(array, 0));

		json_decref(array);
		array = only;
	}
	json_add(array, out);
}
