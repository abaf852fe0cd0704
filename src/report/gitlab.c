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
static json_t *fingerprint_of(const struct check_report *report, size_t index, bool several)
{
	const struct finding *items = report->findings->items, *finding = &items[index];
	char number[24], own[SHA256_HEX];
	const char *parts[] = {finding->fingerprint, number, report->layout->path};
	size_t before = 0;

	for (size_t i = index; i > 0 && strcmp(items[i - 1].rule, finding->rule) == 0; i--)
		before += strcmp(items[i - 1].fingerprint, finding->fingerprint) == 0;
	if (!before && !several)
		return json_text(finding->fingerprint);
	snprintf(number, sizeof number, "%zu", before);
	hash_sha256(parts, several ? 3 : 2, own);
	return json_text(own);
}

static json_t *entry_of(const struct check_report *report, size_t index,
			const struct report_style *style)
{
	const struct finding *finding = &report->findings->items[index];
	const char *excuse = ci_excuse(report, finding);
	struct pos place = ci_place(finding);
	json_t *entry = json_new_object(), *location = json_new_object(),
	       *lines = json_new_object();
	struct buf text = BUF_INIT;

	if (excuse)
		buf_addf(&text, "%s: ", excuse);
	add_headline(&text, finding, escape_text);
	add_details(&text, finding, style->verbose, "; ", "", escape_text);
	json_put(entry, "description", json_text(text.s));
	json_put(entry, "check_name", json_text(finding->rule));
	json_put(entry, "fingerprint", fingerprint_of(report, index, style->several));
	json_put(entry, "severity", json_text(severities[ci_severity(report, finding)]));
	json_put(location, "path", json_text(place.file));
	json_put(lines, "begin", json_number(place.line ? place.line : 1));
	json_put(location, "lines", lines);
	json_put(entry, "location", location);
	buf_release(&text);
	return entry;
}

static void gitlab_check(const struct check_report *reports, size_t n,
			 const struct report_style *style, struct buf *out)
{
	json_t *list = json_new_array();

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < reports[i].findings->n; k++)
			if (is_remarkable(&reports[i], &reports[i].findings->items[k]))
				json_push(list, entry_of(&reports[i], k, style));
	json_add(list, out);
}

const struct format format_gitlab = {
	.name = "gitlab", .help = "code quality of GitLab", .check = gitlab_check};
