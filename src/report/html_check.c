/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The types that there is something to tell of, failures first, drawn with what is broken marked;
 * what holds or does not apply is folded away.
 */
#include "base/escape.h"
#include "report/html.h"
#include "report/text.h"

static void add_type(struct buf *out, const struct ci_run *run, const struct check_type *type)
{
	buf_adds(out, "<section class=\"type\">\n");
	if (type->view) {
		html_title(out, type->view);
	} else {
		buf_adds(out, "<h2>");
		escape_xml(out, type->subject);
		buf_adds(out, "</h2>\n");
	}
	buf_adds(out, "<ol class=\"said\">\n");
	for (size_t i = 0; i < type->n; i++)
		html_item(out, &run->items[type->findings[i]], i + 1);
	buf_adds(out, "</ol>\n");
	if (type->view) {
		struct buf facts = BUF_INIT;

		add_facts(&facts, type->view);
		html_legend(out, type->view);
		html_map(out, type->view, facts.s);
		html_members(out, type->view, false);
		buf_release(&facts);
	}
	buf_adds(out, "</section>\n");
}

static bool holds(const struct ci_run *run, const struct ci_item *item)
{
	(void)run;
	return item->finding->outcome == OUTCOME_HOLDS;
}

static bool does_not_apply(const struct ci_run *run, const struct ci_item *item)
{
	(void)run;
	return item->finding->outcome == OUTCOME_NOT_APPLICABLE;
}

void html_check_run(struct buf *out, const struct ci_run *run)
{
	for (size_t i = 0; i < run->check->ntypes; i++)
		add_type(out, run, &run->check->types[i]);
	html_folded(out, run, holds, "rule holds", "rules hold");
	html_folded(out, run, does_not_apply, "rule does not apply", "rules do not apply");
}
