/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings and changes -> items. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/ci.h"

/* ---- findings ------------------------------------------------------------------------------ */

bool is_narrow(const struct check_report *report, const struct finding *finding)
{
	return finding->outcome == OUTCOME_HOLDS && finding->has_margin && report->has_margin &&
	       finding->margin < report->margin;
}

static enum ci_state state_of_finding(const struct check_report *report,
				      const struct finding *finding)
{
	bool fails = finding_fails(finding, report->fail_on, report->allow_unknown);

	switch (finding->outcome) {
	case OUTCOME_HOLDS:
		return CI_HOLDS;
	case OUTCOME_BROKEN:
	case OUTCOME_MISSING:
		return fails ? CI_FAILS : CI_TOLERATED;
	case OUTCOME_UNKNOWN:
		return fails ? CI_UNTOLD : CI_SKIPPED;
	case OUTCOME_NOT_APPLICABLE:
		break;
	}
	return CI_SKIPPED;
}

/* Another definition was judged by the rule of the finding at @index. Findings of one rule are
 * neighbours. */
static bool has_twin(const struct findings *findings, size_t index)
{
	const struct finding *items = findings->items;

	return (index && strcmp(items[index - 1].rule, items[index].rule) == 0) ||
	       (index + 1 < findings->n && strcmp(items[index + 1].rule, items[index].rule) == 0);
}

static const char *reason_of(enum ci_state state, bool waived, enum severity severity,
			     enum outcome outcome)
{
	if (waived)
		return "waived";
	return state == CI_TOLERATED ? severity_name(severity) : outcome_name(outcome);
}

struct ci_item ci_item_of_finding(const struct check_report *report, size_t index)
{
	const struct finding *finding = &report->findings->items[index];
	const struct def *def = finding->def;
	/* Whatever --fail-on says. */
	bool complaint = finding_fails(finding, SEVERITY_NOTE, report->allow_unknown);
	struct ci_item item = {
		.state = state_of_finding(report, finding),
		.is_remarkable = finding->outcome == OUTCOME_HOLDS
					 ? is_narrow(report, finding)
					 : finding->outcome != OUTCOME_NOT_APPLICABLE,
		.severity = complaint ? finding->severity : SEVERITY_NOTE,
		.type = outcome_name(finding->outcome),
		.id = finding->rule,
		.subject = finding->subject,
		.member = finding->member,
		.message = finding->message,
		.cause = finding->cause,
		.rule = finding,
		.finding = finding,
		.place = finding->pack,
		.pack = finding->pack,
		.twin = has_twin(report->findings, index) ? def : NULL,
		.fingerprint = finding->fingerprint,
		.waived = finding->waived,
		.waiver = finding->waiver,
	};

	if (!complaint)
		item.excuse = finding->waived ? "waived" : item.type;
	item.reason = reason_of(item.state, finding->waived, finding->severity, finding->outcome);
	if (def && def->has_decl) {
		item.place = (struct pos){def->file, def->line, 0};
		item.in_sources = true;
	}
	return item;
}

static void run_of_check(const struct check_report *report, struct ci_run *ret)
{
	*ret = (struct ci_run){.image = report->layout,
			       .line = report->line,
			       .items = xcalloc(report->findings->n, sizeof *ret->items),
			       .n = report->findings->n,
			       .warnings = report->warnings,
			       .nwarnings = report->nwarnings,
			       .summary = &report->findings->summary,
			       .judged = findings_judged(report->findings),
			       .check = report};
	for (size_t i = 0; i < ret->n; i++)
		ret->items[i] = ci_item_of_finding(report, i);
}

void ci_check(ci_renderer *render, const struct check_report *reports, size_t n,
	      const struct report_style *style, struct buf *out)
{
	struct ci_run *runs = xcalloc(n, sizeof *runs);
	const struct ci_report report = {.runs = runs,
					 .n = n,
					 .lost = style->unread,
					 .nlost = style->nunread,
					 .loss = " could not be read"};

	for (size_t i = 0; i < n; i++)
		run_of_check(&reports[i], &runs[i]);
	render(&report, style, out);
	for (size_t i = 0; i < n; i++)
		free(runs[i].items);
	free(runs);
}

/* ---- changes ------------------------------------------------------------------------------- */

/* A broken rule is a broken rule, be it a note. */
static enum ci_state state_of_change(const struct diff_report *report, const struct change *change)
{
	if (change_fails(change, report->strict))
		return CI_FAILS;
	return change->waived || change->severity > SEVERITY_NOTE ||
			       change->kind == CHANGE_RULE_BROKEN
		       ? CI_TOLERATED
		       : CI_HOLDS;
}

