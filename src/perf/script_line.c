/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/script_line.h"

#include <string.h>

/* What follows the word of data_src: text that begins with the operation. */
static const char text_mark[] = "|OP ";

/* Latencies are smaller; shorter addresses than this are told by their letters. */
enum { WEIGHT_DIGITS = 7 };

/* Numbers behind the text: weights, code, physical address. */
enum { NUMBERS_MAX = 5 };

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

static bool piece_to_hex(struct piece piece, uint64_t *ret)
{
	uint64_t value = 0;

	if (piece.len > 2 && piece.s[0] == '0' && piece.s[1] == 'x')
		piece = (struct piece){piece.s + 2, piece.len - 2};
	if (piece.len == 0 || piece.len > 16)
		return false;
	for (size_t i = 0; i < piece.len; i++) {
		int digit = hex_digit(piece.s[i]);

		if (digit < 0)
			return false;
		value = value << 4 | (unsigned)digit;
	}
	*ret = value;
	return true;
}

static bool piece_to_decimal(struct piece piece, uint64_t *ret)
{
	uint64_t value = 0;

	if (piece.len == 0 || piece.len > 19)
		return false;
	for (size_t i = 0; i < piece.len; i++) {
		if (piece.s[i] < '0' || piece.s[i] > '9')
			return false;
		value = value * 10 + (unsigned)(piece.s[i] - '0');
	}
	*ret = value;
	return true;
}

static bool piece_to_id(struct piece piece, int32_t *ret)
{
	uint64_t value;

	if (piece.len == 2 && piece.s[0] == '-' && piece.s[1] == '1') {
		*ret = -1;
		return true;
	}
	if (!piece_to_decimal(piece, &value) || value > INT32_MAX)
		return false;
	*ret = (int32_t)value;
	return true;
}

/* The word that ends before @end, blanks before it left out; empty at the start of the line. */
static struct piece word_before(const char *line, const char *end)
{
	const char *start;

	while (end > line && is_blank(end[-1]))
		end--;
	for (start = end; start > line && !is_blank(start[-1]);)
		start--;
	return (struct piece){start, (size_t)(end - start)};
}

/* The word at or behind @s. */
static struct piece word_after(const char *s)
{
	while (is_blank(*s))
		s++;
	return (struct piece){s, strcspn(s, " \t")};
}

static const char *piece_end(struct piece piece)
{
	return piece.s + piece.len;
}

bool script_is_access(const char *line)
{
	const char *mark = strstr(line, text_mark);
	uint64_t value;

	return mark && piece_to_hex(word_before(line, mark), &value);
}

/* ---- before the text */

/* "100.000001000:", in nanoseconds. */
static bool read_time(struct piece word, uint64_t *ret)
{
	const char *dot = memchr(word.s, '.', word.len);
	uint64_t seconds, fraction;
	size_t digits;

	if (!dot || word.s[word.len - 1] != ':')
		return false;
	digits = (size_t)(piece_end(word) - 1 - (dot + 1));
	if (digits < 6 || digits > 9 ||
	    !piece_to_decimal((struct piece){word.s, (size_t)(dot - word.s)}, &seconds) ||
	    !piece_to_decimal((struct piece){dot + 1, digits}, &fraction) ||
	    seconds > UINT64_MAX / 1000000000 - 1)
		return false;
	while (digits++ < 9)
		fraction *= 10;
	*ret = seconds * 1000000000 + fraction;
	return true;
}

/* "[003]" */
static bool read_cpu(struct piece word, int32_t *ret)
{
	return word.len > 2 && word.s[0] == '[' && word.s[word.len - 1] == ']' &&
	       piece_to_id((struct piece){word.s + 1, word.len - 2}, ret);
}

/* "1000/1001" or "1001" */
static bool read_task(struct piece word, struct script_line *line)
{
	const char *slash = memchr(word.s, '/', word.len);

	if (!slash)
		return piece_to_id(word, &line->tid);
	return piece_to_id((struct piece){word.s, (size_t)(slash - word.s)}, &line->pid) &&
	       piece_to_id((struct piece){slash + 1, (size_t)(piece_end(word) - slash - 1)},
			   &line->tid);
}

/* From the right to the left: only the name of the thread, all that is left, can have blanks. */
static void read_head(const char *line, const char *end, struct script_line *ret)
{
	struct piece word = word_before(line, end);
	uint64_t period;
	bool has_event = word.len > 0 && word.s[word.len - 1] == ':', has_left = true;

	if (has_event && !read_time(word, &ret->time))
		word = word_before(line, word.s);
	if (has_event && piece_to_decimal(word, &period)) {
		/* A period, unless it is the thread: that has a name before it, or a CPU behind. */
		struct piece before = word_before(line, word.s);
		int32_t cpu;

		if (before.len > 0 && (before.s[before.len - 1] == ':' || read_cpu(before, &cpu)))
			word = before;
	}
	if (word.len > 0 && read_time(word, &ret->time)) {
		ret->has_time = true;
		word = word_before(line, word.s);
	}
	if (word.len > 0 && read_cpu(word, &ret->cpu))
		word = word_before(line, word.s);
	if (word.len > 0 && read_task(word, ret))
		word = word_before(line, word.s);
	else
		has_left = ret->has_time || ret->cpu >= 0;
	while (is_blank(*line))
		line++;
	if (has_left && word.len > 0 && piece_end(word) > line)
		ret->comm = (struct piece){line, (size_t)(piece_end(word) - line)};
}

/* ---- behind the text */

static bool is_number(struct piece word)
{
	uint64_t value;

	return piece_to_hex(word, &value);
}

/* The first number behind the last '|' of the text, which words may stand before. */
static struct piece first_number(const char *mark)
{
	const char *s = mark, *next;
	struct piece word;

