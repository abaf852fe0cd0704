/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diff/diff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diff/compare.h"
#include "diff/worst.h"
#include "layout/randomized.h"

/* ---- can they be compared ----------------------------------------------------------------------
 */

uint64_t diff_line(const struct layout *before, const struct layout *after,
		   const struct diff_options *options)
{
	if (options->line)
		return options->line;
	return before->target.line ? before->target.line : after->target.line;
}

const char *diff_refusal(const struct layout *before, const struct layout *after,
			 const struct diff_options *options, struct arena *arena)
{
	const struct target *old = &before->target, *new = &after->target;

	if (old->arch && new->arch && strcmp(old->arch, new->arch) != 0)
		return arena_printf(arena,
				    "%s is for %s and %s for %s: their layouts cannot be compared",
				    before->path, old->arch, after->path, new->arch);
	if (old->bits && new->bits && old->bits != new->bits)
		return arena_printf(
			arena, "%s has %u bits and %s has %u: their layouts cannot be compared",
			before->path, old->bits, after->path, new->bits);
	if (!options->line && old->line && new->line && old->line != new->line)
		return arena_printf(arena,
				    "%s has lines of %" PRIu64 " bytes and %s of %" PRIu64
				    ": give one size for both with --cacheline",
				    before->path, old->line, after->path, new->line);
	return NULL;
}

/* ---- warnings -------------------------------------------------------------------------------- */

enum { MOST_WARNINGS = 12 };

static void warn(struct changes *changes, const char *text)
{
	changes->warnings[changes->nwarnings++] = text;
}

static void warn_of_sources(const struct comparison *c)
{
	const struct layout *before = c->before, *after = c->after;
	const struct layout *blind = before->knows_align ? after : before;
	struct arena *arena = c->arena;

	if (before->target.config && after->target.config &&
	    strcmp(before->target.config, after->target.config) != 0)
		warn(c->changes,
		     arena_printf(arena,
				  "%s and %s were configured differently: what changed may be "
				  "the configuration",
				  before->path, after->path));
	if (before->knows_align != after->knows_align)
		warn(c->changes,
		     arena_printf(arena,
				  "%s does not say how types are aligned (%s): alignments "
				  "are not compared",
				  blind->path, layout_source_name(layout_origin(blind))));
	if (!before->target.arch != !after->target.arch)
		warn(c->changes,
		     arena_printf(arena,
				  "%s does not say which machine it is for: it is taken to "
				  "be that of %s",
				  before->target.arch ? after->path : before->path,
				  before->target.arch ? before->path : after->path));
	if (!c->line)
		warn(c->changes, "the size of a cache line is not known: give --arch or "
				 "--cacheline; lines are not compared");
}

static void warn_of_randomized(const struct comparison *c, const struct layout *layout)
{
	if (layout_is_randomized(layout, c->arena))
		warn(c->changes,
		     arena_printf(c->arena,
				  "%s has randomised layouts (CONFIG_RANDSTRUCT): the order of "
				  "members marked so differs from seed to seed",
				  layout->path));
}

/* ---- which types -------------------------------------------------------------------------------
 */

struct defs {
	const struct def **items;
	size_t n, cap;
};

static void add_def(struct defs *defs, const struct def *def)
{
	ARRAY_GROW(defs->items, defs->n, defs->cap);
	defs->items[defs->n++] = def;
}

static int compare_places(const void *left, const void *right)
{
	const struct def *a = *(const struct def *const *)left;
	const struct def *b = *(const struct def *const *)right;

	return (a > b) - (a < b);
}

/* Of a type that the other side may well have, nothing can be said. */
static void warn_of_part(struct comparison *c, const struct layout *layout,
			 const struct layout *other, size_t skipped)
{
	if (skipped)
		warn(c->changes,
		     arena_printf(c->arena,
				  "%s was taken of some types only: %zu of those of %s "
				  "%s not compared",
				  other->path, skipped, layout->path, skipped == 1 ? "is" : "are"));
}

/* Those asked for, as the layout has them, each once; less what a snapshot on the other side was
 * taken without. */
static struct defs select_defs(struct comparison *c, const struct layout *layout,
			       const struct layout *other)
{
	const struct diff_options *options = c->options;
	struct arena *arena = c->arena;
	struct defs defs = {0};
	size_t kept = 0, skipped = 0;

	for (size_t i = 0; !options->ntypes && i < layout->ndefs; i++)
		add_def(&defs, &layout->defs[i]);
	for (size_t i = 0; i < options->ntypes; i++) {
		struct type_ref ref = type_ref_parse(arena, options->types[i]);
		struct def_list found = layout_find(layout, ref, arena);

		for (size_t k = 0; k < found.n; k++)
			add_def(&defs, found.defs[k]);
	}
	if (defs.n)
		qsort(defs.items, defs.n, sizeof *defs.items, compare_places);
	for (size_t i = 0; i < defs.n; i++) {
		if (i && defs.items[i - 1] == defs.items[i])
			continue;
		if (layout_tells_of(other, defs.items[i]->name))
			defs.items[kept++] = defs.items[i];
		else
			skipped++;
	}
	defs.n = kept;
	warn_of_part(c, layout, other, skipped);
	return defs;
}

