/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A row of the Pareto. Its front are words without blanks; a thread is "pid:comm", and a comm may
 * have blanks. Its tail, from the symbol on, are cells that may have them; perf fits their widths
 * to each cache line anew, so that the dots of the heading need not hold for them.
 */
#include <string.h>

#include "perf/report_line.h"

enum { FRONT_WORDS = 24 };

/* "0,2-3": bits of the numbers below 64. False: it is no such list. */
static bool read_list(struct text text, uint64_t *ret)
{
	uint64_t bits = 0;

	if (text.len == 0)
		return false;
	for (size_t i = 0; i < text.len;) {
		uint64_t end[2] = {0, 0};
		int n = 0;

		do {
			size_t from = i += n > 0;

			while (i < text.len && text.s[i] >= '0' && text.s[i] <= '9')
				i++;
			if (!text_number((struct text){text.s + from, i - from}, &end[n++]))
				return false;
		} while (n < 2 && i < text.len && text.s[i] == '-');
		if (n == 1)
			end[1] = end[0];
		for (uint64_t bit = end[0]; bit <= end[1] && bit < 64; bit++)
			bits |= (uint64_t)1 << bit;
		if (i < text.len && (text.s[i] != ',' || ++i == text.len))
			return false;
	}
	*ret = bits;
	return true;
}

/* "0  1" or "0{0-1,4}  1{24-25}" or "0{ 2 100.0%    n/a}": the nodes. False: it is none of them. */
static bool read_nodes(struct text text, uint64_t *ret)
{
	uint64_t bits = 0, node;

	text = text_trim(text.s, text.len);
	if (text_is(text, "N/A") || text.len == 0)
		return text.len > 0;
	while (text.len) {
		size_t len = 0;

		while (len < text.len && text.s[len] >= '0' && text.s[len] <= '9')
			len++;
		if (!text_number((struct text){text.s, len}, &node))
			return false;
		if (len < text.len && text.s[len] == '{') {
			while (len < text.len && text.s[len] != '}')
				len++;
			if (len == text.len)
				return false;
			len++;
		}
		if (node < 64)
			bits |= (uint64_t)1 << node;
		if (len < text.len && text.s[len] != ' ' && text.s[len] != '\t')
			return false;
		text = text_trim(text.s + len, text.len - len);
	}
	*ret = bits;
	return true;
}

static bool read_id(struct text text, int32_t *ret)
{
	uint64_t id;

	if (!text_number(text, &id) || id > INT32_MAX)
		return false;
	*ret = (int32_t)id;
	return true;
}

/* "1001:comm", of which the comm may be anything. */
static bool read_thread(struct text text, struct report_row *row)
{
	size_t colon = 0;

	while (colon < text.len && text.s[colon] != ':')
		colon++;
	if (colon == text.len || !read_id((struct text){text.s, colon}, &row->tid))
		return false;
	row->comm = text_trim(text.s + colon + 1, text.len - colon - 1);
	return true;
}

static enum access_mode mode_of(char letter)
{
	switch (letter) {
	case 'k':
		return MODE_KERNEL;
	case '.':
		return MODE_USER;
	case 'H':
		return MODE_HYPERVISOR;
	case 'g':
	case 'u':
		return MODE_GUEST;
	default:
		return MODE_UNKNOWN;
	}
}

/* "[k] ": where a symbol begins. */
static bool is_symbol(struct text text)
{
	return text.len >= 3 && text.s[0] == '[' && text.s[1] > ' ' && text.s[2] == ']' &&
	       (text.len == 3 || text.s[3] == ' ');
}

static void read_symbol(struct text text, struct report_row *row)
{
	uint64_t address;

	row->mode = mode_of(text.s[1]);
	row->symbol = text_trim(text.s + 3, text.len - 3);
	if (text_hex(row->symbol, &address)) /* perf did not know it */
		row->symbol.len = 0;
}

/* "[kernel.kallsyms]", "[nf_conntrack]": never the middle of a symbol. */
static bool is_module(struct text word)
{
	return word.len > 3 && word.s[0] == '[' && word.s[word.len - 1] == ']';
}

