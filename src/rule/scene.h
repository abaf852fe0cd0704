/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One block of a pack in one image: the definitions it is about, each ready to judge rules on. */
#ifndef RULE_SCENE_H
#define RULE_SCENE_H

#include "rule/judge_steps.h"
#include "rule/select.h"

struct scene {
	const struct layout *layout;
	const struct block *block;
	struct target target; /* the layout's, with the line in force */
	struct selection selection;
	struct judge_on *on; /* one a definition; one without when the struct is missing */
	size_t n;
	struct arena arena; /* for all that judging makes */
};

/* @line: from the command line, 0 when not given; then the pack's counts, then the target's. */
void scene_init(struct scene *scene, const struct layout *layout, uint64_t line,
		const struct pack *pack, const struct block *block);
void scene_release(struct scene *scene);

#endif
