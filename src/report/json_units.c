/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/json.h"
#include "report/units.h"

static json_t *unit_of(const struct unit_row *row)
{
	json_t *unit;

	if (!row->object)
		return json_text(NULL);
	unit = json_new_object();
	json_put(unit, "object", json_text(row->object));
	json_put(unit, "name", json_text(row->unit));
	json_put(unit, "comp_dir", json_text(row->comp_dir));
	json_put(unit, "bytes", json_number(row->bytes));
	return unit;
}

void json_units(const struct layout *layout, const struct unit_row *rows, size_t n, struct buf *out)
{
	json_t *report = json_new_object(), *types = json_new_array();

	for (size_t i = 0; i < n; i++) {
		json_t *type = json_new_object();

		json_put(type, "name", json_text(rows[i].def->name));
		json_put(type, "size", json_number(rows[i].def->type->bits / 8));
		json_put(type, "decl", json_decl(rows[i].def));
		json_put(type, "cus", json_number(rows[i].def->cus));
		json_put(type, "unit", unit_of(&rows[i]));
		json_push(types, type);
	}
	json_put(report, "version", json_number(JSON_REPORT_VERSION));
	json_put(report, "image", json_image(layout));
	json_put(report, "types", types);
	json_add(report, out);
}
