/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hot lines as a page: the table of lines; then of each line what lives there, drawn to scale, with
 * who fights whom and what forbids it, and its rows in perf's columns.
 */
#include <inttypes.h>
#include <string.h>

#include "base/escape.h"
#include "base/math.h"
#include "c2c/drawing.h"
#include "report/c2c.h"
#include "report/html.h"
#include "report/text.h"

/* ---- pieces ---------------------------------------------------------------------------------- */

static void add_number(struct buf *out, uint64_t value)
{
	buf_addf(out, "<td class=\"n\">%" PRIu64 "</td>", value);
}

static void add_share(struct buf *out, uint64_t some, uint64_t all)
{
	buf_adds(out, "<td class=\"n\">");
	add_percent(out, 0, some, all);
	buf_adds(out, "</td>");
}

/* "-" for what is not known. */
static void add_text(struct buf *out, const char *text)
{
	if (text)
		escape_xml(out, text);
	else
		buf_addc(out, '-');
}

static void add_object(struct buf *out, const struct c2c_object *object)
{
	const char *name = object->symbol ? object->symbol : object->type;

	if (!name) {
		buf_adds(out, "not known");
		return;
	}
	escape_xml(out, name);
	add_object_place(out, object);
}

/* The colours are those of severities. */
static void add_verdict(struct buf *out, enum c2c_verdict verdict)
{
	static const char *const classes[] = {
		[VERDICT_UNKNOWN] = "dim",
		[VERDICT_FALSE] = "error",
		[VERDICT_TRUE] = "holds",
		[VERDICT_MIXED] = "warning",
	};

	buf_addf(out, "<span class=\"severity %s\">%s</span>", classes[verdict],
		 c2c_verdict_name(verdict));
}

/* Columns of a table, and above them what several have in common. */
struct column {
	const char *title;
	bool is_text; /* else a number */
};

struct band {
	const char *title;
	unsigned columns;
};

static void add_head(struct buf *out, const struct band *bands, size_t nbands,
		     const struct column *columns, size_t n)
{
	buf_adds(out, "<div class=\"scroll\"><table class=\"members\"><thead>\n");
	if (nbands)
		buf_adds(out, "<tr>");
	for (size_t i = 0; i < nbands; i++)
		buf_addf(out, "<th colspan=\"%u\">%s</th>", bands[i].columns, bands[i].title);
	buf_addf(out, "%s<tr>", nbands ? "</tr>\n" : "");
	for (size_t i = 0; i < n; i++)
		buf_addf(out, "<th%s>%s</th>", columns[i].is_text ? "" : " class=\"n\"",
			 columns[i].title);
	buf_adds(out, "</tr>\n</thead><tbody>\n");
}

static void add_tail(struct buf *out)
{
	buf_adds(out, "</tbody></table></div>\n");
}

/* ---- the table of lines ---------------------------------------------------------------------- */

static void add_line_row(struct buf *out, const struct c2c_print *print, size_t index)
{
	const struct c2c_line *line = print->lines[index];
	struct figures f = figures_of_line(print, line);
	const uint64_t cells[] = {f.hitm,   f.local,      f.remote,     f.records, f.loads,
				  f.stores, f.l1_hit,     f.l1_miss,    f.unknown, f.lfb,
				  f.l1,     f.l2,         f.llc,        f.local,   f.remote_hit,
				  f.remote, f.local_dram, f.remote_dram};

	buf_addf(out, "<tr><td><a href=\"#l%zu\">%zu</a></td><td>", index, index);
	add_object(out, &line->object);
	buf_adds(out, "</td><td>");
	add_verdict(out, line->verdict);
	buf_addf(out, "</td><td>0x%016" PRIx64 "</td>", line->address);
	add_share(out, f.hitm, figures_hitm(print));
	for (size_t i = 0; i < ARRAY_SIZE(cells); i++)
		add_number(out, cells[i]);
	buf_adds(out, "</tr>\n");
}

