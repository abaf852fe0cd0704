/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A c2c report as text, in the shape of `perf c2c report --stdio`: the table of lines, then each
 * line's rows with their shares, and the member behind each. Below the rows stands what is made of
 * them: the verdict, the pairs, the rule.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/escape.h"
#include "base/math.h"
#include "report/c2c.h"
#include "report/text.h"

static void add_title(struct buf *out, const struct report_style *style, const char *title)
{
	enum { WIDTH = 49 };
	struct buf line = BUF_INIT;

	buf_pad(&line, '=', WIDTH);
	buf_addf(&line, "\n%*s%s\n", (int)(WIDTH - strlen(title)) / 2, "", title);
	buf_pad(&line, '=', WIDTH);
	buf_addc(&line, '\n');
	paint(out, style, INK_BOLD, line.s);
	buf_release(&line);
}

/* ---- the table of lines ---------------------------------------------------------------------- */

static const char table_head[] =
	"#        ----- Cacheline ----      Tot  ------- Load Hitm -------    Total    Total    "
	"Total  --------- Stores --------  ----- Core Load Hit -----  - LLC Load Hit --  - RMT "
	"Load Hit --  --- Load Dram ----\n"
	"# Index             Address       Hitm    Total  LclHitm  RmtHitm  records    Loads   "
	"Stores    L1Hit   L1Miss      N/A       FB       L1       L2   LclHit  LclHitm   RmtHit  "
	"RmtHitm       Lcl       Rmt  Object\n"
	"# .....  ..................  .......  .......  .......  .......  .......  .......  "
	".......  "
	".......  .......  .......  .......  .......  .......  .......  .......  .......  .......  "
	"........  ........  ......\n"
	"#\n";

static void add_cell(struct buf *out, int width, uint64_t value)
{
	buf_addf(out, "  %*" PRIu64, width, value);
}

/* "files_struct +128", "jiffies_64", "runqueues +64 (cpu 3)" */
static void add_object(struct buf *out, const struct report_style *style,
		       const struct c2c_object *object)
{
	const char *name = object->symbol ? object->symbol : object->type;

	if (!name) {
		buf_adds(out, "-");
		return;
	}
	paint_foreign(out, style, INK_BOLD, name);
	add_object_place(out, object);
}

static void add_line_row(struct buf *out, const struct c2c_print *print,
			 const struct report_style *style, size_t index, uint64_t all_hitm)
{
	const struct c2c_line *line = print->lines[index];
	struct figures f = figures_of_line(print, line);
	const uint64_t cells[] = {f.hitm,   f.local,   f.remote,     f.records, f.loads, f.stores,
				  f.l1_hit, f.l1_miss, f.unknown,    f.lfb,     f.l1,    f.l2,
				  f.llc,    f.local,   f.remote_hit, f.remote};

	buf_addf(out, "  %5zu  0x%016" PRIx64, index, line->address);
	add_percent(out, 8, f.hitm, all_hitm);
	for (size_t i = 0; i < ARRAY_SIZE(cells); i++)
		add_cell(out, 7, cells[i]);
	add_cell(out, 8, f.local_dram);
	add_cell(out, 8, f.remote_dram);
	buf_adds(out, "  ");
	add_object(out, style, &line->object);
	buf_addc(out, '\n');
}

static void add_lines(struct buf *out, const struct c2c_print *print,
		      const struct report_style *style)
{
	uint64_t all = figures_hitm(print);

	add_title(out, style, "Shared Data Cache Line Table");
	buf_adds(out, "#\n");
	buf_adds(out, table_head);
	for (size_t i = 0; i < print->nlines; i++)
		add_line_row(out, print, style, i, all);
	buf_addc(out, '\n');
}

/* ---- the rows of a line ---------------------------------------------------------------------- */

enum { SYMBOL, OBJECT, MEMBER, HOW, TEXTS };

static void fill_texts(const struct c2c_row *row, struct buf texts[TEXTS])
{
	for (size_t i = 0; i < TEXTS; i++)
		texts[i].len = 0;
	escape_text(&texts[SYMBOL], row->function ? row->function : "-");
	escape_text(&texts[OBJECT], row->object ? row->object : "-");
	if (row->name)
		escape_text(&texts[MEMBER], row->name);
	else
		buf_adds(&texts[MEMBER], "-");
	if (row->inner) {
		buf_adds(&texts[MEMBER], " (");
		escape_text(&texts[MEMBER], row->inner);
		buf_addc(&texts[MEMBER], ')');
	}
	if (row->how == HOW_NONE)
		buf_addf(&texts[HOW], "(%s)", claim_none_text(row->none));
	else
		buf_adds(&texts[HOW], c2c_how_name(row->how));
}

