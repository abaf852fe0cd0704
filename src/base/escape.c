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

/* Controls, and the characters that reorder or hide their neighbours (Unicode TR 36, 3.1). */
static bool is_dangerous(uint32_t point)
{
	return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x61c ||
	       (point >= 0x200b && point <= 0x200f) || (point >= 0x2028 && point <= 0x202e) ||
	       (point >= 0x2066 && point <= 0x2069) || point == 0xfeff;
}

void escape_text(struct buf *buf, const char *s)
{
	const unsigned char *p = (const unsigned char *)s;

	while (*p) {
		uint32_t point = 0;
		int len = utf8_decode((const char *)p, &point);

		if (len && !is_dangerous(point)) {
			buf_add(buf, p, (size_t)len);
			p += len;
			continue;
		}
		for (int i = 0; i < (len ? len : 1); i++)
			buf_addf(buf, "\\x%02x", *p++);
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
