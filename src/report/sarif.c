/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers in brackets are sections of the standard. Only `kind` fail has a level (3.27.10). What
 * holds is not asked for without --all: GitHub's code scanning shows results of every kind as
 * alerts.
 */
#include "report/sarif.h"

#include <string.h>

#include "base/escape.h"
#include "report/ci.h"
#include "report/json.h"

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

/* {"text": @text}; releases @text. */
static json_t *message_of(struct buf *text)
{
	json_t *message = json_new_object();

	json_put(message, "text", json_text(text->s));
	buf_release(text);
	return message;
}

static const char *kind_of(const struct check_report *report, const struct finding *finding)
{
	switch (finding->outcome) {
	case OUTCOME_HOLDS:
		return is_narrow(report, finding) ? "informational" : "pass";
	case OUTCOME_BROKEN:
	case OUTCOME_MISSING:
		return "fail";
	case OUTCOME_UNKNOWN:
		return "open";
	case OUTCOME_NOT_APPLICABLE:
		break;
	}
	return "notApplicable";
}

/* ---- places -------------------------------------------------------------------------------- */

/* A relative path of a declaration starts at the root of the source tree (3.4.4); one of a pack
 * where the program ran, which is not told. */
static json_t *location_of(struct pos place, bool in_sources)
{
	json_t *location = json_new_object(), *physical = json_new_object(),
	       *artifact = json_new_object(), *region = json_new_object();
	bool absolute = place.file[0] == '/';
	struct buf uri = BUF_INIT;

	if (absolute)
		buf_adds(&uri, "file://");
	escape_uri(&uri, place.file);
	json_put(artifact, "uri", json_text(uri.s));
	if (in_sources && !absolute)
		json_put(artifact, "uriBaseId", json_text("%SRCROOT%"));
	json_put(physical, "artifactLocation", artifact);
	json_put(region, "startLine", json_number(place.line ? place.line : 1));
	json_put(physical, "region", region);
	json_put(location, "physicalLocation", physical);
	buf_release(&uri);
	return location;
}

static json_t *logical_location(const struct finding *finding)
{
	json_t *logical = json_new_object(), *list = json_new_array();
	struct buf full = BUF_INIT;

	escape_text(&full, finding->subject);
	if (finding->member) {
		buf_addc(&full, '.');
		escape_text(&full, finding->member);
	}
	json_put(logical, "fullyQualifiedName", json_text(full.s));
	json_put(logical, "kind", json_text(finding->member ? "member" : "type"));
	json_push(list, logical);
	buf_release(&full);
	return list;
}

static void put_locations(json_t *result, const struct finding *finding)
{
	bool has_decl = finding->def && finding->def->has_decl;
	json_t *locations = json_new_array(), *related = json_new_array();
	json_t *location = location_of(ci_place(finding), has_decl);
	struct buf text = BUF_INIT;

	json_put(location, "logicalLocations", logical_location(finding));
	json_push(locations, location);
	json_put(result, "locations", locations);
	if (has_decl) {
		location = location_of(finding->pack, false);
		buf_adds(&text, "the rule");
		json_put(location, "message", message_of(&text));
		json_push(related, location);
	}
	json_put(result, "relatedLocations", related);
}

/* ---- rules --------------------------------------------------------------------------------- */

static json_t *rule_of(const struct finding *finding)
{
	json_t *rule = json_new_object(), *level = json_new_object();
	struct buf title = BUF_INIT, full = BUF_INIT, help = BUF_INIT;

	escape_sarif(&title, finding->subject);
	buf_adds(&title, ": ");
	escape_sarif(&title, finding->kind);
	if (finding->why)
		escape_sarif(&full, finding->why);
	else
		buf_adds(&full, title.s);
	buf_adds(&help, full.s);
	buf_addc(&help, '\n');
	if (finding->origin) {
		buf_adds(&help, "origin: ");
		escape_sarif(&help, finding->origin);
		buf_addc(&help, '\n');
	}
	buf_adds(&help, "rule: ");
	escape_sarif(&help, finding->pack.file);
	buf_addf(&help, ":%u\n", finding->pack.line);

	json_put(rule, "id", json_text(finding->rule));
	json_put(rule, "shortDescription", message_of(&title));
	json_put(rule, "fullDescription", message_of(&full));
	json_put(rule, "help", message_of(&help));
	json_put(level, "level", json_text(severity_name(finding->severity)));
	json_put(rule, "defaultConfiguration", level);
	return rule;
}

/* ---- results ------------------------------------------------------------------------------- */

static json_t *suppressions_of(void)
{
	json_t *list = json_new_array(), *suppression = json_new_object();

	json_put(suppression, "kind", json_text("external"));
	json_put(suppression, "status", json_text("accepted"));
	json_push(list, suppression);
	return list;
}

