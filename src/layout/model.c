/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "layout/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/math.h"
#include "base/text.h"

const char *layout_source_name(enum layout_source source)
{
	switch (source) {
	case SOURCE_DWARF:
		return "DWARF";
	case SOURCE_BTF:
		return "BTF";
	case SOURCE_SNAPSHOT:
		return "snapshot";
	case SOURCE_SYMBOLS:
		return "symbols";
	}
	BUG("no such layout source");
}

enum layout_source layout_origin(const struct layout *layout)
{
	return layout->source == SOURCE_SNAPSHOT ? layout->origin : layout->source;
}

struct layout *layout_new(void)
{
	return xcalloc(1, sizeof(struct layout));
}

void layout_free(struct layout *layout)
{
	if (!layout)
		return;
	arena_release(&layout->arena);
	free(layout);
}

/* NULL sorts first. */
static int compare_strings(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static int compare_defs(const void *left, const void *right)
{
	const struct def *a = left, *b = right;
	int order = compare_strings(a->name, b->name);

	if (!order)
		order = compare_strings(a->scope, b->scope);
	if (!order)
		order = compare_u64(a->kind, b->kind);
	if (!order)
		order = compare_u64(b->cus, a->cus);
	if (!order)
		order = compare_strings(a->file, b->file);
	if (!order)
		order = compare_u64(a->line, b->line);
	return order ? order : compare_u64(a->digest, b->digest);
}

void layout_sort(struct layout *layout)
{
	if (layout->ndefs)
		qsort(layout->defs, layout->ndefs, sizeof *layout->defs, compare_defs);
}

/* ---- which types are asked for --------------------------------------------------------------- */

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t");
}

/* Passes over a leading `struct`, `union`, ... and says which kind it asks for. */
static enum def_kind take_kind_word(const char **s)
{
	static const struct {
		const char *word;
		enum def_kind kind;
	} words[] = {
		{"struct", DEF_STRUCT},
		{"class", DEF_STRUCT},
		{"union", DEF_UNION},
		{"typedef", DEF_TYPEDEF},
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t len = strlen(words[i].word);

		if (text_starts_with(*s, words[i].word) &&
		    ((*s)[len] == ' ' || (*s)[len] == '\t')) {
			*s = skip_blanks(*s + len);
			return words[i].kind;
		}
	}
	return DEF_ANY;
}

/* The last "::" outside template arguments; NULL when there is none. */
static const char *last_scope_mark(const char *s)
{
	const char *mark = NULL;
	unsigned depth = 0;

	for (; *s; s++) {
		if (*s == '<' || *s == '(')
			depth++;
		else if ((*s == '>' || *s == ')') && depth)
			depth--;
		else if (!depth && s[0] == ':' && s[1] == ':')
			mark = s++;
	}
	return mark;
}

struct type_ref type_ref_parse(struct arena *arena, const char *text)
{
	struct type_ref ref = {.kind = DEF_ANY};
	const char *s = skip_blanks(text), *mark;
	size_t len;

	ref.kind = take_kind_word(&s);
	mark = last_scope_mark(s);
	if (mark && mark > s)
		ref.scope = arena_strndup(arena, s, (size_t)(mark - s));
	if (mark)
		s = mark + 2;
	len = strlen(s);
	while (len && (s[len - 1] == ' ' || s[len - 1] == '\t'))
		len--;
	ref.name = arena_strndup(arena, s, len);
	return ref;
}

void want_list_add(struct want_list *list, const char *name)
{
	ARRAY_GROW(list->names, list->n, list->cap);
	list->names[list->n++] = name;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool want_has(const struct want *want, const char *name)
{
	return want->all || (want->n && bsearch(&name, want->names, want->n, sizeof *want->names,
						compare_names));
}

bool layout_tells_of(const struct layout *layout, const char *name)
{
	return !layout->recorded || want_has(layout->recorded, name);
}

struct want want_list_finish(struct want_list *list)
{
	size_t kept = 0;

	if (list->n)
		qsort(list->names, list->n, sizeof *list->names, compare_names);
	for (size_t i = 0; i < list->n; i++)
		if (!kept || strcmp(list->names[kept - 1], list->names[i]) != 0)
			list->names[kept++] = list->names[i];
	list->n = kept;
	return (struct want){.names = list->names, .n = kept};
}

void want_list_release(struct want_list *list)
{
	free(list->names);
	*list = (struct want_list){0};
}

/* ---- finding a definition -------------------------------------------------------------------- */

/* Index of the first definition whose name is not below @name. */
static size_t first_named(const struct layout *layout, const char *name)
{
	size_t low = 0, high = layout->ndefs;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_strings(layout->defs[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The ways to answer a reference, best first: the first that finds anything is the answer. */
struct pass {
	bool nested;   /* look in namespaces and functions, not at the top level */
	bool typedefs; /* look at typedefs, not at tags */
};

static bool def_matches(const struct def *def, const struct type_ref *ref, struct pass pass)
{
	if (ref->scope ? compare_strings(def->scope, ref->scope) != 0
		       : (def->scope != NULL) != pass.nested)
		return false;
	if (ref->kind != DEF_ANY)
		return def->kind == ref->kind;
	return (def->kind == DEF_TYPEDEF) == pass.typedefs;
}

struct def_list layout_find(const struct layout *layout, struct type_ref ref, struct arena *arena)
{
	static const struct pass passes[] = {
		{false, false}, {false, true}, {true, false}, {true, true}};
	size_t first = first_named(layout, ref.name), end = first;
	struct def_list list = {0};

	while (end < layout->ndefs && compare_strings(layout->defs[end].name, ref.name) == 0)
		end++;
	list.defs = arena_array(arena, end - first, sizeof *list.defs);
	for (size_t p = 0; p < ARRAY_SIZE(passes) && !list.n; p++)
		for (size_t i = first; i < end; i++)
			if (def_matches(&layout->defs[i], &ref, passes[p]))
				list.defs[list.n++] = &layout->defs[i];
	return list;
}

/* ---- small questions ------------------------------------------------------------------------- */

/* More typedefs in a row than this is a circle in a broken image. */
enum { LONGEST_CHAIN = 1000 };

const struct type *type_strip(const struct type *type)
{
	static const struct type void_type = {.kind = TYPE_VOID, .spelling = "void"};

	for (unsigned i = 0; type && i < LONGEST_CHAIN; i++) {
		if (type->kind != TYPE_TYPEDEF && type->kind != TYPE_QUALIFIER)
			return type;
		type = type->target;
	}
	return &void_type;
}

const struct type *type_composite(const struct type *type)
{
	type = type_strip(type);
	return type->kind == TYPE_STRUCT || type->kind == TYPE_UNION ? type : NULL;
}

const char *def_kind_word(enum def_kind kind)
{
	switch (kind) {
	case DEF_STRUCT:
		return "struct";
	case DEF_UNION:
		return "union";
	case DEF_TYPEDEF:
		return "typedef";
	case DEF_ANY:
		return "type";
	}
	BUG("no such kind of definition");
}

bool is_marker_name(const char *name)
{
	static const char *const prefixes[] = {
		"__cacheline_group_begin__", "__cacheline_group_end__", "__cacheline_group_pad__"};

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (text_starts_with(name, prefixes[i]))
			return true;
	return false;
}
