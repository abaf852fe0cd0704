/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of the table of lines, and the counters that head a line of the Pareto. */
#include "perf/report_line.h"

enum { MOST_COUNTS = 1 + METRICS };

bool report_group(struct text line, struct report_group *ret)
{
	uint64_t number[MOST_COUNTS], address;
	struct text rest = text_trim(line.s, line.len), word;
	size_t n = 0;

	if (text_begins(rest, "#"))
		rest = (struct text){rest.s + 1, rest.len - 1};
	while (text_word(&rest, &word) && n < MOST_COUNTS && text_number(word, &number[n]))
		n++;
	if (n < METRICS - 1 || !text_hex(word, &address) || text_trim(rest.s, rest.len).len)
		return false;
	*ret = (struct report_group){.address = address, .entry = SIZE_MAX};
	/* Five are the number of the line and four counters, up to 5.18; or all five counters, of
	 * which the rows will tell. */
	ret->has_number = n > METRICS - 1;
	ret->number = number[0];
	ret->counts = (unsigned)(n - ret->has_number);
	for (unsigned i = 0; i < ret->counts; i++)
		ret->count[i] = number[i + ret->has_number];
	return true;
}

/* Without headings the columns are known by where the percentage stands, and how many there are. */
static const int before_5_11[] = {
	COLUMN_TOTAL + TOTAL_LOCAL_HITM,  COLUMN_TOTAL + TOTAL_REMOTE_HITM,
	COLUMN_TOTAL + TOTAL_STORES,      COLUMN_TOTAL + TOTAL_L1_HIT,
	COLUMN_TOTAL + TOTAL_L1_MISS,     COLUMN_TOTAL + TOTAL_LOCAL_DRAM,
	COLUMN_TOTAL + TOTAL_REMOTE_DRAM, COLUMN_OTHER,
	COLUMN_TOTAL + TOTAL_LOADS,       COLUMN_TOTAL + TOTAL_LFB,
	COLUMN_TOTAL + TOTAL_L1,          COLUMN_TOTAL + TOTAL_L2,
	COLUMN_TOTAL + TOTAL_LLC,         COLUMN_TOTAL + TOTAL_REMOTE_CACHE,
};
static const int since_5_11[] = {
	COLUMN_TOTAL + TOTAL_LOCAL_HITM,  COLUMN_TOTAL + TOTAL_REMOTE_HITM,
	COLUMN_TOTAL + TOTAL_RECORDS,     COLUMN_TOTAL + TOTAL_LOADS,
	COLUMN_TOTAL + TOTAL_STORES,      COLUMN_TOTAL + TOTAL_L1_HIT,
	COLUMN_TOTAL + TOTAL_L1_MISS,     COLUMN_TOTAL + TOTAL_NO_LEVEL,
	COLUMN_TOTAL + TOTAL_LFB,         COLUMN_TOTAL + TOTAL_L1,
	COLUMN_TOTAL + TOTAL_L2,          COLUMN_TOTAL + TOTAL_LLC,
	COLUMN_TOTAL + TOTAL_LOCAL_HITM,  COLUMN_TOTAL + TOTAL_REMOTE_CACHE,
	COLUMN_TOTAL + TOTAL_REMOTE_HITM, COLUMN_TOTAL + TOTAL_LOCAL_DRAM,
	COLUMN_TOTAL + TOTAL_REMOTE_DRAM,
};

static void take(int kind, uint64_t value, struct report_entry *entry)
{
	if (kind < COLUMN_TOTAL)
		return;
	entry->total[kind - COLUMN_TOTAL] = value;
	entry->has |= 1u << (kind - COLUMN_TOTAL);
}

/* All words of a row behind its address. */
struct cells {
	struct text word[REPORT_COLUMNS];
	size_t n, percent; /* which is the percentage; n: none */
};

static const char *split(struct text line, struct report_entry *entry, struct cells *ret)
{
	struct text rest = line, word;
	uint32_t share;

	if (!text_word(&rest, &word) || !text_number(word, &entry->index) ||
	    !text_word(&rest, &word) || !text_hex(word, &entry->address))
		return "it does not begin with an index and an address";
	ret->n = 0;
	ret->percent = SIZE_MAX;
	while (text_word(&rest, &word)) {
		if (ret->n == REPORT_COLUMNS)
			return "it has more columns than a row of perf c2c report";
		if (ret->percent == SIZE_MAX && text_share(word, &share))
			ret->percent = ret->n;
		ret->word[ret->n++] = word;
	}
	return NULL;
}

static const char *by_headings(const struct report_columns *columns, const struct cells *cells,
			       struct report_entry *entry)
{
	for (size_t i = 0; i < cells->n; i++) {
		int kind = columns->kind[i + 2];
		uint64_t value;

		if (kind < COLUMN_TOTAL)
			continue;
		if (!text_number(cells->word[i], &value))
			return "a counter is no number";
		take(kind, value, entry);
	}
	return NULL;
}

/* [Node PA] [records] 12.34% total ... */
static const char *by_pattern(const struct cells *cells, struct report_entry *entry)
{
	bool is_old = cells->percent == 1 || cells->percent == 3;
	const int *kinds = is_old ? before_5_11 : since_5_11;
	size_t counters, i;
	uint64_t value;

	if (cells->percent > 3)
		return "its share of all HITM is not where perf prints it";
	counters = cells->n - cells->percent - 1;
	if (is_old ? counters != ARRAY_SIZE(before_5_11) + 1
		   : counters != ARRAY_SIZE(since_5_11) && counters != ARRAY_SIZE(since_5_11) + 1)
		return "it has not as many columns as perf prints";
	if (is_old) {
		if (!text_number(cells->word[cells->percent - 1], &value))
			return "a counter is no number";
		take(COLUMN_TOTAL + TOTAL_RECORDS, value, entry);
	}
	/* The first is the sum of the next two. */
	for (i = cells->percent + 2; i < cells->n; i++, kinds++) {
		if (*kinds == COLUMN_TOTAL + TOTAL_NO_LEVEL && counters == ARRAY_SIZE(since_5_11))
			kinds++; /* up to 5.18 */
		if (!text_number(cells->word[i], &value))
			return "a counter is no number";
		take(*kinds, value, entry);
	}
	return NULL;
}

bool report_is_entry(struct text line)
{
	struct text rest = line, word;
	struct report_entry entry = {0};

	return text_word(&rest, &word) && text_number(word, &entry.index) &&
	       text_word(&rest, &word) && text_hex(word, &entry.address) &&
	       text_word(&rest, &word) &&
	       ((*word.s >= '0' && *word.s <= '9') || text_is(word, "N/A"));
}

const char *report_entry(const struct report_columns *columns, struct text line,
			 struct report_entry *ret)
{
	struct cells cells;
	const char *why;

	*ret = (struct report_entry){0};
	why = split(line, ret, &cells);
	if (why)
		return why;
	if (columns->n == cells.n + 2 && columns->kind[0] == COLUMN_INDEX &&
	    columns->kind[1] == COLUMN_ADDRESS)
		return by_headings(columns, &cells, ret);
	return by_pattern(&cells, ret);
}
