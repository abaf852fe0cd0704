// SPDX-License-Identifier: GPL-2.0-or-later
#include "btf/scan.h"

#include <linux/btf.h>

#include "base/cursor.h"

/* What is being scanned. */
struct scanner {
	struct cursor types;
	uint32_t id; /* of the record at hand */
	const char *place;
	struct err *err;
	struct btf_scan *found;
};

static void see_type(struct scanner *s, uint32_t id)
{
	if (id > s->found->max_type) {
		s->found->max_type = id;
		s->found->max_type_in = s->id;
	}
}

static void see_name(struct scanner *s, uint32_t offset)
{
	if (offset > s->found->max_name) {
		s->found->max_name = offset;
		s->found->max_name_in = s->id;
	}
}

/* What a kind of record looks like. */
struct shape {
	bool known;
	bool refers; /* its third word is a type, not a size */
	/* What follows: words, once or (`repeats`) as often as the record says; which of them are
	 * a name and types, counted from 1, 0 for none. */
	bool repeats;
	unsigned words, name, type, second_type;
};

static const struct shape shapes[NR_BTF_KINDS] = {
	[BTF_KIND_INT] = {.known = true, .words = 1}, /* see scan_int */
	[BTF_KIND_PTR] = {.known = true, .refers = true},
	[BTF_KIND_ARRAY] = {.known = true, .words = 3, .type = 1, .second_type = 2},
	[BTF_KIND_STRUCT] = {.known = true, .repeats = true, .words = 3, .name = 1, .type = 2},
	[BTF_KIND_UNION] = {.known = true, .repeats = true, .words = 3, .name = 1, .type = 2},
	[BTF_KIND_ENUM] = {.known = true, .repeats = true, .words = 2, .name = 1},
	[BTF_KIND_FWD] = {.known = true},
	[BTF_KIND_TYPEDEF] = {.known = true, .refers = true},
	[BTF_KIND_VOLATILE] = {.known = true, .refers = true},
	[BTF_KIND_CONST] = {.known = true, .refers = true},
	[BTF_KIND_RESTRICT] = {.known = true, .refers = true},
	[BTF_KIND_FUNC] = {.known = true, .refers = true},
	[BTF_KIND_FUNC_PROTO] =
		{.known = true, .refers = true, .repeats = true, .words = 2, .name = 1, .type = 2},
	[BTF_KIND_VAR] = {.known = true, .refers = true, .words = 1},
	[BTF_KIND_DATASEC] = {.known = true, .repeats = true, .words = 3, .type = 1},
	[BTF_KIND_FLOAT] = {.known = true},
	[BTF_KIND_DECL_TAG] = {.known = true, .refers = true, .words = 1},
	[BTF_KIND_TYPE_TAG] = {.known = true, .refers = true},
	[BTF_KIND_ENUM64] = {.known = true, .repeats = true, .words = 3, .name = 1},
};

/* The one word behind an integer: where its bits lie in its bytes. */
static bool scan_int(struct scanner *s, uint32_t size)
{
	struct cursor ahead = s->types;
	uint32_t encoding = cursor_u32(&ahead);
	unsigned first = BTF_INT_OFFSET(encoding), end = first + BTF_INT_BITS(encoding);

	if (end > (uint64_t)size * 8)
		return err_set(s->err, s->place,
			       "BTF type %u: an integer of %u bytes has no bits %u to %u", s->id,
			       size, first, end);
	return true;
}

static uint32_t word_at(const struct scanner *s, const uint8_t *p)
{
	uint32_t word;

	memcpy(&word, p, sizeof word);
	return s->types.swap ? __builtin_bswap32(word) : word;
}

/* Most of BTF is members: taken in one bounded piece, and only the words of interest looked at. */
static void scan_tail(struct scanner *s, const struct shape *shape, unsigned times)
{
	size_t size = shape->words * sizeof(uint32_t);
	const uint8_t *p = cursor_bytes(&s->types, times * size);

	for (unsigned i = 0; p && i < times; i++, p += size) {
		if (shape->name)
			see_name(s, word_at(s, p + 4 * (shape->name - 1)));
		if (shape->type)
			see_type(s, word_at(s, p + 4 * (shape->type - 1)));
		if (shape->second_type)
			see_type(s, word_at(s, p + 4 * (shape->second_type - 1)));
	}
}

static bool runs_past(struct scanner *s)
{
	return err_set(s->err, s->place, "BTF type %u runs past the end of the types", s->id);
}

/* Linux 7 has taken two more bits for kinds, and eight for how many parts there are: without them
 * in the masks a type would be taken for another, or for a smaller one. */
