/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/c2c_rules.h"

#include <string.h>

#include "base/text.h"
#include "c2c/advice.h"
#include "layout/data.h"
#include "rule/kind.h"
#include "rule/rule.h"

/* The note speaks of bytes of the datum. */
static bool touches(const struct rule_note *note, const struct c2c_datum *datum)
{
	uint64_t start = datum->member_offset * 8,
		 end = start + (datum->size ? datum->size : 1) * 8;

	return note->has_bits && note->bit_offset < end &&
	       (!note->bit_size || note->bit_offset + note->bit_size > start);
}

/* The text of the rule's note on the datum: what it is apart from tells its side. NULL: none. */
static const char *side_of(const struct rule_notes *notes, const char *rule,
			   const struct c2c_datum *datum)
{
	for (size_t i = 0; i < notes->n; i++)
		if (strcmp(notes->items[i].rule, rule) == 0 && touches(&notes->items[i], datum))
			return notes->items[i].text;
	return NULL;
}

bool c2c_rule_covers(const struct rule_notes *notes, const char *rule,
		     const struct c2c_datum *written, const struct c2c_datum *read)
{
	const char *one = side_of(notes, rule, written), *other = side_of(notes, rule, read);

	if (one && text_starts_with(one, "alone") && !other)
		return true;
	if (other && text_starts_with(other, "alone") && !one)
		return true;
	return one && other && text_starts_with(one, "apart") && strcmp(one, other) != 0;
}

static const struct rule *find_rule(const struct packs *packs, const char *id)
{
	for (size_t p = 0; p < packs->n; p++)
		for (size_t b = 0; b < packs->items[p].nblocks; b++) {
			const struct block *block = &packs->items[p].blocks[b];

			for (size_t r = 0; r < block->nrules; r++)
				if (strcmp(block->rules[r].id, id) == 0)
					return &block->rules[r];
		}
	return NULL;
}

static bool has_rule(const struct c2c_line *line, const char *id)
{
	for (size_t i = 0; i < line->nrules; i++)
		if (strcmp(line->rules[i].id, id) == 0)
			return true;
	return false;
}

/* Each rule once, though notes are many. Returns whether any covers the pair. */
static bool add_covering(const struct packs *packs, const struct rule_notes *notes,
			 const struct c2c_pair *pair, struct arena *arena, struct c2c_line *line)
{
	const struct c2c_datum *written = &line->data[pair->written];
	const struct c2c_datum *read = &line->data[pair->read];
	bool covered = false;

	for (size_t i = 0; i < notes->n; i++) {
		const struct rule_note *note = &notes->items[i];
		const struct rule *rule = find_rule(packs, note->rule);

		if (!rule || !c2c_rule_covers(notes, note->rule, written, read))
			continue;
		covered = true;
		if (has_rule(line, note->rule))
			continue;
		line->rules[line->nrules++] = (struct c2c_rule){arena_strdup(arena, note->rule),
								note->outcome, rule->pos};
	}
	return covered;
}

/* Room for as many as there are notes, and those it has. */
static struct c2c_rule *more_rules(const struct c2c_line *line, size_t n, struct arena *arena)
{
	struct c2c_rule *rules = arena_array(arena, line->nrules + n, sizeof *rules);

	for (size_t i = 0; i < line->nrules; i++)
		rules[i] = line->rules[i];
	return rules;
}

static bool names(const struct item *item, const char *variable)
{
	for (size_t i = 0; i < item->n; i++)
		for (size_t k = 0; k < item->refs[i].nalts; k++)
			if (strcmp(item->refs[i].alts[k], variable) == 0)
				return true;
	return false;
}

/* Where two variables are on one line, a rule that forbids it is broken. */
static bool forbids(const struct rule *rule, const char *one, const char *other)
{
	bool is_apart = strcmp(rule->kind->name, "apart") == 0;
	bool is_alone = strcmp(rule->kind->name, "alone") == 0;
	size_t sides = 0;

	if (rule->when || (!is_apart && !is_alone))
		return false;
	for (size_t i = 0; i < rule->nitems; i++)
		sides += names(&rule->items[i], one) != names(&rule->items[i], other);
	return is_alone ? sides > 0 : sides > 1;
}

/* Returns whether any does. */
static bool add_forbidding(const struct packs *packs, const struct c2c_pair *pair,
			   struct arena *arena, struct c2c_line *line)
{
	const char *written = line->data[pair->written].symbol;
	const char *read = line->data[pair->read].symbol;
	size_t n = line->nrules;

	if (!written || !read)
		return false;
	written = data_plain_name(written, arena);
	read = data_plain_name(read, arena);
	for (size_t p = 0; p < packs->n; p++)
		for (size_t b = 0; b < packs->items[p].nblocks; b++) {
			const struct block *block = &packs->items[p].blocks[b];

			for (size_t r = 0; block->of_variables && r < block->nrules; r++) {
				const struct rule *rule = &block->rules[r];

				if (!forbids(rule, written, read) || has_rule(line, rule->id))
					continue;
				line->rules = more_rules(line, 1, arena);
				line->rules[line->nrules++] =
					(struct c2c_rule){rule->id, OUTCOME_BROKEN, rule->pos};
			}
		}
	return line->nrules > n;
}

static void add_to_line(const struct packs *packs, const struct layout *layout,
			const struct check_options *options, uint64_t line_size,
			struct arena *arena, struct c2c_line *line)
{
	struct rule_notes notes = {0};
	const struct def *def = NULL;

	for (size_t i = 0; i < line->npairs; i++) {
		const struct c2c_pair *pair = &line->pairs[i];
		struct c2c_sides sides;

		if (!advice_sides(line, pair, arena, &sides)) {
			if (!add_forbidding(packs, pair, arena, line) && !line->remedy &&
			    advice_is_due(line, pair))
				advice_give_variables(pair, line_size, layout->target.module, arena,
						      line);
			continue;
		}
		if (sides.def != def) {
			def = sides.def;
			notes = check_notes(packs, layout, def, options, arena);
			line->rules = more_rules(line, notes.n, arena);
		}
		if (!add_covering(packs, &notes, pair, arena, line) && !line->advice &&
		    advice_is_due(line, pair))
			advice_give(&sides, pair, line_size, arena, line);
	}
}

void c2c_add_rules(const struct packs *packs, const struct layout *layout,
		   const struct check_options *options, struct c2c_report *report)
{
	for (size_t i = 0; i < report->nlines; i++)
		add_to_line(packs, layout, options, report->line_size, &report->arena,
			    &report->lines[i]);
}
