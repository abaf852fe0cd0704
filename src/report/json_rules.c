/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/json.h"
#include "report/rules.h"

static json_t *params_of(const struct kind_row *row)
{
	json_t *params = json_new_array();

	for (size_t i = 0; i < row->nparams; i++) {
		const struct param_row *param = &row->params[i];
		json_t *object = json_new_object();

		json_put(object, "name", json_text(param->name));
		json_put(object, "type", json_text(param->type));
		json_put(object, "default",
			 json_number_or_null(param->has_fallback, param->fallback));
		json_put(object, "help", json_text(param->help));
		json_push(params, object);
	}
	return params;
}

void json_kinds(const struct kind_row *rows, size_t n, struct buf *out)
{
	json_t *report = json_new_object(), *list = json_new_array();

	for (size_t i = 0; i < n; i++) {
		json_t *object = json_new_object();

		json_put(object, "name", json_text(rows[i].name));
		json_put(object, "of", json_text(rows[i].of_variables ? "variables" : "structs"));
		json_put(object, "argument", json_text(rows[i].argument));
		json_put(object, "help", json_text(rows[i].help));
		json_put(object, "granule", json_truth(rows[i].has_granule));
		json_put(object, "parameters", params_of(&rows[i]));
		json_push(list, object);
	}
	json_put(report, "version", json_number(JSON_REPORT_VERSION));
	json_put(report, "kinds", list);
	json_add(report, out);
}

static json_t *rules_of(const struct pack_row *pack)
{
	json_t *rules = json_new_array();

	for (size_t i = 0; i < pack->nrules; i++) {
		const struct rule_row *rule = &pack->rules[i];
		json_t *object = json_new_object();

		json_put(object, "id", json_text(rule->id));
		json_put(object, "kind", json_text(rule->kind));
		json_put(object, "severity", json_text(severity_name(rule->severity)));
		json_put(object, "struct", json_text(rule->subject));
		json_put(object, "line", json_number(rule->pos.line));
		json_put(object, "why", json_text(rule->why));
		json_put(object, "origin", json_text(rule->origin));
		json_push(rules, object);
	}
	return rules;
}

void json_packs(const struct pack_row *rows, size_t n, struct buf *out)
{
	json_t *report = json_new_object(), *list = json_new_array();

	for (size_t i = 0; i < n; i++) {
		json_t *object = json_new_object();

		json_put(object, "file", json_text(rows[i].file));
		json_put(object, "title", json_text(rows[i].title));
		json_put(object, "image", json_text(rows[i].image));
		json_put(object, "rules", rules_of(&rows[i]));
		json_push(list, object);
	}
	json_put(report, "version", json_number(JSON_REPORT_VERSION));
	json_put(report, "packs", list);
	json_add(report, out);
}
