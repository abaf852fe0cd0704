/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report line by line. Each line is told by its own form first, so that an excerpt needs neither
 * titles nor headings; where it stands only says what must have been there when it has no form.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "perf/report_line.h"

/* What the line before was, when it joins on to this one. */
enum before {
	BEFORE_NOTHING, /* a blank line, a title, prose */
	BEFORE_DASHES,
	BEFORE_GROUP, /* counters, and the dashes below them */
	BEFORE_ROW,
	BEFORE_CHAIN, /* of calls, below a row */
	BEFORE_ENTRY,
};

enum { MOST_PIECES = 5, MOST_OFFSET = 256 };

/* Lines that should have been understood and were not. */
struct odd {
	uint64_t n;
	size_t at; /* the first */
	const char *why;
};

struct reading {
	struct report *report;
	size_t at, end; /* of the line: its number, and the column behind its last byte */
	enum before before;
	bool in_statistics;
	struct text heading[2]; /* the last two that begin with #, the older first */
	size_t heading_at;      /* of the later */
	struct report_columns pareto, table;
	/* The row that may go on in the next line, a mailer having broken it. */
	struct text open;
	size_t open_at, pieces;
	const char *open_why; /* not NULL: it is no row so far */
	bool has_code;        /* its symbol or object is there */
	struct odd odd_rows, odd_entries;
};

void report_note(struct report *report, const char *fmt, ...)
{
	va_list ap;
	char *text = NULL;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		die_oom();
	va_end(ap);
	ARRAY_GROW(report->notes, report->nnotes, report->notes_cap);
	report->notes[report->nnotes++] = arena_strdup(&report->arena, text);
	free(text);
}

static void count_odd(struct odd *odd, size_t at, const char *why)
{
	if (odd->n++ == 0) {
		odd->at = at;
		odd->why = why;
	}
}

static void note_odd(struct report *report, const struct odd *odd, const char *what)
{
	if (odd->n == 1)
		report_note(report, "%s:%zu: not read as %s: %s", report->place, odd->at, what,
			    odd->why);
	else if (odd->n > 1)
		report_note(report, "%s:%zu: not read as %s: %s; and %llu more such lines",
			    report->place, odd->at, what, odd->why, (unsigned long long)odd->n - 1);
}

/* Without the marks of mails that quote it: "> > ". */
static struct text unquote(struct text line)
{
	for (;;) {
		struct text text = text_trim(line.s, line.len);

		if (!text_begins(text, ">"))
			return (struct text){line.s, (size_t)(text.s + text.len - line.s)};
		line.len -= (size_t)(text.s + 1 - line.s);
		line.s = text.s + 1;
		if (line.len && *line.s == ' ')
			line.s++, line.len--;
	}
}

static bool is_made_of(struct text text, const char *set)
{
	for (size_t i = 0; i < text.len; i++)
		if (!text.s[i] || !strchr(set, text.s[i]))
			return false;
	return text.len > 0;
}

static bool is_dashes(struct text text)
{
	return text.len >= 20 && (is_made_of(text, "-") ||
				  (*text.s == '#' && text.s[1] == '-' && is_made_of(text, "#-")));
}

static void add_heading(struct report *report, size_t at, bool is_dots)
{
	ARRAY_GROW(report->headings, report->nheadings, report->headings_cap);
	report->headings[report->nheadings++] = (struct report_heading){at, is_dots};
}

/* The columns are known at the line of dots, or where the headings end without one. */
static void use_headings(struct reading *reading, struct text dots)
{
	struct text *heading = reading->heading;
	struct report *report = reading->report;

	if (text_has(heading[1], "Offset")) {
		report_columns_pareto(heading[0], heading[1], dots, &reading->pareto);
		report->is_peer |= reading->pareto.is_peer;
		add_heading(report, reading->heading_at, false);
		if (dots.len)
			add_heading(report, reading->at, true);
	} else if (text_has(heading[1], "Index")) {
		report_columns_table(heading[0], heading[1], dots, &reading->table);
		report->has_table = true;
		if (reading->table.is_double)
			report->line_size = 128;
	}
	heading[0] = heading[1] = (struct text){"", 0};
}

static void read_heading(struct reading *reading, struct text line)
{
	if (is_made_of(line, "# .\t") && memchr(line.s, '.', line.len)) {
		use_headings(reading, line);
	} else if (text_trim(line.s, line.len).len > 1) {
		reading->heading[0] = reading->heading[1];
		reading->heading[1] = line;
		reading->heading_at = reading->at;
	}
}

