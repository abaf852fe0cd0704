// SPDX-License-Identifier: GPL-2.0-or-later
#include "btf/load.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "btf/convert.h"

/* ---- from bytes to libbpf --------------------------------------------------------------------
 */

/* BTF that has been scanned, and libbpf's view of it. */
struct loaded {
	struct btf *btf;
	uint64_t len;   /* bytes, a base included */
	uint32_t first; /* the first type that is the image's own, not its base's */
	bool big_endian;
};

static bool parse(const void *data, size_t len, const char *place, struct err *err,
		  struct loaded *loaded)
{
	if (len > UINT32_MAX)
		return err_set(err, place, "BTF of more than 4 GiB");
	libbpf_set_print(NULL);
	loaded->len = len;
	loaded->btf = btf__new(data, (uint32_t)len);
	return loaded->btf || err_set_errno(err, place, "libbpf cannot read its BTF");
}

/*
 * Base and module as one. The numbers of types and the offsets of strings go on from the one to the
 * other, so one behind the other is whole BTF. (libbpf has btf__new_split() for this, which 1.1
 * declares and does not export.)
 */
static void join(const struct btf_scan *base, const struct btf_scan *own, struct buf *ret)
{
	struct btf_header header = {
		.magic = BTF_MAGIC,
		.version = BTF_VERSION,
		.hdr_len = BTF_HEADER_SIZE,
		.type_len = base->type_len + own->type_len,
		.str_off = base->type_len + own->type_len,
		.str_len = base->string_len + own->string_len,
	};

	if (base->swap) {
		header.magic = __builtin_bswap16(header.magic);
		header.hdr_len = __builtin_bswap32(header.hdr_len);
		header.type_len = __builtin_bswap32(header.type_len);
		header.str_off = __builtin_bswap32(header.str_off);
		header.str_len = __builtin_bswap32(header.str_len);
	}
	buf_add(ret, &header, BTF_HEADER_SIZE);
	buf_add(ret, base->type_bytes, base->type_len);
	buf_add(ret, own->type_bytes, own->type_len);
	buf_add(ret, base->string_bytes, base->string_len);
	buf_add(ret, own->string_bytes, own->string_len);
}

static bool load_split(const struct btf_bytes *own, const struct btf_bytes *base, struct err *err,
		       struct loaded *loaded)
{
	struct btf_scan scan, under;
	struct buf joined = BUF_INIT;
	bool ok;

	if (!base)
		return err_set(err, own->place,
			       "its BTF is a module's and stands on that of its vmlinux, which is "
			       "not given");
	if (!btf_scan(base->data, base->len, 1, base->place, err, &under))
		return false;
	if (under.is_split)
		return err_set(err, base->place, "its BTF is a module's, too, and no base");
	if (!btf_scan_refers_well(&under, NULL, base->place, err))
		return false;
	loaded->first = under.types + 1;
	if (!btf_scan(own->data, own->len, loaded->first, own->place, err, &scan))
		return false;
	if (under.swap != scan.swap)
		return err_set(err, own->place, "its BTF is of another byte order than that of %s",
			       base->place);
	if (!btf_scan_refers_well(&scan, &under, own->place, err))
		return false;
	join(&under, &scan, &joined);
	ok = parse(joined.s, joined.len, own->place, err, loaded);
	buf_release(&joined);
	return ok;
}

static bool load(const struct btf_bytes *own, const struct btf_bytes *base, struct err *err,
		 struct loaded *loaded)
{
	struct btf_scan scan;

	if (!btf_scan(own->data, own->len, 1, own->place, err, &scan))
		return false;
	loaded->big_endian = scan.big_endian;
	if (scan.is_split)
		return load_split(own, base, err, loaded);
	loaded->first = 1;
	return btf_scan_refers_well(&scan, NULL, own->place, err) &&
	       parse(own->data, own->len, own->place, err, loaded);
}

/* ---- which types -----------------------------------------------------------------------------
 */

struct collector {
	struct converter converter;
	struct def *defs;
	size_t n, cap;
};

static int compare_name(const void *key, const void *element)
{
	return strcmp(key, *(const char *const *)element);
}

