/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Judging: packs and a layout -> findings. Every rule runs; none hides another. What one rule on
 * one definition comes to is in judge.h; this is about which rules and definitions there are.
 *
 * A pack for another image (select.h) is not applicable, rule by rule; where all packs are, that is
 * remarked on. A block means all distinct definitions of its name, or with `source:` those declared
 * in that file; none of them there is missing, and says where the definitions are. Each definition
 * is judged and has findings of its own; the rule counts once in the summary, with the worst
 * outcome.
 *
 * A finding that is waived is told, and does not count as the rule's outcome.
 *
 * BTF does not say where types are declared, so a pin cannot be followed: the finding notes it, and
 * where several definitions come out differently, those that broke are unknown.
 */
#ifndef RULE_CHECK_H
#define RULE_CHECK_H

#include "rule/rule.h"
#include "rule/waivers.h"

struct check_options {
	uint64_t line; /* bytes, from --cacheline; 0: the pack's, else the target's */
	bool all;      /* findings of rules that hold or do not apply, too */
	bool has_margin;
	uint64_t margin; /* --margin N: a rule that holds with a margin below N bytes is a finding
			    (note) that holds */
	struct waivers *waivers; /* what they name is waived, and they learn what came of it; NULL:
				    none */
};

/* The names of types that judging these packs looks up: those of their blocks, and of has() and
 * sizeof(). */
void check_wanted(const struct packs *packs, const struct target *target, struct want_list *list);

/* Some rule is on variables: whoever reads the layout must read those, too. */
bool check_wants_variables(const struct packs *packs, const struct target *target);

/* Some rule is on a struct. */
bool check_asks_types(const struct packs *packs);

/* A condition asks for an option of the kernel's configuration. */
bool check_asks_config(const struct packs *packs);

/* The findings in pack order, the summary over all rules, and the remarks; added to what @ret has
 * already. */
void check_run(const struct packs *packs, const struct layout *layout,
	       const struct check_options *options, struct findings *ret);

/* The rules that speak of @def, each with the member it is about, and the members of the groups
 * that packs name there, for drawings. */
struct rule_note {
	const char *rule;
	const char *text;   /* "starts_line", "apart from written" */
	const char *access; /* of `classes`, the class that it gives the member; else NULL */
	bool has_bits;      /* false: the struct as a whole */
	const char *path;   /* of the member, when has_bits: alternatives of a union share bits */
	uint64_t bit_offset, bit_size;
	enum outcome outcome;
};
struct rule_group {
	const char *name; /* "written" */
	const char *path; /* of one of its members */
	uint64_t bit_offset, bit_size;
};
struct rule_notes {
	struct rule_note *items;
	size_t n;
	struct rule_group *groups; /* in the order of the packs */
	size_t ngroups;
};
struct rule_notes check_notes(const struct packs *packs, const struct layout *layout,
			      const struct def *def, const struct check_options *options,
			      struct arena *arena);

#endif