static const struct def *def_of(const struct change *change)
{
	return change->new_def ? change->new_def : change->old_def;
}

/* The new declaration, where it is known. */
static const struct def *declared(const struct change *change)
{
	if (change->new_def && change->new_def->has_decl)
		return change->new_def;
	return change->old_def && change->old_def->has_decl ? change->old_def : NULL;
}

static void place_change(const struct diff_report *report, struct ci_item *item)
{
	const struct change *change = item->change;
	const struct def *def = declared(change);

	if (def)
		item->place = (struct pos){def->file, def->line, 0};
	else if (change->pack.file)
		item->place = change->pack;
	else
		item->place.file = change->new_def || change->of_variables ? report->after->path
									   : report->before->path;
	item->in_sources = def != NULL;
}

static struct ci_item item_of_change(const struct diff_report *report,
				     const struct report_style *style, const struct change *change)
{
	enum ci_state state = state_of_change(report, change);
	struct ci_item item = {
		.state = state,
		.is_remarkable = state != CI_HOLDS || style->verbose,
		.severity = change->waived ? SEVERITY_NOTE : change->severity,
		.excuse = change->waived ? "waived" : NULL,
		.reason = change->waived ? "waived" : severity_name(change->severity),
		.type = change_rows[change->kind].name,
		.id = change->finding ? change->finding->rule : change_rows[change->kind].name,
		.subject = change->subject,
		.member = change->member,
		.message = change->message,
		.cause = change->cause,
		.rule = change->finding,
		.change = change,
		.pack = change->pack,
		.fingerprint = change->fingerprint,
		.waived = change->waived,
		.waiver = change->waiver,
	};

	place_change(report, &item);
	return item;
}

/* Of a name with several definitions, each change says of which it speaks. Those of one name are
 * neighbours. */
static void part_twins(struct ci_run *run)
{
	for (size_t first = 0, end; first < run->n; first = end) {
		const struct change *change = run->items[first].change;
		bool several = false;

		for (end = first + 1; end < run->n; end++) {
			const struct change *next = run->items[end].change;

			if (strcmp(next->subject, change->subject) != 0)
				break;
			several = several || next->old_def != change->old_def ||
				  next->new_def != change->new_def;
		}
		for (size_t i = first; several && i < end; i++)
			run->items[i].twin = def_of(run->items[i].change);
	}
}

/* What the images warn of, and each pair of members that the new build makes fight; malloc'd, the
 * texts of the pairs in @texts, one behind the other. */
static const char **warnings_of_diff(const struct diff_report *diff, struct buf *texts,
				     size_t *ret_n)
{
	const struct changes *changes = diff->changes;
	const char **warnings = xcalloc(changes->nwarnings + diff->nhot, sizeof(char *));
	size_t *starts = xcalloc(diff->nhot, sizeof *starts), n = changes->nwarnings, made = 0;

	if (n)
		memcpy(warnings, changes->warnings, n * sizeof(char *));
	for (size_t i = 0; i < diff->nhot; i++) {
		if (strcmp(diff->hot[i].fate, "made") != 0)
			continue;
		starts[made++] = texts->len;
		buf_adds(texts, "hot pair made: ");
		add_hot_pair(texts, &diff->hot[i], buf_adds);
		buf_addc(texts, '\0');
	}
	for (size_t i = 0; i < made; i++)
		warnings[n++] = texts->s + starts[i];
	free(starts);
	*ret_n = n;
	return warnings;
}

void ci_diff(ci_renderer *render, const struct diff_report *diff, const struct report_style *style,
	     struct buf *out)
{
	const struct changes *changes = diff->changes;
	struct buf texts = BUF_INIT;
	size_t nwarnings;
	const char **warnings = warnings_of_diff(diff, &texts, &nwarnings);
	struct ci_run run = {.before = diff->before,
			     .image = diff->after,
			     .line = diff->line,
			     .items = xcalloc(changes->n, sizeof *run.items),
			     .n = changes->n,
			     .warnings = warnings,
			     .nwarnings = nwarnings,
			     .diff = diff};
	const struct ci_report report = {.runs = &run,
					 .n = 1,
					 .lost = diff->missing,
					 .nlost = diff->nmissing,
					 .loss = " is in neither image"};

	for (size_t i = 0; i < run.n; i++)
		run.items[i] = item_of_change(diff, style, &changes->items[i]);
	part_twins(&run);
	render(&report, style, out);
	free(run.items);
	free(warnings);
	buf_release(&texts);
}