static void add_lines(struct buf *out, const struct c2c_print *print)
{
	static const struct band bands[] = {
		{"", 4},     {"Load HITM", 4}, {"", 3},       {"Stores", 3},
		{"Core", 3}, {"LLC", 2},       {"Remote", 2}, {"DRAM", 2},
	};
	static const struct column columns[] = {
		{"line", true},     {"object", true}, {"verdict", true}, {"address", true},
		{"share", false},   {"total", false}, {"local", false},  {"remote", false},
		{"records", false}, {"loads", false}, {"stores", false}, {"L1 hit", false},
		{"L1 miss", false}, {"N/A", false},   {"FB", false},     {"L1", false},
		{"L2", false},      {"hit", false},   {"HITM", false},   {"hit", false},
		{"HITM", false},    {"local", false}, {"remote", false},
	};

	buf_adds(out, "<section>\n<h2>Shared data cache lines</h2>\n");
	add_head(out, bands, ARRAY_SIZE(bands), columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < print->nlines; i++)
		add_line_row(out, print, i);
	add_tail(out);
	buf_adds(out, "</section>\n");
}

/* ---- the rows of a line ---------------------------------------------------------------------- */

static void add_row(struct buf *out, const struct c2c_line *line, const struct c2c_row *row)
{
	struct figures f = figures_of(&row->counts), all = figures_of(&line->counts);

	buf_adds(out, "<tr>");
	add_share(out, f.remote, all.remote);
	add_share(out, f.local, all.local);
	add_share(out, f.l1_hit, all.l1_hit);
	add_share(out, f.l1_miss, all.l1_miss);
	add_share(out, f.unknown, all.unknown);
	add_number(out, f.loads);
	add_number(out, f.stores);
	add_number(out, f.records);
	add_number(out, row->cpus);
	buf_addf(out, "<td class=\"n\">0x%" PRIx64 "</td><td>", row->offset);
	add_text(out, row->name);
	if (row->inner) {
		buf_adds(out, " <span class=\"dim\">(");
		escape_xml(out, row->inner);
		buf_adds(out, ")</span>");
	}
	buf_addf(out, "</td><td>%s</td><td>",
		 row->how == HOW_NONE ? claim_none_text(row->none) : c2c_how_name(row->how));
	add_text(out, row->function);
	buf_addf(out, "</td><td>0x%016" PRIx64 "</td><td>", row->ip);
	add_text(out, row->object);
	buf_adds(out, "</td></tr>\n");
}

static void add_rows(struct buf *out, const struct c2c_line *line)
{
	static const struct band bands[] = {{"HITM", 2}, {"Stores", 3}, {"Samples", 3}, {"", 7}};
	static const struct column columns[] = {
		{"remote", false}, {"local", false},       {"L1 hit", false}, {"L1 miss", false},
		{"N/A", false},    {"loads", false},       {"stores", false}, {"all", false},
		{"CPUs", false},   {"offset", false},      {"member", true},  {"how", true},
		{"symbol", true},  {"code address", true}, {"object", true},
	};

	if (!line->nrows)
		return;
	add_head(out, bands, ARRAY_SIZE(bands), columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < line->nrows; i++)
		add_row(out, line, &line->rows[i]);
	add_tail(out);
}

/* ---- what is made of it ---------------------------------------------------------------------- */

static void add_pair(struct buf *out, const struct c2c_line *line, const struct c2c_pair *pair)
{
	buf_adds(out, "<tr>");
	add_number(out, pair->hitm);
	add_share(out, pair->hitm, line->counts.hitm);
	buf_adds(out, "<td>");
	escape_xml(out, line->data[pair->read].name);
	if (pair->written == pair->read) {
		buf_adds(out, " with itself");
	} else {
		buf_adds(out, " against ");
		escape_xml(out, line->data[pair->written].name);
	}
	add_needed(out, line, pair);
	buf_adds(out, "</td><td>");
	add_functions(out, "read by", pair->readers, pair->nreaders, escape_xml);
	buf_adds(out, "</td><td>");
	add_functions(out, "written by", pair->writers, pair->nwriters, escape_xml);
	buf_adds(out, "</td></tr>\n");
}

