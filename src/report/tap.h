/* SPDX-License-Identifier: GPL-2.0-or-later */
/* KTAP, version 1, as the tests of the kernel print it, which TAP readers take, too. */
#ifndef REPORT_TAP_H
#define REPORT_TAP_H

#include "report/report.h"

extern const struct format format_tap;

#endif
