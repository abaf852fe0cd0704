/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JUnit XML, as CI servers read it: a testsuite for each pack on each image, a testcase for each
 * finding. */
#ifndef REPORT_JUNIT_H
#define REPORT_JUNIT_H

#include "report/report.h"

extern const struct format format_junit;

#endif