	/* A bar in the name of an operator is not followed by three capitals and a blank. */
	while ((next = strchr(s + 1, '|')) &&
	       (next[1] == 0 || is_blank(next[1]) ||
		(strspn(next + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") >= 2)))
		s = next;
	s++;
	s += strcspn(s, " \t|");
	for (word = word_after(s + (*s == '|')); word.len > 0; word = word_after(piece_end(word)))
		if (is_number(word))
			break;
	return word;
}

static size_t read_numbers(const char *mark, struct piece numbers[NUMBERS_MAX],
			   const char **ret_end)
{
	struct piece word = first_number(mark);
	size_t n = 0;

	*ret_end = word.s;
	while (n < NUMBERS_MAX && word.len > 0 && is_number(word)) {
		numbers[n++] = word;
		*ret_end = piece_end(word);
		word = word_after(*ret_end);
	}
	return n;
}

static bool is_weight(struct piece number)
{
	uint64_t value;

	return number.len <= WEIGHT_DIGITS && piece_to_decimal(number, &value);
}

struct script_shape script_find_shape(const char *text, size_t len)
{
	struct script_shape shape = {NUMBERS_MAX, false};
	bool seen = false;

	while (len > 0) {
		const char *newline = memchr(text, '\n', len);
		size_t n = newline ? (size_t)(newline - text) : len;
		char line[4096];

		if (newline && n < sizeof line) {
			struct piece numbers[NUMBERS_MAX];
			const char *mark, *end;
			size_t count, weights = 0;

			memcpy(line, text, n);
			line[n > 0 && line[n - 1] == '\r' ? n - 1 : n] = 0;
			mark = script_is_access(line) ? strstr(line, text_mark) : NULL;
			count = mark ? read_numbers(mark, numbers, &end) : 0;
			while (weights < count && is_weight(numbers[weights]))
				weights++;
			if (mark) {
				seen = true;
				shape.nweights = weights < shape.nweights ? (unsigned)weights
									  : shape.nweights;
				shape.has_ip |= weights < count;
			}
		}
		n += newline ? 1 : 0;
		text += n;
		len -= n;
	}
	if (!seen)
		shape.nweights = 0;
	return shape;
}

/* "name+0x51 (dso)        101a40078", each of which can be missing. */
static void read_code(const char *s, struct script_line *ret)
{
	const char *end = s + strlen(s), *open = NULL, *plus;
	struct piece last = word_before(s, end);

	/* The physical address is the last, apart from the rest. */
	if (last.len > 0 && last.s > s && (last.s == s || is_blank(last.s[-1])) &&
	    piece_to_hex(last, &ret->physical)) {
		struct piece before = word_before(s, last.s);

		if (before.len > 0) {
			ret->has_physical = true;
			end = piece_end(before);
		}
	}
	while (end > s && is_blank(end[-1]))
		end--;
	if (end > s && end[-1] == ')') {
		/* A file that was deleted has another pair in it. */
		for (const char *p = end - 2; p > s && !open; p--)
			if (*p == '(' && is_blank(p[-1]) && strncmp(p, "(deleted)", 9) != 0)
				open = p;
		if (!open && *s == '(')
			open = s;
	}
	if (open) {
		ret->dso = (struct piece){open + 1, (size_t)(end - 1 - (open + 1))};
		end = open;
	}
	while (is_blank(*s))
		s++;
	while (end > s && is_blank(end[-1]))
		end--;
	if (end <= s || strncmp(s, "[unknown]", 9) == 0)
		return;
	ret->symbol = (struct piece){s, (size_t)(end - s)};
	for (plus = end; plus > s && *plus != '+';)
		plus--;
	if (plus > s && plus[1] == '0' && plus[2] == 'x' &&
	    piece_to_hex((struct piece){plus + 1, (size_t)(end - plus - 1)}, &ret->symbol_offset)) {
		ret->has_symbol_offset = true;
		ret->symbol.len = (size_t)(plus - s);
	}
}

bool script_read_line(const char *line, const struct script_shape *shape, struct script_line *ret)
{
	const char *mark = strstr(line, text_mark), *end;
	struct script_line read = {.pid = -1, .tid = -1, .cpu = -1};
	struct piece numbers[NUMBERS_MAX], word;
	size_t n, i;

	if (!mark)
		return false;
	word = word_before(line, mark);
	if (!piece_to_hex(word, &read.data_src))
		return false;
	end = word.s;
	word = word_before(line, end);
	if (piece_to_hex(word, &read.address)) {
		read.has_address = read.address != 0;
		end = word.s;
	}
	read_head(line, end, &read);
	n = read_numbers(mark, numbers, &end);
	i = shape->nweights;
	if (shape->nweights > 0 && n > 0)
		read.has_weight = piece_to_decimal(numbers[0], &read.weight);
	if (shape->has_ip && i < n) {
		read.has_ip = piece_to_hex(numbers[i], &read.ip);
		end = piece_end(numbers[i++]);
	}
	/* A word of the letters of numbers can be a name, unless it is the last. */
	if (i < n && word_after(piece_end(numbers[i])).len == 0)
		read.has_physical = piece_to_hex(numbers[i], &read.physical);
	else if (read.has_ip)
		read_code(end, &read);
	*ret = read;
	return true;
}

bool script_read_chain(const char *line, struct script_line *ret)
{
	struct piece word;

	if (!is_blank(*line))
		return false;
	word = word_after(line);
	ret->has_ip = piece_to_hex(word, &ret->ip);
	if (ret->has_ip) {
		bool has_physical = ret->has_physical;
		uint64_t physical = ret->physical;

		read_code(piece_end(word), ret);
		ret->has_physical = has_physical;
		ret->physical = physical;
	}
	return ret->has_ip;
}
