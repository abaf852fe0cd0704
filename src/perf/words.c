/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "perf/words.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

struct text text_trim(const char *s, size_t len)
{
	while (len && (is_blank(s[len - 1]) || s[len - 1] == '\r'))
		len--;
	while (len && is_blank(*s))
		s++, len--;
	return (struct text){s, len};
}

bool text_is(struct text text, const char *word)
{
	size_t len = strlen(word);

	return text.len == len && (len == 0 || memcmp(text.s, word, len) == 0);
}

bool text_begins(struct text text, const char *word)
{
	size_t len = strlen(word);

	return text.len >= len && memcmp(text.s, word, len) == 0;
}

bool text_has(struct text text, const char *word)
{
	return memmem(text.s, text.len, word, strlen(word)) != NULL;
}

static void skip_blanks(struct text *rest)
{
	while (rest->len && is_blank(*rest->s))
		rest->s++, rest->len--;
}

bool text_word(struct text *rest, struct text *ret)
{
	size_t len = 0;

	skip_blanks(rest);
	while (len < rest->len && !is_blank(rest->s[len]))
		len++;
	*ret = (struct text){rest->s, len};
	rest->s += len;
	rest->len -= len;
	return len > 0;
}

bool text_cell(struct text *rest, struct text *ret)
{
	size_t len = 0;

	skip_blanks(rest);
	while (len < rest->len && rest->s[len] != '\t' &&
	       !(is_blank(rest->s[len]) && (len + 1 == rest->len || is_blank(rest->s[len + 1]))))
		len++;
	*ret = (struct text){rest->s, len};
	rest->s += len;
	rest->len -= len;
	return len > 0;
}

bool text_number(struct text text, uint64_t *ret)
{
	uint64_t value = 0;

	if (text.len == 0)
		return false;
	for (size_t i = 0; i < text.len; i++)
		if (!is_digit(text.s[i]) || __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(text.s[i] - '0'), &value))
			return false;
	*ret = value;
	return true;
}

static int hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool text_hex(struct text text, uint64_t *ret)
{
	uint64_t value = 0;

	if (text.len < 3 || text.len > 18 || !text_begins(text, "0x"))
		return false;
	for (size_t i = 2; i < text.len; i++) {
		int digit = hex_digit(text.s[i]);

		if (digit < 0)
			return false;
		value = value << 4 | (uint64_t)digit;
	}
	*ret = value;
	return true;
}

bool text_share(struct text text, uint32_t *ret)
{
	uint32_t value = 0;
	size_t i = 0;

	if (text_is(text, "-nan%") || text_is(text, "nan%")) {
		*ret = 0;
		return true;
	}
	if (text.len < 2 || text.s[text.len - 1] != '%' || !is_digit(*text.s))
		return false;
	for (; is_digit(text.s[i]); i++) {
		value = value * 10 + (uint32_t)(text.s[i] - '0');
		if (value > 100)
			return false;
	}
	value *= 100;
	if (text.s[i] == '.') {
		uint32_t unit = 10;

		for (i++; is_digit(text.s[i]); i++, unit /= 10)
			value += unit * (uint32_t)(text.s[i] - '0');
	}
	if (i + 1 != text.len || value > 10000)
		return false;
	*ret = value;
	return true;
}
