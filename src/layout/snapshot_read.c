/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "layout/snapshot.h"
#include "layout/snapshot_json.h"

/* As deep as the readers let types be nested. */
enum { DEEPEST = 1000 };

/* ---- types ----------------------------------------------------------------------------------- */

static int compare_entries(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->key, ((const struct entry *)b)->key);
}

static bool find_type(struct parser *p, const json_t *object, const char *key, enum need need,
		      const struct type **ret)
{
	struct entry wanted = {0};
	const struct entry *found = NULL;

	if (!snap_text(p, object, key, need, &wanted.key))
		return false;
	if (!wanted.key)
		return true;
	if (p->ntypes)
		found = bsearch(&wanted, p->sorted, p->ntypes, sizeof *p->sorted, compare_entries);
	if (!found)
		return snap_fail(p, key, "there is no type with the key `%s`", wanted.key);
	*ret = &p->types[found->index];
	return true;
}

static bool read_member(struct parser *p, const json_t *from, struct member *m)
{
	static const char *const keys[] = {"name",     "type",     "offset", "bit",    "size",
					   "bits",     "align",    "base",   "marker", "dynamic",
					   "bitfield", "flexible", NULL};
	uint64_t offset = 0, bit = 0;
	bool has_size, has_bit, has_offset;
	const json_t *name;

	if (!snap_keys(p, from, keys) || !snap_find(p, from, "name", MUST_HAVE, &name) ||
	    (!json_is_null(name) && !snap_text(p, from, "name", MUST_HAVE, &m->name)) ||
	    !find_type(p, from, "type", MUST_HAVE, &m->type) ||
	    !snap_flag(p, from, "dynamic", &m->is_dynamic) ||
	    !snap_number(p, from, "offset", m->is_dynamic ? MAY_LACK : MUST_HAVE,
			 UINT64_MAX / 8 - 1, &has_offset, &offset) ||
	    !snap_number(p, from, "bit", MAY_LACK, 7, &has_bit, &bit) ||
	    !snap_size(p, from, &has_size, &m->bit_size) ||
	    !snap_number(p, from, "align", MAY_LACK, UINT64_MAX, &m->has_align, &m->align) ||
	    !snap_flag(p, from, "bitfield", &m->is_bitfield) ||
	    !snap_flag(p, from, "flexible", &m->is_flexible) ||
	    !snap_flag(p, from, "base", &m->is_base) ||
	    !snap_flag(p, from, "marker", &m->is_marker))
		return false;
	if (m->is_dynamic && (has_offset || has_bit))
		return snap_fail(p, "offset", "is there, and the member is dynamic");
	if (!has_size)
		return snap_fail(p, "size", "is missing");
	m->bit_offset = offset * 8 + bit;
	return true;
}

static bool read_members(struct parser *p, const json_t *from, struct type *type)
{
	struct member *members;
	const json_t *list;
	bool ok = true;

	if (!snap_list(p, from, "members", &list))
		return false;
	type->nmembers = json_array_size(list);
	members = arena_array(p->arena, type->nmembers, sizeof *members);
	type->members = members;
	p->inner = "members";
	for (size_t i = 0; i < type->nmembers && ok; i++) {
		p->inner_at = i;
		ok = read_member(p, json_array_get(list, i), &members[i]);
	}
	p->inner = NULL;
	return ok;
}

/* What only some kinds have. */
static bool read_inside(struct parser *p, const json_t *from, struct type *type)
{
	bool is_composite = type->kind == TYPE_STRUCT || type->kind == TYPE_UNION;
	bool is_array = type->kind == TYPE_ARRAY;
	bool may_hold = is_array || type->kind == TYPE_TYPEDEF || type->kind == TYPE_QUALIFIER;

	if (json_object_get(from, "members") && !is_composite)
		return snap_fail(p, "members", "a type of this kind has none");
	if (json_object_get(from, "target") && !may_hold)
		return snap_fail(p, "target", "a type of this kind has none");
	if (json_object_get(from, "count") && !is_array)
		return snap_fail(p, "count", "a type of this kind has none");
	if (is_composite)
		return read_members(p, from, type);
	return find_type(p, from, "target", MAY_LACK, &type->target) &&
	       snap_number(p, from, "count", MAY_LACK, UINT64_MAX, &type->has_count, &type->count);
}

/* Kind and key first: types refer to types that come later. */
static bool begin_type(struct parser *p, const json_t *from, struct type *type,
		       const char **ret_key)
{
	static const char *const keys[] = {"key",  "kind",  "name",  "spelling", "name_at", "size",
					   "bits", "align", "count", "target",   "members", NULL};
	int kind = 0;

	if (!snap_keys(p, from, keys) || !snap_text(p, from, "key", MUST_HAVE, ret_key) ||
	    !snap_word(p, from, "kind", snapshot_type_kinds, &kind))
		return false;
	type->kind = (enum type_kind)kind;
	return true;
}