/* The length of a name of C++ at the start of @text: to the first blank outside of brackets. */
static size_t name_length(struct text text)
{
	static const char operator[] = "operator";
	int depth = 0;
	size_t first = 0;

	for (size_t i = 0; i < text.len; i++) {
		struct text here = {text.s + i, text.len - i};

		if (text_begins(here, operator)) { /* of which < is no bracket */
			i += sizeof operator- 1;
			while (i < text.len && strchr("<>=-", text.s[i]) && text.s[i])
				i++;
			i--;
		} else if (text.s[i] == '(' || text.s[i] == '<') {
			depth++;
		} else if (text.s[i] == ')' || text.s[i] == '>') {
			depth--;
		} else if (text.s[i] == ' ') {
			if (depth <= 0)
				return i;
			first = first ? first : i;
		}
	}
	return first ? first : text.len;
}

/*
 * Where the symbol that begins @text ends: before a module, if one follows behind a single blank;
 * or, with single blanks between all cells (@alone), where a name ends.
 */
static size_t symbol_end(struct text text, bool alone)
{
	struct text rest = {text.s + 3, text.len - 3}, word, name = text_trim(rest.s, rest.len);

	for (bool first = true; text_word(&rest, &word); first = false)
		if (!first && is_module(word))
			return (size_t)(word.s - text.s);
	return alone ? (size_t)(name.s - text.s) + name_length(name) : text.len;
}

static bool is_empty(struct text text)
{
	return text_trim(text.s, text.len).len == 0;
}

/* From the symbol on. */
static void read_tail(struct text text, struct report_row *row)
{
	struct text rest = text, cell, module;
	bool alone = false; /* the cells have single blanks between, and none inside */

	if (is_symbol(text)) {
		size_t end;

		text_cell(&rest, &cell);
		alone = is_empty(rest);
		end = symbol_end(cell, alone);
		read_symbol((struct text){cell.s, end}, row);
		rest = (struct text){cell.s + end, text.len - (size_t)(cell.s + end - text.s)};
	}
	/* What is no node comes before them: the object, then the source. */
	if (read_nodes(rest, &row->nodes))
		return;
	cell = rest;
	alone |= text_word(&cell, &module) && is_module(module);
	if (!(alone ? text_word : text_cell)(&rest, &row->object) ||
	    read_nodes(rest, &row->nodes) || !(alone ? text_word : text_cell)(&rest, &row->source))
		return;
	(void)read_nodes(rest, &row->nodes);
}

/* What a cell of the front says; false: it cannot be of that column. */
static bool read_front(int kind, struct text cell, struct report_row *row)
{
	uint64_t number, bits;

	switch (kind) {
	case COLUMN_OFFSET:
		return text_hex(cell, &row->offset);
	case COLUMN_CODE:
		return row->has_code = text_hex(cell, &row->code);
	case COLUMN_MEMORY_NODE:
		return text_is(cell, "N/A") || read_list(cell, &bits);
	case COLUMN_PHYSICAL:
		return text_number(cell, &number);
	case COLUMN_PID:
		return read_id(cell, &row->pid);
	case COLUMN_TID:
		return read_thread(cell, row);
	case COLUMN_MEAN_REMOTE:
	case COLUMN_MEAN_LOCAL:
	case COLUMN_MEAN_LOAD:
		return text_number(cell, &row->mean[kind - COLUMN_MEAN_REMOTE]);
	case COLUMN_RECORDS:
		return row->has_records = text_number(cell, &row->records);
	case COLUMN_CPUS:
		return text_number(cell, &row->cpus);
	case COLUMN_OTHER:
		return true;
	default:
		row->has_share |= 1u << (kind - COLUMN_SHARE);
		return kind < COLUMN_SHARE + METRICS &&
		       text_share(cell, &row->share[kind - COLUMN_SHARE]);
	}
}

static bool is_front(int kind)
{
	return kind != COLUMN_NUMBER && (kind < COLUMN_SYMBOL || kind > COLUMN_NODES);
}

static void row_init(struct report_row *row)
{
	*row = (struct report_row){.pid = -1, .tid = -1};
}