static void pair_types(struct comparison *c, struct def_pairs *ret)
{
	struct defs old = select_defs(c, c->before, c->after);
	struct defs new = select_defs(c, c->after, c->before);

	pair_defs(c->alike, old.items, old.n, new.items, new.n, ret);
	free(old.items);
	free(new.items);
}

/* ---- the result ------------------------------------------------------------------------------ */

/* Those on no side come last. */
static int compare_defs(const struct def *a, const struct def *b)
{
	if (!a || !b)
		return (a == NULL) - (b == NULL);
	return (a > b) - (a < b);
}

static int compare_changes(const void *left, const void *right)
{
	const struct change *a = left, *b = right;
	int order = strcmp(a->subject, b->subject);

	if (!order)
		order = compare_defs(a->new_def, b->new_def);
	if (!order)
		order = compare_defs(a->old_def, b->old_def);
	if (!order)
		order = (int)b->severity - (int)a->severity;
	if (!order)
		order = (int)a->has_bits - (int)b->has_bits;
	if (!order)
		order = (a->bit_offset > b->bit_offset) - (a->bit_offset < b->bit_offset);
	if (!order)
		order = (int)a->kind - (int)b->kind;
	return order ? order : strcmp(a->message, b->message);
}

static int compare_fingerprints(const void *left, const void *right)
{
	const struct change *a = *(struct change *const *)left, *b = *(struct change *const *)right;
	int order = strcmp(a->fingerprint, b->fingerprint);

	return order ? order : (a > b) - (a < b);
}

/* Of those that nothing but their order tells apart (two definitions of one name, from BTF), all
 * but the first are numbered. */
static void part_fingerprints(const struct comparison *c)
{
	struct changes *changes = c->changes;
	struct change **order = xcalloc(changes->n + 1, sizeof *order);
	char first[SHA256_HEX] = "";
	size_t same = 0;

	for (size_t i = 0; i < changes->n; i++)
		order[i] = &changes->items[i];
	qsort(order, changes->n, sizeof *order, compare_fingerprints);
	for (size_t i = 0; i < changes->n; i++) {
		const char *strings[] = {first, NULL};

		same = strcmp(first, order[i]->fingerprint) == 0 ? same + 1 : 0;
		memcpy(first, order[i]->fingerprint, sizeof first);
		if (!same)
			continue;
		strings[1] = arena_printf(c->arena, "%zu", same);
		hash_sha256(strings, ARRAY_SIZE(strings), order[i]->fingerprint);
	}
	free(order);
}

/* What is waived already stays so; who waives it is asked all the same, to know that he does. */
static void waive(const struct comparison *c)
{
	const struct diff_options *options = c->options;

	for (size_t i = 0; options->waiver_of && i < c->changes->n; i++) {
		struct change *change = &c->changes->items[i];
		bool over = false;
		const struct waiver *waiver =
			options->waiver_of(options->waiver_context, change, &over);

		if (!waiver || change->waived)
			continue;
		change->waiver = waiver;
		change->waived = !over;
	}
}

static void count(struct changes *changes)
{
	for (size_t i = 0; i < changes->n; i++) {
		const struct change *change = &changes->items[i];

		if (change->waived)
			changes->summary.waived++;
		else if (change->severity == SEVERITY_ERROR)
			changes->summary.errors++;
		else if (change->severity == SEVERITY_WARNING)
			changes->summary.warnings++;
		else
			changes->summary.notes++;
	}
}

static void compare_all(struct comparison *c)
{
	struct def_pairs pairs = {0};

	pair_types(c, &pairs);
	for (size_t i = 0; i < pairs.n; i++)
		compare_pair(c, &pairs.items[i]);
	def_pairs_release(&pairs);
	compare_lost_rules(c);
	compare_variables(c);
}

static void finish(struct comparison *c)
{
	struct changes *changes = c->changes;
	size_t dark = rules_in_the_dark(c);

	if (dark)
		warn(changes,
		     arena_printf(c->arena, "%zu rule%s held on %s and cannot be judged on %s",
				  dark, dark == 1 ? "" : "s", c->before->path, c->after->path));
	if (changes->n)
		qsort(changes->items, changes->n, sizeof *changes->items, compare_changes);
	part_fingerprints(c);
	waive(c);
	count(changes);
}

void diff_run(const struct layout *before, const struct layout *after,
	      const struct diff_options *options, struct changes *ret)
{
	struct comparison c = {
		.options = options,
		.before = before,
		.after = after,
		.line = diff_line(before, after, options),
		.aligns = before->knows_align && after->knows_align,
		.changes = ret,
		.arena = &ret->arena,
	};

	ret->warnings = arena_array(c.arena, MOST_WARNINGS, sizeof *ret->warnings);
	c.alike = alike_new(c.aligns);
	c.worst = options->ntypes ? NULL : worst_new();
	warn_of_sources(&c);
	warn_of_randomized(&c, before);
	warn_of_randomized(&c, after);
	compare_all(&c);
	if (c.worst)
		worst_finish(c.worst, &c);
	finish(&c);
	worst_free(c.worst);
	alike_free(c.alike);
}
