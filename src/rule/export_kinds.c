/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each kind of rule is in C. Members are spans of the type: from the first byte of one member
 * to the last byte of another, which are the ends of a range, of elements `m[0..3]`, or one.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "layout/path.h"
#include "rule/export_rule.h"
#include "rule/kinds.h"
#include "rule/yaml_write.h"

/* The members as offsetof() takes them. */
struct ends {
	const char *first, *last;
	bool is_range;
};

/* ---- members --------------------------------------------------------------------------------- */

/* The name that a member has in the image, else the only one. */
static const char *pick_name(struct exporting *export, const struct ref *ref)
{
	const char *why = NULL;
	struct span span;

	if (!export->def) {
		if (!ref->optional && ref->nalts == 1)
			return ref->alts[0];
		export_note(export, "`%s` is left out: %s", ref->text,
			    ref->optional ? "it may be absent, and C cannot ask"
					  : "C cannot ask which it is");
		return NULL;
	}
	for (size_t i = 0; i < ref->nalts; i++)
		if (path_resolve(export->def->type, ref->alts[i], export->arena, &why, &span) ==
		    PATH_FOUND)
			return ref->alts[i];
	export_note(export, "`%s` is left out: %s", ref->text, why);
	return NULL;
}

/* C++ and Rust have names that C does not: what is written must be C all the same. */
static bool is_c_path(const char *path)
{
	static const char digits[] = "0123456789";
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";

	for (const char *p = path;; p++) {
		size_t len;

		if (!*p || !strchr(letters, *p))
			return false;
		while (*p && (strchr(letters, *p) || strchr(digits, *p)))
			p++;
		for (; *p == '['; p += len + 2) {
			len = strspn(p + 1, digits);
			if (!len || p[len + 1] != ']')
				return false;
		}
		if (*p != '.')
			return !*p;
	}
}

/* offsetof() of it can be taken. */
static bool has_offset(struct exporting *export, const char *path)
{
	const char *why = NULL;
	struct span span;

	if (!is_c_path(path)) {
		export_note(export, "`%s` is left out: it is no name in C", path);
		return false;
	}
	if (!export->def)
		return true;
	if (path_resolve(export->def->type, path, export->arena, &why, &span) != PATH_FOUND)
		export_note(export, "`%s` is left out: %s", path, why);
	else if (span.is_bitfield)
		export_note(export, "`%s` is left out: offsetof() takes no bit-field", path);
	else if (span.is_flexible)
		export_note(export, "`%s` is left out: a flexible array has no size", path);
	else
		return true;
	return false;
}

/* Of "m[0..3]" the first element or, with @last, the last; what is no range is its own. */
static const char *element_of(struct exporting *export, const char *path, bool last)
{
	const char *dots = strstr(path, ".."), *open = dots, *close;

	if (!dots)
		return path;
	while (open > path && *open != '[')
		open--;
	close = strchr(dots, ']');
	if (!close)
		return path;
	if (last)
		return arena_printf(export->arena, "%.*s[%s", (int)(open - path), path, dots + 2);
	return arena_printf(export->arena, "%.*s%s", (int)(dots - path), path, close);
}

/* Where it is not the last part of the path, elements of a range are not one run of bytes. */
static bool is_one_run(struct exporting *export, const char *path)
{
	const char *dots = strstr(path, ".."), *close = dots ? strchr(dots, ']') : NULL;

	if (!close || !close[1])
		return true;
	export_note(export, "`%s` is left out: it is not one run of bytes", path);
	return false;
}

static bool find_ends(struct exporting *export, const struct ref *ref, struct ends *ret)
{
	const char *first = pick_name(export, ref), *last = ref->to ? ref->to : first;

	if (!first || !is_one_run(export, first) || !is_one_run(export, last))
		return false;
	ret->is_range = ref->to || strstr(first, "..");
	ret->first = element_of(export, first, false);
	ret->last = element_of(export, last, true);
	return has_offset(export, ret->first) &&
	       (ret->last == ret->first || has_offset(export, ret->last));
}

