/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Days as text, "2026-12-31": in that form they compare with strcmp(). Years 1 to 9999, UTC. */
#ifndef BASE_DATE_H
#define BASE_DATE_H

#include <stdbool.h>
#include <stdint.h>

enum { DATE_TEXT = 11 }; /* 10 characters and the NUL */

/* A day that there is: four digits, two, two (ISO 8601, extended format). */
bool date_is_valid(const char *text);

/* The day that is @seconds after 1970 began; false: beyond the year 9999. */
bool date_of_seconds(uint64_t seconds, char ret[DATE_TEXT]);

#endif