static bool read_type(struct parser *p, const json_t *from, struct type *type)
{
	uint64_t name_at = 0;
	bool has_name_at;

	if (!snap_text(p, from, "name", MAY_LACK, &type->name))
		return false;
	if (!snap_text(p, from, json_object_get(from, "spelling") ? "spelling" : "key", MUST_HAVE,
		       &type->spelling))
		return false;
	if (!snap_number(p, from, "name_at", MAY_LACK, strlen(type->spelling), &has_name_at,
			 &name_at) ||
	    !snap_size(p, from, &type->has_size, &type->bits) ||
	    !snap_number(p, from, "align", MAY_LACK, UINT64_MAX, &type->has_align, &type->align))
		return false;
	type->name_at = has_name_at ? name_at : strlen(type->spelling);
	return read_inside(p, from, type);
}

static bool sort_keys(struct parser *p)
{
	qsort(p->sorted, p->ntypes, sizeof *p->sorted, compare_entries);
	for (size_t i = 1; i < p->ntypes; i++) {
		const struct entry *a = &p->sorted[i - 1], *b = &p->sorted[i];

		if (compare_entries(a, b) != 0)
			continue;
		p->at = a->index > b->index ? a->index : b->index;
		return snap_fail(p, "key", "`%s` is the key of another type, too", a->key);
	}
	return true;
}

/* ---- what types hold ------------------------------------------------------------------------- */

enum { STATE_NEW, STATE_OPEN, STATE_DONE };

static bool check_depth(struct parser *p, const struct type *type, unsigned above,
			unsigned *ret_depth)
{
	size_t index = (size_t)(type - p->types);
	unsigned deepest = 0, depth = 0;

	p->at = index;
	if (p->state[index] == STATE_OPEN)
		return snap_fail(p, NULL, "the type contains itself");
	if (p->state[index] == STATE_NEW) {
		if (above >= DEEPEST)
			return snap_fail(p, NULL, "types are nested too deeply");
		p->state[index] = STATE_OPEN;
		if (type->target && !check_depth(p, type->target, above + 1, &deepest))
			return false;
		for (size_t i = 0; i < type->nmembers; i++) {
			if (!check_depth(p, type->members[i].type, above + 1, &depth))
				return false;
			deepest = depth > deepest ? depth : deepest;
		}
		p->state[index] = STATE_DONE;
		p->depth[index] = deepest + 1;
	}
	*ret_depth = p->depth[index];
	p->at = index;
	return *ret_depth <= DEEPEST || snap_fail(p, NULL, "types are nested too deeply");
}

static bool read_types(struct parser *p, const json_t *list)
{
	unsigned depth;
	bool ok = true;

	p->ntypes = json_array_size(list);
	p->types = arena_array(p->arena, p->ntypes, sizeof *p->types);
	p->sorted = arena_array(p->arena, p->ntypes, sizeof *p->sorted);
	p->state = arena_array(p->arena, p->ntypes, sizeof *p->state);
	p->depth = arena_array(p->arena, p->ntypes, sizeof *p->depth);
	p->list = "types";
	for (p->at = 0; p->at < p->ntypes && ok; p->at += ok) {
		p->sorted[p->at].index = p->at;
		ok = begin_type(p, json_array_get(list, p->at), &p->types[p->at],
				&p->sorted[p->at].key);
	}
	if (!ok || !sort_keys(p))
		return false;
	for (p->at = 0; p->at < p->ntypes && ok; p->at += ok)
		ok = read_type(p, json_array_get(list, p->at), &p->types[p->at]);
	for (size_t i = 0; i < p->ntypes && ok; i++)
		ok = check_depth(p, &p->types[i], 0, &depth);
	return ok;
}

/* ---- definitions ----------------------------------------------------------------------------- */

static bool check_kind(struct parser *p, const struct def *def)
{
	bool ok = def->type->kind == TYPE_STRUCT || def->type->kind == TYPE_UNION;

	if (def->kind == DEF_STRUCT)
		ok = def->type->kind == TYPE_STRUCT;
	if (def->kind == DEF_UNION)
		ok = def->type->kind == TYPE_UNION;
	return ok || snap_fail(p, "type", "is a %s, which the definition is not",
			       snapshot_type_kinds[def->type->kind]);
}