/* Those of @item that C can name. */
static size_t find_all(struct exporting *export, const struct item *item, struct ends **ret)
{
	size_t n = 0;

	*ret = arena_array(export->arena, item->n, sizeof **ret);
	for (size_t i = 0; i < item->n; i++)
		n += find_ends(export, &item->refs[i], &(*ret)[n]);
	return n;
}

static void too_few(struct exporting *export)
{
	export->why_not = "too few of its members are left";
}

/* ---- the type -------------------------------------------------------------------------------- */

/* A term, or one for each machine, of which the preprocessor leaves one. */
static void add_cases(struct exporting *export, const struct exprs *exprs, const char *what)
{
	const struct expr *fallback = NULL;
	const char *word = "#if";

	for (size_t i = 0; i < exprs->n; i++) {
		const struct expr_case *c = &exprs->cases[i];

		if (!c->arch) {
			fallback = &c->expr;
			continue;
		}
		buf_addf(&export->terms, "%s %s\n", word, export_arch(c->arch));
		export_term(export, "%s", export_expr(export, &c->expr, what));
		word = "#elif";
	}
	if (exprs->n == 1 && fallback) {
		export_term(export, "%s", export_expr(export, fallback, what));
		return;
	}
	buf_adds(&export->terms, "#else\n");
	export_term(export, "%s", fallback ? export_expr(export, fallback, what) : "1");
	buf_adds(&export->terms, "#endif\n");
}

static const char *size_of(struct exporting *export)
{
	return arena_printf(export->arena, "sizeof(%s)", export->type);
}

static void export_size(struct exporting *export)
{
	add_cases(export, &export->rule->exprs, size_of(export));
}

/* Of a list of buckets the one before it is too small; else only the upper bound is known. */
static void export_bucket(struct exporting *export)
{
	const struct rule *rule = export->rule;

	export_term(export, "%s <= %" PRIu64, size_of(export), rule->number);
	for (size_t i = 1; i < rule->nbuckets; i++)
		if (rule->buckets[i] == rule->number)
			export_term(export, "%s > %" PRIu64, size_of(export), rule->buckets[i - 1]);
	if (!rule->nbuckets)
		export_note(export, "that it is too large for the bucket below is not asserted");
}

static void export_max_lines(struct exporting *export)
{
	export_term(export, "(%s + %s - 1) / %s <= %" PRIu64, size_of(export), export->granule,
		    export->granule, export->rule->number);
}

static void export_align(struct exporting *export)
{
	const struct rule *rule = export->rule;

	if (!rule->nmember_exprs) {
		add_cases(export, &rule->exprs,
			  arena_printf(export->arena, "__alignof__(%s)", export->type));
		return;
	}
	for (size_t i = 0; i < rule->nmember_exprs; i++) {
		struct ends ends;

		if (find_ends(export, &rule->member_exprs[i].ref, &ends))
			add_cases(export, &rule->member_exprs[i].exprs,
				  arena_printf(export->arena, "__alignof__(((%s *)0)->%s)",
					       export->type, ends.first));
	}
}

/* ---- members by themselves ------------------------------------------------------------------- */

static const char *offset_of(struct exporting *export, const char *path)
{
	return arena_printf(export->arena, "offsetof(%s, %s)", export->type, path);
}

static void export_offset(struct exporting *export)
{
	const struct rule *rule = export->rule;

	for (size_t i = 0; i < rule->nmember_exprs; i++) {
		struct ends ends;

		if (find_ends(export, &rule->member_exprs[i].ref, &ends))
			add_cases(export, &rule->member_exprs[i].exprs,
				  offset_of(export, ends.first));
	}
}

static void export_order(struct exporting *export)
{
	struct ends *all;
	size_t n = find_all(export, &export->rule->items[0], &all);

	for (size_t i = 1; i < n; i++)
		export_term(export, "%s < %s", offset_of(export, all[i - 1].last),
			    offset_of(export, all[i].first));
}

static void export_present(struct exporting *export)
{
	struct ends *all;
	size_t n = find_all(export, &export->rule->items[0], &all);

	for (size_t i = 0; i < n; i++)
		export_term(export, "%s <= sizeof(%s)", offset_of(export, all[i].first),
			    export->type);
}