/* The cells are where the dots are: two blanks before each, and something in all but the first. */
static bool by_extents(const struct report_columns *columns, struct text line,
		       struct report_row *row)
{
	row_init(row);
	for (size_t i = 0; i < columns->n; i++) {
		size_t from = columns->from[i], to = line.len;
		struct text cell;

		if (i + 1 < columns->n) {
			to = columns->from[i + 1] - 2;
			if (columns->from[i + 1] >= line.len || line.s[to] != ' ' ||
			    line.s[to + 1] != ' ')
				return false;
		}
		cell = text_trim(line.s + from, to - from);
		if ((cell.len == 0) != (columns->kind[i] == COLUMN_NUMBER))
			return false;
		switch (columns->kind[i]) {
		case COLUMN_NUMBER:
			break;
		case COLUMN_SYMBOL:
			if (!is_symbol(cell))
				return false;
			read_symbol(cell, row);
			break;
		case COLUMN_OBJECT:
			row->object = cell;
			break;
		case COLUMN_SOURCE:
			row->source = cell;
			break;
		case COLUMN_NODES:
			if (!read_nodes(cell, &row->nodes))
				return false;
			break;
		default:
			if (!read_front(columns->kind[i], cell, row))
				return false;
		}
	}
	return true;
}

/* Words up to the symbol, or to what can only be an object or the CPUs of a node. */
struct front {
	struct text word[FRONT_WORDS];
	size_t n;
	struct text tail;
};

/* A comm ends before two blanks and a number. */
static struct text whole_thread(struct text word, struct text *rest)
{
	struct text cell, left = *rest;
	const char *end = word.s + word.len;
	uint64_t number;

	while (text_cell(&left, &cell)) {
		if (cell.s >= end + 2 && (text_number(cell, &number) || text_hex(cell, &number)))
			break;
		end = cell.s + cell.len;
		*rest = left;
	}
	return (struct text){word.s, (size_t)(end - word.s)};
}

static bool is_of_front(struct text word)
{
	uint64_t number;
	uint32_t share;

	return text_number(word, &number) || text_hex(word, &number) || text_share(word, &share) ||
	       text_is(word, "N/A") || read_list(word, &number);
}

static bool split_front(struct text line, struct front *ret)
{
	struct text rest = line, word;
	struct report_row thread;

	ret->n = 0;
	for (;;) {
		ret->tail = text_trim(rest.s, rest.len);
		if (!text_word(&rest, &word) || is_symbol(ret->tail))
			return true;
		if (ret->n > 2 && read_thread(word, &thread))
			word = whole_thread(word, &rest);
		else if (!is_of_front(word))
			return true;
		if (ret->n == FRONT_WORDS)
			return false;
		ret->word[ret->n++] = word;
	}
}

/* The words are those of the headings, in their order. */
static bool by_headings(const struct report_columns *columns, const struct front *front,
			struct report_row *row)
{
	size_t n = 0;
	bool has_tail = false;

	row_init(row);
	for (size_t i = 0; i < columns->n; i++) {
		if (columns->kind[i] == COLUMN_SYMBOL || columns->kind[i] == COLUMN_OBJECT)
			has_tail = true;
		if (!is_front(columns->kind[i]))
			continue;
		if (n == front->n || !read_front(columns->kind[i], front->word[n++], row))
			return false;
	}
	if (n < front->n) { /* the nodes, when nothing else stands behind the counters */
		const char *from = front->word[n].s;
		struct text nodes = {from, (size_t)(front->tail.s + front->tail.len - from)};

		return !has_tail && row->cpus && !is_symbol(front->tail) &&
		       read_nodes(nodes, &row->nodes);
	}
	read_tail(front->tail, row);
	return true;
}

/* What the @n words between the offset and the counters are. */
static const int *between(size_t n, const struct text *words)
{
	static const int kinds[][4] = {
		{0},
		{COLUMN_PID},
		{COLUMN_MEMORY_NODE, COLUMN_PHYSICAL},
		{COLUMN_MEMORY_NODE, COLUMN_PHYSICAL, COLUMN_PID},
		{COLUMN_MEMORY_NODE, COLUMN_PHYSICAL, COLUMN_PID, COLUMN_TID},
	};
	static const int threads[][3] = {
		{COLUMN_TID},
		{COLUMN_PID, COLUMN_TID},
		{COLUMN_MEMORY_NODE, COLUMN_PHYSICAL, COLUMN_TID},
	};
	static const int node[] = {COLUMN_MEMORY_NODE};
	struct report_row thread;
	uint64_t id;

	if (n > 4)
		return NULL;
	if (n > 0 && n < 4 && read_thread(words[n - 1], &thread))
		return threads[n - 1];
	/* perf printed the process alone before it had nodes: a small number is none. */
	if (n == 1 && (!text_number(words[0], &id) || id < 64))
		return node;
	return kinds[n];
}