static void add_rows_head(struct buf *out, const size_t widths[TEXTS])
{
	static const char *const titles[TEXTS] = {"Symbol", "Object", "Member", "How"};

	buf_adds(out, "#        ----- HITM -----  ------- Store Refs ------\n"
		      "#   Num  RmtHitm  LclHitm   L1 Hit  L1 Miss      N/A  Offset        Code "
		      "address  records  cpus");
	for (size_t i = 0; i < TEXTS; i++)
		buf_addf(out, "  %-*s", i + 1 < TEXTS ? (int)widths[i] : 0, titles[i]);
	buf_adds(out, "\n# .....  .......  .......  .......  .......  .......  ......  "
		      "..................  .......  ....");
	for (size_t i = 0; i < TEXTS; i++) {
		buf_adds(out, "  ");
		buf_pad(out, '.', i + 1 < TEXTS ? widths[i] : strlen(titles[i]));
	}
	buf_adds(out, "\n#\n");
}

static void add_row(struct buf *out, const struct report_style *style, const struct c2c_line *line,
		    const struct c2c_row *row, const size_t widths[TEXTS])
{
	struct figures f = figures_of(&row->counts), all = figures_of(&line->counts);
	struct buf texts[TEXTS] = {BUF_INIT, BUF_INIT, BUF_INIT, BUF_INIT};

	fill_texts(row, texts);
	buf_adds(out, "        ");
	add_percent(out, 7, f.remote, all.remote);
	add_percent(out, 8, f.local, all.local);
	add_percent(out, 8, f.l1_hit, all.l1_hit);
	add_percent(out, 8, f.l1_miss, all.l1_miss);
	add_percent(out, 8, f.unknown, all.unknown);
	buf_addf(out, "  %s0x%" PRIx64,
		 row->offset < 16    ? "   "
		 : row->offset < 256 ? "  "
				     : " ",
		 row->offset);
	buf_addf(out, "  0x%016" PRIx64, row->ip);
	buf_addf(out, "  %7" PRIu64 "  %4u", row->counts.samples, row->cpus);
	for (size_t i = 0; i < TEXTS; i++) {
		buf_adds(out, "  ");
		if (i == MEMBER && row->name)
			paint(out, style, INK_CYAN, texts[i].s);
		else
			buf_add(out, texts[i].s, texts[i].len);
		if (i + 1 < TEXTS)
			buf_pad(out, ' ', widths[i] - texts[i].len);
	}
	buf_addc(out, '\n');
	for (size_t i = 0; i < TEXTS; i++)
		buf_release(&texts[i]);
}

/* ---- what is made of it ---------------------------------------------------------------------- */

static enum ink verdict_ink(enum c2c_verdict verdict)
{
	switch (verdict) {
	case VERDICT_FALSE:
		return INK_RED;
	case VERDICT_MIXED:
		return INK_YELLOW;
	case VERDICT_TRUE:
		return INK_GREEN;
	case VERDICT_UNKNOWN:
		break;
	}
	return INK_DIM;
}

static void add_pair(struct buf *out, const struct c2c_line *line, const struct c2c_pair *pair)
{
	buf_addf(out, "    %7" PRIu64 " HITM ", pair->hitm);
	add_percent(out, 6, pair->hitm, line->counts.hitm);
	buf_adds(out, "  ");
	if (pair->written == pair->read) {
		escape_text(out, line->data[pair->read].name);
		buf_adds(out, " with itself");
	} else {
		escape_text(out, line->data[pair->read].name);
		buf_adds(out, " against ");
		escape_text(out, line->data[pair->written].name);
	}
	add_needed(out, line, pair);
	buf_addc(out, ':');
	add_functions(out, "read by", pair->readers, pair->nreaders, escape_text);
	if (pair->nreaders && pair->nwriters)
		buf_addc(out, ';');
	add_functions(out, "written by", pair->writers, pair->nwriters, escape_text);
	buf_addc(out, '\n');
}

static void add_pairs(struct buf *out, const struct c2c_line *line)
{
	size_t n = told_pairs(line);

	if (n)
		buf_addf(out, "  who fights whom, %s:\n",
			 line->pairs_recorded ? "as recorded" : "inferred from who stores");
	for (size_t i = 0; i < n; i++)
		add_pair(out, line, &line->pairs[i]);
}

static void add_advice(struct buf *out, const char *advice)
{
	buf_adds(out, "  no rule forbids it; to add:\n\n");
	while (*advice) {
		size_t len = strcspn(advice, "\n");
		char *one = strndup(advice, len);

		if (!one)
			die_oom();
		buf_adds(out, "    ");
		escape_text(out, one);
		buf_addc(out, '\n');
		free(one);
		advice += len + (advice[len] == '\n');
	}
	buf_addc(out, '\n');
}

