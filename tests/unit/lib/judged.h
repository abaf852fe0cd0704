/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judging made layouts by rules from text: what the tests of src/rule share. */
#ifndef UNIT_LIB_JUDGED_H
#define UNIT_LIB_JUDGED_H

#include "lib/model.h"
#include "rule/check.h"

/* All that a test looks at; released as one. */
struct judged {
	struct packs packs;
	struct findings findings;
};

/* Judges a whole pack, given without its first line ("layoutcheck: 1"), or fails the test. */
void judge_pack(const struct layout *layout, const char *yaml, const struct check_options *options,
		struct judged *ret);

/*
 * Judges one rule on struct `s`. @rule is what stands in the pack behind "- "; @block is what
 * stands above `rules:` ("alloc: kmalloc"), or NULL. Lines of both are indented here; findings of
 * rules that hold are told.
 */
void judge_rule_text(const struct layout *layout, const char *block, const char *rule,
		     struct judged *ret);

void judged_release(struct judged *judged);

/* The finding that is alone there, or a failed test. */
const struct finding *only_finding(const struct judged *judged);

/* It has @part in it; NULL in both is fine, too. */
void assert_has(const char *text, const char *part);

/* Judging the pack gives one finding with this outcome, and @part in its message. */
void assert_outcome(const struct layout *layout, const char *yaml, enum outcome outcome,
		    const char *part);

#endif
