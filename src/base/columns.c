/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/columns.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/escape.h"
#include "base/mem.h"

struct range {
	uint32_t first, last;
};

static const struct range marks[] = {
	{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},     {0x64b, 0x65f},
	{0x6d6, 0x6dc},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20ff},   {0x302a, 0x302d},
	{0x3099, 0x309a}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xe0100, 0xe01ef},
};
static const struct range wide[] = {
	{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xa960, 0xa97f},
	{0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},
	{0xffe0, 0xffe6},   {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff},
	{0x20000, 0x3fffd},
};

static bool is_in(uint32_t point, const struct range *ranges, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (point >= ranges[i].first && point <= ranges[i].last)
			return true;
	return false;
}

size_t columns_of(const char *text, size_t len)
{
	const char *end = text + len;
	size_t n = 0;

	while (text < end) {
		uint32_t point;
		int bytes = utf8_decode(text, &point);

		if (!bytes)
			n++;
		else if (!is_in(point, marks, ARRAY_SIZE(marks)))
			n += is_in(point, wide, ARRAY_SIZE(wide)) ? 2 : 1;
		text += bytes ? bytes : 1;
	}
	return n;
}
