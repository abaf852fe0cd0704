/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/baseline.h"

#include <stdlib.h>

#include "base/mem.h"
#include "rule/check.h"

struct baseline {
	struct source *source;
	struct layout *layout;
};

bool baseline_open(const char *path, const struct common *common, const struct packs *packs,
		   struct err *err, struct baseline **ret)
{
	struct want_list names = {0};
	struct baseline *baseline;
	struct source *source;
	struct layout *layout;
	struct want want;
	bool ok;

	if (!source_open(path, common, err, &source))
		return false;
	check_wanted(packs, source_target(source), &names);
	want = want_list_finish(&names);
	ok = source_read(source, &want, err, &layout);
	want_list_release(&names);
	if (!ok) {
		source_close(source);
		return false;
	}
	baseline = xmalloc(sizeof *baseline);
	*baseline = (struct baseline){source, layout};
	*ret = baseline;
	return true;
}

void baseline_close(struct baseline *baseline)
{
	if (!baseline)
		return;
	layout_free(baseline->layout);
	source_close(baseline->source);
	free(baseline);
}

bool baseline_explain(const struct baseline *baseline, const struct layout *layout, uint64_t line,
		      struct findings *findings, struct err *err, struct changes *ret)
{
	const struct diff_options options = {.line = line};
	const char *refusal = diff_refusal(baseline->layout, layout, &options, &ret->arena);

	if (refusal)
		return err_set(err, NULL, "%s", refusal);
	diff_run(baseline->layout, layout, &options, ret);
	for (size_t i = 0; i < findings->n; i++) {
		struct finding *finding = &findings->items[i];
		const char *cause = NULL;

		if (finding->outcome == OUTCOME_BROKEN)
			cause = diff_cause(ret, finding);
		if (cause)
			finding->cause = cause;
	}
	return true;
}