static void export_no_straddle(struct exporting *export)
{
	struct ends *all;
	size_t n = find_all(export, &export->rule->items[0], &all);

	for (size_t i = 0; i < n; i++) {
		if (all[i].is_range)
			export_note(export, "`%s..%s` is left out: C cannot list its members",
				    all[i].first, all[i].last);
		else
			export_term(export, "LAYOUTCHECK_NO_STRADDLE(%s, %s, %s)", export->type,
				    all[i].first, export->granule);
	}
}

/* ---- members on lines ------------------------------------------------------------------------ */

/* The one that comes first, whichever that is. */
static void export_starts_line(struct exporting *export)
{
	struct ends *all;
	size_t n = find_all(export, &export->rule->items[0], &all);
	struct buf any = BUF_INIT;

	for (size_t i = 0; i < n; i++) {
		const char *offset = offset_of(export, all[i].first);

		buf_addf(&any, "%s(%s %% %s == 0", i ? " ||\n\t " : "", offset, export->granule);
		for (size_t k = 0; k < n; k++)
			if (k != i)
				buf_addf(&any, " && %s <= %s", offset,
					 offset_of(export, all[k].first));
		buf_addc(&any, ')');
	}
	if (n)
		export_term(export, n > 1 ? "(%s)" : "%s", any.s);
	buf_release(&any);
}

static void export_together(struct exporting *export)
{
	uint64_t lines = export->rule->params[0];
	struct ends *all;
	size_t n = find_all(export, &export->rule->items[0], &all);
	struct buf mask = BUF_INIT;

	for (size_t i = 0; i < n && lines == 1; i++)
		export_term(export, "LAYOUTCHECK_TOGETHER(%s, %s, %s, %s, %s)", export->type,
			    all[0].first, all[i].first, all[i].last, export->granule);
	for (size_t i = 0; i < n && lines > 1; i++)
		buf_addf(&mask, "%sLAYOUTCHECK_LINES(%s, %s, %s, %s)", i ? " |\n\t\t" : "",
			 export->type, all[i].first, all[i].last, export->granule);
	if (mask.len) {
		export_term(export, "__builtin_popcountll(%s) <= %" PRIu64, mask.s, lines);
		export_note(export, "what lies on line 63 or behind is not counted");
	}
	buf_release(&mask);
}

static void part_items(struct exporting *export, const struct item *a, const struct item *b)
{
	struct ends *left, *right;
	size_t n = find_all(export, a, &left), m = find_all(export, b, &right);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < m; k++)
			export_term(export, "LAYOUTCHECK_APART(%s, %s, %s, %s, %s, %s)",
				    export->type, left[i].first, left[i].last, right[k].first,
				    right[k].last, export->granule);
}

static void export_apart(struct exporting *export)
{
	const struct rule *rule = export->rule;

	for (size_t i = 0; i < rule->nitems; i++)
		for (size_t k = i + 1; k < rule->nitems; k++)
			part_items(export, &rule->items[i], &rule->items[k]);
}

static void export_classes(struct exporting *export)
{
	const struct item *read = NULL, *written = NULL;

	for (size_t i = 0; i < export->rule->nitems; i++) {
		const struct item *item = &export->rule->items[i];

		if (strcmp(item->label, "read_mostly") == 0)
			read = item;
		if (strcmp(item->label, "written") == 0)
			written = item;
	}
	if (read && written)
		part_items(export, read, written);
}

/* ---- several types, and the kernel's own groups ---------------------------------------------- */

static const char *type_text(struct exporting *export, const struct type_ref *type)
{
	const char *word = type->kind == DEF_UNION     ? "union "
			   : type->kind == DEF_TYPEDEF ? ""
						       : "struct ";

	return arena_printf(export->arena, "%s%s", word, type->name);
}

/* How far behind the first the others are. */
static const char *distance_text(struct exporting *export)
{
	const struct distance *plus = &export->rule->plus;

	if (!plus->text)
		return "";
	if (!plus->has_type)
		return arena_printf(export->arena, " + %" PRIu64, plus->factor);
	return arena_printf(export->arena, " + %" PRIu64 " * sizeof(%s)", plus->factor,
			    type_text(export, &plus->type));
}

