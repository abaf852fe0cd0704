/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Headings: what the columns are, in every order that perf has printed them in. */
#include <string.h>

#include "perf/report_line.h"

struct name {
	const char *word;
	int kind;
};

/* Where one word begins another, the longer stands first. */
static const struct name pareto_names[] = {
	{"Num", COLUMN_NUMBER},
	{"RmtHitm", COLUMN_SHARE + METRIC_REMOTE},
	{"LclHitm", COLUMN_SHARE + METRIC_LOCAL},
	{"Rmt", COLUMN_SHARE + METRIC_REMOTE},
	{"Lcl", COLUMN_SHARE + METRIC_LOCAL},
	{"L1 Hit", COLUMN_SHARE + METRIC_L1_HIT},
	{"L1 Miss", COLUMN_SHARE + METRIC_L1_MISS},
	{"N/A", COLUMN_SHARE + METRIC_NO_LEVEL},
	{"Offset", COLUMN_OFFSET},
	{"Node{cpus %hitms %stores}", COLUMN_NODES},
	{"Node{cpu list}", COLUMN_NODES},
	{"Node", COLUMN_MEMORY_NODE}, /* or of the CPUs, by where it stands */
	{"PA cnt", COLUMN_PHYSICAL},
	{"Pid", COLUMN_PID},
	{"Tid", COLUMN_TID},
	{"Code address", COLUMN_CODE},
	{"rmt hitm", COLUMN_MEAN_REMOTE},
	{"lcl hitm", COLUMN_MEAN_LOCAL},
	{"rmt peer", COLUMN_MEAN_REMOTE},
	{"lcl peer", COLUMN_MEAN_LOCAL},
	{"load", COLUMN_MEAN_LOAD},
	{"records", COLUMN_RECORDS},
	{"cnt", COLUMN_CPUS},
	{"Symbol", COLUMN_SYMBOL},
	{"Object", COLUMN_OBJECT},
	{"Source:Line", COLUMN_SOURCE},
	{NULL, 0},
};

/* Lcl, Rmt and Total are of what stands before them. */
enum { NAME_LOCAL = -3, NAME_REMOTE, NAME_TOTAL };

static const struct name table_names[] = {
	{"Index", COLUMN_INDEX},
	{"Cacheline", COLUMN_ADDRESS},
	{"Address", COLUMN_ADDRESS},
	{"Node", COLUMN_MEMORY_NODE},
	{"PA cnt", COLUMN_PHYSICAL},
	{"Hitm", COLUMN_PERCENT},
	{"Snoop", COLUMN_PERCENT},
	{"records", COLUMN_TOTAL + TOTAL_RECORDS},
	{"Loads", COLUMN_TOTAL + TOTAL_LOADS},
	{"Stores", COLUMN_TOTAL + TOTAL_STORES},
	{"Total", NAME_TOTAL},
	{"LclHitm", COLUMN_TOTAL + TOTAL_LOCAL_HITM},
	{"RmtHitm", COLUMN_TOTAL + TOTAL_REMOTE_HITM},
	{"LclHit", COLUMN_TOTAL + TOTAL_LLC},
	{"RmtHit", COLUMN_TOTAL + TOTAL_REMOTE_CACHE},
	{"Local", COLUMN_TOTAL + TOTAL_LOCAL_PEER},
	{"Remote", COLUMN_TOTAL + TOTAL_REMOTE_PEER},
	{"Lcl", NAME_LOCAL},
	{"Rmt", NAME_REMOTE},
	{"L1Hit", COLUMN_TOTAL + TOTAL_L1_HIT},
	{"L1Miss", COLUMN_TOTAL + TOTAL_L1_MISS},
	{"N/A", COLUMN_TOTAL + TOTAL_NO_LEVEL},
	{"Ld Miss", COLUMN_OTHER},
	{"FB", COLUMN_TOTAL + TOTAL_LFB},
	{"L1", COLUMN_TOTAL + TOTAL_L1},
	{"L2", COLUMN_TOTAL + TOTAL_L2},
	{"Llc", COLUMN_TOTAL + TOTAL_LLC},
	{NULL, 0},
};

