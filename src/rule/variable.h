/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kinds of rules on variables share: which lines a variable is on, for every place that
 * its section can have. In a linked image it has one place. In an object file its section begins in
 * a line where its alignment allows it (a "base", bytes from the start of a line), and what will
 * stand before and behind the section nobody knows. A rule holds when it does at every base, is
 * broken when it is at every one, and else unknown.
 */
#ifndef RULE_VARIABLE_H
#define RULE_VARIABLE_H

#include "rule/judge.h"
#include "rule/line.h"

/* A variable of a rule, found; and an item of a rule, found: those that are there. */
struct variable_part {
	const struct ref *ref;
	struct extent extent;
};
struct variable_side {
	const char *label;
	struct variable_part *parts;
	size_t n;
};

/* The bases 0, step, 2 * step, ... below the granule; none where they are too many to try. */
struct places {
	uint64_t step, n;
	const struct data_section *section; /* in an object file: whose place it is */
};

/* All in one section, or in a linked image: of @section. */
struct places places_of(const struct judge *judge, const struct data_section *section);

/* Lines at a base, the granule's. False: it occupies nothing. */
bool lines_of_extent(const struct judge *judge, const struct extent *extent, uint64_t base,
		     struct line_span *ret);

/* How a rule fares at the bases. */
struct fate {
	uint64_t broken, open; /* bases; open: what is beside the section decides */
};

/* Answers with @broken, or @holds, or why it is unknown. */
void judge_fate(struct judge *judge, const struct places *places, const struct fate *fate,
		const char *holds, const char *broken);

/* The parts of all sides in order of place. */
struct placed_variable {
	const struct extent *extent;
	size_t side;
};
struct variable_order {
	struct placed_variable *items;
	size_t n;
};
struct variable_order order_of_variables(const struct judge *judge);

/* The section that all parts are in, in a linked image of any of them; NULL: an object file, and
 * several, of which judge_unplaced() says that nothing can be told. */
const struct data_section *common_section(const struct judge *judge);
void judge_unplaced(struct judge *judge);

/* "vm_committed_as", "the variables of counters", "the variables" of a list without a name. */
const char *variable_side_name(const struct judge *judge, const struct variable_side *side);

/* What findings of @rule are about: a variable each, or all of them as one text. */
struct subjects {
	const char **items;
	size_t n;
};
const char *variables_text(const struct rule *rule, struct arena *arena);
struct subjects variable_subjects(const struct rule *rule, struct arena *arena);

#endif