static void put_row(struct reading *reading, struct report_row *row, bool is_new)
{
	struct report *report = reading->report;

	row->at = reading->at;
	row->end = reading->end;
	if (is_new) {
		ARRAY_GROW(report->rows, report->nrows, report->rows_cap);
		report->nrows++;
		report->groups[report->ngroups - 1].nrows++;
	}
	report->rows[report->nrows - 1] = *row;
}

static const char *parse_row(const struct reading *reading, struct text line,
			     struct report_row *ret)
{
	const char *why = report_row(&reading->pareto, line, ret);

	if (!why && reading->report->ngroups == 0)
		return "the counters and the address of its line are missing above it";
	return !why && ret->offset >= MOST_OFFSET ? "its offset is past the end of a line" : why;
}

static void close_row(struct reading *reading)
{
	if (reading->open.len && reading->open_why)
		count_odd(&reading->odd_rows, reading->open_at, reading->open_why);
	reading->open.len = 0;
}

static bool has_code_names(const struct report_row *row)
{
	return row->symbol.len || row->object.len;
}

/* A row, complete or not: one without a symbol or nodes may go on in the next line. */
static void read_row(struct reading *reading, struct text line)
{
	struct report_row row;

	close_row(reading);
	reading->open_why = parse_row(reading, line, &row);
	if (!reading->open_why)
		put_row(reading, &row, true);
	reading->has_code = !reading->open_why && has_code_names(&row);
	if (reading->open_why || !reading->has_code || !row.nodes) {
		reading->open = line;
		reading->open_at = reading->at;
		reading->pieces = 1;
	}
	reading->before = BEFORE_ROW;
}

/* The rest of a row that was broken in two or more. False: it is not. */
static bool read_piece(struct reading *reading, struct text line)
{
	struct report_row row;
	struct text whole;
	const char *why;

	if (reading->open.len == 0 || reading->pieces++ == MOST_PIECES)
		return false;
	whole.len = reading->open.len + 2 + line.len;
	whole.s = arena_alloc(&reading->report->arena, whole.len);
	memcpy((char *)whole.s, reading->open.s, reading->open.len);
	memcpy((char *)whole.s + reading->open.len, "  ", 2);
	memcpy((char *)whole.s + reading->open.len + 2, line.s, line.len);
	why = parse_row(reading, whole, &row);
	if (why || !has_code_names(&row) || (reading->has_code && !row.nodes)) {
		/* Not yet; numbers alone may be the middle of it. */
		if (!is_made_of(line, "0123456789abcdefx%.-/N:A \t"))
			return false;
		reading->open = whole;
		return true;
	}
	put_row(reading, &row, reading->open_why != NULL);
	reading->open_why = NULL;
	reading->has_code = true;
	reading->open = row.nodes ? (struct text){"", 0} : whole;
	return true;
}

static void read_group(struct reading *reading, struct report_group *group)
{
	struct report *report = reading->report;

	group->at = reading->at;
	group->first = report->nrows;
	ARRAY_GROW(report->groups, report->ngroups, report->groups_cap);
	report->groups[report->ngroups++] = *group;
	reading->before = BEFORE_GROUP;
}

static void read_entry(struct reading *reading, struct text line)
{
	struct report *report = reading->report;
	struct report_entry entry;
	const char *why = report_entry(&reading->table, line, &entry);

	reading->before = BEFORE_ENTRY;
	if (why) {
		count_odd(&reading->odd_entries, reading->at, why);
		return;
	}
	entry.at = reading->at;
	ARRAY_GROW(report->entries, report->nentries, report->entries_cap);
	report->entries[report->nentries++] = entry;
}

static void read_event(struct report *report, struct text name)
{
	if (name.len == 0)
		return;
	ARRAY_GROW(report->events, report->nevents, report->events_cap);
	report->events[report->nevents++] = arena_strndup(&report->arena, name.s, name.len);
}

/* "Label : value" of the first sections. False: it has no colon. */
static bool read_statistic(struct reading *reading, struct text line)
{
	struct report *report = reading->report;
	const char *colon = line.len ? memchr(line.s, ':', line.len) : NULL;
	struct text label, value;

	if (!colon)
		return false;
	label = text_trim(line.s, (size_t)(colon - line.s));
	value = text_trim(colon + 1, (size_t)(line.s + line.len - colon - 1));
	/* "Total records" and the others stand once; what comes later is of another report. */
	if (text_is(label, "Total records"))
		report->has_records |= text_number(value, &report->records);
	else if (text_is(label, "Load Remote HITM"))
		report->has_remote_hitm |= text_number(value, &report->remote_hitm);
	else if (text_is(label, "Load Remote DRAM"))
		report->has_remote_dram |= text_number(value, &report->remote_dram);
	else if (reading->in_statistics && (text_is(label, "Events") || label.len == 0))
		read_event(report, value);
	return true;
}