/* Which of the names wanted it is, or -1. */
static ptrdiff_t wanted(const struct want *want, const char *name)
{
	const char *const *hit =
		want->n ? bsearch(name, want->names, want->n, sizeof *want->names, compare_name)
			: NULL;

	return hit ? hit - want->names : -1;
}

/* Adds what is wanted of the types [first, end); marks the names that were there. */
static bool collect(struct collector *c, uint32_t first, uint32_t end, const struct want *want,
		    bool *found)
{
	for (uint32_t id = first; id < end; id++) {
		const char *name = definition_name(c->converter.btf, id);
		ptrdiff_t i = name ? wanted(want, name) : -1;

		if (!name || (i < 0 && !want->all))
			continue;
		ARRAY_GROW(c->defs, c->n, c->cap);
		if (!convert_definition(&c->converter, id, &c->defs[c->n]))
			return false;
		c->n++;
		if (i >= 0)
			found[i] = true;
	}
	return true;
}

/* A module's own types hide the base's of the same name; all types are all of the module's. */
static bool collect_all(struct collector *c, uint32_t first, const struct want *want)
{
	bool *found = xcalloc(want->n + 1, sizeof *found);
	struct want_list rest = {0};
	bool ok = collect(c, first, btf__type_cnt(c->converter.btf), want, found);

	for (size_t i = 0; i < want->n; i++)
		if (!found[i])
			want_list_add(&rest, want->names[i]);
	if (ok && first > 1 && rest.n) {
		struct want missing = want_list_finish(&rest);

		ok = collect(c, 1, first, &missing, found);
	}
	want_list_release(&rest);
	free(found);
	return ok;
}

/* Sorts the definitions and drops those that say what the one before says. */
static void settle(struct layout *layout)
{
	size_t kept = 0;

	layout_sort(layout);
	for (size_t i = 0; i < layout->ndefs; i++) {
		const struct def *def = &layout->defs[i], *last = &layout->defs[kept - (kept > 0)];

		if (!kept || def->kind != last->kind || def->digest != last->digest ||
		    strcmp(def->name, last->name) != 0)
			layout->defs[kept++] = *def;
	}
	layout->ndefs = kept;
}

static bool make_layout(const struct loaded *loaded, const char *place, const struct want *want,
			unsigned pointer_bits, struct err *err, struct layout **ret)
{
	enum { RATIO = 32, LEAST = 8 << 20 };
	struct layout *layout = layout_new();
	struct collector c = {
		.converter = {.btf = loaded->btf,
			      .pointer_bits = pointer_bits,
			      .place = place,
			      .err = err,
			      .arena = &layout->arena,
			      .most_named = loaded->len * RATIO + LEAST},
	};
	bool ok;

	converter_init(&c.converter);
	ok = collect_all(&c, loaded->first, want);
	converter_release(&c.converter);
	layout->source = SOURCE_BTF;
	layout->target.big_endian = loaded->big_endian;
	layout->target.bits = pointer_bits;
	layout->defs = arena_copy(&layout->arena, c.defs, c.n * sizeof *c.defs);
	layout->ndefs = c.n;
	free(c.defs);
	if (!ok) {
		layout_free(layout);
		return false;
	}
	settle(layout);
	*ret = layout;
	return true;
}

/* A pointer is as large as a long on every machine that has BTF. */
static bool find_pointer_bits(const struct btf *btf, const char *place, struct err *err,
			      unsigned *bits)
{
	unsigned of_long = 8 * (unsigned)btf__pointer_size(btf);

	if (*bits && of_long && *bits != of_long)
		return err_set(err, place,
			       "its BTF has a `long` of %u bits, and the machine has %u bits",
			       of_long, *bits);
	if (of_long)
		*bits = of_long;
	return true;
}

bool btf_load(const struct btf_bytes *own, const struct btf_bytes *base, const struct want *want,
	      unsigned pointer_bits, struct err *err, struct layout **ret)
{
	struct loaded loaded;
	bool ok;

	if (!load(own, base, err, &loaded))
		return false;
	ok = find_pointer_bits(loaded.btf, own->place, err, &pointer_bits) &&
	     make_layout(&loaded, own->place, want, pointer_bits, err, ret);
	btf__free(loaded.btf);
	return ok;
}