static bool read_def(struct parser *p, const json_t *from, struct def *def)
{
	static const char *const keys[] = {"name", "scope", "kind", "type",
					   "file", "line",  "cus",  NULL};
	uint64_t line = 0, cus = 1;
	bool has_line, has_cus;
	const char *key = NULL;
	int kind = 0;

	if (!snap_keys(p, from, keys) || !snap_text(p, from, "name", MUST_HAVE, &def->name) ||
	    !snap_text(p, from, "scope", MAY_LACK, &def->scope) ||
	    !snap_word(p, from, "kind", snapshot_def_kinds, &kind) ||
	    !find_type(p, from, "type", MUST_HAVE, &def->type) ||
	    !snap_text(p, from, "type", MUST_HAVE, &key) ||
	    !snap_text(p, from, "file", MAY_LACK, &def->file) ||
	    !snap_number(p, from, "line", def->file ? MUST_HAVE : MAY_LACK, UINT_MAX, &has_line,
			 &line) ||
	    !snap_number(p, from, "cus", MAY_LACK, UINT_MAX, &has_cus, &cus))
		return false;
	if (has_line && !def->file)
		return snap_fail(p, "line", "is there without a file");
	def->kind = (enum def_kind)kind;
	def->has_decl = def->file != NULL;
	def->line = (unsigned)line;
	def->cus = (unsigned)cus;
	/* What a key means is the same throughout one file. */
	def->digest = hash128(key, strlen(key)).lo;
	return check_kind(p, def);
}

static bool read_defs(struct parser *p, const json_t *list)
{
	struct layout *layout = p->layout;
	bool ok = true;

	layout->ndefs = json_array_size(list);
	layout->defs = arena_array(p->arena, layout->ndefs, sizeof *layout->defs);
	p->list = "defs";
	for (p->at = 0; p->at < layout->ndefs && ok; p->at += ok)
		ok = read_def(p, json_array_get(list, p->at), &layout->defs[p->at]);
	p->list = NULL;
	return ok;
}

/* ---- the head -------------------------------------------------------------------------------- */

static bool read_kernel(struct parser *p, const json_t *from, struct target *target)
{
	struct kernel_version *kernel = &target->kernel;
	const char *text = NULL;

	if (!snap_text(p, from, "kernel", MAY_LACK, &text))
		return false;
	if (!text)
		return true;
	target->has_kernel = kernel_version_parse(text, kernel);
	return (target->has_kernel &&
		strcmp(text, arena_printf(p->arena, "%u.%u.%u", kernel->major, kernel->minor,
					  kernel->patch)) == 0) ||
	       snap_fail(p, "kernel", "is no version such as 6.12.0");
}

static bool read_config(struct parser *p, const json_t *from, struct target *target)
{
	if (!snap_text(p, from, "config", MAY_LACK, &target->config))
		return false;
	return !target->config ||
	       (strlen(target->config) == SHA256_HEX - 1 &&
		strspn(target->config, "0123456789abcdef") == SHA256_HEX - 1) ||
	       snap_fail(p, "config", "is no SHA-256 digest");
}

static bool read_target(struct parser *p, const json_t *from)
{
	static const char *const keys[] = {"arch",    "bits",     "big_endian", "line",
					   "module",  "kernel",   "config",     "randomized",
					   "release", "build_id", NULL};
	struct target *target = &p->layout->target;
	uint64_t bits = 0;
	bool has, randomized = false;

	if (!snap_keys(p, from, keys) || !snap_text(p, from, "arch", MAY_LACK, &target->arch) ||
	    !snap_number(p, from, "bits", MAY_LACK, 64, &has, &bits) ||
	    !snap_flag(p, from, "big_endian", &target->big_endian) ||
	    !snap_number(p, from, "line", MAY_LACK, 4096, &has, &target->line) ||
	    !snap_text(p, from, "module", MAY_LACK, &target->module) ||
	    !snap_text(p, from, "release", MAY_LACK, &target->release) ||
	    !snap_text(p, from, "build_id", MAY_LACK, &target->build_id) ||
	    !snap_flag(p, from, "randomized", &randomized) || !read_kernel(p, from, target) ||
	    !read_config(p, from, target))
		return false;
	if (bits && bits != 32 && bits != 64)
		return snap_fail(p, "bits", "is neither 32 nor 64");
	if (target->line && (target->line & (target->line - 1)))
		return snap_fail(p, "line", "is not a power of two");
	target->bits = (unsigned)bits;
	target->randomized = randomized ? RANDOMIZED_YES : RANDOMIZED_UNTOLD;
	return true;
}

static bool enter_target(struct parser *p, const json_t *from)
{
	bool ok;

	p->object = "target";
	ok = read_target(p, from);
	p->object = NULL;
	return ok;
}

static bool read_strings(struct parser *p, const json_t *list, const char *key, const char **ret)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *item = json_array_get(list, i);

		if (!json_is_string(item))
			return snap_fail(p, arena_printf(p->arena, "%s[%zu]", key, i),
					 "is no string");
		ret[i] = arena_strdup(p->arena, json_string_value(item));
	}
	return true;
}

