/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hot lines as JSON. Counts are samples, each once. */
#include <inttypes.h>

#include "base/err.h"
#include "report/json.h"

/* JSON has no room for the addresses of a kernel as numbers. */
static json_t *address_of(uint64_t address)
{
	struct buf text = BUF_INIT;
	json_t *value;

	buf_addf(&text, "0x%016" PRIx64, address);
	value = json_text(text.s);
	buf_release(&text);
	return value;
}

static json_t *signed_number(int64_t value)
{
	json_t *number = json_integer(value);

	if (!number)
		die_oom();
	return number;
}

static double share_of(uint64_t some, uint64_t all)
{
	return all ? (double)some / (double)all : 0;
}

static json_t *real(double value)
{
	json_t *number = json_real(value);

	if (!number)
		die_oom();
	return number;
}

static void put_counts(json_t *object, const struct c2c_counts *counts)
{
	const uint64_t *hits = counts->hits;

	json_put(object, "samples", json_number(counts->samples));
	json_put(object, "loads", json_number(counts->loads));
	json_put(object, "stores", json_number(counts->stores));
	json_put(object, "hitm", json_number(counts->hitm));
	json_put(object, "local_hitm", json_number(hits[HIT_LOCAL_HITM]));
	json_put(object, "remote_hitm", json_number(hits[HIT_REMOTE_HITM]));
	json_put(object, "peer", json_number(hits[HIT_LOCAL_PEER] + hits[HIT_REMOTE_PEER]));
	json_put(object, "locked", json_number(counts->locked));
}

static json_t *texts_of(const char *const *texts, size_t n)
{
	json_t *array = json_new_array();

	for (size_t i = 0; i < n; i++)
		json_push(array, json_text(texts[i]));
	return array;
}

static json_t *starts_of(const struct c2c_object *object)
{
	json_t *array = json_new_array();

	for (size_t i = 0; i < object->nstarts; i++)
		json_push(array, json_number(object->starts[i]));
	return array;
}

/* What is on a line by the slab allocator's books. */
static json_t *slabs_of(const struct c2c_line *line)
{
	json_t *all = json_new_array();

	for (size_t i = 0; i < line->nslabs; i++) {
		const struct line_object *slab = &line->slabs[i];
		json_t *value = json_new_object();

		json_put(value, "cache", json_text(slab->cache));
		json_put(value, "offset", signed_number((int64_t)(line->address - slab->start)));
		json_put(value, "size", json_number(slab->size));
		json_push(all, value);
	}
	return all;
}

static json_t *object_of(const struct c2c_line *line)
{
	const struct c2c_object *object = &line->object;
	json_t *value;

	if (object->how == HOW_NONE)
		return json_null();
	value = json_new_object();
	json_put(value, "type", json_text(object->type));
	json_put(value, "symbol", json_text(object->symbol));
	json_put(value, "percpu", json_truth(object->is_percpu));
	json_put(value, "cpu", object->cpu >= 0 ? json_number((uint64_t)object->cpu) : json_null());
	json_put(value, "offset", signed_number(object->offset));
	json_put(value, "how",
		 json_text(line->fit == FIT_EXACT ? "slab" : c2c_how_name(object->how)));
	if (line->fit == FIT_NOT)
		json_put(value, "denied", json_truth(true));
	json_put(value, "seen", json_number_or_null(object->seen, object->seen));
	json_put(value, "starts", starts_of(object));
	json_put(value, "floats", json_truth(object->floats));
	json_put(value, "alignment", json_number_or_null(object->alignment, object->alignment));
	json_put(value, "decl", json_decl(object->def));
	return value;
}

static json_t *row_of(const struct c2c_row *row)
{
	bool named = row->how != HOW_NONE;
	json_t *value = json_new_object(), *functions = json_new_array();

	json_put(value, "offset", json_number(row->offset));
	json_put(value, "name", json_text(row->name));
	json_put(value, "type", json_text(row->type));
	json_put(value, "member", json_text(row->member));
	json_put(value, "member_offset", named ? signed_number(row->member_offset) : json_null());
	json_put(value, "symbol", json_text(row->symbol));
	json_put(value, "inner", json_text(row->inner));
	json_put(value, "outermost", json_truth(row->is_outermost));
	json_put(value, "how", json_text(c2c_how_name(row->how)));
	json_put(value, "reason", json_text(named ? NULL : claim_none_text(row->none)));
	json_put(value, "size", json_number_or_null(row->size, row->size));
	put_counts(value, &row->counts);
	json_put(value, "cpus", json_number_or_null(row->cpus, row->cpus));
	json_put(value, "nodes", json_number_or_null(row->nodes, row->nodes));
	json_put(value, "ip", address_of(row->ip));
	json_put(value, "pc", row->pc ? address_of(row->pc) : json_null());
	if (row->function)
		json_push(functions, json_text(row->function));
	json_put(value, "functions", functions);
	json_put(value, "object", json_text(row->object));
	return value;
}

static json_t *pair_of(const struct c2c_line *line, const struct c2c_pair *pair)
{
	json_t *value = json_new_object();

	json_put(value, "written", json_text(line->data[pair->written].name));
	json_put(value, "read", json_text(line->data[pair->read].name));
	json_put(value, "hitm", json_number(pair->hitm));
	json_put(value, "share", real(share_of(pair->hitm, line->counts.hitm)));
	json_put(value, "basis", json_text(line->pairs_recorded ? "recorded" : "inferred"));
	if (line->pairs_recorded) {
		json_put(value, "recorded", json_number(pair->recorded));
		json_put(value, "needed", json_number(pair->needed));
	}
	json_put(value, "writers", texts_of(pair->writers, pair->nwriters));
	json_put(value, "readers", texts_of(pair->readers, pair->nreaders));
	return value;
}