static void add_pairs(struct buf *out, const struct c2c_line *line)
{
	static const struct column columns[] = {
		{"HITM", false},   {"share", false},  {"pair", true},
		{"readers", true}, {"writers", true},
	};
	size_t n = told_pairs(line);

	if (!n)
		return;
	buf_adds(
		out,
		line->pairs_recorded
			? "<p>Who fights whom is recorded: each HITM with the last store to the "
			  "line before it. It was needed where the processor then read what others "
			  "had stored since it last used that.</p>\n"
			: "<p>Who fights whom is inferred from who stores: no recording says "
			  "who had written the line.</p>\n");
	add_head(out, NULL, 0, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < n; i++)
		add_pair(out, line, &line->pairs[i]);
	add_tail(out);
}

static void add_rule(struct buf *out, const struct c2c_rule *rule)
{
	buf_adds(out, "<p>Rule <code>");
	escape_xml(out, rule->id);
	buf_addf(out, "</code> forbids it (%s here) <span class=\"where\">",
		 outcome_name(rule->outcome));
	add_where(out, rule->pack, escape_xml);
	buf_adds(out, "</span></p>\n");
}

/* YAML, whose lines are to stay lines. */
static void add_advice(struct buf *out, const char *advice)
{
	buf_adds(out, "<p>No rule forbids it; to add:</p>\n<pre class=\"scroll\">");
	while (*advice) {
		size_t len = strcspn(advice, "\n");
		struct buf one = BUF_INIT;

		buf_add(&one, advice, len);
		escape_xml(out, one.s);
		buf_addc(out, '\n');
		buf_release(&one);
		advice += len + (advice[len] == '\n');
	}
	buf_adds(out, "</pre>\n");
}

static void add_outlook(struct buf *out, const struct c2c_line *line)
{
	if (line->gain)
		buf_addf(out,
			 "<p>Apart, they would save about %" PRIu64 " HITM of %" PRIu64 ".</p>\n",
			 line->gain, line->counts.hitm);
	for (size_t i = 0; i < line->nrules; i++)
		add_rule(out, &line->rules[i]);
	if (line->advice)
		add_advice(out, line->advice);
	if (line->advice_cost) {
		buf_adds(out, "<p>Cost: ");
		escape_xml(out, line->advice_cost);
		buf_adds(out, "</p>\n");
	}
	if (line->remedy) {
		buf_adds(out, "<p>Remedy: ");
		escape_xml(out, line->remedy);
		buf_adds(out, ".</p>\n");
	}
}

/* ---- a line ---------------------------------------------------------------------------------- */

static void add_drawing(struct buf *out, const struct c2c_drawing *drawing, uint64_t line_size)
{
	struct buf caption = BUF_INIT;

	if (drawing->has_type)
		add_facts(&caption, drawing->view);
	else
		buf_addf(&caption, "%" PRIu64 " bytes, and what was accessed in them", line_size);
	html_map_part(out, drawing->view, &drawing->map, caption.s);
	buf_release(&caption);
	if (drawing->has_type)
		html_legend(out, drawing->view);
	html_heat_legend(out);
}