enum { KIND_SHIFT = 24, KIND_MASK = 0x7f, UNUSED = 0xff << 16 };

static bool scan_type(struct scanner *s)
{
	uint32_t name = cursor_u32(&s->types), info = cursor_u32(&s->types);
	uint32_t third = cursor_u32(&s->types), kind = info >> KIND_SHIFT & KIND_MASK;
	const struct shape *shape;

	if (s->types.bad)
		return runs_past(s);
	if (kind >= NR_BTF_KINDS || !shapes[kind].known)
		return err_set(s->err, s->place, "BTF type %u is of kind %u, which is not known",
			       s->id, kind);
	if (info & UNUSED)
		return err_set(s->err, s->place,
			       "BTF type %u has more parts than 65535, which is not known", s->id);
	shape = &shapes[kind];
	see_name(s, name);
	if (shape->refers)
		see_type(s, third);
	if (kind == BTF_KIND_INT && !scan_int(s, third))
		return false;
	scan_tail(s, shape, shape->repeats ? BTF_INFO_VLEN(info) : 1);
	return !s->types.bad || runs_past(s);
}

/* Sets the cursor over the types; checks that sections lie within the bytes. */
static bool scan_header(struct scanner *s, const uint8_t *data, size_t len)
{
	bool big = len >= 2 && data[0] == BTF_MAGIC >> 8 && data[1] == (BTF_MAGIC & 0xff);
	bool swap = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	struct cursor c = cursor_over(data, len, swap);
	uint32_t magic = cursor_u16(&c), version = cursor_u8(&c);
	uint32_t hdr_len, type_off, type_len, str_off, str_len;
	const uint8_t *strings;

	cursor_skip(&c, 1);
	hdr_len = cursor_u32(&c);
	type_off = cursor_u32(&c);
	type_len = cursor_u32(&c);
	str_off = cursor_u32(&c);
	str_len = cursor_u32(&c);
	if (c.bad || magic != BTF_MAGIC)
		return err_set(s->err, s->place, "not BTF: it has no BTF header");
	if (version != BTF_VERSION)
		return err_set(s->err, s->place, "BTF of version %u, where 1 is known", version);
	if (hdr_len < BTF_HEADER_SIZE || hdr_len > len || (uint64_t)type_off + type_len > str_off ||
	    (uint64_t)str_off + str_len > len - hdr_len)
		return err_set(s->err, s->place,
			       "BTF header promises %u bytes of types at %u and %u of strings at "
			       "%u behind a header of %u, in %zu bytes",
			       type_len, type_off, str_len, str_off, hdr_len, len);
	if (type_off % 4)
		return err_set(s->err, s->place, "BTF types begin at %u, which is not aligned",
			       type_off);
	strings = data + hdr_len + str_off;
	if (str_len && strings[str_len - 1] != '\0')
		return err_set(s->err, s->place, "BTF strings do not end with a NUL");
	*s->found = (struct btf_scan){
		.type_bytes = data + hdr_len + type_off,
		.type_len = type_len,
		.string_bytes = strings,
		.string_len = str_len,
		.is_split = !str_len || strings[0] != '\0',
		.big_endian = big,
		.swap = swap,
	};
	s->types = cursor_over(s->found->type_bytes, type_len, swap);
	return true;
}

bool btf_scan(const void *data, size_t len, uint32_t first, const char *place, struct err *err,
	      struct btf_scan *ret)
{
	struct btf_scan found = {0};
	struct scanner s = {.id = first, .place = place, .err = err, .found = &found};

	if (!scan_header(&s, data, len))
		return false;
	for (; cursor_left(&s.types); s.id++)
		if (!scan_type(&s))
			return false;
	found.types = s.id - first;
	*ret = found;
	return true;
}

bool btf_scan_refers_well(const struct btf_scan *scan, const struct btf_scan *base,
			  const char *place, struct err *err)
{
	uint64_t types = (uint64_t)scan->types + (base ? base->types : 0);
	uint64_t strings = (uint64_t)scan->string_len + (base ? base->string_len : 0);
	const char *hint = base ? " (is it of another build than its base?)" : "";

	if (scan->max_type > types)
		return err_set(err, place, "BTF type %u refers to type %u of %llu%s",
			       scan->max_type_in, scan->max_type, (unsigned long long)types, hint);
	if (scan->max_name >= strings)
		return err_set(
			err, place, "BTF type %u has a name at %u in %llu bytes of strings%s",
			scan->max_name_in, scan->max_name, (unsigned long long)strings, hint);
	return true;
}
