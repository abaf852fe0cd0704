/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every text is made ready for JSON when a type is met, and types are told apart by that text: what
 * would read alike is one.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/hash.h"
#include "layout/snapshot.h"

/* A type that is written, or an equal one of it. */
struct node {
	const struct type *type;
	const char *spelling;    /* as it stands between the quotes */
	char digest[SHA256_HEX]; /* of all that is written of it, and of the types it holds */
	const char *key;
};

struct writer {
	struct buf *out;
	struct arena arena;
	struct node *nodes;
	size_t n, cap;
	size_t *index; /* by address of the type, open addressing; 0 is free, else node + 1 */
	size_t index_size;
};

/* ---- values ---------------------------------------------------------------------------------- */

static void add_unit(struct buf *out, uint32_t unit)
{
	buf_addf(out, "\\u%04" PRIx32, unit);
}

/* ASCII only: names from binaries can hold characters that reorder a terminal's line. */
static void add_escaped(struct buf *out, const char *s)
{
	while (*s) {
		uint32_t point = 0xfffd;
		int len = utf8_decode(s, &point);

		s += len ? len : 1;
		if (point == '"' || point == '\\')
			buf_addf(out, "\\%c", (char)point);
		else if (point >= 0x20 && point < 0x7f)
			buf_addc(out, (char)point);
		else if (point < 0x10000)
			add_unit(out, point);
		else {
			add_unit(out, 0xd800 + ((point - 0x10000) >> 10));
			add_unit(out, 0xdc00 + ((point - 0x10000) & 0x3ff));
		}
	}
}

static void add_text(struct buf *out, const char *s)
{
	buf_addc(out, '"');
	add_escaped(out, s);
	buf_addc(out, '"');
}

/* A NULL is left out. */
static void put_text(struct buf *out, const char *key, const char *s)
{
	if (!s)
		return;
	buf_addf(out, ", \"%s\": ", key);
	add_text(out, s);
}

/* JSON libraries stop at 63 bits. */
static void put_number(struct buf *out, const char *key, uint64_t value)
{
	const char *quote = value > INT64_MAX ? "\"" : "";

	buf_addf(out, ", \"%s\": %s%" PRIu64 "%s", key, quote, value, quote);
}

static void put_flag(struct buf *out, const char *key, bool value)
{
	if (value)
		buf_addf(out, ", \"%s\": true", key);
}

static void put_size(struct buf *out, uint64_t bits, bool in_bits)
{
	if (in_bits || bits % 8)
		put_number(out, "bits", bits);
	else
		put_number(out, "size", bits / 8);
}

/* ---- types ----------------------------------------------------------------------------------- */