static void add_line(struct buf *out, const struct c2c_print *print, size_t index)
{
	const struct c2c_line *line = print->lines[index];
	const struct def *def = line->object.def;

	buf_addf(out, "<section class=\"type\" id=\"l%zu\">\n<h2>%zu: ", index, index);
	add_object(out, &line->object);
	buf_addf(out, "</h2>\n<p class=\"where\">0x%016" PRIx64, line->address);
	if (line->pid >= 0)
		buf_addf(out, ", pid %" PRId32, line->pid);
	if (line->is_part)
		buf_adds(out, ", part of the time");
	if (def && def->has_decl) {
		buf_adds(out, ", ");
		escape_xml(out, def->name);
		buf_adds(out, " of ");
		add_where(out, (struct pos){.file = def->file, .line = def->line}, escape_xml);
	}
	buf_adds(out, "</p>\n<p>");
	add_verdict(out, line->verdict);
	buf_adds(out, ": ");
	escape_xml(out, line->reason);
	buf_adds(out, "</p>\n");
	if (line->nslabs) {
		buf_adds(out, "<p>Slab: ");
		add_slabs(out, line, print->report->line_size, escape_xml);
		buf_adds(out, ".</p>\n");
	}
	if (has_starts(&line->object)) {
		buf_adds(out, "<p>Of ");
		add_starts(out, &line->object);
		buf_adds(out, ".</p>\n");
	}
	add_drawing(out, &print->drawings[index], print->report->line_size);
	add_pairs(out, line);
	add_outlook(out, line);
	add_rows(out, line);
	buf_adds(out, "</section>\n");
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void add_stores(struct buf *out, const struct c2c_print *print)
{
	static const struct column columns[] = {
		{"stores", false}, {"CPUs", false}, {"address", true}, {"object", true}};

	if (!print->nstore_lines)
		return;
	buf_adds(out, "<section>\n<h2>Lines that several CPUs store to</h2>\n<p>No load met these "
		      "stores, so that HITM cannot see them.</p>\n");
	add_head(out, NULL, 0, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < print->nstore_lines; i++) {
		const struct c2c_line *line = print->store_lines[i];

		buf_adds(out, "<tr>");
		add_number(out, line->counts.stores);
		add_number(out, line->cpus);
		buf_addf(out, "<td>0x%016" PRIx64 "</td><td>", line->address);
		add_object(out, &line->object);
		buf_adds(out, "</td></tr>\n");
	}
	add_tail(out);
	buf_adds(out, "</section>\n");
}

/* "3 hot lines: 1 false-sharing, 2 true-sharing" */
static void add_verdicts(struct buf *out, const struct c2c_print *print)
{
	static const enum c2c_verdict order[] = {VERDICT_FALSE, VERDICT_MIXED, VERDICT_TRUE,
						 VERDICT_UNKNOWN};
	size_t told = 0;

	add_count(out, print->nlines, "hot line", "hot lines");
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		size_t n = 0;

		for (size_t k = 0; k < print->nlines; k++)
			n += print->lines[k]->verdict == order[i];
		if (n)
			buf_addf(out, "%s%zu %s", told++ ? ", " : ": ", n,
				 c2c_verdict_name(order[i]));
	}
}

/* "perf.data, perf.data of 6.1.0 (x86_64): 8082 samples" */
static void add_input(struct buf *out, const struct c2c_input *input)
{
	buf_adds(out, "<p><code>");
	escape_xml(out, input->path);
	buf_addf(out, "</code>: %s", input->kind);
	if (input->release) {
		buf_adds(out, " of ");
		escape_xml(out, input->release);
	}
	if (input->arch) {
		buf_adds(out, ", ");
		escape_xml(out, input->arch);
	}
	buf_adds(out, ", ");
	add_count(out, input->samples, "sample", "samples");
	buf_addf(out, ", %s</p>\n",
		 input->verified ? "of this build" : "of which build is not verified");
}

static void add_header(struct buf *out, const struct c2c_print *print)
{
	const struct c2c_report *report = print->report;
	struct buf headline = BUF_INIT;

	add_verdicts(&headline, print);
	html_begin(out, HTML_PLAIN, headline.s);
	buf_release(&headline);
	html_image(out, "", print->layout, report->line_size);
	for (size_t i = 0; i < print->ninputs; i++)
		add_input(out, &print->inputs[i]);
	buf_addf(out, "<p>%" PRIu64 " HITM on ", report->total.hitm);
	add_count(out, report->nlines, "line", "lines");
	buf_adds(out, ", named: ");
	add_named(out, report);
	buf_adds(out, "</p>\n");
	html_header_end(out);
}

void html_c2c(const struct c2c_print *print, const struct report_style *style, struct buf *out)
{
	(void)style;
	add_header(out, print);
	for (size_t i = 0; i < print->nwarnings; i++)
		html_warning(out, print->warnings[i]);
	add_lines(out, print);
	for (size_t i = 0; i < print->nlines; i++)
		add_line(out, print, i);
	add_stores(out, print);
	html_end(out);
}
