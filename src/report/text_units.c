/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>

#include "base/escape.h"
#include "report/units.h"

static void add_row(const struct unit_row *row, struct buf *out)
{
	const struct def *def = row->def;

	buf_adds(out, ": ");
	escape_text(out, def->name);
	buf_adds(out, " (");
	if (def->has_decl) {
		escape_text(out, def->file);
		buf_addf(out, ":%u, ", def->line);
	}
	buf_addf(out, "%" PRIu64 " bytes): ", def->type->bits / 8);
	escape_text(out, row->unit);
	if (row->comp_dir) {
		buf_adds(out, " in ");
		escape_text(out, row->comp_dir);
	}
	buf_addf(out, ", %" PRIu64 " bytes of .debug_info", row->bytes);
	if (def->cus > 1)
		buf_addf(out, ", the smallest of %u units", def->cus);
}

void text_units(const struct unit_row *rows, size_t n, const struct report_style *style,
		struct buf *out)
{
	for (size_t i = 0; i < n; i++) {
		if (!rows[i].object)
			continue;
		escape_text(out, rows[i].object);
		if (!style->quiet)
			add_row(&rows[i], out);
		buf_addc(out, '\n');
	}
}
