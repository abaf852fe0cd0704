/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/export.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "rule/export_rule.h"
#include "rule/expr.h"
#include "rule/yaml_write.h"

/* ---- answers --------------------------------------------------------------------------------- */

void export_term(struct exporting *export, const char *fmt, ...)
{
	va_list ap;

	buf_adds(&export->terms, "\t&& ");
	va_start(ap, fmt);
	buf_vaddf(&export->terms, fmt, ap);
	va_end(ap);
	buf_addc(&export->terms, '\n');
	export->nterms++;
}

void export_note(struct exporting *export, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	ARRAY_GROW(export->notes, export->nnotes, export->cap_notes);
	export->notes[export->nnotes++] = arena_strdup(export->arena, text.s);
	buf_release(&text);
}

const char *export_expr(struct exporting *export, const struct expr *expr, const char *what)
{
	switch (expr->op) {
	case EXPR_MULTIPLE:
		return arena_printf(export->arena, "%s %% %" PRIu64 " == 0", what, expr->value);
	case EXPR_POWER_OF_TWO:
		return arena_printf(export->arena, "(%s && !(%s & (%s - 1)))", what, what, what);
	default:
		return arena_printf(export->arena, "%s %s %" PRIu64, what, expr_op_text(expr->op),
				    expr->value);
	}
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Foreign text inside a comment, which it must not end, nor begin another or a trigraph. */
static void add_comment_text(struct buf *out, const char *text)
{
	struct buf escaped = BUF_INIT;

	escape_text(&escaped, text);
	for (const char *p = escaped.s; *p; p++) {
		buf_addc(out, *p);
		if ((p[0] == '*' && p[1] == '/') || (p[0] == '/' && p[1] == '*') ||
		    (p[0] == '?' && p[1] == '?'))
			buf_addc(out, ' ');
	}
	buf_release(&escaped);
}

static void add_comment_line(struct buf *out, const char *label, const char *text)
{
	buf_addf(out, " * %s", label);
	add_comment_text(out, text);
	buf_addc(out, '\n');
}

/* A string literal of ASCII: everything else is an octal escape, which has an end. */
static void add_literal(struct buf *out, const char *text)
{
	buf_addc(out, '"');
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (*p < ' ' || *p > '~' || *p == '"' || *p == '\\' || *p == '?')
			buf_addf(out, "\\%03o", *p);
		else
			buf_addc(out, (char)*p);
	}
	buf_addc(out, '"');
}