/* What the @n counters before the symbol are; those that 4.10 lacked, or a poster. */
static const int *counters(size_t n)
{
	static const int all[] = {COLUMN_MEAN_REMOTE, COLUMN_MEAN_LOCAL, COLUMN_MEAN_LOAD,
				  COLUMN_RECORDS, COLUMN_CPUS};
	static const int old[] = {COLUMN_MEAN_REMOTE, COLUMN_MEAN_LOCAL, COLUMN_MEAN_LOAD,
				  COLUMN_CPUS};

	switch (n) {
	case 5:
	case 3:
	case 0:
		return all;
	case 4:
		return old;
	case 2:
	case 1:
		return all + (5 - n);
	default:
		return NULL;
	}
}

static const char *read_run(const int *kinds, const struct text *words, size_t n,
			    struct report_row *row)
{
	if (!kinds)
		return "it has more columns than a row of perf c2c report";
	for (size_t i = 0; i < n; i++)
		if (!read_front(kinds[i], words[i], row))
			return "a column holds what it cannot";
	return NULL;
}

static const char *by_pattern(const struct front *front, struct report_row *row)
{
	size_t shares = 0, code, n = front->n, offset;
	const char *why;
	uint64_t hex;
	uint32_t share;

	row_init(row);
	while (shares < n && text_share(front->word[shares], &share))
		shares++;
	if (shares != 2 && shares != 4 && shares != 5)
		return "it has neither 4 nor 5 percentages";
	for (size_t i = 0; i < shares; i++)
		(void)read_front(COLUMN_SHARE + (int)i, front->word[i], row);
	offset = shares;
	if (offset == n || !text_hex(front->word[offset], &row->offset))
		return "no offset stands behind its percentages";
	for (code = ++offset; code < n && !text_hex(front->word[code], &hex);)
		code++;
	if (code < n) {
		(void)read_front(COLUMN_CODE, front->word[code], row);
		why = read_run(between(code - offset, front->word + offset), front->word + offset,
			       code - offset, row);
		code++;
	} else { /* no code: "node, PA cnt, [pid,] 5 counters" and, without an object, the nodes */
		size_t many = n - offset;
		struct report_row thread;
		size_t ids = 0;

		while (ids < many && !read_thread(front->word[offset + ids], &thread))
			ids++;
		if (ids < many)
			ids++;
		else if (many < 7)
			return "it ends behind its offset";
		else
			ids = many - 5 - (front->tail.len == 0) > 2 ? 3 : 2;
		why = read_run(between(ids, front->word + offset), front->word + offset, ids, row);
		code = offset + ids;
		if (!why && n - code > 5) {
			const char *from = front->word[code + 5].s;

			(void)read_nodes(
				(struct text){from, (size_t)(front->word[n - 1].s +
							     front->word[n - 1].len - from)},
				&row->nodes);
			n = code + 5;
		}
	}
	if (!why)
		why = read_run(counters(n - code), front->word + code, n - code, row);
	if (!why)
		read_tail(front->tail, row);
	return why;
}

static bool is_percent(struct text word)
{
	return word.len > 1 && word.s[word.len - 1] == '%' &&
	       (*word.s == '-' || *word.s == 'n' || (*word.s >= '0' && *word.s <= '9'));
}

bool report_is_row(struct text line)
{
	struct text first, second;

	return text_word(&line, &first) && text_word(&line, &second) && is_percent(first) &&
	       is_percent(second);
}

const char *report_row(const struct report_columns *columns, struct text line,
		       struct report_row *ret)
{
	struct front front;
	bool told = false;

	for (size_t i = 0; i < columns->n; i++)
		told |= columns->kind[i] == COLUMN_OFFSET;
	if (told && columns->has_extents && by_extents(columns, line, ret))
		return NULL;
	if (!split_front(line, &front))
		return "it has more columns than a row of perf c2c report";
	if (told && by_headings(columns, &front, ret))
		return NULL;
	return by_pattern(&front, ret);
}