static bool read_knows(struct parser *p, const json_t *list)
{
	size_t n = json_array_size(list);
	const char **words = arena_array(p->arena, n, sizeof *words);

	if (!read_strings(p, list, "knows", words))
		return false;
	for (size_t i = 0; i < n; i++) {
		bool *knows = strcmp(words[i], "align") == 0  ? &p->layout->knows_align
			      : strcmp(words[i], "decl") == 0 ? &p->layout->knows_decl
							      : NULL;

		if (!knows || *knows)
			return snap_fail(p, "knows", "`%s` is not known, or there twice", words[i]);
		*knows = true;
	}
	return true;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool read_asked(struct parser *p, const json_t *root)
{
	struct want *recorded = arena_alloc(p->arena, sizeof *recorded);
	const json_t *list;
	const char **names;

	p->layout->recorded = recorded;
	if (!snap_find(p, root, "asked", MUST_HAVE, &list))
		return false;
	recorded->all = json_is_null(list);
	if (recorded->all)
		return true;
	if (!snap_list(p, root, "asked", &list))
		return false;
	recorded->n = json_array_size(list);
	names = arena_array(p->arena, recorded->n, sizeof *names);
	recorded->names = names;
	if (!read_strings(p, list, "asked", names))
		return false;
	if (recorded->n)
		qsort(names, recorded->n, sizeof *names, compare_names);
	return true;
}

static bool read_version(struct parser *p, const json_t *root)
{
	const json_t *version = json_object_get(root, SNAPSHOT_KEY);

	if (!version)
		return snap_fail(p, NULL, "is JSON and no snapshot of layoutcheck");
	if (!json_is_integer(version))
		return snap_fail(p, SNAPSHOT_KEY, "is no number");
	if (json_integer_value(version) != SNAPSHOT_VERSION)
		return snap_fail(p, NULL,
				 "is a snapshot of version %lld; this program reads version %d",
				 (long long)json_integer_value(version), SNAPSHOT_VERSION);
	return true;
}

static bool read_root(struct parser *p, const json_t *root)
{
	static const char *const keys[] = {SNAPSHOT_KEY, "tool", "source", "target", "knows",
					   "asked",      "defs", "types",  NULL};
	static const char *const sources[] = {
		[SOURCE_DWARF] = "dwarf", [SOURCE_BTF] = "btf", [SOURCE_BTF + 1] = NULL};
	const json_t *target, *knows, *types, *defs;
	const char *tool;
	int origin = 0;

	if (!read_version(p, root) || !snap_keys(p, root, keys) ||
	    !snap_text(p, root, "tool", MAY_LACK, &tool) ||
	    !snap_word(p, root, "source", sources, &origin) ||
	    !snap_find(p, root, "target", MUST_HAVE, &target) || !enter_target(p, target) ||
	    !snap_list(p, root, "knows", &knows) || !read_knows(p, knows) || !read_asked(p, root) ||
	    !snap_list(p, root, "types", &types) || !snap_list(p, root, "defs", &defs) ||
	    !read_types(p, types) || !read_defs(p, defs))
		return false;
	p->layout->origin = (enum layout_source)origin;
	return true;
}

static bool parse(struct parser *p, const void *data, size_t len, json_t **ret)
{
	json_error_t error;

	if (len > SNAPSHOT_MAX)
		return snap_fail(p, NULL, "a snapshot is no larger than %d bytes", SNAPSHOT_MAX);
	if (!len)
		return snap_fail(p, NULL, "is empty");
	*ret = json_loadb(data, len, JSON_REJECT_DUPLICATES, &error);
	if (!*ret && json_error_code(&error) == json_error_out_of_memory)
		die_oom();
	if (!*ret)
		return snap_fail(p, NULL, "line %d, column %d: %s", error.line, error.column,
				 error.text);
	/* So that every file that was cut off is known by it. */
	if (((const char *)data)[len - 1] != '\n')
		return snap_fail(p, NULL, "is cut off: its last line has no end");
	return true;
}

bool snapshot_read(const void *data, size_t len, const char *place, struct err *err,
		   struct layout **ret)
{
	struct layout *layout = layout_new();
	struct parser p = {.file = place, .err = err, .layout = layout, .arena = &layout->arena};
	json_t *root = NULL;
	bool ok;

	layout->path = arena_strdup(&layout->arena, place);
	layout->source = SOURCE_SNAPSHOT;
	ok = parse(&p, data, len, &root) && read_root(&p, root);
	json_decref(root);
	if (!ok) {
		layout_free(layout);
		return false;
	}
	layout_sort(layout);
	*ret = layout;
	return true;
}
