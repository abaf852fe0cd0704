/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/gitlab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "report/ci.h"
#include "report/json.h"

static const char *const severities[] = {
	[SEVERITY_NOTE] = "info", [SEVERITY_WARNING] = "minor", [SEVERITY_ERROR] = "critical"};

/*
 * GitLab drops all but one of those that share a fingerprint. The definitions of one name do, and
 * the same rule on several images: the later ones are told apart by their number, and all of them
 * by the image. Findings of one rule are neighbours.
 */
static json_t *fingerprint_of(const struct ci_run *run, size_t index, bool several)
{
	const struct ci_item *items = run->items, *item = &items[index];
	char number[24], own[SHA256_HEX];
	const char *parts[] = {item->fingerprint, number, run->image->path};
	size_t before = 0;

	for (size_t i = index; i > 0 && strcmp(items[i - 1].id, item->id) == 0; i--)
		before += strcmp(items[i - 1].fingerprint, item->fingerprint) == 0;
	if (!before && !several)
		return json_text(item->fingerprint);
	snprintf(number, sizeof number, "%zu", before);
	hash_sha256(parts, several ? 3 : 2, own);
	return json_text(own);
}

/* Takes over @fingerprint, and releases @text. */
static json_t *entry_of(struct buf *text, const char *name, const char *severity, struct pos place,
			json_t *fingerprint)
{
	json_t *entry = json_new_object(), *location = json_new_object(),
	       *lines = json_new_object();

	json_put(entry, "description", json_text(text->s));
	json_put(entry, "check_name", json_text(name));
	json_put(entry, "fingerprint", fingerprint);
	json_put(entry, "severity", json_text(severity));
	json_put(location, "path", json_text(place.file));
	json_put(lines, "begin", json_number(place.line ? place.line : 1));
	json_put(location, "lines", lines);
	json_put(entry, "location", location);
	buf_release(text);
	return entry;
}

static json_t *item_of(const struct ci_run *run, size_t index, const struct report_style *style)
{
	const struct ci_item *item = &run->items[index];
	struct buf text = BUF_INIT;

	if (item->excuse)
		buf_addf(&text, "%s: ", item->excuse);
	add_headline(&text, item, escape_text);
	add_details(&text, item, style->verbose, "; ", "", escape_text);
	return entry_of(&text, item->id, severities[item->severity], item->place,
			fingerprint_of(run, index, style->several));
}

static json_t *loss_of(const struct ci_report *report, const char *name)
{
	char own[SHA256_HEX];
	struct buf text = BUF_INIT;

	escape_text(&text, name);
	buf_adds(&text, report->loss);
	hash_sha256((const char *[]){"lost", name}, 2, own);
	return entry_of(&text, "layoutcheck", "blocker", (struct pos){name, 0, 0}, json_text(own));
}

static void render(const struct ci_report *report, const struct report_style *style,
		   struct buf *out)
{
	json_t *list = json_new_array();

	for (size_t i = 0; i < report->n; i++)
		for (size_t k = 0; k < report->runs[i].n; k++)
			if (report->runs[i].items[k].is_remarkable)
				json_push(list, item_of(&report->runs[i], k, style));
	for (size_t i = 0; i < report->nlost; i++)
		json_push(list, loss_of(report, report->lost[i]));
	json_add(list, out);
}

static void gitlab_check(const struct check_report *reports, size_t n,
			 const struct report_style *style, struct buf *out)
{
	ci_check(render, reports, n, style, out);
}

static void gitlab_diff(const struct diff_report *diff, const struct report_style *style,
			struct buf *out)
{
	ci_diff(render, diff, style, out);
}

const struct format format_gitlab = {.name = "gitlab",
				     .help = "code quality of GitLab",
				     .tells_unread = true,
				     .check = gitlab_check,
				     .diff = gitlab_diff};
