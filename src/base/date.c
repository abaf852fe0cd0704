/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/date.h"

#include <string.h>
#include <time.h>

/* @n digits; -1 when one is none. */
static int digits(const char *s, int n)
{
	int value = 0;

	for (int i = 0; i < n; i++) {
		if (s[i] < '0' || s[i] > '9')
			return -1;
		value = 10 * value + (s[i] - '0');
	}
	return value;
}

static int days_of(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

bool date_is_valid(const char *text)
{
	int year, month, day;

	if (strlen(text) != DATE_TEXT - 1 || text[4] != '-' || text[7] != '-')
		return false;
	year = digits(text, 4);
	month = digits(text + 5, 2);
	day = digits(text + 8, 2);
	return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= days_of(year, month);
}

bool date_of_seconds(uint64_t seconds, char ret[DATE_TEXT])
{
	static const uint64_t year_10000 = UINT64_C(253402300800);
	time_t time = (time_t)seconds;
	struct tm tm;

	if (seconds >= year_10000 || !gmtime_r(&time, &tm))
		return false;
	return strftime(ret, DATE_TEXT, "%Y-%m-%d", &tm) == DATE_TEXT - 1;
}