static const char header[] =
	"#ifdef __KERNEL__\n"
	"#include <linux/cache.h>\n"
	"#include <linux/stddef.h>\n"
	"#include <linux/version.h>\n"
	"#else\n"
	"#include <stddef.h>\n"
	"#endif\n"
	"\n"
	"#ifndef LAYOUTCHECK_ASSERT\n"
	"/* The keyword: what it is given has directives in it, which a macro does not take. */\n"
	"#ifdef __cplusplus\n"
	"#define LAYOUTCHECK_ASSERT static_assert\n"
	"#else\n"
	"#define LAYOUTCHECK_ASSERT _Static_assert\n"
	"#endif\n"
	"/* The offset behind a member; the first and the last line of what reaches from one to "
	"another. */\n"
	"#define LAYOUTCHECK_END(T, m) (offsetof(T, m) + sizeof(((T *)0)->m))\n"
	"#define LAYOUTCHECK_FIRST(T, a, line) (offsetof(T, a) / (line))\n"
	"#define LAYOUTCHECK_LAST(T, b, line) ((LAYOUTCHECK_END(T, b) - 1) / (line))\n"
	"#define LAYOUTCHECK_EMPTY(T, a, b) (LAYOUTCHECK_END(T, b) <= offsetof(T, a))\n"
	"/* No line has something of a..b and of c..d. */\n"
	"#define LAYOUTCHECK_APART(T, a, b, c, d, line)                               \\\n"
	"\t(LAYOUTCHECK_EMPTY(T, a, b) || LAYOUTCHECK_EMPTY(T, c, d) ||          \\\n"
	"\t LAYOUTCHECK_LAST(T, b, line) < LAYOUTCHECK_FIRST(T, c, line) ||      \\\n"
	"\t LAYOUTCHECK_LAST(T, d, line) < LAYOUTCHECK_FIRST(T, a, line))\n"
	"/* All of a..b is on the line where m begins. */\n"
	"#define LAYOUTCHECK_TOGETHER(T, m, a, b, line)                               \\\n"
	"\t(LAYOUTCHECK_EMPTY(T, a, b) ||                                        \\\n"
	"\t (LAYOUTCHECK_FIRST(T, a, line) == LAYOUTCHECK_FIRST(T, m, line) &&   \\\n"
	"\t  LAYOUTCHECK_LAST(T, b, line) == LAYOUTCHECK_FIRST(T, m, line)))\n"
	"/* m is on no more lines than its size needs. */\n"
	"#define LAYOUTCHECK_NO_STRADDLE(T, m, line)                                  \\\n"
	"\t(LAYOUTCHECK_EMPTY(T, m, m) ||                                        \\\n"
	"\t LAYOUTCHECK_LAST(T, m, line) - LAYOUTCHECK_FIRST(T, m, line) ==      \\\n"
	"\t\t (sizeof(((T *)0)->m) - 1) / (line))\n"
	"/* The lines of a..b, a bit each. */\n"
	"#define LAYOUTCHECK_LINES(T, a, b, line)                                     \\\n"
	"\t(LAYOUTCHECK_EMPTY(T, a, b) || LAYOUTCHECK_LAST(T, b, line) > 62      \\\n"
	"\t\t ? 0ULL                                                       \\\n"
	"\t\t : (2ULL << LAYOUTCHECK_LAST(T, b, line) % 63) -              \\\n"
	"\t\t\t   (1ULL << LAYOUTCHECK_FIRST(T, a, line) % 63))\n"
	"#endif\n";

/* What a line is: as told, as the pack says, as the kernel says. */
static void add_line(struct buf *out, uint64_t line)
{
	buf_adds(out, "\n#undef LAYOUTCHECK_LINE\n");
	if (line)
		buf_addf(out, "#define LAYOUTCHECK_LINE %" PRIu64 "\n", line);
	else
		buf_adds(out, "#ifdef SMP_CACHE_BYTES\n"
			      "#define LAYOUTCHECK_LINE SMP_CACHE_BYTES\n"
			      "#else\n"
			      "#define LAYOUTCHECK_LINE 64\n"
			      "#endif\n");
}

/* ---- one rule -------------------------------------------------------------------------------- */

/* Why it is none of C's business whatever it says; NULL: it may be. */
static const char *why_not(const struct exporting *export, const struct export_options *options)
{
	const struct rule *rule = export->rule;

	if (rule->severity < options->from)
		return arena_printf(export->arena, "it is a %s", severity_name(rule->severity));
	if (rule->waive)
		return "it is waived";
	if (rule->optional && !export->def)
		return "its members may be absent, and C cannot ask";
	return NULL;
}

/* The allocator may put an object elsewhere than at the beginning of a line. */
static void note_base(struct exporting *export)
{
	const struct alloc *alloc = &export->block->alloc;

	if (export->rule->kind->uses_line &&
	    (alloc->kind == ALLOC_KMALLOC || (alloc->kind == ALLOC_CACHE && !alloc->hwcache_align)))
		export_note(export, "asserted of an object that begins on a line; `check` judges "
				    "all places where one can");
}

static void add_comment(const struct exporting *export, struct buf *out)
{
	const struct rule *rule = export->rule;

	buf_adds(out, "\n/*\n");
	add_comment_line(out, "", rule->id);
	if (rule->why)
		add_comment_line(out, "why: ", rule->why);
	if (rule->origin)
		add_comment_line(out, "origin: ", rule->origin);
	for (size_t i = 0; i < export->nnotes; i++)
		add_comment_line(out, "", export->notes[i]);
	if (export->why_not)
		add_comment_line(out, "not asserted: ", export->why_not);
	buf_adds(out, " */\n");
}

