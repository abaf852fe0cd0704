/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

int utf8_decode(const char *text, uint32_t *ret)
{
	const unsigned char *s = (const unsigned char *)text;
	static const struct {
		unsigned char first_low, first_high, second_low, second_high;
		int len;
	} forms[] = {
		{0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
		{0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
		{0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
		{0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
	};

	if (s[0] < 0x80) {
		*ret = s[0];
		return 1;
	}
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		uint32_t point;

		if (s[0] < forms[i].first_low || s[0] > forms[i].first_high)
			continue;
		if (s[1] < forms[i].second_low || s[1] > forms[i].second_high)
			return 0;
		point = s[0] & (0x7f >> forms[i].len);
		point = point << 6 | (s[1] & 0x3f);
		for (int k = 2; k < forms[i].len; k++) {
			if ((s[k] & 0xc0) != 0x80)
				return 0;
			point = point << 6 | (s[k] & 0x3f);
		}
		*ret = point;
		return forms[i].len;
	}
	return 0;
}

/* Controls, the characters that reorder or hide their neighbours (Unicode TR 36, 3.1), and
 * noncharacters, two of which XML forbids. */
static bool is_dangerous(uint32_t point)
{
	return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x61c ||
	       (point >= 0x200b && point <= 0x200f) || (point >= 0x2028 && point <= 0x202e) ||
	       (point >= 0x2066 && point <= 0x2069) || point == 0xfeff ||
	       (point >= 0xfdd0 && point <= 0xfdef) || (point & 0xfffe) == 0xfffe;
}

/* Adds what stands for the ASCII character at @at, which @start leads up to; false: itself. */
typedef bool stand_in(struct buf *buf, const char *start, const char *at);

static void escape(struct buf *buf, const char *s, stand_in *add)
{
	const char *p = s;

	while (*p) {
		uint32_t point = 0;
		int len = utf8_decode(p, &point);

		if (!len || is_dangerous(point)) {
			for (int i = 0; i < (len ? len : 1); i++)
				buf_addf(buf, "\\x%02x", (unsigned char)*p++);
			continue;
		}
		/* Twice: one alone begins a \xNN. */
		for (int i = 0; i < 1 + (*p == '\\'); i++)
			if (len > 1 || !add || !add(buf, s, p))
				buf_add(buf, p, (size_t)len);
		p += len;
	}
}

void escape_text(struct buf *buf, const char *s)
{
	escape(buf, s, NULL);
}

static bool add_reference(struct buf *buf, char c)
{
	buf_addf(buf, "&#%d;", c);
	return true;
}

static bool xml_char(struct buf *buf, const char *start, const char *at)
{
	(void)start;
	switch (*at) {
	case '&':
		buf_adds(buf, "&amp;");
		return true;
	case '<':
		buf_adds(buf, "&lt;");
		return true;
	case '>':
		buf_adds(buf, "&gt;");
		return true;
	case '"':
	case '\'':
		return add_reference(buf, *at);
	}
	return false;
}

void escape_xml(struct buf *buf, const char *s)
{
	escape(buf, s, xml_char);
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static bool markdown_char(struct buf *buf, const char *start, const char *at)
{
	/* A mention is looked for in the finished text, where a reference would not hide it, but
	 * not across elements. */
	if (*at == '@') {
		buf_adds(buf, "<code>@</code>");
		return true;
	}
	/* "www.host" and "http://host" are links; "a_b" is no markup. */
	if ((*at == '.' && at > start && (at[-1] == 'w' || at[-1] == 'W')) ||
	    (*at == ':' && at[1] == '/') ||
	    (*at == '_' && !(at > start && is_word(at[-1]) && is_word(at[1]))))
		return add_reference(buf, *at);
	return strchr("\\`*[]<>#|~&$", *at) && add_reference(buf, *at);
}

void escape_markdown(struct buf *buf, const char *s)
{
	escape(buf, s, markdown_char);
}

static bool data_char(struct buf *buf, const char *start, const char *at)
{
	(void)start;
	if (*at != '%')
		return false;
	buf_adds(buf, "%25");
	return true;
}

void escape_command_data(struct buf *buf, const char *s)
{
	escape(buf, s, data_char);
}

static bool property_char(struct buf *buf, const char *start, const char *at)
{
	(void)start;
	if (!strchr("%:,", *at))
		return false;
	buf_addf(buf, "%%%02X", *at);
	return true;
}

void escape_command_property(struct buf *buf, const char *s)
{
	escape(buf, s, property_char);
}

static bool tap_char(struct buf *buf, const char *start, const char *at)
{
	(void)start;
	if (*at != '#')
		return false;
	buf_adds(buf, "\\x23");
	return true;
}

void escape_tap(struct buf *buf, const char *s)
{
	escape(buf, s, tap_char);
}

static bool sarif_char(struct buf *buf, const char *start, const char *at)
{
	(void)start;
	if (*at == '{' || *at == '}') /* doubled: not of a placeholder */
		buf_addc(buf, *at);
	else if (*at == ']' && at[1] == '(') /* would end the text of a link */
		buf_addc(buf, '\\');
	return false;
}

void escape_sarif(struct buf *buf, const char *s)
{
	escape(buf, s, sarif_char);
}

static bool is_plain_in_uri(unsigned char c)
{
	return is_word((char)c) || (c && strchr("-._~/", c));
}

void escape_uri(struct buf *buf, const char *s)
{
	for (const unsigned char *p = (const unsigned char *)s; *p; p++) {
		if (is_plain_in_uri(*p))
			buf_addc(buf, (char)*p);
		else
			buf_addf(buf, "%%%02X", *p);
	}
}

char *escape_utf8(const char *s)
{
	const unsigned char *p = (const unsigned char *)s;
	struct buf buf = BUF_INIT;

	while (*p) {
		uint32_t point = 0;
		int len = utf8_decode((const char *)p, &point);

		if (len)
			buf_add(&buf, p, (size_t)len);
		else
			buf_adds(&buf, "\xef\xbf\xbd");
		p += len ? len : 1;
	}
	return buf_detach(&buf);
}
