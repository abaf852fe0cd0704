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

static const char *kind_of(const struct ci_item *item)
{
	if (item->change)
		return item->state == CI_HOLDS ? "informational" : "fail";
	switch (item->finding->outcome) {
	case OUTCOME_HOLDS:
		return item->is_remarkable ? "informational" : "pass";
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

static bool is_of_variables(const struct ci_item *item)
{
	return item->finding ? item->finding->of_variables : item->change->of_variables;
}

static json_t *logical_location(const struct ci_item *item)
{
	json_t *logical = json_new_object(), *list = json_new_array();
	struct buf full = BUF_INIT;

	escape_text(&full, item->subject);
	if (item->member) {
		buf_addc(&full, '.');
		escape_text(&full, item->member);
	}
	json_put(logical, "fullyQualifiedName", json_text(full.s));
	json_put(logical, "kind",
		 json_text(is_of_variables(item) ? "variable"
			   : item->member        ? "member"
						 : "type"));
	json_push(list, logical);
	buf_release(&full);
	return list;
}

static void put_locations(json_t *result, const struct ci_item *item)
{
	json_t *locations = json_new_array(), *related = json_new_array();
	json_t *location = location_of(item->place, item->in_sources);
	struct buf text = BUF_INIT;

	json_put(location, "logicalLocations", logical_location(item));
	json_push(locations, location);
	json_put(result, "locations", locations);
	if (item->pack.file && item->place.file != item->pack.file) {
		location = location_of(item->pack, false);
		buf_adds(&text, "the rule");
		json_put(location, "message", message_of(&text));
		json_push(related, location);
	}
	json_put(result, "relatedLocations", related);
}

/* ---- rules --------------------------------------------------------------------------------- */

/* Releases the texts. */
static json_t *descriptor(const char *id, struct buf *title, struct buf *full, struct buf *help,
			  enum severity severity)
{
	json_t *rule = json_new_object(), *level = json_new_object();

	json_put(rule, "id", json_text(id));
	json_put(rule, "shortDescription", message_of(title));
	json_put(rule, "fullDescription", message_of(full));
	json_put(rule, "help", message_of(help));
	json_put(level, "level", json_text(severity_name(severity)));
	json_put(rule, "defaultConfiguration", level);
	return rule;
}

static json_t *rule_of(const struct finding *finding)
{
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
	return descriptor(finding->rule, &title, &full, &help, finding->severity);
}

static json_t *rule_of_kind(enum change_kind kind)
{
	const struct change_row *row = &change_rows[kind];
	struct buf title = BUF_INIT, full = BUF_INIT, help = BUF_INIT;

	buf_addf(&title, "layout change: %s", row->name);
	escape_sarif(&full, row->help);
	buf_addf(&help, "%s\n", full.s);
	return descriptor(row->name, &title, &full, &help, row->severity);
}

/* The index of the item's rule in @rules, where it is put when it is new. Findings of one rule are
 * neighbours, changes are not. */
static size_t index_rule(json_t *rules, const struct ci_item *item)
{
	size_t n = json_array_size(rules), at = n;
	json_t *id = json_text(item->id);

	for (size_t i = n; i > 0 && at == n; i--) {
		if (json_equal(json_object_get(json_array_get(rules, i - 1), "id"), id))
			at = i - 1;
		if (item->finding)
			break;
	}
	json_decref(id);
	if (at == n)
		json_push(rules,
			  item->rule ? rule_of(item->rule) : rule_of_kind(item->change->kind));
	return at;
}

/* ---- results ------------------------------------------------------------------------------- */

/* Accepted by whoever put the waiver into a pack or a file, outside of the sources (3.35). */
static json_t *suppressions_of(const struct waiver *waiver)
{
	json_t *list = json_new_array(), *suppression = json_new_object();
	struct buf text = BUF_INIT;

	json_put(suppression, "kind", json_text("external"));
	json_put(suppression, "status", json_text("accepted"));
	if (waiver) {
		add_waiver(&text, waiver, true, escape_text);
		json_put(suppression, "justification", json_text(text.s));
		buf_release(&text);
	}
	json_push(list, suppression);
	return list;
}

/* Of a waived one, too, which `suppressions` tells. */
static enum severity severity_of(const struct ci_item *item)
{
	return item->finding ? item->finding->severity : item->change->severity;
}

static json_t *properties_of(const struct change *change)
{
	json_t *properties = json_new_object();

	json_put(properties, "change", json_text(change_rows[change->kind].name));
	json_put(properties, "old", json_text(change->was));
	json_put(properties, "new", json_text(change->now));
	return properties;
}

static json_t *result_of(const struct ci_item *item, size_t rule, const struct report_style *style)
{
	json_t *result = json_new_object(), *fingerprints = json_new_object();
	const char *kind = kind_of(item);
	bool fails = strcmp(kind, "fail") == 0;
	struct buf text = BUF_INIT;

	add_headline(&text, item, escape_sarif);
	add_details(&text, item, style->verbose, "\n", "", escape_sarif);
	json_put(result, "ruleId", json_text(item->id));
	json_put(result, "ruleIndex", json_number(rule));
	json_put(result, "kind", json_text(kind));
	json_put(result, "level", json_text(fails ? severity_name(severity_of(item)) : "none"));
	json_put(result, "message", message_of(&text));
	put_locations(result, item);
	json_put(fingerprints, item->change ? "layoutcheckChange/v1" : "layoutcheckFinding/v1",
		 json_text(item->fingerprint));
	json_put(result, "partialFingerprints", fingerprints);
	if (item->waived)
		json_put(result, "suppressions", suppressions_of(item->waiver));
	if (item->change)
		json_put(result, "properties", properties_of(item->change));
	return result;
}

/* Findings that need no telling are there with --all only; changes always are. */
static bool is_result(const struct ci_item *item)
{
	return item->finding || item->is_remarkable;
}

/* Rules and results side by side. */
static void put_items(const struct ci_run *ci_run, const struct report_style *style, json_t *driver,
		      json_t *run)
{
	json_t *rules = json_new_array(), *results = json_new_array();

	for (size_t i = 0; i < ci_run->n; i++) {
		const struct ci_item *item = &ci_run->items[i];

		if (is_result(item))
			json_push(results, result_of(item, index_rule(rules, item), style));
	}
	json_put(driver, "rules", rules);
	json_put(run, "results", results);
}

/* ---- runs ---------------------------------------------------------------------------------- */

/* Releases @text. */
static json_t *notification_of(const char *level, struct buf *text)
{
	json_t *notification = json_new_object();

	json_put(notification, "level", json_text(level));
	json_put(notification, "message", message_of(text));
	return notification;
}

/* What could not be read has no run: it is told in all of them. */
static json_t *invocations_of(const struct ci_report *report, const struct ci_run *run)
{
	json_t *list = json_new_array(), *invocation = json_new_object(),
	       *notifications = json_new_array();

	for (size_t i = 0; i < report->nlost; i++) {
		struct buf text = BUF_INIT;

		escape_sarif(&text, report->lost[i]);
		buf_adds(&text, report->loss);
		json_push(notifications, notification_of("error", &text));
	}
	for (size_t i = 0; i < run->nwarnings; i++) {
		struct buf text = BUF_INIT;

		escape_sarif(&text, run->warnings[i]);
		json_push(notifications, notification_of("warning", &text));
	}
	json_put(invocation, "executionSuccessful", json_truth(!report->nlost));
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

/* GitHub wants the runs of one commit told apart: what stands before the last slash is the
 * category. */
static json_t *automation_of(const struct ci_run *run)
{
	json_t *automation = json_new_object();
	struct buf id = BUF_INIT;

	buf_adds(&id, run->diff ? "layoutcheck diff/" : "layoutcheck/");
	escape_text(&id, run->image->path);
	buf_addc(&id, '/');
	json_put(automation, "id", json_text(id.s));
	buf_release(&id);
	return automation;
}

static json_t *run_of(const struct ci_report *report, const struct ci_run *ci_run,
		      const struct report_style *style)
{
	json_t *run = json_new_object(), *tool = json_new_object(), *driver = json_new_object();
	json_t *properties = json_new_object();

	json_put(driver, "name", json_text("layoutcheck"));
	json_put(tool, "driver", driver);
	json_put(run, "tool", tool);
	json_put(run, "automationDetails", automation_of(ci_run));
	json_put(run, "originalUriBaseIds", uri_bases());
	json_put(run, "invocations", invocations_of(report, ci_run));
	put_items(ci_run, style, driver, run);
	if (ci_run->before)
		json_put(properties, "old", json_image(ci_run->before));
	json_put(properties, ci_run->before ? "new" : "image", json_image(ci_run->image));
	json_put(properties, "line", json_number_or_null(ci_run->line != 0, ci_run->line));
	json_put(run, "properties", properties);
	return run;
}

static void render(const struct ci_report *report, const struct report_style *style,
		   struct buf *out)
{
	json_t *log = json_new_object(), *runs = json_new_array();

	for (size_t i = 0; i < report->n; i++)
		json_push(runs, run_of(report, &report->runs[i], style));
	json_put(log, "$schema", json_text(SCHEMA));
	json_put(log, "version", json_text("2.1.0"));
	json_put(log, "runs", runs);
	json_add(log, out);
}

static void sarif_check(const struct check_report *reports, size_t n,
			const struct report_style *style, struct buf *out)
{
	ci_check(render, reports, n, style, out);
}

static void sarif_diff(const struct diff_report *diff, const struct report_style *style,
		       struct buf *out)
{
	ci_diff(render, diff, style, out);
}

const struct format format_sarif = {.name = "sarif",
				    .help = "SARIF 2.1.0, for code scanning",
				    .check = sarif_check,
				    .diff = sarif_diff};