static json_t *result_of(const struct check_report *report, const struct finding *finding,
			 size_t rule, const struct report_style *style)
{
	json_t *result = json_new_object(), *fingerprints = json_new_object();
	const char *kind = kind_of(report, finding);
	bool fails = strcmp(kind, "fail") == 0;
	struct buf text = BUF_INIT;

	add_headline(&text, finding, escape_sarif);
	add_details(&text, finding, style->verbose, "\n", "", escape_sarif);
	json_put(result, "ruleId", json_text(finding->rule));
	json_put(result, "ruleIndex", json_number(rule));
	json_put(result, "kind", json_text(kind));
	json_put(result, "level", json_text(fails ? severity_name(finding->severity) : "none"));
	json_put(result, "message", message_of(&text));
	put_locations(result, finding);
	json_put(fingerprints, "layoutcheckFinding/v1", json_text(finding->fingerprint));
	json_put(result, "partialFingerprints", fingerprints);
	if (finding->waived)
		json_put(result, "suppressions", suppressions_of());
	return result;
}

/* Rules and results side by side: findings of one rule are neighbours. */
static void put_findings(const struct check_report *report, const struct report_style *style,
			 json_t *driver, json_t *run)
{
	const struct findings *findings = report->findings;
	json_t *rules = json_new_array(), *results = json_new_array();

	for (size_t i = 0; i < findings->n; i++) {
		const struct finding *finding = &findings->items[i];

		if (!i || strcmp(findings->items[i - 1].rule, finding->rule) != 0)
			json_push(rules, rule_of(finding));
		json_push(results, result_of(report, finding, json_array_size(rules) - 1, style));
	}
	json_put(driver, "rules", rules);
	json_put(run, "results", results);
}

/* ---- runs ---------------------------------------------------------------------------------- */

static json_t *invocations_of(const struct check_report *report)
{
	json_t *list = json_new_array(), *invocation = json_new_object(),
	       *notifications = json_new_array();

	for (size_t i = 0; i < report->nwarnings; i++) {
		json_t *notification = json_new_object();
		struct buf text = BUF_INIT;

		escape_sarif(&text, report->warnings[i]);
		json_put(notification, "level", json_text("warning"));
		json_put(notification, "message", message_of(&text));
		json_push(notifications, notification);
	}
	json_put(invocation, "executionSuccessful", json_truth(true));
	json_put(invocation, "toolExecutionNotifications", notifications);
	json_push(list, invocation);
	return list;
}

/* Where it is, only who uploads the report knows (3.14.14). */
static json_t *uri_bases(void)
{
	json_t *bases = json_new_object(), *base = json_new_object();
	struct buf text = BUF_INIT;

	buf_adds(&text, "the root of the source tree");
	json_put(base, "description", message_of(&text));
	json_put(bases, "%SRCROOT%", base);
	return bases;
}

/* GitHub wants the runs of one file told apart: what stands before the last slash is the category.
 */
static json_t *automation_of(const struct check_report *report)
{
	json_t *automation = json_new_object();
	struct buf id = BUF_INIT;

	buf_adds(&id, "layoutcheck/");
	escape_text(&id, report->layout->path);
	buf_addc(&id, '/');
	json_put(automation, "id", json_text(id.s));
	buf_release(&id);
	return automation;
}

static json_t *run_of(const struct check_report *report, const struct report_style *style)
{
	json_t *run = json_new_object(), *tool = json_new_object(), *driver = json_new_object();
	json_t *properties = json_new_object();

	json_put(driver, "name", json_text("layoutcheck"));
	json_put(tool, "driver", driver);
	json_put(run, "tool", tool);
	json_put(run, "automationDetails", automation_of(report));
	json_put(run, "originalUriBaseIds", uri_bases());
	json_put(run, "invocations", invocations_of(report));
	put_findings(report, style, driver, run);
	json_put(properties, "image", json_image(report->layout));
	json_put(properties, "line", json_number_or_null(report->line != 0, report->line));
	json_put(run, "properties", properties);
	return run;
}

static void sarif_check(const struct check_report *reports, size_t n,
			const struct report_style *style, struct buf *out)
{
	json_t *log = json_new_object(), *runs = json_new_array();

	for (size_t i = 0; i < n; i++)
		json_push(runs, run_of(&reports[i], style));
	json_put(log, "$schema", json_text(SCHEMA));
	json_put(log, "version", json_text("2.1.0"));
	json_put(log, "runs", runs);
	json_add(log, out);
}

const struct format format_sarif = {
	.name = "sarif", .help = "SARIF 2.1.0, for code scanning", .check = sarif_check};