static bool read_title(struct reading *reading, struct text line)
{
	struct report *report = reading->report;

	if (text_is(line, "Trace Event Information") || text_is(line, "c2c details") ||
	    text_is(line, "Global Shared Cache Line Event Information"))
		reading->in_statistics = true;
	else if (text_is(line, "Shared Data Cache Line Table"))
		report->has_table = true;
	else if (text_is(line, "Shared Cache Line Distribution Pareto"))
		report->paretos++;
	else
		return is_made_of(line, "=");
	if (report->has_table || report->paretos)
		reading->in_statistics = false;
	return true;
}

/* A call chain goes on to a blank line; "33.33% a;b;c" is a folded one. */
static bool is_chain(const struct reading *reading, struct text line)
{
	struct text rest = line, word;
	uint32_t share;

	if (reading->before == BEFORE_CHAIN)
		return true;
	if (reading->before != BEFORE_ROW)
		return false;
	return *line.s == '|' || text_begins(line, "--") ||
	       (text_word(&rest, &word) && text_share(word, &share));
}

/* What has no form of its own, in a place where something must stand. */
static void read_unknown(struct reading *reading)
{
	switch (reading->before) {
	case BEFORE_DASHES:
		count_odd(&reading->odd_rows, reading->at,
			  "the counters and the address of a line must stand between dashes");
		break;
	case BEFORE_GROUP:
	case BEFORE_ROW:
		count_odd(&reading->odd_rows, reading->at, "it does not begin with percentages");
		break;
	case BEFORE_ENTRY:
		count_odd(&reading->odd_entries, reading->at,
			  "it does not begin with an index and an address");
		break;
	case BEFORE_NOTHING:
	case BEFORE_CHAIN:
		break;
	}
}

static bool is_heading(struct text trimmed)
{
	return *trimmed.s == '#' || text_begins(trimmed, "Index  ") ||
	       text_begins(trimmed, "Num  ");
}

static void read_line(struct reading *reading, struct text line)
{
	struct text trimmed = text_trim(line.s, line.len);
	struct report_group group;

	if (trimmed.len == 0) {
		close_row(reading);
		reading->before = BEFORE_NOTHING;
	} else if (is_dashes(trimmed)) {
		close_row(reading);
		if (reading->before != BEFORE_GROUP)
			reading->before = reading->report->paretos || reading->report->ngroups
						  ? BEFORE_DASHES
						  : BEFORE_NOTHING;
	} else if (report_group(trimmed, &group)) {
		close_row(reading);
		use_headings(reading, (struct text){"", 0});
		read_group(reading, &group);
	} else if (is_heading(trimmed)) {
		close_row(reading);
		read_heading(reading, line);
		reading->before = BEFORE_NOTHING;
	} else if (report_is_row(trimmed)) {
		use_headings(reading, (struct text){"", 0});
		read_row(reading, line);
	} else if (report_is_entry(trimmed)) {
		close_row(reading);
		use_headings(reading, (struct text){"", 0});
		read_entry(reading, trimmed);
	} else if (read_title(reading, trimmed)) {
		close_row(reading);
		reading->before = BEFORE_NOTHING;
	} else if (is_chain(reading, trimmed)) {
		close_row(reading);
		reading->before = BEFORE_CHAIN;
	} else if (!read_piece(reading, trimmed)) {
		close_row(reading);
		if (reading->before != BEFORE_NOTHING || !read_statistic(reading, trimmed))
			read_unknown(reading);
	}
}

static void read_lines(struct reading *reading)
{
	const char *s = reading->report->text.data, *end = s + reading->report->text.len;

	while (s < end) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));
		size_t len = (size_t)((newline ? newline : end) - s);
		struct text trimmed = text_trim(s, len);

		reading->at++;
		reading->end = (size_t)(trimmed.s + trimmed.len - s);
		read_line(reading, unquote((struct text){s, len}));
		s += len + 1;
	}
	close_row(reading);
}

static int by_address(const void *a, const void *b)
{
	const struct report_entry *const *x = a, *const *y = b;
	int order = compare_u64((*x)->address, (*y)->address);

	return order ? order : compare_u64((*x)->index, (*y)->index);
}

