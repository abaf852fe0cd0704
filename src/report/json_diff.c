/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes as JSON. */
#include "report/json.h"

static json_t *pack_of(const struct pos *pos)
{
	json_t *pack;

	if (!pos->file)
		return json_null();
	pack = json_new_object();
	json_put(pack, "file", json_text(pos->file));
	json_put(pack, "line", json_number_or_null(pos->line != 0, pos->line));
	return pack;
}

static void put_place(json_t *object, const struct change *change)
{
	uint64_t bit_offset = change->bit_offset, bits = change->bit_size;

	if (change->has_bits) {
		json_put(object, "offset", json_number(bit_offset / 8));
		json_put(object, "size", json_number(bits / 8 + (bits % 8 != 0)));
		if (bit_offset % 8 || bits % 8) {
			json_put(object, "bit_offset", json_number(bit_offset % 8));
			json_put(object, "bit_size", json_number(bits));
		}
	}
	if (change->has_cacheline)
		json_put(object, "cacheline", json_number(change->cacheline));
}

static json_t *change_of(const struct change *change)
{
	json_t *object = json_new_object();

	json_put(object, "struct", json_text(change->of_variables ? NULL : change->subject));
	if (change->of_variables)
		json_put(object, "variables", json_text(change->subject));
	json_put(object, "kind", json_text(change_rows[change->kind].name));
	json_put(object, "member", json_text(change->member));
	json_put(object, "members", json_number(change->members));
	json_put(object, "other", json_text(change->other));
	json_put(object, "old", json_text(change->was));
	json_put(object, "new", json_text(change->now));
	put_place(object, change);
	json_put(object, "severity", json_text(severity_name(change->severity)));
	json_put(object, "message", json_text(change->message));
	json_put(object, "cause", json_text(change->cause));
	json_put(object, "rule", json_text(change->rule));
	json_put(object, "pack", pack_of(&change->pack));
	json_put(object, "old_decl", json_decl(change->old_def));
	json_put(object, "decl", json_decl(change->new_def));
	json_put(object, "waived", json_truth(change->waived));
	json_put(object, "waiver", json_waiver(change->waiver, change->waived));
	json_put(object, "fingerprint", json_text(change->fingerprint));
	return object;
}

static json_t *table_of(const struct worst_table *table)
{
	json_t *object = json_new_object(), *rows = json_new_array();

	for (size_t i = 0; i < table->n; i++) {
		json_t *row = json_new_object();

		json_put(row, "struct", json_text(table->rows[i].subject));
		json_put(row, "member", json_text(table->rows[i].member));
		json_put(row, "old", json_text(table->rows[i].was));
		json_put(row, "new", json_text(table->rows[i].now));
		json_put(row, "delta", json_text(table->rows[i].delta));
		json_push(rows, row);
	}
	json_put(object, "heading", json_text(table->heading));
	json_put(object, "rows", rows);
	return object;
}

static json_t *summary_of(const struct changes *changes)
{
	json_t *object = json_new_object();

	json_put(object, "compared", json_number(changes->summary.compared));
	json_put(object, "changed", json_number(changes->summary.changed));
	json_put(object, "appeared", json_number(changes->summary.appeared));
	json_put(object, "vanished", json_number(changes->summary.vanished));
	json_put(object, "errors", json_number(changes->summary.errors));
	json_put(object, "warnings", json_number(changes->summary.warnings));
	json_put(object, "notes", json_number(changes->summary.notes));
	json_put(object, "waived", json_number(changes->summary.waived));
	return object;
}

static json_t *hot_of(const struct diff_report *report)
{
	json_t *array;

	if (!report->has_recording)
		return json_null();
	array = json_new_array();
	for (size_t i = 0; i < report->nhot; i++) {
		json_t *hot = json_new_object();

		json_put(hot, "struct", json_text(report->hot[i].subject));
		json_put(hot, "written", json_text(report->hot[i].written));
		json_put(hot, "read", json_text(report->hot[i].read));
		json_put(hot, "hitm", json_number(report->hot[i].hitm));
		json_put(hot, "fate", json_text(report->hot[i].fate));
		json_push(array, hot);
	}
	return array;
}

void json_diff(const struct diff_report *report, const struct report_style *style, struct buf *out)
{
	const struct changes *changes = report->changes;
	struct report_style single = *style;
	json_t *document = json_new_object(), *array = json_new_array();
	json_t *warnings = json_new_array(), *items = json_new_array(), *worst = json_new_array();

	for (size_t i = 0; i < changes->nwarnings; i++)
		json_push(warnings, json_text(changes->warnings[i]));
	for (size_t i = 0; i < changes->n; i++)
		json_push(items, change_of(&changes->items[i]));
	for (size_t i = 0; i < changes->nworst; i++)
		json_push(worst, table_of(&changes->worst[i]));
	json_put(document, "version", json_number(JSON_REPORT_VERSION));
	json_put(document, "old", json_image(report->before));
	json_put(document, "new", json_image(report->after));
	json_put(document, "line", json_number_or_null(report->line != 0, report->line));
	json_put(document, "cpus", json_number_or_null(report->cpus != 0, report->cpus));
	json_put(document, "warnings", warnings);
	json_put(document, "changes", items);
	json_put(document, "worst", worst);
	json_put(document, "hot", hot_of(report));
	json_put(document, "summary", summary_of(changes));
	json_push(array, document);
	single.several = false;
	json_print(array, &single, out);
}
