/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings as JSON. */
#include <inttypes.h>

#include "report/json.h"

static json_t *strings_of(const char *const *items, size_t n)
{
	json_t *array = json_new_array();

	for (size_t i = 0; i < n; i++)
		json_push(array, json_text(items[i]));
	return array;
}

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

static json_t *definition_of(const struct def *def)
{
	json_t *definition;

	if (!def)
		return json_null();
	definition = json_new_object();
	json_put(definition, "size", json_number(def->type->bits / 8));
	json_put(definition, "cus", json_number(def->cus));
	return definition;
}

/* What it speaks of. */
static void put_subject(json_t *object, const struct finding *finding)
{
	struct buf address = BUF_INIT;

	json_put(object, "struct", json_text(finding->of_variables ? NULL : finding->subject));
	json_put(object, "member", json_text(finding->member));
	if (finding->has_bits) {
		json_put(object, "offset", json_number(finding->bit_offset / 8));
		json_put(object, "size", json_number((finding->bit_size + 7) / 8));
	}
	if (finding->of_variables)
		json_put(object, "variables", json_text(finding->subject));
	if (!finding->has_address)
		return;
	buf_addf(&address, "0x%" PRIx64, finding->address);
	json_put(object, "address", json_text(address.s));
	json_put(object, "size", json_number(finding->bytes));
	json_put(object, "section", json_text(finding->section));
	buf_release(&address);
}

static json_t *finding_of(const struct finding *finding)
{
	json_t *object = json_new_object();

	json_put(object, "rule", json_text(finding->rule));
	json_put(object, "kind", json_text(finding->kind));
	json_put(object, "severity", json_text(severity_name(finding->severity)));
	json_put(object, "outcome", json_text(outcome_name(finding->outcome)));
	put_subject(object, finding);
	if (finding->has_cacheline)
		json_put(object, "cacheline", json_number(finding->cacheline));
	json_put(object, "measured", json_text(finding->measured));
	json_put(object, "wanted", json_text(finding->wanted));
	json_put(object, "margin", json_number_or_null(finding->has_margin, finding->margin));
	json_put(object, "message", json_text(finding->message));
	json_put(object, "cause", json_text(finding->cause));
	json_put(object, "notes", strings_of(finding->notes, finding->nnotes));
	json_put(object, "why", json_text(finding->why));
	json_put(object, "origin", json_text(finding->origin));
	json_put(object, "pack", pack_of(&finding->pack));
	json_put(object, "decl", json_decl(finding->def));
	json_put(object, "definition", definition_of(finding->def));
	json_put(object, "waived", json_truth(finding->waived));
	json_put(object, "waiver", json_waiver(finding->waiver, finding->waived));
	json_put(object, "observed",
		 json_number_or_null(finding->observed_all != 0, finding->observed));
	json_put(object, "observed_of",
		 json_number_or_null(finding->observed_all != 0, finding->observed_all));
	json_put(object, "fingerprint", json_text(finding->fingerprint));
	return object;
}

static json_t *summary_of(const struct summary *summary)
{
	json_t *object = json_new_object();

	json_put(object, "holds", json_number(summary->holds));
	json_put(object, "broken", json_number(summary->broken));
	json_put(object, "missing", json_number(summary->missing));
	json_put(object, "unknown", json_number(summary->unknown));
	json_put(object, "not_applicable", json_number(summary->not_applicable));
	json_put(object, "waived", json_number(summary->waived));
	json_put(object, "unmatched_waivers", json_number(summary->unmatched));
	return object;
}

void json_check(const struct check_report *reports, size_t n, const struct report_style *style,
		struct buf *out)
{
	json_t *array = json_new_array();

	for (size_t i = 0; i < n; i++) {
		const struct check_report *report = &reports[i];
		json_t *document = json_new_object(), *findings = json_new_array();

		for (size_t k = 0; k < report->findings->n; k++)
			json_push(findings, finding_of(&report->findings->items[k]));
		json_put(document, "version", json_number(JSON_REPORT_VERSION));
		json_put(document, "image", json_image(report->layout));
		json_put(document, "line", json_number_or_null(report->line != 0, report->line));
		json_put(document, "warnings", strings_of(report->warnings, report->nwarnings));
		json_put(document, "findings", findings);
		json_put(document, "summary", summary_of(&report->findings->summary));
		json_push(array, document);
	}
	json_print(array, style, out);
}