/* Finds the line of each group in the table: by its address, and its number if that is there. */
static void link_groups(struct report *report)
{
	struct report_entry **sorted = xcalloc(report->nentries + 1, sizeof *sorted);

	for (size_t i = 0; i < report->nentries; i++)
		sorted[i] = &report->entries[i];
	qsort(sorted, report->nentries, sizeof *sorted, by_address);
	for (size_t i = 0; i < report->ngroups; i++) {
		struct report_group *group = &report->groups[i];
		struct report_entry key = {.address = group->address, .index = group->number};
		struct report_entry *const at = &key, **hit;
		size_t low = 0, high = report->nentries;

		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (by_address(&sorted[middle], &at) < 0)
				low = middle + 1;
			else
				high = middle;
		}
		hit = &sorted[low];
		if (low == report->nentries || (*hit)->address != group->address)
			continue;
		if ((group->has_number && (*hit)->index != group->number) || (*hit)->in_pareto)
			continue;
		group->entry = (size_t)(*hit - report->entries);
		(*hit)->in_pareto = true;
	}
	free(sorted);
}

/* Up to 5.18 a line had four counters and its number: five counters alone look like that. */
static void settle_counters(const struct report *report, struct report_group *group)
{
	bool has_all = false;

	for (size_t i = 0; i < group->nrows; i++)
		has_all |= report->rows[group->first + i].has_share >> METRIC_NO_LEVEL & 1;
	if (!has_all || !group->has_number || group->counts == METRICS)
		return;
	memmove(group->count + 1, group->count, (METRICS - 1) * sizeof *group->count);
	group->count[0] = group->number;
	group->counts = METRICS;
	group->has_number = false;
}

static uint64_t line_size(const struct report *report)
{
	uint64_t size = max_u64(report->line_size, 64);

	for (size_t i = 0; i < report->nrows; i++)
		while (report->rows[i].offset >= size)
			size *= 2;
	return size;
}

static bool is_understood(const struct reading *reading, struct err *err)
{
	const struct report *report = reading->report;
	const struct odd *odd = reading->odd_rows.n ? &reading->odd_rows : &reading->odd_entries;

	/* The table of lines alone is a report that was cut; a Pareto that has no line is none of
	 * perf's. */
	if (report->nrows || report->ngroups || (report->nentries && reading->odd_rows.n <= 1))
		return true;
	if (odd->n)
		return err_set(err, report->place, "line %zu cannot be read: %s", odd->at,
			       odd->why);
	/* A report in which no line is shared has the titles and nothing below them. */
	return report->paretos ||
	       err_set(err, report->place,
		       "there is no line of memory in it: it was cut, or made with --stats");
}

bool report_parse(const char *place, struct bytes *text, struct err *err, struct report *ret)
{
	struct reading reading = {.report = ret};

	*ret = (struct report){.place = place, .text = *text};
	*text = (struct bytes){NULL, 0};
	arena_init(&ret->arena);
	reading.heading[0] = reading.heading[1] = (struct text){"", 0};
	read_lines(&reading);
	if (!is_understood(&reading, err))
		return false;
	for (size_t i = 0; i < ret->ngroups; i++)
		settle_counters(ret, &ret->groups[i]);
	link_groups(ret);
	ret->line_size = line_size(ret);
	note_odd(ret, &reading.odd_rows, "a row of the Pareto");
	note_odd(ret, &reading.odd_entries, "a row of the table of lines");
	if (ret->paretos > 1)
		report_note(ret, "%s: it holds %u reports, taken together", place, ret->paretos);
	return true;
}

void report_release(struct report *report)
{
	bytes_release(&report->text);
	arena_release(&report->arena);
	free(report->rows);
	free(report->groups);
	free(report->entries);
	free(report->headings);
	free(report->events);
	free(report->notes);
}

static bool is_alone_enough(struct text line)
{
	static const struct report_columns none;
	struct report_entry entry;
	struct report_row row;

	return (report_is_row(line) && !report_row(&none, line, &row)) ||
	       (report_is_entry(line) && !report_entry(&none, line, &entry));
}

bool report_probe(const uint8_t *head, size_t len)
{
	static const char *const signs[] = {
		"Shared Data Cache Line Table",
		"Shared Cache Line Distribution Pareto",
		"Global Shared Cache Line Event Information",
	};
	struct text text = {(const char *)head, len};
	const char *s = text.s, *end = s + len;
	bool has_group = false;

	for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
		if (text_has(text, signs[i]))
			return true;
	while (s < end) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));
		struct text line = {s, (size_t)((newline ? newline : end) - s)};
		struct report_group group;

		line = unquote(line);
		has_group |= report_group(line, &group);
		if ((has_group && report_is_row(line)) || is_alone_enough(line))
			return true;
		s = newline ? newline + 1 : end;
	}
	return false;
}
