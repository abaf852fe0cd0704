/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two layouts -> changes: what moved, which line it crossed, who its new neighbours are.
 *
 * Members are matched by their path, through anonymous structs and unions; a struct that has a name
 * is one value to those that embed it, and its own diff tells what changed inside. Equal layouts
 * have no changes, whatever the sources look like.
 *
 * diff/ knows nothing of packs: cli/ hands it the groups that the packs name (struct diff_group)
 * and the rules judged on both sides (struct findings).
 */
#ifndef DIFF_DIFF_H
#define DIFF_DIFF_H

#include "diff/change.h"

/* Members that a pack names as one group, and the groups that it keeps apart from that one. */
struct diff_members {
	const char *from, *to; /* paths; to NULL: one member, else all from the one to the other */
};
struct diff_group {
	struct type_ref type;
	const char *name;       /* "written" */
	enum severity severity; /* of the rule that keeps it apart, of several the worst */
	const struct diff_members *members;
	size_t nmembers;
	const char *const *apart_from; /* names of groups of the same type */
	size_t napart;
	const struct waiver *waiver; /* of all rules that keep it apart; NULL: not all are waived */
};

/* A variable that a pack names, and the files that it may mean by it. */
struct diff_variable {
	const char *const *names; /* the first that there is */
	size_t n;
	const char *source; /* of a static one, or NULL */
};

/* What waives a change; *ret_over when that is over. NULL: nothing does. */
typedef const struct waiver *diff_waiver_of(void *context, const struct change *change,
					    bool *ret_over);

struct diff_options {
	const char *const *types; /* as `-C` names them; n 0: every type of both */
	size_t ntypes;
	uint64_t line;            /* bytes; 0: of the targets */
	unsigned cpus;            /* for objects a slab; 0: do not say */
	bool fails[CHANGE_KINDS]; /* kinds that are errors, whatever their row says */
	const struct diff_group *groups;
	size_t ngroups;
	const struct diff_variable *variables; /* whose neighbours are compared... */
	size_t nvariables;
	const char *const *sections; /* ...as are those of all variables in these */
	size_t nsections;
	const struct findings *old_findings,
		*new_findings;     /* of every rule, also those that hold; NULL: no packs */
	diff_waiver_of *waiver_of; /* NULL: nothing is waived, but what findings say of rules */
	void *waiver_context;
};

/*
 * What changed from @before to @after, which must outlive the changes, as must the findings. Never
 * fails: what cannot be compared is a warning.
 */
void diff_run(const struct layout *before, const struct layout *after,
	      const struct diff_options *options, struct changes *ret);

/* Bytes in a line that the two are compared with; 0: neither target says. */
uint64_t diff_line(const struct layout *before, const struct layout *after,
		   const struct diff_options *options);

/*
 * The two cannot be compared at all (another machine, another line size): one sentence in @arena,
 * else NULL.
 */
const char *diff_refusal(const struct layout *before, const struct layout *after,
			 const struct diff_options *options, struct arena *arena);

/*
 * What made @finding, of the new layout, come about: one or two clauses that live as long as the
 * changes, or NULL.
 */
const char *diff_cause(const struct changes *changes, const struct finding *finding);

#endif