static void add_judgement(struct buf *out, const struct report_style *style,
			  const struct c2c_line *line, uint64_t line_size)
{
	buf_adds(out, "  ");
	paint(out, style, verdict_ink(line->verdict), c2c_verdict_name(line->verdict));
	buf_adds(out, ": ");
	escape_text(out, line->reason);
	buf_addc(out, '\n');
	if (line->nslabs) {
		buf_adds(out, "  slab: ");
		add_slabs(out, line, line_size, escape_text);
		buf_addc(out, '\n');
	}
	if (has_starts(&line->object)) {
		buf_adds(out, "  of ");
		add_starts(out, &line->object);
		buf_addc(out, '\n');
	}
	add_pairs(out, line);
	if (line->gain)
		buf_addf(out, "  apart, they would save about %" PRIu64 " HITM of %" PRIu64 "\n",
			 line->gain, line->counts.hitm);
	for (size_t i = 0; i < line->nrules; i++) {
		buf_adds(out, "  rule ");
		escape_text(out, line->rules[i].id);
		buf_addf(out, " (%s here) ", outcome_name(line->rules[i].outcome));
		escape_text(out, line->rules[i].pack.file);
		buf_addf(out, ":%u\n", line->rules[i].pack.line);
	}
	if (line->advice)
		add_advice(out, line->advice);
	if (line->advice_cost) {
		buf_adds(out, "  cost: ");
		escape_text(out, line->advice_cost);
		buf_addc(out, '\n');
	}
	if (line->remedy) {
		buf_adds(out, "  remedy: ");
		escape_text(out, line->remedy);
		buf_addc(out, '\n');
	}
}

static void add_line(struct buf *out, const struct report_style *style, const struct c2c_line *line,
		     size_t index, const size_t widths[TEXTS], uint64_t line_size)
{
	static const char dashes[] =
		"  ----------------------------------------------------------------------\n";
	struct figures f = figures_of(&line->counts);

	buf_adds(out, dashes);
	buf_addf(out, "  %5zu", index);
	add_cell(out, 7, f.remote);
	add_cell(out, 7, f.local);
	add_cell(out, 7, f.l1_hit);
	add_cell(out, 7, f.l1_miss);
	add_cell(out, 7, f.unknown);
	buf_addf(out, "  0x%016" PRIx64 "  ", line->address);
	add_object(out, style, &line->object);
	if (line->pid >= 0)
		buf_addf(out, "  (pid %" PRId32 "%s)", line->pid,
			 line->is_shared ? ", shared" : "");
	if (line->is_part)
		buf_adds(out, "  (part of the time)");
	buf_addc(out, '\n');
	buf_adds(out, dashes);
	for (size_t i = 0; i < line->nrows; i++)
		add_row(out, style, line, &line->rows[i], widths);
	buf_addc(out, '\n');
	add_judgement(out, style, line, line_size);
	buf_addc(out, '\n');
}

static void add_pareto(struct buf *out, const struct c2c_print *print,
		       const struct report_style *style)
{
	struct buf texts[TEXTS] = {BUF_INIT, BUF_INIT, BUF_INIT, BUF_INIT};
	size_t widths[TEXTS] = {6, 6, 6, 3};

	for (size_t i = 0; i < print->nlines; i++)
		for (size_t k = 0; k < print->lines[i]->nrows; k++) {
			fill_texts(&print->lines[i]->rows[k], texts);
			for (size_t t = 0; t < TEXTS; t++)
				widths[t] = max_u64(widths[t], texts[t].len);
		}
	for (size_t t = 0; t < TEXTS; t++)
		buf_release(&texts[t]);
	add_title(out, style, "Shared Cache Line Distribution Pareto");
	buf_adds(out, "#\n");
	add_rows_head(out, widths);
	for (size_t i = 0; i < print->nlines; i++)
		add_line(out, style, print->lines[i], i, widths, print->report->line_size);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void add_stores(struct buf *out, const struct c2c_print *print,
		       const struct report_style *style)
{
	if (!print->nstore_lines)
		return;
	buf_adds(out, "Lines that several CPUs store to and no load met, so that HITM cannot see "
		      "them:\n");
	for (size_t i = 0; i < print->nstore_lines; i++) {
		const struct c2c_line *line = print->store_lines[i];

		buf_addf(out, "  0x%016" PRIx64 "  %7" PRIu64 " stores by %u CPUs  ", line->address,
			 line->counts.stores, line->cpus);
		add_object(out, style, &line->object);
		buf_addc(out, '\n');
	}
	buf_addc(out, '\n');
}

static void add_summary(struct buf *out, const struct c2c_print *print)
{
	const struct c2c_report *report = print->report;

	add_image(out, print->layout, report->line_size);
	buf_addf(out, ": %" PRIu64 " samples, %" PRIu64 " HITM on ", report->total.samples,
		 report->total.hitm);
	add_count(out, report->nlines, "line", "lines");
	buf_adds(out, "\nnamed by HITM: ");
	add_named(out, report);
	buf_addc(out, '\n');
}

void text_c2c(const struct c2c_print *print, const struct report_style *style, struct buf *out)
{
	for (size_t i = 0; i < print->nwarnings && !style->quiet; i++) {
		paint(out, style, INK_YELLOW, "warning");
		buf_adds(out, ": ");
		escape_text(out, print->warnings[i]);
		buf_addc(out, '\n');
	}
	add_lines(out, print, style);
	add_pareto(out, print, style);
	add_stores(out, print, style);
	if (!style->quiet)
		add_summary(out, print);
}
