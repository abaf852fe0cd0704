/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>

#include "base/columns.h"
#include "base/escape.h"
#include "base/math.h"
#include "report/rules.h"

/* ---- kinds ----------------------------------------------------------------------------------- */

/* Where the help begins. */
enum { HELP_AT = 34, INNER = 6 };

static void add_entry(struct buf *out, int indent, const char *name, const char *argument,
		      const char *help)
{
	size_t start = out->len, width;

	buf_addf(out, "%*s%s: %s", indent, "", name, argument);
	width = out->len - start;
	if (width + 1 >= HELP_AT) {
		buf_addc(out, '\n');
		width = 0;
	}
	buf_addf(out, "%*s%s", (int)(HELP_AT - width), "", help);
}

void text_kinds(const struct kind_row *rows, size_t n, struct buf *out)
{
	for (size_t i = 0; i < n; i++) {
		if (i && rows[i].of_variables && !rows[i - 1].of_variables)
			buf_adds(out, "\nof variables:\n");
		add_entry(out, 2, rows[i].name, rows[i].argument, rows[i].help);
		buf_addc(out, '\n');
		for (size_t p = 0; p < rows[i].nparams; p++) {
			const struct param_row *param = &rows[i].params[p];

			add_entry(out, INNER, param->name, param->type, param->help);
			if (param->has_fallback)
				buf_addf(out, "; %" PRIu64 " if absent", param->fallback);
			buf_addc(out, '\n');
		}
		if (!rows[i].has_granule)
			continue;
		add_entry(out, INNER, "granule", "N", "blocks of N bytes in place of lines");
		buf_addc(out, '\n');
	}
}

/* ---- packs ----------------------------------------------------------------------------------- */

static size_t width_of(const char *text)
{
	struct buf escaped = BUF_INIT;
	size_t width;

	escape_text(&escaped, text);
	width = columns_of(escaped.s, escaped.len);
	buf_release(&escaped);
	return width;
}

static void add_padded(struct buf *out, const char *text, size_t width)
{
	escape_text(out, text);
	buf_addf(out, "%*s", (int)(width - width_of(text)), "");
}

static void add_pack(const struct pack_row *pack, struct buf *out)
{
	size_t ids = 0, kinds = 0;

	for (size_t i = 0; i < pack->nrules; i++) {
		ids = max_u64(ids, width_of(pack->rules[i].id));
		kinds = max_u64(kinds, width_of(pack->rules[i].kind));
	}
	escape_text(out, pack->file);
	if (pack->title) {
		buf_adds(out, ": ");
		escape_text(out, pack->title);
	}
	if (pack->image) {
		buf_adds(out, " (");
		escape_text(out, pack->image);
		buf_addc(out, ')');
	}
	buf_addc(out, '\n');
	for (size_t i = 0; i < pack->nrules; i++) {
		buf_adds(out, "  ");
		add_padded(out, pack->rules[i].id, ids + 2);
		add_padded(out, pack->rules[i].kind, kinds + 2);
		buf_addf(out, "%s\n", severity_name(pack->rules[i].severity));
	}
}

void text_packs(const struct pack_row *rows, size_t n, struct buf *out)
{
	for (size_t i = 0; i < n; i++)
		add_pack(&rows[i], out);
}