static json_t *rule_of(const struct c2c_rule *rule)
{
	json_t *value = json_new_object(), *pack = json_new_object();

	json_put(value, "rule", json_text(rule->id));
	json_put(value, "outcome", json_text(outcome_name(rule->outcome)));
	json_put(pack, "file", json_text(rule->pack.file));
	json_put(pack, "line", json_number(rule->pack.line));
	json_put(value, "pack", pack);
	return value;
}

static json_t *line_of(const struct c2c_report *report, const struct c2c_line *line)
{
	json_t *value = json_new_object(), *rows = json_new_array(), *pairs = json_new_array();
	json_t *rules = json_new_array();

	json_put(value, "address", address_of(line->address));
	json_put(value, "pid", line->pid >= 0 ? json_number((uint64_t)line->pid) : json_null());
	json_put(value, "shared", json_truth(line->is_shared));
	json_put(value, "part", json_truth(line->is_part));
	json_put(value, "object", object_of(line));
	if (line->nslabs)
		json_put(value, "slabs", slabs_of(line));
	put_counts(value, &line->counts);
	json_put(value, "share", real(share_of(line->counts.hitm, report->total.hitm)));
	json_put(value, "cpus", json_number_or_null(line->cpus, line->cpus));
	json_put(value, "nodes", json_number_or_null(line->nodes, line->nodes));
	json_put(value, "verdict", json_text(c2c_verdict_name(line->verdict)));
	json_put(value, "reason", json_text(line->reason));
	json_put(value, "gain", json_number(line->gain));
	for (size_t i = 0; i < line->nrows; i++)
		json_push(rows, row_of(&line->rows[i]));
	json_put(value, "rows", rows);
	for (size_t i = 0; i < line->npairs; i++)
		json_push(pairs, pair_of(line, &line->pairs[i]));
	json_put(value, "pairs", pairs);
	for (size_t i = 0; i < line->nrules; i++)
		json_push(rules, rule_of(&line->rules[i]));
	json_put(value, "rules", rules);
	json_put(value, "advice", json_text(line->advice));
	json_put(value, "advice_cost", json_text(line->advice_cost));
	json_put(value, "remedy", json_text(line->remedy));
	return value;
}

static json_t *lines_of(const struct c2c_report *report, const struct c2c_line *const *lines,
			size_t n)
{
	json_t *array = json_new_array();

	for (size_t i = 0; i < n; i++)
		json_push(array, line_of(report, lines[i]));
	return array;
}

static json_t *inputs_of(const struct c2c_print *print)
{
	json_t *array = json_new_array();

	for (size_t i = 0; i < print->ninputs; i++) {
		const struct c2c_input *input = &print->inputs[i];
		json_t *value = json_new_object();

		json_put(value, "path", json_text(input->path));
		json_put(value, "kind", json_text(input->kind));
		json_put(value, "release", json_text(input->release));
		json_put(value, "arch", json_text(input->arch));
		json_put(value, "cpuid", json_text(input->cpuid));
		json_put(value, "cmdline", json_text(input->cmdline));
		json_put(value, "samples", json_number(input->samples));
		json_put(value, "verified", json_truth(input->verified));
		json_push(array, value);
	}
	return array;
}

static json_t *named_of(const struct c2c_report *report)
{
	json_t *value = json_new_object(), *how = json_new_object();

	json_put(value, "outermost", json_number(report->outermost));
	json_put(value, "inner", json_number(report->inner));
	json_put(value, "scalar", json_number(report->scalar));
	json_put(value, "unnamed", json_number(report->unnamed));
	for (size_t i = 0; i < HOW_NONE; i++)
		json_put(how, c2c_how_name((enum c2c_how)i), json_number(report->hitm_by_how[i]));
	json_put(value, "how", how);
	return value;
}

static json_t *reasons_of(const struct c2c_report *report)
{
	json_t *value = json_new_object();

	for (size_t i = 0; i < CLAIM_REASONS; i++)
		if (report->unnamed_by_reason[i])
			json_put(value, claim_none_text((enum claim_none)i),
				 json_number(report->unnamed_by_reason[i]));
	return value;
}

void json_c2c(const struct c2c_print *print, const struct report_style *style, struct buf *out)
{
	const struct c2c_report *report = print->report;
	json_t *document = json_new_object(), *total = json_new_object();

	(void)style;
	put_counts(total, &report->total);
	json_put(document, "version", json_number(JSON_REPORT_VERSION));
	json_put(document, "image", json_image(print->layout));
	json_put(document, "line", json_number(report->line_size));
	json_put(document, "input", inputs_of(print));
	json_put(document, "warnings", texts_of(print->warnings, print->nwarnings));
	json_put(document, "total", total);
	json_put(document, "lines", lines_of(report, print->lines, print->nlines));
	json_put(document, "store_lines",
		 lines_of(report, print->store_lines, print->nstore_lines));
	json_put(document, "named", named_of(report));
	json_put(document, "unattributed", reasons_of(report));
	json_add(document, out);
}
