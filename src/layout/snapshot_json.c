/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "layout/snapshot_json.h"

#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "layout/snapshot.h"

/* ---- errors ---------------------------------------------------------------------------------- */

bool snap_fail(struct parser *p, const char *key, const char *fmt, ...)
{
	struct buf where = BUF_INIT, what = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&what, fmt, ap);
	va_end(ap);
	if (p->object)
		buf_adds(&where, p->object);
	if (p->list)
		buf_addf(&where, "%s[%zu]", p->list, p->at);
	if (p->inner)
		buf_addf(&where, ".%s[%zu]", p->inner, p->inner_at);
	if (key)
		buf_addf(&where, "%s%s", where.len ? "." : "", key);
	err_set(p->err, p->file, "%s%s%s", where.s, where.len ? ": " : "", what.s);
	buf_release(&where);
	buf_release(&what);
	return false;
}

/* ---- values ---------------------------------------------------------------------------------- */

bool snap_keys(struct parser *p, const json_t *object, const char *const *keys)
{
	const char *key;
	json_t *value;

	if (!json_is_object(object))
		return snap_fail(p, NULL, "is no object");
	json_object_foreach((json_t *)object, key, value)
	{
		size_t i = 0;

		while (keys[i] && strcmp(keys[i], key) != 0)
			i++;
		if (!keys[i])
			return snap_fail(p, key, "is a key that version %d does not have",
					 SNAPSHOT_VERSION);
	}
	return true;
}

bool snap_find(struct parser *p, const json_t *object, const char *key, enum need need,
	       const json_t **ret)
{
	*ret = json_object_get(object, key);
	return *ret || need == MAY_LACK || snap_fail(p, key, "is missing");
}

bool snap_text(struct parser *p, const json_t *object, const char *key, enum need need,
	       const char **ret)
{
	const json_t *value;

	if (!snap_find(p, object, key, need, &value))
		return false;
	if (!value)
		return true;
	if (!json_is_string(value))
		return snap_fail(p, key, "is no string");
	*ret = arena_strdup(p->arena, json_string_value(value));
	return true;
}

bool snap_number(struct parser *p, const json_t *object, const char *key, enum need need,
		 uint64_t max, bool *ret_has, uint64_t *ret)
{
	const json_t *value;
	uint64_t number;

	*ret_has = false;
	if (!snap_find(p, object, key, need, &value))
		return false;
	if (!value)
		return true;
	if (json_is_integer(value) && json_integer_value(value) >= 0)
		number = (uint64_t)json_integer_value(value);
	else if (!json_is_string(value) || !text_to_u64(json_string_value(value), &number) ||
		 number <= INT64_MAX)
		return snap_fail(p, key, "is no number from 0 up");
	if (number > max)
		return snap_fail(p, key, "is larger than %llu", (unsigned long long)max);
	*ret_has = true;
	*ret = number;
	return true;
}

bool snap_flag(struct parser *p, const json_t *object, const char *key, bool *ret)
{
	const json_t *value = json_object_get(object, key);

	*ret = value != NULL;
	return !value || json_is_true(value) || snap_fail(p, key, "is there and not true");
}

bool snap_word(struct parser *p, const json_t *object, const char *key, const char *const *words,
	       int *ret)
{
	const char *word = "";

	if (!snap_text(p, object, key, MUST_HAVE, &word))
		return false;
	for (int i = 0; words[i]; i++) {
		if (strcmp(words[i], word) == 0) {
			*ret = i;
			return true;
		}
	}
	return snap_fail(p, key, "is `%s`, which is not known", word);
}

bool snap_list(struct parser *p, const json_t *object, const char *key, const json_t **ret)
{
	return snap_find(p, object, key, MUST_HAVE, ret) &&
	       (json_is_array(*ret) || snap_fail(p, key, "is no list"));
}

bool snap_size(struct parser *p, const json_t *object, bool *ret_has, uint64_t *ret)
{
	bool has_bytes, has_bits;
	uint64_t bytes = 0;

	if (!snap_number(p, object, "size", MAY_LACK, UINT64_MAX / 8, &has_bytes, &bytes) ||
	    !snap_number(p, object, "bits", MAY_LACK, UINT64_MAX, &has_bits, ret))
		return false;
	if (has_bytes && has_bits)
		return snap_fail(p, "bits", "is there beside `size`");
	if (has_bytes)
		*ret = bytes * 8;
	*ret_has = has_bytes || has_bits;
	return true;
}