/* The slot of a type in the index: its own, or the free one where it belongs. */
static size_t *slot_of(struct writer *w, const struct type *type)
{
	size_t at = (size_t)(((uintptr_t)type >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 16);

	for (;; at++) {
		size_t *slot = &w->index[at % w->index_size];

		if (!*slot || w->nodes[*slot - 1].type == type)
			return slot;
	}
}

static const struct node *node_of(struct writer *w, const struct type *type)
{
	return &w->nodes[*slot_of(w, type) - 1];
}

static void grow_index(struct writer *w)
{
	if (2 * (w->n + 1) < w->index_size)
		return;
	free(w->index);
	w->index_size = w->index_size ? 2 * w->index_size : 1024;
	w->index = xcalloc(w->index_size, sizeof *w->index);
	for (size_t i = 0; i < w->n; i++)
		*slot_of(w, w->nodes[i].type) = i + 1;
}

/* A type held: by its key, or before there are keys by its digest. */
static void put_type(struct writer *w, struct buf *out, const char *key, const struct type *type)
{
	const struct node *node = node_of(w, type);

	buf_addf(out, ", \"%s\": \"%s\"", key, node->key ? node->key : node->digest);
}

static void add_member(struct writer *w, struct buf *out, const struct member *member)
{
	buf_adds(out, "{\"name\": ");
	if (member->name)
		add_text(out, member->name);
	else
		buf_adds(out, "null");
	put_type(w, out, "type", member->type);
	if (member->is_dynamic) {
		put_flag(out, "dynamic", true);
	} else {
		put_number(out, "offset", member->bit_offset / 8);
		if (member->bit_offset % 8)
			put_number(out, "bit", member->bit_offset % 8);
	}
	put_size(out, member->bit_size, member->is_bitfield);
	if (member->has_align)
		put_number(out, "align", member->align);
	put_flag(out, "bitfield", member->is_bitfield);
	put_flag(out, "flexible", member->is_flexible);
	put_flag(out, "base", member->is_base);
	put_flag(out, "marker", member->is_marker);
	buf_addc(out, '}');
}

/* Where the name of a declaration stands in the spelling, in bytes of what a reader gets. */
static void put_name_at(struct writer *w, struct buf *out, const struct type *type)
{
	char *before;

	if (!type->name_at || !type->spelling[type->name_at])
		return;
	before = escape_utf8(arena_strndup(&w->arena, type->spelling, type->name_at));
	put_number(out, "name_at", strlen(before));
	free(before);
}

static bool is_held(const struct type *type)
{
	return type->target && (type->kind == TYPE_ARRAY || type->kind == TYPE_TYPEDEF ||
				type->kind == TYPE_QUALIFIER);
}

/* All but the key; the spelling unless it is the key. */
static void add_contents(struct writer *w, struct buf *out, const struct node *node)
{
	const struct type *type = node->type;

	buf_addf(out, "\"kind\": \"%s\"", snapshot_type_kinds[type->kind]);
	put_text(out, "name", type->name);
	if (!node->key || strcmp(node->key, node->spelling) != 0)
		buf_addf(out, ", \"spelling\": \"%s\"", node->spelling);
	put_name_at(w, out, type);
	if (type->has_size)
		put_size(out, type->bits, false);
	if (type->has_align)
		put_number(out, "align", type->align);
	if (is_held(type))
		put_type(w, out, "target", type->target);
	if (type->kind == TYPE_ARRAY && type->has_count)
		put_number(out, "count", type->count);
	if (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION)
		return;
	buf_adds(out, ", \"members\": [");
	for (size_t i = 0; i < type->nmembers; i++) {
		buf_adds(out, i ? ",\n  " : "\n  ");
		add_member(w, out, &type->members[i]);
	}
	buf_addc(out, ']');
}

static const char *ready(struct writer *w, const char *s)
{
	struct buf text = BUF_INIT;
	const char *ret;

	add_escaped(&text, s);
	ret = arena_strdup(&w->arena, text.s);
	buf_release(&text);
	return ret;
}

/* Notes a type, after those it holds. Readers do not give circles, nor more levels than the stack
 * bears. */
static void visit(struct writer *w, const struct type *type)
{
	struct buf text = BUF_INIT;
	struct node node = {.type = type};
	const char *words[1];

	grow_index(w);
	if (*slot_of(w, type))
		return;
	if (is_held(type))
		visit(w, type->target);
	for (size_t i = 0; i < type->nmembers; i++)
		visit(w, type->members[i].type);
	node.spelling = ready(w, type->spelling);
	add_contents(w, &text, &node);
	words[0] = text.s;
	hash_sha256(words, 1, node.digest);
	buf_release(&text);
	grow_index(w);
	ARRAY_GROW(w->nodes, w->n, w->cap);
	w->nodes[w->n++] = node;
	*slot_of(w, type) = w->n;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static int by_spelling(const void *left, const void *right)
{
	const struct node *a = *(const struct node *const *)left;
	const struct node *b = *(const struct node *const *)right;
	int order = strcmp(a->spelling, b->spelling);

	return order ? order : strcmp(a->digest, b->digest);
}

static int by_kind_and_key(const void *left, const void *right)
{
	const struct node *a = *(const struct node *const *)left;
	const struct node *b = *(const struct node *const *)right;
	int order = (int)a->type->kind - (int)b->type->kind;

	return order ? order : strcmp(a->key, b->key);
}

/* Where types that differ are spelled alike, or would be if there were another. */
enum { KEY_DIGITS = 8 };
static bool is_ambiguous(struct node *const *nodes, size_t n, size_t i)
{
	const char *spelling = nodes[i]->spelling;

	return strstr(spelling, "{...}") || strchr(spelling, '#') ||
	       (i && strcmp(nodes[i - 1]->spelling, spelling) == 0) ||
	       (i + 1 < n && strcmp(nodes[i + 1]->spelling, spelling) == 0);
}

static bool share_digits(const struct node *a, const struct node *b)
{
	return strcmp(a->spelling, b->spelling) == 0 &&
	       strncmp(a->digest, b->digest, KEY_DIGITS) == 0;
}

static const char *make_key(struct writer *w, struct node *const *nodes, size_t n, size_t i)
{
	const struct node *node = nodes[i];
	bool shared = (i && share_digits(nodes[i - 1], node)) ||
		      (i + 1 < n && share_digits(nodes[i + 1], node));

	if (!is_ambiguous(nodes, n, i))
		return node->spelling;
	return arena_printf(&w->arena, "%s#%.*s", node->spelling, shared ? SHA256_HEX : KEY_DIGITS,
			    node->digest);
}

/* Gives all nodes their keys. Returns one of each, in the order of the file. */
static struct node **distinct(struct writer *w, size_t *ret_n)
{
	struct node **nodes = xcalloc(w->n + 1, sizeof *nodes);
	struct node **all = xcalloc(w->n + 1, sizeof *all);
	size_t n = 0, k = 0;

	for (size_t i = 0; i < w->n; i++)
		all[i] = &w->nodes[i];
	qsort(all, w->n, sizeof *all, by_spelling);
	for (size_t i = 0; i < w->n; i++)
		if (!n || by_spelling(&nodes[n - 1], &all[i]) != 0)
			nodes[n++] = all[i];
	for (size_t i = 0; i < n; i++) {
		const char *key = make_key(w, nodes, n, i);

		for (; k < w->n && by_spelling(&nodes[i], &all[k]) == 0; k++)
			if (all[k] != nodes[i])
				all[k]->key = key;
		/* Last: by_spelling() of the next does not look at it. */
		nodes[i]->key = key;
	}
	free(all);
	qsort(nodes, n, sizeof *nodes, by_kind_and_key);
	*ret_n = n;
	return nodes;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* `entries` between brackets, each on a line of its own. */
static void begin_entry(struct buf *out, size_t i)
{
	buf_adds(out, i ? ",\n" : "\n");
}

static void add_target(struct writer *w, const struct layout *layout,
		       const struct snapshot_options *options)
{
	const struct target *target = &layout->target;
	struct buf text = BUF_INIT;

	put_text(&text, "arch", target->arch);
	if (target->bits)
		put_number(&text, "bits", target->bits);
	put_flag(&text, "big_endian", target->big_endian);
	if (target->line)
		put_number(&text, "line", target->line);
	put_text(&text, "module", target->module);
	if (target->has_kernel)
		buf_addf(&text, ", \"kernel\": \"%u.%u.%u\"", target->kernel.major,
			 target->kernel.minor, target->kernel.patch);
	put_text(&text, "config", target->config);
	put_flag(&text, "randomized", target->randomized == RANDOMIZED_YES);
	if (options->stamp) {
		put_text(&text, "release", target->release);
		put_text(&text, "build_id", target->build_id);
	}
	buf_addf(w->out, "\"target\": {%s},\n", text.len ? text.s + strlen(", ") : "");
	buf_release(&text);
}

/* What is asked of a snapshot that has not all can be no more than what it has. */
static void add_asked(struct writer *w, const struct layout *layout, const struct want *want)
{
	size_t n = 0;

	if (want->all && layout->recorded)
		want = layout->recorded;
	if (want->all) {
		buf_adds(w->out, "\"asked\": null,\n");
		return;
	}
	buf_adds(w->out, "\"asked\": [");
	for (size_t i = 0; i < want->n; i++) {
		if (!layout_tells_of(layout, want->names[i]))
			continue;
		begin_entry(w->out, n++);
		add_text(w->out, want->names[i]);
	}
	buf_adds(w->out, "],\n");
}

static void add_head(struct writer *w, const struct layout *layout, const struct want *want,
		     const struct snapshot_options *options)
{
	buf_addf(w->out, "{\n\"" SNAPSHOT_KEY "\": %d,\n", SNAPSHOT_VERSION);
	if (options->stamp && options->tool) {
		buf_adds(w->out, "\"tool\": ");
		add_text(w->out, options->tool);
		buf_adds(w->out, ",\n");
	}
	buf_addf(w->out, "\"source\": \"%s\",\n",
		 layout_origin(layout) == SOURCE_BTF ? "btf" : "dwarf");
	add_target(w, layout, options);
	buf_addf(w->out, "\"knows\": [%s%s%s],\n", layout->knows_align ? "\"align\"" : "",
		 layout->knows_align && layout->knows_decl ? ", " : "",
		 layout->knows_decl ? "\"decl\"" : "");
	add_asked(w, layout, want);
}

static const char *def_line(struct writer *w, const struct def *def,
			    const struct snapshot_options *options)
{
	struct buf text = BUF_INIT;
	const char *ret;

	buf_adds(&text, "{\"name\": ");
	add_text(&text, def->name);
	put_text(&text, "scope", def->scope);
	buf_addf(&text, ", \"kind\": \"%s\"", snapshot_def_kinds[def->kind]);
	put_type(w, &text, "type", def->type);
	if (def->has_decl) {
		put_text(&text, "file", def->file);
		put_number(&text, "line", def->line);
	}
	if (options->stamp)
		put_number(&text, "cus", def->cus);
	buf_addc(&text, '}');
	ret = arena_strdup(&w->arena, text.s);
	buf_release(&text);
	return ret;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_defs(struct writer *w, const struct layout *layout, const struct want *want,
		     const struct snapshot_options *options)
{
	const char **lines = xcalloc(layout->ndefs + 1, sizeof *lines);
	size_t n = 0;

	for (size_t i = 0; i < layout->ndefs; i++)
		if (want_has(want, layout->defs[i].name))
			lines[n++] = def_line(w, &layout->defs[i], options);
	qsort(lines, n, sizeof *lines, by_text);
	buf_adds(w->out, "\"defs\": [");
	for (size_t i = 0; i < n; i++) {
		begin_entry(w->out, i);
		buf_adds(w->out, lines[i]);
	}
	buf_adds(w->out, "],\n");
	free(lines);
}

void snapshot_write(const struct layout *layout, const struct want *want,
		    const struct snapshot_options *options, struct buf *out)
{
	struct writer w = {.out = out};
	struct node **nodes;
	size_t n;

	arena_init(&w.arena);
	for (size_t i = 0; i < layout->ndefs; i++)
		if (want_has(want, layout->defs[i].name))
			visit(&w, layout->defs[i].type);
	nodes = distinct(&w, &n);
	add_head(&w, layout, want, options);
	add_defs(&w, layout, want, options);
	buf_adds(out, "\"types\": [");
	for (size_t i = 0; i < n; i++) {
		begin_entry(out, i);
		buf_addf(out, "{\"key\": \"%s\", ", nodes[i]->key);
		add_contents(&w, out, nodes[i]);
		buf_addc(out, '}');
	}
	buf_adds(out, "]\n}\n");
	free(nodes);
	free(w.nodes);
	free(w.index);
	arena_release(&w.arena);
}