/* Takes a name off the front of @rest: one of @names, or a word that is none of them. */
static bool take_name(const struct name *names, struct text *rest, int *ret)
{
	struct text word, left = text_trim(rest->s, rest->len);

	for (const struct name *name = names; name->word; name++) {
		size_t len = strlen(name->word);

		if (text_begins(left, name->word) && (len == left.len || left.s[len] == ' ')) {
			*rest = (struct text){left.s + len, left.len - len};
			*ret = name->kind;
			return true;
		}
	}
	*ret = COLUMN_OTHER;
	*rest = left;
	return text_word(rest, &word);
}

static struct text behind_hash(struct text heading)
{
	struct text text = text_trim(heading.s, heading.len);

	if (text_begins(text, "#"))
		text = text_trim(text.s + 1, text.len - 1);
	return text;
}

/* The runs of dots are the columns, if there are as many of them as names. */
static void find_extents(struct text dots, struct report_columns *columns)
{
	size_t n = 0, i = 0;

	while (i < dots.len) {
		if (dots.s[i] != '.') {
			i++;
			continue;
		}
		if (n == columns->n)
			return;
		columns->from[n] = i;
		while (i < dots.len && dots.s[i] == '.')
			i++;
		columns->to[n++] = i;
	}
	columns->has_extents = n > 0 && n == columns->n;
}

void report_columns_pareto(struct text groups, struct text names, struct text dots,
			   struct report_columns *ret)
{
	struct text rest = behind_hash(names);
	bool behind_cpus = false;
	int kind;

	*ret = (struct report_columns){0};
	while (take_name(pareto_names, &rest, &kind)) {
		if (ret->n == REPORT_COLUMNS) {
			ret->n = 0;
			return;
		}
		behind_cpus |= kind == COLUMN_CPUS || kind == COLUMN_OBJECT;
		if (kind == COLUMN_MEMORY_NODE && behind_cpus)
			kind = COLUMN_NODES;
		ret->kind[ret->n++] = kind;
	}
	ret->is_peer = text_has(groups, "Peer Snoop") || text_has(names, "rmt peer");
	find_extents(dots, ret);
}

/* @before: the column to the left. */
static int table_kind(int name, int before, bool *has_sum)
{
	switch (name) {
	case NAME_TOTAL: /* of HITM first, then, before 5.11, of stores */
		if (*has_sum)
			return COLUMN_TOTAL + TOTAL_STORES;
		*has_sum = true;
		return COLUMN_OTHER;
	case NAME_LOCAL:
		return COLUMN_TOTAL +
		       (before == COLUMN_OTHER ? TOTAL_LOCAL_HITM : TOTAL_LOCAL_DRAM);
	case NAME_REMOTE:
		switch (before) {
		case COLUMN_TOTAL + TOTAL_LOCAL_HITM:
			return COLUMN_TOTAL + TOTAL_REMOTE_HITM;
		case COLUMN_TOTAL + TOTAL_LOCAL_DRAM:
			return COLUMN_TOTAL + TOTAL_REMOTE_DRAM;
		case COLUMN_TOTAL + TOTAL_LLC:
			return COLUMN_TOTAL + TOTAL_REMOTE_CACHE;
		default:
			return COLUMN_OTHER;
		}
	default:
		return name;
	}
}

void report_columns_table(struct text groups, struct text names, struct text dots,
			  struct report_columns *ret)
{
	struct text rest = behind_hash(names);
	bool has_sum = false;
	int name;

	*ret = (struct report_columns){0};
	while (take_name(table_names, &rest, &name)) {
		if (ret->n == REPORT_COLUMNS) {
			ret->n = 0;
			return;
		}
		ret->kind[ret->n] =
			table_kind(name, ret->n ? ret->kind[ret->n - 1] : COLUMN_INDEX, &has_sum);
		ret->n++;
	}
	ret->is_peer = text_has(groups, "Load Peer");
	ret->is_double = text_has(groups, "Double-Cacheline");
	find_extents(dots, ret);
}