static void export_same_offset(struct exporting *export)
{
	const struct rule *rule = export->rule;
	const char *first = NULL;

	if (rule->plus.has_type && (rule->plus.type.scope || !is_plain_name(rule->plus.type.name)))
		return;
	for (size_t i = 0; i < rule->nplaces; i++) {
		const struct typed_ref *place = &rule->places[i];
		const char *offset;

		if (place->type.scope || place->ref.optional || place->ref.nalts != 1 ||
		    !is_plain_name(place->type.name) || !is_c_path(place->ref.alts[0])) {
			export_note(export, "`%s` is left out: C cannot ask for it", place->text);
			if (!i)
				break;
			continue;
		}
		offset = arena_printf(export->arena, "offsetof(%s, %s)",
				      type_text(export, &place->type), place->ref.alts[0]);
		if (first)
			export_term(export, "%s == %s%s", offset, first, distance_text(export));
		else
			first = offset;
	}
}

static void export_group(struct exporting *export)
{
	enum { BYTES, START, LINES, MEMBERS }; /* kind_group's parameters */
	const struct rule *rule = export->rule;
	const char *begin = offset_of(
		export, arena_printf(export->arena, "__cacheline_group_begin__%s", rule->word));
	const char *end = offset_of(
		export, arena_printf(export->arena, "__cacheline_group_end__%s", rule->word));
	struct ends *all;
	size_t n = rule->nitems ? find_all(export, &rule->items[0], &all) : 0;

	export_term(export, "%s <= %s", begin, end);
	if (rule->param_exprs[BYTES])
		export_term(export, "%s",
			    export_expr(export, rule->param_exprs[BYTES],
					arena_printf(export->arena, "(%s - %s)", end, begin)));
	if (rule->param_exprs[START])
		export_term(export, "%s", export_expr(export, rule->param_exprs[START], begin));
	if (rule->params[LINES] != NOT_GIVEN)
		export_term(export, "(%s == %s || (%s - 1) / %s - %s / %s < %" PRIu64 ")", begin,
			    end, end, export->granule, begin, export->granule, rule->params[LINES]);
	for (size_t i = 0; i < n; i++)
		export_term(export, "%s >= %s && LAYOUTCHECK_END(%s, %s) <= %s",
			    offset_of(export, all[i].first), begin, export->type, all[i].last, end);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct {
	const struct kind *kind;
	void (*export)(struct exporting *export);
	const char *why_not;
} table[] = {
	{&kind_size, export_size, NULL},
	{&kind_bucket, export_bucket, NULL},
	{&kind_waste, NULL, "a compiler knows no slabs"},
	{&kind_objects_per_slab, NULL, "a compiler knows no slabs"},
	{&kind_align, export_align, NULL},
	{&kind_offset, export_offset, NULL},
	{&kind_starts_line, export_starts_line, NULL},
	{&kind_together, export_together, NULL},
	{&kind_apart, export_apart, NULL},
	{&kind_classes, export_classes, NULL},
	{&kind_alone, NULL, "C cannot list the other members"},
	{&kind_no_straddle, export_no_straddle, NULL},
	{&kind_max_lines, export_max_lines, NULL},
	{&kind_max_hole, NULL, "C cannot find holes"},
	{&kind_max_padding, NULL, "C cannot find the last member"},
	{&kind_order, export_order, NULL},
	{&kind_complete, NULL, "C cannot list the other members"},
	{&kind_same_offset, export_same_offset, NULL},
	{&kind_group, export_group, NULL},
	{&kind_max_ungrouped, NULL, "C cannot list the other members"},
	{&kind_present, export_present, NULL},
	{&kind_absent, NULL, "C cannot ask for what is not there"},
};

void export_kind(struct exporting *export)
{
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if (table[i].kind != export->rule->kind)
			continue;
		export->why_not = table[i].why_not;
		if (table[i].export)
			table[i].export(export);
		if (!export->why_not && !export->nterms)
			too_few(export);
		return;
	}
	export->why_not = "C cannot say it";
}