static void add_assertion(const struct exporting *export, const char *when, struct buf *out)
{
	if (*when)
		buf_addf(out, "#if %s\n", when);
	buf_adds(out, "LAYOUTCHECK_ASSERT(1\n");
	buf_add(out, export->terms.s, export->terms.len);
	buf_adds(out, "\t, ");
	add_literal(out, export->rule->id);
	buf_adds(out, ");\n");
	if (*when)
		buf_adds(out, "#endif\n");
}

static void export_rule(struct exporting *export, const struct export_options *options,
			struct buf *out, struct export_counts *counts)
{
	const struct cond_context like = {options->like, export->def, export->arena};
	const char *when = "", *not_asked = NULL;

	export->granule = export->rule->granule
				  ? arena_printf(export->arena, "%" PRIu64, export->rule->granule)
				  : "LAYOUTCHECK_LINE";
	export_kind(export);
	if (!export->why_not)
		export->why_not = why_not(export, options);
	if (!export->why_not)
		when = export_when(export->rule->when, options->like ? &like : NULL, export->arena,
				   &not_asked);
	if (not_asked)
		export->why_not = not_asked;
	if (!export->why_not)
		note_base(export);
	add_comment(export, out);
	if (export->why_not) {
		counts->others++;
	} else {
		add_assertion(export, when, out);
		counts->asserted++;
	}
	buf_release(&export->terms);
	free(export->notes);
}

/* ---- packs ----------------------------------------------------------------------------------- */

static const struct def *def_of(const struct block *block, const struct layout *like,
				struct arena *arena)
{
	struct def_list found;

	if (!like || block->of_variables)
		return NULL;
	found = layout_find(like, block->type, arena);
	return found.n ? found.defs[0] : NULL;
}

static const char *type_of(const struct block *block, const struct def *def, struct arena *arena)
{
	enum def_kind kind = def ? def->kind : block->type.kind;
	const char *word = kind == DEF_UNION ? "union " : kind == DEF_TYPEDEF ? "" : "struct ";

	return block->of_variables ? NULL : arena_printf(arena, "%s%s", word, block->type.name);
}

static const char *why_no_block(const struct block *block, const struct def *def,
				const struct export_options *options)
{
	if (block->of_variables)
		return "where variables lie is up to the linker";
	if (block->type.scope)
		return "the type is in a namespace";
	if (!is_plain_name(block->type.name))
		return "the type has no name in C";
	if (options->like && !def)
		return "the image does not have the type";
	return NULL;
}

static void export_block(const struct block *block, const struct export_options *options,
			 struct buf *out, struct export_counts *counts)
{
	const char *why;
	struct arena arena;
	const struct def *def;

	arena_init(&arena);
	def = def_of(block, options->like, &arena);
	why = why_no_block(block, def, options);
	for (size_t i = 0; i < block->nrules; i++) {
		struct exporting export = {.block = block,
					   .rule = &block->rules[i],
					   .def = def,
					   .type = type_of(block, def, &arena),
					   .arena = &arena,
					   .terms = BUF_INIT};

		if (why) {
			export.why_not = why;
			add_comment(&export, out);
			counts->others++;
		} else {
			export_rule(&export, options, out, counts);
		}
	}
	arena_release(&arena);
}

void packs_export(const struct packs *packs, const struct export_options *options, struct buf *out,
		  struct export_counts *ret)
{
	*ret = (struct export_counts){0};
	buf_adds(out, "/*\n"
		      " * Rules about layouts that C can assert, written by `layoutcheck rules "
		      "export --asserts`.\n"
		      " * To be included behind the definitions of the types.\n"
		      " */\n");
	buf_adds(out, header);
	for (size_t p = 0; p < packs->n; p++) {
		const struct pack *pack = &packs->items[p];

		buf_adds(out, "\n/* ---- ");
		add_comment_text(out, pack->title ? pack->title : pack->file);
		buf_adds(out, " ---- */\n");
		add_line(out, options->line ? options->line : pack->cacheline);
		for (size_t b = 0; b < pack->nblocks; b++)
			export_block(&pack->blocks[b], options, out, ret);
	}
}
